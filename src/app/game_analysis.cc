#include "damier/app/game_analysis.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "damier/app/terminal/move_table.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/parallel/workers.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/play/players/players.h"

namespace damier::app {

namespace {

using games::Outcome;
using games::Side;
using play::Verdict;

// What a move is called that gives away at least so much of the expected result, from -1 to 1.
struct Grade {
  double least;
  std::string_view name;
  games::Ink ink;
};
constexpr std::array<Grade, 3> kGrades = {{{0.3, "blunder", games::Ink::red},
                                           {0.2, "mistake", games::Ink::orange},
                                           {0.1, "inaccuracy", games::Ink::yellow}}};

const Grade* grade_of(double loss) {
  for (const Grade& grade : kGrades) {
    if (loss >= grade.least) return &grade;
  }
  return nullptr;
}

// What a position or a move is worth to the side to move.
struct Worth {
  double value = 0;
  games::Known known = {};
  std::optional<int> score = {};
};

std::string worth_text(const Worth& worth, const games::Facts& facts) {
  return value_text({.known = worth.known, .value = worth.value, .score = worth.score}, facts);
}

Json worth_json(const std::optional<Worth>& worth) {
  return worth ? Json(worth->value) : Json(nullptr);
}

std::optional<Worth> worth_of(const play::MoveAnswer& move) {
  if (move.known.is_certain()) return Worth{value_of(move.known.verdict), move.known};
  if (!move.value) return std::nullopt;
  return Worth{.value = *move.value, .score = move.score};
}

// One move of the game.
struct PlayedMove {
  Side side = Side::first;
  std::string move;
  std::string position;  // where it was played
  std::string best;      // another move that was better; empty: none
  std::string value;     // in words
  std::optional<Worth> worth, best_worth;
  std::optional<double> loss;
};

class GameAnalysis {
 public:
  GameAnalysis(const Context& context, const games::SavedGame& game)
      : context_(context), game_(game) {
    auto session = game.session->clone();
    std::vector<std::unique_ptr<games::Session>> back = {};
    back.push_back(session->clone());
    while (session->undo()) back.push_back(session->clone());
    positions_.assign(std::make_move_iterator(back.rbegin()), std::make_move_iterator(back.rend()));
    views_.resize(positions_.size());
    after_best_.resize(positions_.size());
    best_views_.resize(positions_.size());
    const auto texts = game.session->move_texts();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      PlayedMove move;
      move.side = positions_[i]->side_to_move();
      move.move = texts[i];
      if (!facts().hidden_information) move.position = positions_[i]->position_text();
      moves_.push_back(std::move(move));
    }
  }

  const std::vector<PlayedMove>& moves() const { return moves_; }
  // The line that should have been played instead of a move, as text; empty where none was better.
  std::vector<std::string> better_line(std::size_t i) const {
    std::vector<std::string> texts;
    if (moves_[i].best.empty()) return texts;
    const auto ahead = positions_[i]->clone();
    for (const games::Action action : views_[i].line) {
      if (ahead->outcome() != Outcome::ongoing) break;
      texts.push_back(ahead->move_text(action));
      ahead->play(action);
    }
    return texts;
  }
  const games::Facts& facts() const { return game_.game->facts(); }

  // `on_move` hears of every move in its order.
  template <class OnMove>
  void run(const play::Toolkit& toolkit, const play::OpenedPlayer& player, Seed seed,
           const OnMove& on_move) {
    ThreadPool pool(context_.thread_count());
    Workers<std::unique_ptr<play::Player>> players;
    std::mutex mutex;
    std::vector<std::uint8_t> known(positions_.size());  // guarded by mutex, as is the rest
    std::size_t told = 0;
    players.for_each(
        pool, positions_.size(), [&] { return player.make(); },
        [&](const std::unique_ptr<play::Player>& mine, std::size_t i) {
          if (interrupted()) return;
          look_at(toolkit, *mine, seed, i);
          if (interrupted()) return;  // the thought was cut short
          const std::lock_guard lock(mutex);
          known[i] = 1;
          while (told < moves_.size() && known[told] != 0 && known[told + 1] != 0) {
            compare(told);
            on_move(told++);
          }
        });
  }

  // The same for a game that says itself what its moves were worth.
  template <class OnMove>
  void run(const GameCommands& own, const OnMove& on_move) {
    for (std::size_t i = 0; i < moves_.size() && !interrupted(); ++i) {
      const auto action = positions_[i]->parse_move(moves_[i].move);
      if (const auto judged = action ? own.judge(*positions_[i], *action) : std::nullopt) {
        moves_[i].value = judged->value;
        moves_[i].best = judged->best;
        moves_[i].loss = judged->loss;
      }
      on_move(i);
    }
  }

