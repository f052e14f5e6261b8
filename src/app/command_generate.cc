// `damier generate`: a data set of a game.

#include <chrono>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/base/interrupt.h"
#include "damier/base/text.h"
#include "damier/learn/task.h"

namespace damier::app {

namespace {

struct Arguments {
  std::string game;
  std::string output;
  learn::GenerateOptions options;
};

// What gives the same file again.
std::string command_text(const Arguments& arguments) {
  const auto& o = arguments.options;
  std::string text =
      fmt::format("damier generate {} --oracle {} --states {}", arguments.game, o.oracle, o.states);
  if (o.count > 0) text += fmt::format(" --count {}", o.count);
  if (o.balance != "none") text += fmt::format(" --balance {}", o.balance);
  text += fmt::format(" --target {} --encoder {} --split {}", o.target, o.encoder, o.split);
  if (o.split != "none") text += fmt::format(" --validation {} --test {}", o.validation, o.test);
  return text + fmt::format(" --seed {} -o {}", value_of(o.seed), arguments.output);
}

int run_generate(Arguments arguments, const Context& context) {
  if (const auto game = context.registry.find(arguments.game); !game) return report(game.error());
  const auto task = learn::find_task(arguments.game);
  if (!task) {
    std::vector<std::string> names;
    for (const learn::Task* known : learn::tasks()) names.emplace_back(known->name());
    return report(Error{fmt::format("no data set can be made of {} yet (known: {})", arguments.game,
                                    join(names, ", "))});
  }
  arguments.options.seed = context.seed_option ? Seed{*context.seed_option} : fresh_seed();
  if (auto status = (*task)->check(arguments.options); !status) return report(status.error());
  fmt::print(stderr, "seed {}\n", value_of(arguments.options.seed));
  ThreadPool pool(context.thread_count());
  const auto begin = std::chrono::steady_clock::now();
  const auto status = learn::generate_file(**task, arguments.options, pool, arguments.output,
                                           command_text(arguments));
  if (interrupted()) {
    fmt::print(stderr, "damier: interrupted; nothing was written\n");
    return kInterrupted;
  }
  if (!status) return report(status.error());
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto data = learn::DataSet::open(arguments.output);
  if (!data) return report(data.error());
  Json rows = Json::object();
  for (std::size_t i = 0; i < learn::kSplits; ++i) {
    const auto split = static_cast<learn::Split>(i);
    rows[std::string(name_of(split))] = data->rows(split).count;
  }
  if (context.json) {
    print_json("generate", {{"data", arguments.output},
                            {"game", arguments.game},
                            {"rows", rows},
                            {"checksum", data->checksum()},
                            {"seed", value_of(arguments.options.seed)},
                            {"seconds", seconds}});
    return kDone;
  }
  fmt::print("{}: {} rows: {} training, {} validation, {} test; {:.2f} s\n", arguments.output,
             data->row_count(), data->rows(learn::Split::training).count,
             data->rows(learn::Split::validation).count, data->rows(learn::Split::test).count,
             seconds);
  return kDone;
}

}  // namespace

std::function<int()> setup_generate(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<Arguments>();
  auto& options = arguments->options;
  app.add_option("GAME", arguments->game, "the game, as fanorona")->required();
  app.add_option("-o,--output", arguments->output, "the data set to write")
      ->type_name("FILE")
      ->required();
  app.add_option("--oracle", options.oracle,
                 "who labels: exact (the default), or minimax:DEPTH, a search of so many plies")
      ->type_name("ORACLE");
  app.add_option("--states", options.states,
                 "all (the default), or reachable: those that play can reach from the start")
      ->type_name("WHICH");
  app.add_option("--count", options.count, "so many of them, drawn at random (default: all)")
      ->type_name("N");
  app.add_option("--balance", options.balance,
                 "draw evenly by phase, by class (win, draw, loss), by both, or none (the default)")
      ->type_name("HOW");
  app.add_option("--target", options.target,
                 "all-best: every best move (the default); one: the oracle's one move")
      ->type_name("TARGET");
  app.add_option("--encoder", options.encoder, "the network's input: flat (the default) or planes")
      ->type_name("NAME");
  app.add_option("--split", options.split,
                 "class: mirror images stay together (the default); none: all is for training")
      ->type_name("HOW");
  app.add_option("--validation", options.validation, "its share of the classes (default 0.1)")
      ->type_name("SHARE");
  app.add_option("--test", options.test, "its share of the classes (default 0.1)")
      ->type_name("SHARE");
  add_seed_option(app, context);
  add_threads_option(app, context);
  add_json_option(app, context);
  return [arguments, &context] { return run_generate(*arguments, context); };
}

}  // namespace damier::app
