// The engine's side of UCI, as transcripts.

#include "damier/app/chess/uci_session.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "damier/base/text/text.h"
#include "damier/games/chess/fen.h"
#include "damier/games/chess/san.h"

namespace damier::app {
namespace {

class Transcript {
 public:
  // False after quit.
  bool say(const std::string& line) { return session_.take(line); }
  // The first line from here on that begins so; the lines before it are passed over.
  std::string wait_for(const std::string& beginning) {
    std::unique_lock lock(mutex_);
    while (true) {
      for (; next_ < lines_.size(); ++next_) {
        if (lines_[next_].starts_with(beginning)) return lines_[next_++];
      }
      changed_.wait(lock);
    }
  }
  std::vector<std::string> heard() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  // What a line is answered by, of commands that answer at once.
  std::vector<std::string> answers(const std::string& line) {
    const std::size_t before = heard().size();
    session_.take(line);
    const auto all = heard();
    return {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
  }
  UciSession& session() { return session_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;  // guarded by mutex_
  std::size_t next_ = 0;
  UciSession session_{[this](std::string_view line) {
    const std::lock_guard lock(mutex_);
    lines_.emplace_back(line);
    changed_.notify_all();
  }};
};

std::string best_move(const std::string& position, const std::string& go,
                      const std::vector<std::string>& before = {}) {
  Transcript talk;
  for (const std::string& line : before) talk.say(line);
  talk.say("position " + position);
  talk.say("go " + go);
  const std::string answer = talk.wait_for("bestmove");
  return std::string(split(answer, ' ').at(1));
}

bool is_legal(const std::string& fen, const std::string& move) {
  const games::chess::Generator generator;
  const auto state = games::chess::parse_fen(fen, generator);
  return state && games::chess::find_uci(generator, *state, move);
}

TEST(Uci, IntroducesItselfWithItsOptions) {
  Transcript talk;
  const auto lines = talk.answers("uci");
  EXPECT_TRUE(lines.front().starts_with("id name Damier"));
  EXPECT_EQ(lines.back(), "uciok");
  for (const char* option :
       {"Hash type spin", "Threads type spin", "MultiPV type spin", "Move Overhead type spin",
        "Ponder type check", "UCI_ShowWDL type check", "UCI_Chess960 type check",
        "UCI_LimitStrength type check", "UCI_Elo type spin", "Clear Hash type button",
        "EvalFile type string"}) {
    const std::string beginning = std::string("option name ") + option;
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.starts_with(beginning);
    })) << option;
  }
  EXPECT_EQ(talk.answers("isready"), std::vector<std::string>{"readyok"});
}

TEST(Uci, FindsMates) {
  EXPECT_EQ(best_move("fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "depth 4"), "a1a8");
  EXPECT_EQ(best_move("startpos moves f2f3 e7e5 g2g4", "mate 1"), "d8h4");
  Transcript talk;
  talk.say("position fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1");
  talk.say("go depth 6");
  EXPECT_NE(talk.wait_for("info depth 6").find("score mate 1"), std::string::npos);
  talk.wait_for("bestmove");
}

TEST(Uci, HeedsEveryLimit) {
  for (const char* go :
       {"depth 3", "nodes 2000", "movetime 20", "wtime 1000 btime 1000",
        "wtime 50 btime 50 winc 10 binc 10 movestogo 3", "wtime -5 btime -5", "wtime 1 btime 1"}) {
    const std::string move = best_move("startpos", go);
    EXPECT_TRUE(is_legal("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", move))
        << go << ": " << move;
  }
  EXPECT_EQ(best_move("startpos", "depth 3 searchmoves a2a3"), "a2a3");
  EXPECT_EQ(best_move("startpos", "searchmoves h2h4 depth 3"), "h2h4");
}

TEST(Uci, AnswersOnlyWhenItIsStopped) {
  Transcript talk;
  talk.say("position startpos");
  talk.say("go infinite");
  talk.wait_for("info depth 3");
  EXPECT_EQ(talk.answers("isready").back(), "readyok");
  for (const std::string& line : talk.heard()) EXPECT_FALSE(line.starts_with("bestmove"));
  talk.say("stop");
  talk.wait_for("bestmove");
  // With one legal move, or mate in one, too.
  talk.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
  talk.say("go infinite");
  talk.wait_for("info depth");
  talk.say("stop");
  EXPECT_TRUE(talk.wait_for("bestmove").starts_with("bestmove a1a8"));
}

TEST(Uci, PondersUntilTheMoveIsPlayed) {
  Transcript talk;
  talk.say("position startpos moves e2e4 e7e5");
  talk.say("go ponder wtime 100 btime 100");
  talk.wait_for("info depth 2");
  for (const std::string& line : talk.heard()) EXPECT_FALSE(line.starts_with("bestmove"));
  talk.say("ponderhit");
  talk.wait_for("bestmove");
  talk.say("go ponder depth 1");
  talk.say("stop");
  talk.wait_for("bestmove");
}

TEST(Uci, ShowsSeveralLinesAndWhatToExpect) {
  Transcript talk;
  talk.say("setoption name MultiPV value 3");
  talk.say("setoption name UCI_ShowWDL value true");
  talk.say("position startpos");
  talk.say("go depth 3");
  talk.wait_for("bestmove");
  int third = 0;
  for (const std::string& line : talk.heard()) {
    if (!line.starts_with("info depth 3")) continue;
    EXPECT_NE(line.find(" wdl "), std::string::npos);
    third += line.find(" multipv 3 ") != std::string::npos;
  }
  EXPECT_GE(third, 1);
}

TEST(Uci, CastlesInBothNotations) {
  const std::string after = "moves e1g1 e8c8";
  Transcript talk;
  talk.say("position fen r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1 " + after);
  const std::string castled = "info string fen 2kr3r/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 w - - 2 2";
  EXPECT_EQ(talk.answers("d").at(8), castled);
  talk.say("setoption name UCI_Chess960 value true");
  talk.say("position fen r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1 moves e1h1 e8a8");
  EXPECT_EQ(talk.answers("d").at(8), castled);
  // Castling mates: the same move, written as each expects it.
  const std::string mate = "fen 5k2/8/8/8/8/8/4QP1P/4K2R w K - 0 1";
  const std::string only = "depth 1 searchmoves e1g1";
  EXPECT_EQ(best_move(mate, only), "e1g1");
  EXPECT_EQ(best_move(mate, only, {"setoption name UCI_Chess960 value true"}), "e1h1");
}

TEST(Uci, SaysWhenThereIsNoMove) {
  Transcript talk;
  talk.say("position startpos moves f2f3 e7e5 g2g4 d8h4");
  talk.say("go depth 3");
  talk.wait_for("info depth 0 score mate 0");
  EXPECT_EQ(talk.wait_for("bestmove"), "bestmove (none)");
  talk.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
  talk.say("go movetime 10");
  talk.wait_for("info depth 0 score cp 0");
  EXPECT_EQ(talk.wait_for("bestmove"), "bestmove (none)");
}

TEST(Uci, DrawsByRuleAreNoReasonToStaySilent) {
  // The third occurrence, and the hundredth quiet ply: whoever shows the board decides.
  EXPECT_NE(best_move("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "depth 2"),
            "(none)");
  EXPECT_NE(best_move("fen 4k3/8/8/8/8/8/3R4/4K3 w - - 100 90", "depth 2"), "(none)");
  EXPECT_NE(best_move("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "depth 2"), "(none)");
}

TEST(Uci, PlaysWeakerOnDemand) {
  const std::string move = best_move(
      "startpos", "depth 3",
      {"setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1000"});
  EXPECT_TRUE(is_legal("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", move));
}

TEST(Uci, GarbageIsAnsweredCalmly) {
  Transcript talk;
  const auto complaint = [&](const std::string& line) {
    const auto answers = talk.answers(line);
    return answers.empty() ? std::string() : answers.front();
  };
  for (const char* line :
       {"hello", "position", "position fen", "position fen x y z", "position startpos moves e2e5",
        "setoption", "setoption name", "setoption name Hsh value 3", "setoption name Hash value x",
        "setoption name Hash value 99999999", "setoption name Threads value 0",
        "setoption name UCI_Chess960 value perhaps", "setoption name UCI_Elo value 9999",
        "setoption name EvalFile value /no/such/file", "bench x", "bench 0"}) {
    EXPECT_TRUE(complaint(line).starts_with("info string ")) << line << ": " << complaint(line);
  }
  EXPECT_EQ(complaint(""), "");
  EXPECT_EQ(complaint("  \t "), "");
  EXPECT_TRUE(
      complaint(std::string("\x1b[2J\0\xff", 6)).starts_with("info string unknown command"));
  // A position that made no sense is not searched.
  talk.say("position fen 8/8/8/8/8/8/8/8 w - - 0 1");
  talk.say("go depth 3");
  EXPECT_EQ(talk.wait_for("bestmove"), "bestmove (none)");
  talk.say("position startpos");
  talk.say("go depth x nodes 500 fast");
  talk.wait_for("info string expected a whole number after depth");
  EXPECT_NE(talk.wait_for("bestmove"), "bestmove (none)");
  EXPECT_EQ(talk.answers("stop"), std::vector<std::string>{});
  EXPECT_EQ(talk.answers("ponderhit"), std::vector<std::string>{});
}

TEST(Uci, ASearchIsNotDisturbed) {
  Transcript talk;
  talk.say("position startpos");
  talk.say("go infinite");
  talk.wait_for("info depth 2");
  for (const char* line : {"go depth 1", "position startpos", "setoption name Hash value 1",
                           "ucinewgame", "eval", "bench 1"}) {
    talk.say(line);
    EXPECT_NE(talk.wait_for("info string ").find("not heard during a search"), std::string::npos);
  }
  talk.say("stop");
  talk.wait_for("bestmove");
  EXPECT_TRUE(talk.say("ucinewgame"));
  EXPECT_FALSE(talk.say("quit"));
}

TEST(Uci, QuitsInTheMiddleOfASearch) {
  Transcript talk;
  talk.say("go infinite");
  EXPECT_FALSE(talk.say("quit"));
  // Nothing is waited for: leaving the scope ends the search.
}

TEST(Uci, AnswersWhenTheInputEnds) {
  Transcript talk;
  talk.say("go depth 4");
  talk.session().finish();
  EXPECT_TRUE(talk.heard().back().starts_with("bestmove"));
  talk.say("go infinite");
  talk.session().finish();
  EXPECT_TRUE(talk.heard().back().starts_with("bestmove"));
}

TEST(Uci, EvaluatesAndDraws) {
  Transcript talk;
  talk.say("position startpos moves e2e4");
  EXPECT_TRUE(talk.answers("eval").front().starts_with("info string evaluation "));
  const auto board = talk.answers("d");
  EXPECT_EQ(board.front(), "info string rnbqkbnr");
  EXPECT_EQ(board.at(4), "info string ....P...");
  EXPECT_TRUE(talk.answers("bench 1").back().ends_with(" nps"));
}

}  // namespace
}  // namespace damier::app