 private:
  void look_at(const play::Toolkit& toolkit, play::Player& player, Seed seed, std::size_t i) {
    views_[i] = thought(toolkit, player, *positions_[i], seed, i);
    if (i == moves_.size() || views_[i].moves.empty()) return;
    // A move that was not played is judged as the played one is, after it: thoughts from two
    // positions compare only if they are equally deep.
    const games::Action best = views_[i].best().move;
    if (positions_[i]->move_text(best) == moves_[i].move) return;
    auto after = positions_[i]->clone();
    after->play(best);
    best_views_[i] = thought(toolkit, player, *after, seed, i + 1);
    after_best_[i] = std::move(after);
  }

  static play::Answer thought(const play::Toolkit& toolkit, play::Player& player,
                              const games::Session& position, Seed seed, std::size_t number) {
    if (position.outcome() != Outcome::ongoing) return {};
    RandomStream random(seed, "analyze", number);
    play::Answer answer = player.answer(position, {.every_move = true, .random = &random});
    if (const auto certain = play::known_answer(toolkit, position))
      play::add_known(answer, *certain);
    return answer;
  }

  // What a position is worth to the one who moved into it: what was thought of the move itself may
  // be a bound only, or the fruit of a few visits.
  static std::optional<Worth> worth_after(const games::Session& after, const play::Answer& answer,
                                          Side mover) {
    if (after.outcome() != Outcome::ongoing) {
      const Verdict verdict = verdict_of(after.outcome(), mover);
      return Worth{value_of(verdict), {verdict, 1}};
    }
    if (answer.moves.empty()) return std::nullopt;
    auto worth = worth_of(answer.best());
    if (!worth) return worth;
    worth->known = one_ply_before(worth->known);
    if (after.side_to_move() == mover) return worth;
    if (worth->score) worth->score = -*worth->score;
    return Worth{-worth->value, seen_from_other_side(worth->known), worth->score};
  }

  // With the best move.
  void compare(std::size_t i) {
    PlayedMove& move = moves_[i];
    if (views_[i].moves.empty()) return;
    move.worth = worth_after(*positions_[i + 1], views_[i + 1], move.side);
    if (move.worth) move.value = worth_text(*move.worth, facts());
    move.best_worth = move.worth;
    if (after_best_[i] == nullptr) {
      if (!move.worth) move.worth = worth_of(views_[i].moves.front());
      move.loss = 0;
      return;
    }
    move.best_worth = worth_after(*after_best_[i], best_views_[i], move.side);
    if (!move.worth || !move.best_worth) return;
    move.loss = std::max(0.0, move.best_worth->value - move.worth->value);
    if (move.loss > 0) move.best = positions_[i]->move_text(views_[i].best().move);
  }

  const Context& context_;
  const games::SavedGame& game_;
  std::vector<std::unique_ptr<games::Session>> positions_;  // before each move, and the last one
  std::vector<play::Answer> views_;                         // of each position
  // After the best move, where another one was played.
  std::vector<std::unique_ptr<games::Session>> after_best_;
  std::vector<play::Answer> best_views_;
  std::vector<PlayedMove> moves_;
};

std::string side_text(const games::Facts& facts, Side side) {
  return std::string(facts.sides[static_cast<std::size_t>(index(side))]);
}

std::string shown_side(const games::Facts& facts, Side side) { return tr(side_text(facts, side)); }

class MoveRows {
 public:
  MoveRows(const GameAnalysis& analysis, Look look, const GameCommands& own)
      : analysis_(analysis), look_(look), own_(own) {
    const auto& facts = analysis.facts();
    for (const Side side : {Side::first, Side::second}) {
      side_ = std::max(side_, shown_side(facts, side).size());
    }
    for (const PlayedMove& move : analysis.moves()) width_ = std::max(width_, move.move.size());
  }

  void print_heading() const {
    print_output("{}\n", painted(look_, games::Ink::faint,
                                 fmt::format("{:>5}  {:<{}}  {:<{}}  {:<{}}  {:<{}}", tr("  ply"),
                                             tr("side"), side_, tr("move"), width_, tr("value"),
                                             value_, tr("better"), width_)));
  }

