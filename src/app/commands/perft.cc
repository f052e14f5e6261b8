// `damier perft`: node counts by root move; the last line is the total alone.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/text/parse_number.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

struct PerftArguments {
  GameChoice choice;
  PositionChoice position;
  std::string depth;
};

constexpr int kMaxDepth = 60;

// `perft GAME POSITION DEPTH` and `perft GAME DEPTH POSITION` are both read: no position is a
// number.
void order_words(PerftArguments& arguments) {
  auto& position = arguments.position.word;
  if (position && parse_number<int>(*position) && !parse_number<int>(arguments.depth)) {
    std::swap(*position, arguments.depth);
  }
}

Result<int> run_perft(PerftArguments arguments, const Context& context) {
  order_words(arguments);
  const auto game = TRY(make_game(context, arguments.choice));
  const auto depth = TRY(parse_integer(arguments.depth, 0, kMaxDepth, "DEPTH"));
  const auto session = TRY(start_game(*game, arguments.position, Seed{0}));

  ThreadPool pool(context.thread_count());
  std::optional<Progress> progress;
  const Stopwatch watch;
  const auto result = session->perft(static_cast<int>(depth), pool,
                                     [&](std::size_t done, std::size_t of, std::uint64_t nodes) {
                                       if (!progress) progress.emplace("perft", of, "nodes");
                                       progress->add(done > 0 ? 1 : 0, nodes);
                                     });
  progress.reset();
  if (!result) return result.error();
  if (interrupted()) return report_interrupted();
  if (context.json) {
    Json moves = Json::object();
    for (const auto& [move, nodes] : result->moves) moves[move] = nodes;
    print_json("perft", {{"game", arguments.choice.game},
                         {"position", session->position_text()},
                         {"depth", depth},
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
    print_message("{:.2f} s, {} nodes/s on {}\n", seconds,
                  short_number(static_cast<double>(result->nodes) / seconds),
                  counted(pool.size(), "thread"));
  }
  return kDone;
}

}  // namespace

Action setup_perft(CommandLine line, Context& context) {
  auto arguments = std::make_shared<PerftArguments>();
  line.add_option("GAME", arguments->choice.game, "the game").required();
  line.add_option("DEPTH", arguments->depth,
                  Text::of("plies to look ahead; from 0 to {}", kMaxDepth))
      .type_name("N")
      .required();
  add_position_arguments(line, arguments->position);
  add_rules_options(line, arguments->choice);
  add_json_option(line, context);
  add_threads_option(line, context);
  return [arguments, &context] { return run_perft(*arguments, context); };
}

}  // namespace damier::app
