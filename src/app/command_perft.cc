// `damier perft`: node counts by root move; the last line is the total alone.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/base/interrupt.h"
#include "damier/base/progress.h"
#include "damier/base/standard_streams.h"
#include "damier/base/stopwatch.h"
#include "damier/base/text.h"
#include "damier/base/threads.h"

namespace damier::app {

namespace {

struct PerftArguments {
  GameChoice choice;
  std::optional<std::string> position;
  int depth = 0;
};

int run_perft(const PerftArguments& arguments, const Context& context) {
  const auto game = make_game(context, arguments.choice);
  if (!game) return report(game.error());
  const auto session = start_game(**game, arguments.position, Seed{0}, "--position");
  if (!session) return report(session.error());

  ThreadPool pool(context.thread_count());
  std::optional<Progress> progress;
  const Stopwatch watch;
  const auto result = (*session)->perft(arguments.depth, pool,
                                        [&](std::size_t done, std::size_t of, std::uint64_t nodes) {
                                          if (!progress) progress.emplace("perft", of, "nodes");
                                          progress->add(done > 0 ? 1 : 0, nodes);
                                        });
  progress.reset();
  if (!result) return report(result.error());
  if (interrupted()) return report_interrupted();
  if (context.json) {
    Json moves = Json::object();
    for (const auto& [move, nodes] : result->moves) moves[move] = nodes;
    print_json("perft", {{"game", arguments.choice.game},
                         {"position", (*session)->position_text()},
                         {"depth", arguments.depth},
                         {"nodes", result->nodes},
                         {"moves", std::move(moves)}});
    return kDone;
  }
  for (const auto& [move, nodes] : result->moves) print_output("{}: {}\n", move, nodes);
  if (!result->moves.empty()) print_output("\n");
  print_output("{}\n", result->nodes);
  flush_output();
  const double seconds = watch.seconds();
  if (seconds >= 0.1) {
    print_message("{:.2f} s, {} nodes/s on {} threads\n", seconds,
                  short_number(static_cast<double>(result->nodes) / seconds), pool.size());
  }
  return kDone;
}

}  // namespace

std::function<int()> setup_perft(CommandLine line, Context& context) {
  auto arguments = std::make_shared<PerftArguments>();
  line.add_option("GAME", arguments->choice.game, "the game").required();
  line.add_number("DEPTH", arguments->depth, 0, 60, "plies to look ahead").required();
  line.add_option("--position", arguments->position, "start here instead of at the beginning")
      .type_name("P");
  add_rules_options(line, arguments->choice);
  add_json_option(line, context);
  add_threads_option(line, context);
  return [arguments, &context] { return run_perft(*arguments, context); };
}

}  // namespace damier::app