  void print(std::size_t i) const {
    const PlayedMove& move = analysis_.moves()[i];
    std::string line = fmt::format("{:>5}  {:<{}}  {:<{}}  {:<{}}  {:<{}}  ", i + 1,
                                   shown_side(analysis_.facts(), move.side), side_,
                                   own_.moves_in_language(move.move), width_, move.value, value_,
                                   own_.moves_in_language(move.best), width_);
    if (const Grade* grade = grade_of(move.loss.value_or(0))) {
      line += painted(look_, grade->ink, tr(grade->name), true);
    } else {
      line.erase(line.find_last_not_of(' ') + 1);
    }
    print_output("{}\n", line);
  }

 private:
  const GameAnalysis& analysis_;
  Look look_;
  const GameCommands& own_;
  // "loses in 12 plies", "perd en 12 demi-coups"
  int value_ = language() == Language::english ? 16 : 22;
  std::size_t side_ = 4, width_ = 4;
};

// How a side did over all its moves.
struct SideSummary {
  int moves = 0;
  int best = 0;  // where nothing was better
  std::array<int, kGrades.size()> grades = {};
  double loss = 0;

  // What is left of a win, a move: 100 % where nothing was given away.
  double accuracy() const { return 100 - 50 * loss / moves; }
};

SideSummary summary_of(const GameAnalysis& analysis, Side side) {
  SideSummary summary;
  for (const PlayedMove& move : analysis.moves()) {
    if (move.side != side || !move.loss) continue;
    ++summary.moves;
    summary.best += *move.loss == 0;
    summary.loss += *move.loss;
    if (const Grade* grade = grade_of(*move.loss)) {
      ++summary.grades[static_cast<std::size_t>(grade - kGrades.data())];
    }
  }
  return summary;
}

void print_sides(const GameAnalysis& analysis) {
  for (const Side side : {Side::first, Side::second}) {
    const SideSummary summary = summary_of(analysis, side);
    if (summary.moves == 0) continue;
    std::string line =
        tr_format("{}: {} of {} as good as the best", shown_side(analysis.facts(), side),
                  summary.best, tr_counted(summary.moves, "move"));
    for (std::size_t i = kGrades.size(); i-- > 0;) {
      if (summary.grades[i] == 0) continue;
      line += ", " + tr_counted(summary.grades[i], kGrades[i].name);
    }
    print_output("{}\n", tr_format("{}; accuracy {:.1f} %", line, summary.accuracy()));
  }
}

Json sides_json(const GameAnalysis& analysis) {
  Json sides = Json::object();
  for (const Side side : {Side::first, Side::second}) {
    const SideSummary summary = summary_of(analysis, side);
    if (summary.moves == 0) continue;
    Json json = {{"moves", summary.moves},
                 {"best", summary.best},
                 {"mean_loss", summary.loss / summary.moves},
                 {"accuracy", summary.accuracy()}};
    for (std::size_t i = 0; i < kGrades.size(); ++i) {
      json[plural(0, kGrades[i].name)] = summary.grades[i];
    }
    sides[side_text(analysis.facts(), side)] = std::move(json);
  }
  return sides;
}

Json played_moves_json(const GameAnalysis& analysis) {
  Json moves = Json::array();
  for (std::size_t i = 0; i < analysis.moves().size(); ++i) {
    const PlayedMove& move = analysis.moves()[i];
    const Grade* grade = grade_of(move.loss.value_or(0));
    const bool exact = move.worth && move.worth->known.is_certain();
    moves.push_back(
        {{"ply", i + 1},
         {"side", side_text(analysis.facts(), move.side)},
         {"position", move.position.empty() ? Json(nullptr) : Json(move.position)},
         {"move", move.move},
         {"value", worth_json(move.worth)},
         {"exact", exact ? Json(verdict_text(move.worth->known.verdict)) : Json(nullptr)},
         {"best", move.best.empty() ? Json(nullptr) : Json(move.best)},
         {"best_value", worth_json(move.best_worth)},
         {"loss", move.loss ? Json(*move.loss) : Json(nullptr)},
         {"judgement", grade == nullptr ? Json(nullptr) : Json(grade->name)}});
  }
  return moves;
}

// Grades from 1, the least.
int remark_grade(double loss) {
  const Grade* grade = grade_of(loss);
  return grade == nullptr ? 0 : static_cast<int>(kGrades.size() - (grade - kGrades.data()));
}

// Wins and losses in moves of the winner, after this one.
std::optional<int> mate_after(const Worth& worth) {
  const auto& [verdict, plies] = worth.known;
  if (!plies || verdict == Verdict::unknown || verdict == Verdict::draw) return {};
  if (verdict == Verdict::loss) return -(*plies / 2);
  return *plies > 1 ? std::optional((*plies - 1) / 2) : std::nullopt;
}

GameFormat::Annotations annotations_of(const GameAnalysis& analysis, const std::string& player) {
  GameFormat::Annotations annotations;
  for (std::size_t i = 0; i < analysis.moves().size(); ++i) {
    const PlayedMove& move = analysis.moves()[i];
    GameFormat::Remark& remark = annotations.moves.emplace_back();
    remark.grade = remark_grade(move.loss.value_or(0));
    if (move.worth) {
      remark.score = move.worth->score;
      remark.mate = mate_after(*move.worth);
      if (move.worth->known.verdict == Verdict::draw) remark.score = 0;
    }
    if (remark.grade > 0) remark.better = analysis.better_line(i);
  }
  annotations.comment = fmt::format("Seen by {}.", player);
  for (const Side side : {Side::first, Side::second}) {
    const SideSummary summary = summary_of(analysis, side);
    if (summary.moves == 0) continue;
    annotations.comment += fmt::format(" Accuracy of {}: {:.1f} %.",
                                       side_text(analysis.facts(), side), summary.accuracy());
  }
  return annotations;
}

Status write_annotated(const AnnotatedFile& annotated, const games::SavedGame& game,
                       const GameCommands& own, const GameFormat::Annotations& annotations) {
  const std::string event = kept_command("analyze");
  const auto format = own.format();
  const auto text = format->annotated(*game.session, {event, {game.players[0], game.players[1]}},
                                      annotated.original, annotated.number, annotations);
  if (!text) return text.error();
  return write_file_atomically(annotated.output, *text);
}

}  // namespace

