#include "damier/app/app.h"

#include <array>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/app/context.h"
#include "damier/app/terminal.h"
#include "damier/base/interrupt.h"
#include "damier/base/text.h"
#include "damier/base/version.h"

namespace damier::app {

namespace {

constexpr auto kCommands = std::to_array<Command>({
    {"games", "the games, their rule options and their players",
     "damier games\ndamier games --json", setup_games},
    {"play", "play in the terminal, with hints, undo, resign and save",
     "damier play fanorona\n"
     "damier play bremen --as blue --vs random --seed 1\n"
     "damier play domineering --board 6x6 --vs human\n"
     "damier play minesweeper expert\n"
     "damier play --load game.json\n"
     "damier play --load games.jsonl --number 3",
     setup_play},
    {"analyze", "what a player thinks of every move of a position",
     "damier analyze fanorona\n"
     "damier analyze bremen \"c4d3d3b5/e3a4e2b1 b\" --player minimax:5\n"
     "damier analyze domineering --board 6x6 --player uct:100000 --json\n"
     "damier analyze minesweeper --board board.txt",
     setup_analyze},
    {"solve", "the exact value of a position",
     "damier solve fanorona\n"
     "damier solve fanorona --stats\n"
     "damier solve domineering --board 6x7\n"
     "damier solve bremen --position \"a2a2c1a4/b3d4b3a5 b\" --seconds 10",
     setup_solve},
    {"match", "one player against another, with the score's interval and the Elo difference",
     "damier match domineering uct:1000 flat:100 --games 200\n"
     "damier match fanorona minimax:6 perfect --games 100 --record games.jsonl\n"
     "damier match bremen minimax:4 minimax:2 --games 2000 --sprt 0,20",
     setup_match},
    {"tournament", "everybody against everybody, and their Elo ratings",
     "damier tournament domineering random flat:10 flat:100 uct:1000 --games 100\n"
     "damier tournament fanorona random minimax:2 perfect --anchor random=0",
     setup_tournament},
    {"eval", "how well a network knows its task, or a player of minesweeper plays",
     "damier eval models/fanorona\n"
     "damier eval fanorona --games 200 --seed 1\n"
     "damier eval minesweeper --board 10x10x10 --games 20000 --seed 11\n"
     "damier eval solver minesweeper --board 10x10x10 --games 20000 --seed 7\n"
     "damier eval solver:first=corner minesweeper --board 16x30x99 --json",
     setup_eval},
    {"runs", "the matches, tournaments and evaluations that were kept",
     "damier runs\ndamier runs show k3m9\ndamier runs --json", setup_runs},
    {"ratings", "the Elo ratings of a game's players",
     "damier ratings domineering\ndamier ratings fanorona --json", setup_ratings},
    {"reproduce", "the published experiments: our figures beside theirs, and a report",
     "damier reproduce\n"
     "damier reproduce fanorona\n"
     "damier reproduce minesweeper --quick -o quick.html",
     setup_reproduce},
    {"report", "a page with plots of a run, a data set or a model",
     "damier report k3m9 -o run.html\n"
     "damier report fanorona.data -o data.html\n"
     "damier report fanorona -o model.html",
     setup_report},
    {"perft", "count the move sequences of a length, by root move",
     "damier perft fanorona 6\n"
     "damier perft bremen --position \"a1b1c1d1/a5b5c5d5 b\" 5\n"
     "damier perft domineering --board 5x6 4 --json",
     setup_perft},
    {"generate", "a data set, labelled by an oracle",
     "damier generate fanorona -o fanorona.data\n"
     "damier generate fanorona --oracle minimax:6 --count 61000 --seed 1 -o report.data\n"
     "damier generate minesweeper --count 100000 --set board=10x10x10 -o boards.data",
     setup_generate},
    {"data", "what is in a data set: counts, splits, classes",
     "damier data fanorona.data\ndamier data fanorona.data --csv rows.csv", setup_data},
    {"train", "train a network after a recipe",
     "damier train fanorona\n"
     "damier train fanorona-quick -o quick.safetensors --seed 1\n"
     "damier train my-recipe.json --set epochs=5 --set optimiser.rate=0.01\n"
     "damier train --resume k3m9",
     setup_train},
    {"init", "a fresh network from a specification",
     "damier init network.json -o model.safetensors --seed 1\n"
     "damier init network.json -o model.safetensors --weights he_normal --double",
     setup_init},
    {"models", "the models that ship, and those that were trained here",
     "damier models\ndamier models --json", setup_models},
    {"inspect", "layers, shapes, weights and origin of a model",
     "damier inspect fanorona\ndamier inspect model.safetensors --json", setup_inspect},
    {"predict", "run a model on a file of inputs",
     "damier predict model.safetensors --input rows.csv\n"
     "damier predict model.safetensors --input - --output policy",
     setup_predict},
    {"export", "a model for other tools",
     "damier export model.safetensors --format onnx -o model.onnx\n"
     "damier export model.safetensors --format text -o Model.txt",
     setup_export},
    {"bench", "measure how fast rules, search and networks are, beside a reference",
     "damier bench games\ndamier bench search\ndamier bench chess-rules --peer stockfish\ndamier "
     "bench nn\ndamier bench nn --peer pytorch "
     "--json",
     setup_bench},
    {"completion", "a completion script for bash, zsh or fish",
     "source <(damier completion bash)\ndamier completion fish | source", setup_completion},
    {"help", "help on a command, the rules of a game, or the players",
     "damier help play\ndamier help bremen\ndamier help players", setup_help},
});

void print_welcome() {
  const Look look = detect_look(false);
  const auto command = [&](std::string_view text) {
    return painted(look, games::Ink::first, fmt::format("{:<44}", text), true);
  };
  fmt::print(R"(Damier {}: neural networks that learn board games on an ordinary machine.

Five things to try first:

  {} three in line, against a random player
  {} the animals of Brême: draft, then stack
  {} the classic, with flags, chords and 3BV
  {} every legal game of six moves, counted
  {} all the games and their rule options

`damier help` lists the commands, `damier help COMMAND` explains one, `damier help GAME` gives the
rules of a game.
)",
             version(), command("damier play fanorona"), command("damier play bremen --as blue"),
             command("damier play minesweeper beginner"), command("damier perft fanorona 6"),
             command("damier games"));
}

std::string indented(std::string_view lines) {
  std::string out;
  for (const auto line : split(lines, '\n')) out += fmt::format("  {}\n", line);
  return out;
}

// The names that could stand where `word` was not understood.
Error unknown_word(CLI::App& root, const std::string& word) {
  const auto chosen = root.get_subcommands();
  CLI::App& at = chosen.empty() ? root : *chosen.front();
  if (word.size() > 1 && word.front() == '-') {
    return unknown_name("option", word.substr(0, word.find('=')), CommandLine(at).option_names());
  }
  if (!chosen.empty()) {
    return Error{fmt::format("unexpected argument {} after '{}'", in_quotes(word), at.get_name())};
  }
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return unknown_name("command", word, names);
}

// CLI11's errors as one line of ours.
int report_parse_error(CLI::App& root, const CLI::ParseError& error) {
  const auto chosen = root.get_subcommands();
  const std::string place = chosen.empty() ? "" : chosen.front()->get_name();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const auto extras = root.remaining(true);
    Error unknown = unknown_word(root, extras.empty() ? "" : extras.front());
    if (!place.empty()) unknown.message += fmt::format("; see `damier help {}`", place);
    return report(unknown);
  }
  std::string message = error.what();
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    message += "; expected a whole number";
  }
  if (!place.empty()) message = fmt::format("{}: {}; see `damier help {}`", place, message, place);
  return report(Error{message});
}

