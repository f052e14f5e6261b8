#include "damier/app/game_analysis.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "damier/app/terminal/move_table.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/play/players/players.h"

namespace damier::app {

namespace {

using games::Side;
using play::kGrades;
using play::PlayedGame;
using play::PlayedMove;
using play::SideSummary;
using play::Verdict;
using play::Worth;

// Of the grades, the worst first.
constexpr std::array kGradeInks = {Ink::red, Ink::orange, Ink::yellow};
static_assert(kGradeInks.size() == kGrades.size());

std::string value_of(const PlayedMove& move, const games::Facts& facts) {
  if (!move.worth) return move.words;
  const Worth& worth = *move.worth;
  return value_text({.known = worth.known, .value = worth.value, .score = worth.score}, facts);
}

Json worth_json(const std::optional<Worth>& worth) {
  return worth ? Json(worth->value) : Json(nullptr);
}

std::string side_text(const games::Facts& facts, Side side) {
  return std::string(facts.sides[static_cast<std::size_t>(index(side))]);
}

std::string shown_side(const games::Facts& facts, Side side) { return tr(side_text(facts, side)); }

class MoveRows {
 public:
  MoveRows(const PlayedGame& game, Look look, const GameCommands& own)
      : game_(game), look_(look), own_(own) {
    const auto& facts = game.facts();
    for (const Side side : {Side::first, Side::second}) {
      side_ = std::max(side_, shown_side(facts, side).size());
    }
    for (const PlayedMove& move : game.moves()) width_ = std::max(width_, move.move.size());
  }

  void print_heading() const {
    print_output("{}\n", painted(look_, Ink::faint,
                                 fmt::format("{:>5}  {:<{}}  {:<{}}  {:<{}}  {:<{}}", tr("  ply"),
                                             tr("side"), side_, tr("move"), width_, tr("value"),
                                             value_, tr("better"), width_)));
  }

  void print(std::size_t i) const {
    const PlayedMove& move = game_.moves()[i];
    std::string line = fmt::format(
        "{:>5}  {:<{}}  {:<{}}  {:<{}}  {:<{}}  ", i + 1, shown_side(game_.facts(), move.side),
        side_, own_.moves_in_language(move.move), width_, value_of(move, game_.facts()), value_,
        own_.moves_in_language(move.best), width_);
    if (const auto grade = play::grade_of(move.loss.value_or(0))) {
      line += painted(look_, kGradeInks[*grade], tr(kGrades[*grade].name), true);
    } else {
      line.erase(line.find_last_not_of(' ') + 1);
    }
    print_output("{}\n", line);
  }