int analyze_played_game(const Context& context, const games::SavedGame& game,
                        const std::string& title, const std::string& source,
                        const std::optional<std::string>& player,
                        const std::optional<AnnotatedFile>& annotated) {
  const auto toolkit = context.registry.toolkit(game.game);
  const games::Facts& facts = game.game->facts();
  if (player && facts.hidden_information) {
    return report(
        Error{fmt::format("--player does not go with games of {} that were played; their "
                          "moves are compared with what could be known",
                          facts.name)});
  }
  const GameCommands& own = context.games.of(facts.name);
  if (annotated) {
    const auto format = own.format();
    if (!format || format->annotated == nullptr) {
      return report(Error{fmt::format("-o: {} has no format for games with remarks", facts.name)});
    }
    if (auto status = check_output(annotated->output); !status) return report(status.error());
  }
  const std::string name = player.value_or(toolkit->strongest_player());
  auto opened = play::open_player(*toolkit, name);
  if (!opened) return report(std::move(opened).error().in("--player"));
  if (opened->is_human()) return report(Error{"--player: a human cannot be asked here"});
  const Seed seed{context.seed_option.value_or(1)};
  GameAnalysis analysis(context, game);
  const MoveRows rows(analysis, detect_look(false), context.games.of(facts.name));
  const Stopwatch watch;
  if (!context.json) {
    if (!title.empty()) print_output("{}\n", printable(title));
    print_output("{}\n\n",
                 tr_format("{} of {}, seen by {}", tr_counted(analysis.moves().size(), "move"),
                           facts.name, name));
    rows.print_heading();
  }
  {
    // Otherwise the rows themselves are the progress.
    std::optional<Progress> progress;
    if (context.json) progress.emplace("analyze", analysis.moves().size(), "moves");
    const auto on_move = [&](std::size_t i) {
      if (progress) progress->add(1, 1);
      if (!context.json) rows.print(i);
    };
    if (facts.hidden_information) {
      analysis.run(context.games.of(facts.name), on_move);
    } else {
      analysis.run(*toolkit, *opened, seed, on_move);
    }
  }
  if (interrupted()) return report_interrupted();
  const double seconds = watch.seconds();
  if (annotated) {
    const auto status = write_annotated(*annotated, game, own, annotations_of(analysis, name));
    if (!status) return report(status.error());
  }
  if (context.json) {
    print_json("analyze-game", {{"game", facts.name},
                                {"source", source},
                                {"player", name},
                                {"moves", played_moves_json(analysis)},
                                {"sides", sides_json(analysis)},
                                {"seed", value_of(seed)},
                                {"seconds", seconds}});
    return kDone;
  }
  print_output("\n");
  print_sides(analysis);
  print_output("{}\n", tr_format("{:.2f} s, seed {}", seconds, value_of(seed)));
  if (annotated) {
    print_about_file(annotated->output, tr("the game with remarks"));
  }
  return kDone;
}

}  // namespace damier::app
