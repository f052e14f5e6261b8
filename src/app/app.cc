#include "damier/app/app.h"

#include <algorithm>
#include <array>
#include <new>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "damier/app/candidates.h"
#include "damier/app/commands/builtin_commands.h"
#include "damier/app/commands/commands.h"
#include "damier/app/context.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/child_process.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/messenger.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/learn/rows/numbered_rows.h"
#include "damier/learn/sources/self_play/shared_games.h"
#include "damier/play/contest/games.h"

namespace damier::app {

namespace {

// Most examples come from the games (GameCommands).
constexpr auto kCommands = std::to_array<Command>({
    {"games", "the games, their rule options and their players",
     "{program} games\n{program} games --json", setup_games},
    {"play", "play in the terminal, with hints, undo, resign and save",
     "{program} play --load game.json\n{program} play --load games.jsonl --number 3", setup_play},
    {"analyze", "what a player thinks of every move of a position", "", setup_analyze},
    {"solve", "the exact value of a position", "", setup_solve},
    {"match", "one player against another, with the score's interval and the Elo difference", "",
     setup_match, true},
    {"tournament", "every player against every other, and their Elo ratings", "", setup_tournament,
     true},
    {"strength", "how strong the players of a game are, and the levels of `play`",
     "{program} strength", setup_strength},
    {"eval", "how well a network knows its task, or a player its game",
     "{program} eval model.safetensors --data rows.data", setup_eval, true},
    {"runs", "the matches, tournaments and evaluations that were kept",
     "{program} runs\n{program} runs show k3m9x2ab\n{program} runs --json", setup_runs},
    {"ratings", "the Elo ratings of a game's players", "", setup_ratings},
    {"reproduce", "published experiments done again: our figures next to theirs, and a report",
     "{program} reproduce", setup_reproduce},
    {"report", "a page with plots of a run, a data set or a model",
     "{program} report k3m9x2ab -o run.html\n{program} report k3m9x2ab w5d0c7hn -o both.html\n"
     "{program} report rows.data -o data.html",
     setup_report},
    {"perft", "count the move sequences of a length, by root move", "", setup_perft},
    {"generate", "a data set, labelled by a teacher", "", setup_generate, true},
    {"data", "what is in a data set or a file of games: counts, splits, classes",
     "{program} data rows.data\n{program} data rows.data --csv rows.csv\n"
     "{program} data monday.data tuesday.data -o both.data",
     setup_data},
    {"train", "train a network after a recipe",
     "{program} train my-recipe.json --set epochs=5 --set optimiser.rate=0.01\n"
     "{program} train --resume k3m9x2ab",
     setup_train, true},
    {"init", "a fresh network from a specification",
     "{program} init network.json -o model.safetensors --seed 1\n"
     "{program} init network.json -o model.safetensors --weights he_normal --double",
     setup_init},
    {"models", "the models that ship, and those that were trained here",
     "{program} models\n{program} models --json", setup_models},
    {"inspect", "layers, shapes, weights and origin of a model",
     "{program} inspect model.safetensors --json", setup_inspect},
    {"predict", "run a model on a file of inputs, or on a position",
     "{program} predict model.safetensors --input rows.csv\n"
     "{program} predict model.safetensors --input - --output policy\n"
     "{program} predict chess.safetensors \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"",
     setup_predict},
    {"export", "a model for other tools",
     "{program} export model.safetensors --format onnx -o model.onnx\n"
     "{program} export model.safetensors --format text -o Model.txt",
     setup_export},
    {"serve", "the workbench in a browser: play, analysis, networks, trainings",
     "{program} serve\n{program} serve --port 0 --no-open\n"
     "{program} serve --public --host games.example.org",
     setup_serve},
    {"uci", "the chess engine, for any program that shows a board",
     "{program} uci\nprintf 'position startpos\\ngo depth 10\\n' | {program} uci", setup_uci},
    {"verify", "check what is kept: the run store, its files, models; and repair it",
     "{program} verify\n{program} verify --repair\n{program} verify model.safetensors rows.data",
     setup_verify},
    {"bench", "measure the speed of rules, search and networks against a reference",
     "{program} bench\n{program} bench search\n{program} bench nn --peer pytorch --json\n"
     "{program} bench self-play --game fanorona --threads 1",
     setup_bench},
    {"completion", "a completion script for bash, zsh or fish",
     "source <({program} completion bash)\nsource <({program} completion zsh)\n"
     "{program} completion fish | source",
     setup_completion},
    {"version", "print the version", "{program} version\n{program} version --json", setup_version},
    {"help", "help on a command, the rules of a game, or the players",
     "{program} help play\n{program} help players", setup_help},
});

void print_welcome(const Context& context) {
  const Look look = detect_look(false);
  std::vector<std::pair<std::string, std::string>> lines;
  const auto line = [&](std::string_view command, std::string_view about) {
    lines.emplace_back(with_program_name(command), about);
  };
  print_output(
      "{}\n\n",
      tr_format("Damier {}: neural networks that learn board games on an ordinary machine.",
                version()));
  print_output("{}\n\n", tr("Five things to try first:"));
  std::size_t games = 0;
  for (const auto& own : context.games.all()) {
    const auto [command, about] = own->help().invitation;
    if (!command.empty() && ++games <= 3) line(command, tr(about));
  }
  const auto& entries = context.registry.entries();
  const auto learner = std::ranges::find_if(
      entries, [](const games::GameEntry& entry) { return entry.facts.players == 2; });
  if (learner != entries.end()) {
    const std::string_view name = learner->facts.name,
                           quick = context.games.of(name).help().quick_recipe;
    line(fmt::format("{{program}} train {}", quick.empty() ? name : quick),
         tr("a network learns the game from its rules"));
    line(fmt::format("{{program}} play {} --vs net", name), tr("and plays it against you"));
  }
  std::size_t width = 0;
  for (const auto& [command, about] : lines) width = std::max(width, command.size());
  for (const auto& [command, about] : lines) {
    // In a narrow window the words stand below.
    const bool beside = static_cast<int>(width + about.size() + 6) <= terminal_columns();
    const std::string gap =
        beside ? std::string(width - command.size() + 3, ' ') : "\n" + std::string(6, ' ');
    print_output("  {}{}{}\n", painted(look, Ink::accent, command, true), gap, about);
  }
  print_output(
      "\n{}\n",
      with_program_name(
          tr("`{program} games` lists the games, `{program} help` the commands; `{program} "
             "help COMMAND` explains one, `{program} help GAME` gives the rules of a game.")));
}

// One a line, those of the games first: an example belongs to the command that is its second word.
std::string examples_of(const Command& command, const GameCommandsList& games) {
  const std::string beginning = fmt::format("{{program}} {} ", command.name);
  std::string lines;
  for (const auto& own : games.all()) {
    for (const std::string_view example : own->help().examples) {
      if (example.starts_with(beginning)) lines += fmt::format("  {}\n", example);
    }
  }
  if (!command.examples.empty()) {
    for (const auto line : split(command.examples, '\n')) lines += fmt::format("  {}\n", line);
  }
  return lines;
}

// Options that many commands share may stand before the command too: the command takes their place.
void put_command_first(std::vector<std::string>& words) {
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  std::size_t at = 0;
  while (at < words.size()) {
    const auto equals = words[at].find('=');
    const SharedOption* option = shared_option(words[at].substr(0, equals));
    if (option == nullptr) break;
    at += option->has_value && equals == std::string::npos ? 2 : 1;
  }
  if (at >= words.size() || words[at].starts_with('-')) return;
  const auto command = words.begin() + static_cast<std::ptrdiff_t>(at);
  std::rotate(words.begin(), command, command + 1);
}

// "--name=" names an empty text; CLI11 would take the next word.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool empty_value = word.starts_with("--") && word.find('=') == word.size() - 1;
    words.emplace_back(empty_value ? word.substr(0, word.size() - 1) : word);
    if (empty_value) words.emplace_back();
  }
  put_command_first(words);
  std::ranges::reverse(words);  // as CLI11 wants them
  return words;
}