int run_command(const arena::Registry& registry, int argc, char** argv) {
  CLI::App root("Damier: neural networks that learn board games on an ordinary machine.", "damier");
  Context context{registry, &root};
  root.set_version_flag("--version", fmt::format("damier {}", version()), "print the version");
  root.set_help_flag("-h,--help", "print this help");
  root.footer(
      "\n`damier help COMMAND` has examples. Exit codes: 0 done, 1 the work failed, 2 wrong "
      "input, 130 interrupted.");
  root.require_subcommand(0, 1);  // `bench games` is not the command `games`
  std::function<int()> action;
  for (const Command& command : kCommands) {
    CLI::App* app = root.add_subcommand(std::string(command.name), std::string(command.summary));
    app->footer("\nExamples:\n" + indented(command.examples));
    app->final_callback(
        [&action, run = command.setup(CommandLine(*app), context)] { action = run; });
  }
  context.overview = root.help();
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are errors of code 0 to CLI11.
    return error.get_exit_code() == 0 ? root.exit(error) : report_parse_error(root, error);
  }
  if (!action) {
    print_welcome();
    return kDone;
  }
  catch_interrupts();
  return action();
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

int run(const arena::Registry& registry, int argc, char** argv) {
  int code = kFailed;
  try {
    code = run_command(registry, argc, argv);
  } catch (const std::bad_alloc&) {
    return report(Error{"out of memory", {}, ErrorKind::failure});
  } catch (const std::exception& error) {
    return report(Error{error.what(), {}, ErrorKind::failure});
  }
  if (std::fflush(stdout) != 0) {
    return report(Error{"standard output cannot be written", {}, ErrorKind::failure});
  }
  return code;
}

}  // namespace damier::app