 private:
  const PlayedGame& game_;
  Look look_;
  const GameCommands& own_;
  // "loses in 12 plies", "perd en 12 demi-coups"
  int value_ = language() == Language::english ? 16 : 22;
  std::size_t side_ = 4, width_ = 4;
};

void print_sides(const PlayedGame& game) {
  for (const Side side : {Side::first, Side::second}) {
    const SideSummary summary = game.summary_of(side);
    if (summary.moves == 0) continue;
    std::string line = tr_format("{}: {} of {} as good as the best", shown_side(game.facts(), side),
                                 summary.best, tr_counted(summary.moves, "move"));
    for (std::size_t i = kGrades.size(); i-- > 0;) {
      if (summary.grades[i] == 0) continue;
      line += ", " + tr_counted(summary.grades[i], kGrades[i].name);
    }
    print_output("{}\n", tr_format("{}; accuracy {:.1f} %", line, summary.accuracy()));
  }
}

// Grades from 1, the least.
int remark_grade(double loss) {
  const auto grade = play::grade_of(loss);
  return grade ? static_cast<int>(kGrades.size() - *grade) : 0;
}

// Wins and losses in moves of the winner, after this one.
std::optional<int> mate_after(const Worth& worth) {
  const auto& [verdict, plies] = worth.known;
  if (!plies || verdict == Verdict::unknown || verdict == Verdict::draw) return {};
  if (verdict == Verdict::loss) return -(*plies / 2);
  return *plies > 1 ? std::optional((*plies - 1) / 2) : std::nullopt;
}

GameFormat::Annotations annotations_of(const PlayedGame& game, const std::string& player) {
  GameFormat::Annotations annotations;
  for (std::size_t i = 0; i < game.moves().size(); ++i) {
    const PlayedMove& move = game.moves()[i];
    GameFormat::Remark& remark = annotations.moves.emplace_back();
    remark.grade = remark_grade(move.loss.value_or(0));
    if (move.worth) {
      remark.score = move.worth->score;
      remark.mate = mate_after(*move.worth);
      if (move.worth->known.verdict == Verdict::draw) remark.score = 0;
    }
    if (remark.grade > 0) remark.better = game.better_line(i);
  }
  annotations.comment = fmt::format("Seen by {}.", player);
  for (const Side side : {Side::first, Side::second}) {
    const SideSummary summary = game.summary_of(side);
    if (summary.moves == 0) continue;
    annotations.comment += fmt::format(" Accuracy of {}: {:.1f} %.", side_text(game.facts(), side),
                                       summary.accuracy());
  }
  return annotations;
}

}  // namespace

Json played_move_json(const PlayedGame& game, std::size_t i) {
  const PlayedMove& move = game.moves()[i];
  const auto grade = play::grade_of(move.loss.value_or(0));
  const bool exact = move.worth && move.worth->known.is_certain();
  return {{"ply", i + 1},
          {"side", side_text(game.facts(), move.side)},
          {"position", move.position.empty() ? Json(nullptr) : Json(move.position)},
          {"move", move.move},
          {"value", worth_json(move.worth)},
          {"exact", exact ? Json(verdict_text(move.worth->known.verdict)) : Json(nullptr)},
          {"best", move.best.empty() ? Json(nullptr) : Json(move.best)},
          {"best_value", worth_json(move.best_worth)},
          {"loss", move.loss ? Json(*move.loss) : Json(nullptr)},
          {"judgement", grade ? Json(kGrades[*grade].name) : Json(nullptr)}};
}

Json played_game_json(const PlayedGame& game) {
  Json moves = Json::array(), sides = Json::object();
  for (std::size_t i = game.begin(); i < game.end(); ++i)
    moves.push_back(played_move_json(game, i));
  for (const Side side : {Side::first, Side::second}) {
    const SideSummary summary = game.summary_of(side);
    if (summary.moves == 0) continue;
    Json json = {{"moves", summary.moves},
                 {"best", summary.best},
                 {"mean_loss", summary.loss / summary.moves},
                 {"accuracy", summary.accuracy()}};
    for (std::size_t i = 0; i < kGrades.size(); ++i) {
      json[plural(0, kGrades[i].name)] = summary.grades[i];
    }
    sides[side_text(game.facts(), side)] = std::move(json);
  }
  return {{"game", game.facts().name}, {"moves", std::move(moves)}, {"sides", std::move(sides)}};
}

void judge_played_game(const Context& context, PlayedGame& game, const play::Toolkit& toolkit,
                       const play::PlayerFactory& make, Seed seed, ThreadPool& pool,
                       const PlayedGame::OnMove& on_move) {
  if (!game.facts().hidden_information) return game.judge(toolkit, make, seed, pool, on_move);
  const GameCommands& own = context.games.of(game.facts().name);
  game.judge([&](const games::Session& session,
                 games::Action action) { return own.judge(session, action); },
             on_move);
}

Result<int> analyze_played_game(const Context& context, const games::SavedGame& game,
                                const std::string& title, const std::string& source,
                                const std::optional<std::string>& player,
                                const std::optional<AnnotatedFile>& annotated) {
  const auto toolkit = context.registry.toolkit(game.game);
  const games::Facts& facts = game.game->facts();
  if (player && facts.hidden_information) {
    return Error{
        fmt::format("--player does not go with games of {} that were played; their "
                    "moves are compared with what could be known",
                    facts.name)};
  }
  const GameCommands& own = context.games.of(facts.name);
  if (annotated) {
    const auto format = own.format();
    if (!format || format->annotated == nullptr) {
      return Error{fmt::format("-o: {} has no format for games with remarks", facts.name)};
    }
    TRY(check_output(annotated->output));
  }
  const std::string name = player.value_or(toolkit->strongest_player());
  auto opened = TRY(play::open_player(*toolkit, name).in("--player"));
  if (opened.is_human()) return Error{"--player: a human cannot be asked here"};
  const Seed seed{context.seed_option.value_or(1)};
  PlayedGame played(game);
  const MoveRows rows(played, detect_look(false), own);
  const Stopwatch watch;
  if (!context.json) {
    if (!title.empty()) print_output("{}\n", printable(title));
    print_output("{}\n\n", tr_format("{} of {}, seen by {}",
                                     tr_counted(played.moves().size(), "move"), facts.name, name));
    rows.print_heading();
  }
  {
    // Otherwise the rows themselves are the progress.
    std::optional<Progress> progress;
    if (context.json) progress.emplace("analyze", played.moves().size(), "moves");
    const auto on_move = [&](std::size_t i) {
      if (progress) progress->add(1, 1);
      if (!context.json) rows.print(i);
    };
    ThreadPool pool(context.thread_count());
    judge_played_game(context, played, *toolkit, opened.make, seed, pool, on_move);
  }
  if (interrupted()) return report_interrupted();
  const double seconds = watch.seconds();
  if (annotated) {
    const std::string event = kept_command("analyze");
    const auto text = TRY(own.format()->annotated(
        *game.session, {event, {game.players[0], game.players[1]}}, annotated->original,
        annotated->number, annotations_of(played, name)));
    TRY(write_file_atomically(annotated->output, text));
  }
  if (context.json) {
    const Json found = played_game_json(played);
    return print_json("analyze-game", {{"game", facts.name},
                                       {"source", source},
                                       {"player", name},
                                       {"moves", found["moves"]},
                                       {"sides", found["sides"]},
                                       {"seed", value_of(seed)},
                                       {"seconds", seconds}});
  }
  print_output("\n");
  print_sides(played);
  print_output("{}\n", tr_format("{:.2f} s, seed {}", seconds, value_of(seed)));
  if (annotated) print_about_file(annotated->output, tr("the game with remarks"));
  return kDone;
}

}  // namespace damier::app
