#include "damier/search/chess/uci_client.h"

#include <cerrno>
#include <cstdlib>

#include "tests/search/chess/fake_engine.h"
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "damier/base/files/child_process.h"
#include "damier/games/chess/fen.h"
#include "damier/games/chess/san.h"

namespace damier::search::chess {
namespace {

constexpr std::string_view kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr Milliseconds kShort{50};

std::string error_of(const std::string& on_go, Milliseconds patience = std::chrono::seconds(60)) {
  const FakeEngine fake(on_go);
  auto client = UciClient::open(fake.path(), {}, patience);
  if (!client) return client.error().text();
  const auto answer = client->evaluate(kStart, {.nodes = 1});
  if (answer) return "answered";
  std::string text = answer.error().text();
  const auto at = text.find(fake.path());
  if (at != std::string::npos) text.replace(at, fake.path().size(), "fake");
  return text;
}

std::string opened(const FakeEngine& fake, const UciSettings& settings) {
  const auto client = UciClient::open(fake.path(), settings);
  return client ? "opened" : client.error().text();
}

TEST(UciClient, TellsTheMoveItsScoreAndItsLine) {
  const FakeEngine fake(
      "echo 'info depth 3 seldepth 5 multipv 1 score cp 31 wdl 100 850 50 nodes 77 pv e2e4 e7e5'\n"
      "echo 'info depth 3 multipv 2 score mate -2 pv g2g4'\n"
      "echo 'bestmove e2e4 ponder e7e5'");
  auto client = UciClient::open(fake.path()).value();
  EXPECT_EQ(client.name(), "Fake 1");
  const UciAnswer answer = client.evaluate(kStart, {.nodes = 100}).value();
  EXPECT_EQ(games::chess::uci_text(answer.best, false), "e2e4");
  EXPECT_EQ(answer.depth, 3);
  EXPECT_EQ(answer.nodes, 77u);
  ASSERT_EQ(answer.lines.size(), 2u);
  EXPECT_EQ(answer.lines[0].score, 31);
  EXPECT_EQ(answer.lines[0].expected->draw, 850);
  EXPECT_EQ(answer.lines[0].moves.size(), 2u);
  EXPECT_EQ(answer.lines[1].mate, -2);
  EXPECT_NE(fake.log().find("\nposition startpos\ngo nodes 100\n"), std::string::npos);
}

TEST(UciClient, GarbageAroundTheAnswerIsPassedOver) {
  const FakeEngine fake(
      "echo; echo 'hello there'; printf '\\377\\000\\001\\n'; echo 'info score'\n"
      "echo 'info depth x score cp 99999999999 pv e2e4'; echo 'info multipv 0 score cp 1 pv e2e4'\n"
      "echo 'info score cp 12 pv e2e4 e2e4 nonsense'; echo bestmovee7; echo '  bestmove d2d4'\n"
      "echo 'bestmove e2e4'");
  auto client = UciClient::open(fake.path()).value();
  const auto answer = client.evaluate(kStart, {.depth = 1});
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(games::chess::uci_text(answer->best, false), "e2e4");
  ASSERT_EQ(answer->lines.size(), 1u);
  EXPECT_EQ(answer->lines[0].score, 12);
  EXPECT_EQ(answer->lines[0].moves.size(), 1u);
}

TEST(UciClient, AnEngineThatFailsIsOneLine) {
  EXPECT_EQ(error_of("exit 3"), "engine 'fake' ended with code 3");
  EXPECT_EQ(error_of("kill -9 $$"), "engine 'fake' was killed by signal 9");
  EXPECT_EQ(error_of("echo bestmove e2e5"),
            "engine 'fake' plays 'e2e5', which is no legal move in " + std::string(kStart));
  EXPECT_EQ(error_of("echo bestmove"),
            "engine 'fake' plays '', which is no legal move in " + std::string(kStart));
  EXPECT_EQ(error_of(":", kShort), "engine 'fake' does not answer: bestmove was expected");
  EXPECT_EQ(error_of("head -c 100000 /dev/zero | tr '\\0' 'x'"),
            "engine 'fake' sent a line of more than 65536 bytes");
}

TEST(UciClient, AProgramThatIsNoEngineIsRefused) {
  const auto error = [](const std::string& command) {
    const auto client = UciClient::open(command, {}, kShort);
    return client ? "opened" : client.error().text();
  };
  EXPECT_EQ(error("no-such-engine"),
            "there is no program 'no-such-engine' on PATH or in /usr/games");
  EXPECT_EQ(error("/no/engine"), "there is no program '/no/engine' that can be run");
  EXPECT_EQ(error("'open"), "''open' has a quote that is not closed");
  EXPECT_EQ(error("  "), "expected a program to run");
  EXPECT_EQ(error("false"), "engine 'false' ended with code 1");
  EXPECT_EQ(error("tail -f /dev/null"),
            "engine 'tail -f /dev/null' does not answer: uciok was expected");
}

TEST(UciClient, OptionsAreCheckedAgainstWhatTheEngineOffers) {
  const FakeEngine fake("echo bestmove e2e4");
  EXPECT_EQ(opened(fake, {{"skill level", "10"}, {"Style", "very risky"}, {"Clear Hash", ""}}),
            "opened");
  const std::string log = fake.log();
  EXPECT_NE(log.find("setoption name Skill Level value 10\n"), std::string::npos);
  EXPECT_NE(log.find("setoption name Style value Very Risky\n"), std::string::npos);
  EXPECT_NE(log.find("setoption name Clear Hash\n"), std::string::npos);
  EXPECT_NE(opened(fake, {{"Skil Level", "1"}}).find("did you mean 'Skill Level'?"),
            std::string::npos);
  EXPECT_EQ(opened(fake, {{"Hash", "65"}}),
            "option 'Hash' is '65'; expected a whole number from 1 to 64");
  EXPECT_EQ(opened(fake, {{"Style", "Wild"}}),
            "option 'Style' is 'Wild'; expected one of Solid, Very Risky");
  EXPECT_EQ(opened(fake, {{"UCI_Chess960", "yes"}}),
            "option 'UCI_Chess960' is 'yes'; expected true or false");
  EXPECT_EQ(opened(fake, {{"Clear Hash", "now"}}),
            "option 'Clear Hash' is 'now'; expected no value: it is a button");
}

TEST(UciClient, Chess960IsToldAndCastlingIsTheKingOnItsRook) {
  const FakeEngine fake("echo bestmove e8a8");
  auto client = UciClient::open(fake.path()).value();
  const Chess game({.chess960 = true});
  History history(game, game.parse_position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").value());
  history.play(game.parse_move(history.state(), "O-O").value());
  const auto answer = client.search(history, {.nodes = 1});
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_TRUE(is_castling(answer->best));
  EXPECT_NE(fake.log().find("setoption name UCI_Chess960 value true\n"), std::string::npos);
  EXPECT_NE(fake.log().find(" moves e1h1\n"), std::string::npos);
}

TEST(UciClient, ClocksAreTold) {
  const FakeEngine fake("echo bestmove e2e4");
  auto client = UciClient::open(fake.path()).value();
  const History history(Chess(), Chess().initial());
  UciLimits limits;
  limits.clocks = {{Milliseconds(9000), Milliseconds(100)},
                   {Milliseconds(8000), Milliseconds(100)}};
  ASSERT_TRUE(client.search(history, limits));
  EXPECT_NE(fake.log().find("go wtime 9000 btime 8000 winc 100 binc 100\n"), std::string::npos);
}

TEST(UciClient, NothingIsLeftBehind) {
  {
    const FakeEngine good("echo bestmove e2e4"), deaf("while :; do :; done");
    auto one = UciClient::open(good.path()).value();
    auto two = UciClient::open(deaf.path(), {}, kShort).value();
    EXPECT_FALSE(two.evaluate(kStart, {.nodes = 1}));
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(UciClient, ASearchAtDepthOfARealEngine) {
  if (!find_program("stockfish")) GTEST_SKIP() << "stockfish is not installed";
  auto client = UciClient::open("stockfish", {{"Hash", "1"}}).value();
  const auto mate = client.evaluate("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", {.depth = 5});
  ASSERT_TRUE(mate) << mate.error().text();
  EXPECT_EQ(games::chess::uci_text(mate->best, false), "a1a8");
  EXPECT_EQ(mate->lines.front().mate, 1);
}

TEST(CommandWords, AreSplitAtSpacesOutsideQuotes) {
  const std::vector<std::string> words = {"gnuchess", "--uci", "a b", "cd"};
  EXPECT_EQ(command_words("gnuchess  --uci 'a b' c\"d\"").value(), words);
}

}  // namespace
}  // namespace damier::search::chess