// The help is made before the command line is read, and the language decides its texts.
Language asked_language(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--") break;
    constexpr std::string_view kOption = "--lang";
    if (!word.starts_with(kOption)) continue;
    word.remove_prefix(kOption.size());
    if (word.empty() && i + 1 < argc) word = argv[i + 1];
    if (word.starts_with('=')) word.remove_prefix(1);
    if (const auto language = language_of_code(word)) return *language;
  }
  return environment_language();
}

constexpr int kSpeakingMilliseconds = 500;

Result<Worker> worker_for(const Context& context, ThreadPool& pool, std::string_view kind,
                          std::string_view order) {
  const learn::Registry& registry = context.registry;
  if (kind == learn::kSelfPlayWork) return learn::self_play_worker(order, registry.tasks(), pool);
  if (kind == learn::kGenerateWork) return learn::generate_worker(order, registry.tasks(), pool);
  if (kind == play::kContestWork) return play::contest_worker(order, registry, pool);
  if (kind == play::kEvaluationWork) return play::evaluation_worker(order, registry, pool);
  return Error{fmt::format("unknown kind of work '{}'", kind), {}, ErrorKind::failure};
}

Error not_shared(const Command& command, const Launch& launch) {
  std::vector<std::string> names;
  for (const Command& known : commands()) {
    if (known.shares_work) names.emplace_back(known.name);
  }
  return {
      fmt::format("{} would be done {} times, by each of the processes that were started; "
                  "expected one of {}, which share their work",
                  command.name, launch.size, join(names, ", "))};
}

