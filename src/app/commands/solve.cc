// `damier solve`: the exact value of a position, or counts over a whole state space.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/terminal/search_line.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

struct SolveArguments {
  GameChoice choice;
  PositionChoice position;
  std::uint64_t nodes = 0;
  double seconds = 0;
  bool stats = false;
};

int show_space(const play::Toolkit& toolkit, const Context& context) {
  const Stopwatch watch;
  const auto figures = toolkit.state_space();
  if (!figures) return report(figures.error());
  const double seconds = watch.seconds();
  if (context.json) {
    Json counts = Json::object();
    for (const auto& figure : *figures) counts[figure.name] = figure.value;
    print_json("state_space", {{"game", toolkit.game().facts().name},
                               {"counts", std::move(counts)},
                               {"seconds", seconds}});
    return kDone;
  }
  for (const auto& figure : *figures) print_output("{:>10}  {}\n", figure.value, figure.text);
  print_message("{:.2f} s\n", seconds);
  return kDone;
}

std::string winner_text(const std::string& winner) {
  if (winner == "first" || winner == "second") return fmt::format("the {} player wins", winner);
  return fmt::format("{} wins, whoever begins", winner);
}

void print_solution(const play::Solution& solution, const games::Session& session,
                    const games::Facts& facts) {
  const Look look = detect_look(false);
  const std::string side(facts.sides[static_cast<std::size_t>(index(session.side_to_move()))]);
  std::string line;
  if (solution.value == play::Verdict::unknown) {
    line = interrupted() ? "unknown: interrupted" : "unknown: the limit was reached";
  } else if (session.outcome() != games::Outcome::ongoing) {
    line = fmt::format("{} for {}: the game is over", verdict_text(solution.value), side);
  } else {
    line = fmt::format("{} for {}, who moves", verdict_text(solution.value), side);
    if (solution.distance) line += ", in " + counted(*solution.distance, "ply");
  }
  if (solution.winner) line = winner_text(*solution.winner);
  print_output("{}\n", painted(look, games::Ink::first, line, true));
  if (!solution.best.empty()) {
    print_output("{}: {}\n", solution.best_is_complete ? "best moves" : "a best move",
                 join(solution.best, " "));
  }
  if (solution.so_far) print_output("best so far: {}\n", *solution.so_far);
  if (solution.depth > 0) {
    print_output("nothing is decided within {}\n", counted(solution.depth, "ply"));
  }
  print_output("{}, {:.2f} s\n", counted(solution.nodes, "node"), solution.seconds);
}

int run_solve(const SolveArguments& arguments, const Context& context) {
  auto game = make_game(context, arguments.choice);
  if (!game) return report(game.error());
  const auto toolkit = context.registry.toolkit(*game);
  if (arguments.stats) return show_space(*toolkit, context);
  const auto session = start_game(**game, arguments.position, Seed{0});
  if (!session) return report(session.error());
  std::optional<SearchLine> search(std::in_place, "solve", **session);
  const auto solution =
      toolkit->solve(**session, {arguments.nodes, arguments.seconds, &search->watch()});
  search.reset();
  if (!solution) return report(solution.error());
  if (context.json) {
    Json json = {{"game", arguments.choice.game},
                 {"position", (*session)->position_text()},
                 {"value", verdict_text(solution->value)},
                 {"distance", solution->distance ? Json(*solution->distance) : Json(nullptr)},
                 {"best", solution->best},
                 {"nodes", solution->nodes},
                 {"seconds", solution->seconds}};
    if (solution->winner) json["winner"] = *solution->winner;
    if (solution->so_far) json["so_far"] = *solution->so_far;
    if (solution->depth > 0) json["undecided_plies"] = solution->depth;
    print_json("solve", json);
  } else {
    print_solution(*solution, **session, (*game)->facts());
  }
  return interrupted() ? report_interrupted() : kDone;
}

}  // namespace

std::function<int()> setup_solve(CommandLine line, Context& context) {
  auto arguments = std::make_shared<SolveArguments>();
  line.add_option("GAME", arguments->choice.game, "the game").required();
  add_position_arguments(line, arguments->position);
  line.add_number("--nodes", arguments->nodes, 1, 1'000'000'000'000'000,
                  "give up after so many positions");
  line.add_number("--seconds", arguments->seconds, 0.001, 1e9, "give up after so long")
      .type_name("S");
  line.add_flag("--stats", arguments->stats,
                "counts over the whole state space, where it is small");
  add_rules_options(line, arguments->choice);
  add_json_option(line, context);
  return [arguments, &context] { return run_solve(*arguments, context); };
}

}  // namespace damier::app