// Runs the command, alone or with the other processes that were started with this one, as by
// mpirun: rank 0 runs it, the others do the work that it shares. A command that shares none is
// refused there, before it does the same thing several times.
int run_among_ranks(const Command& command, Context& context, const Action& action) {
  const auto act = [&action] {
    const auto code = action();
    return code ? *code : report(code.error());
  };
  const auto launch = find_launch();
  if (!launch) return act();
  if (!command.shares_work) return report(not_shared(command, *launch));
  auto messenger = join_ranks(*launch);
  if (!messenger) {
    const int code = report(messenger.error());
    if (launch->rank == 0) return code;
    // Whoever started the ranks may end them all at once: rank 0 speaks first.
    wait_a_while(kSpeakingMilliseconds);
    return kFailed;
  }
  Ranks ranks(*std::move(messenger));
  context.ranks = &ranks;
  if (ranks.rank() == 0) return act();
  ThreadPool pool(context.thread_count());
  ranks.serve([&](std::string_view kind, std::string_view order) {
    return worker_for(context, pool, kind, order);
  });
  return kDone;
}

int run_command(const learn::Registry& registry, const GameCommandsList& games, int argc,
                char** argv, const BenchmarkRunner& run_benchmarks) {
  CLI::App root(tr("Damier: neural networks that learn board games on an ordinary machine."),
                program_name());
  set_help_format(root);
  Context context{registry, games, &root};
  context.words = argv;
  context.run_benchmarks = run_benchmarks;
  root.set_version_flag("--version", std::string(version_text()), tr("print the version"));
  root.set_help_flag("-h,--help", tr("print this help"));
  add_shared_options(CommandLine(root), context, {"--lang"});
  root.footer(
      "\n" +
      with_program_name(tr(
          "`{program} help COMMAND` has examples. Exit codes: 0 done, 1 the work failed, 2 wrong "
          "input, 130 interrupted.")));
  root.require_subcommand(0, 1);  // `bench games` is not the command `games`
  Action action;
  const Command* chosen = nullptr;
  for (const Command& command : kCommands) {
    CLI::App* app = root.add_subcommand(std::string(command.name), tr(command.summary));
    app->group(tr("Subcommands"));
    app->footer(
        fmt::format("\n{}\n{}", tr("Examples:"), with_program_name(examples_of(command, games))));
    app->final_callback(
        [&action, &chosen, &command, run = command.setup(CommandLine(*app), context)] {
          action = run;
          chosen = &command;
        });
    add_shared_options(CommandLine(*app), context, {"--lang"});
  }
  context.overview = root.help();
  if (argc > 1 && std::string_view(argv[1]) == "complete") {
    return print_candidates({argv + 2, argv + argc}, context);
  }
  try {
    root.parse(words_of(argc, argv));
  } catch (const CLI::ParseError& error) {
    // Help and version are errors of code 0 to CLI11.
    if (error.get_exit_code() != 0) return report(command_line_error(root, error));
    std::ostringstream text;
    root.exit(error, text, text);
    write_output_wrapped(text.str());
    return kDone;
  }
  if (!action) {
    print_welcome(context);
    return kDone;
  }
  catch_interrupts();
  return run_among_ranks(*chosen, context, action);
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

int run(const learn::Registry& registry, int argc, char** argv,
        const BenchmarkRunner& run_benchmarks) {
  GameCommandsList games = builtin_commands();
  games.keep_only(registry.names());
  return run(registry, games, argc, argv, run_benchmarks);
}

int run(const learn::Registry& registry, const GameCommandsList& games, int argc, char** argv,
        const BenchmarkRunner& run_benchmarks) {
  end_with_starter();
  prepare_standard_streams();
  const auto launch = find_launch();
  const bool speaks = !launch || launch->rank == 0;
  if (!speaks) mute_standard_streams();
  if (argc > 0) set_program_name(argv[0]);
  set_language(asked_language(argc, argv));
  int code = kFailed;
  try {
    code = run_command(registry, games, argc, argv, run_benchmarks);
  } catch (const std::bad_alloc&) {
    code = report(Error{"out of memory", {}, ErrorKind::failure});
  } catch (const std::exception& error) {
    code = report(Error{error.what(), {}, ErrorKind::failure});
  }
  // Rank 0 tells what is wrong with the same command line; another failure would end it before.
  if (!speaks && code == kWrongInput) return kDone;
  flush_output();
  if (output_reader_left()) return kReaderLeft;
  const auto error = output_error();
  return error && code == kDone ? report(*error) : code;
}

}  // namespace damier::app
