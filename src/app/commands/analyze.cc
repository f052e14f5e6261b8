// `damier analyze`: what a player thinks of every move of a position.

#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/game_analysis.h"
#include "damier/app/game_record.h"
#include "damier/app/terminal/board_printer.h"
#include "damier/app/terminal/move_table.h"
#include "damier/app/terminal/search_line.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/language.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/play/players/players.h"

namespace damier::app {

namespace {

struct AnalyzeArguments {
  GameChoice choice;
  PositionChoice position;
  RecordChoice record;
  std::optional<std::string> player;
  std::optional<int> lines;
  std::optional<std::string> output;
};

// A word that names a file is a game that was played, wherever it stands.
void find_record(AnalyzeArguments& arguments, const Context& context) {
  if (arguments.record.file) return;
  if (names_record(context, arguments.choice.game)) {
    arguments.record.file = std::exchange(arguments.choice.game, "");
  } else if (arguments.position.word && names_record(context, *arguments.position.word)) {
    arguments.record.file = std::exchange(arguments.position.word, std::nullopt);
  }
}

Result<int> analyze_record(const AnalyzeArguments& arguments, const Context& context) {
  const auto& choice = arguments.choice;
  if (choice.rules || choice.board || arguments.position.is_given()) {
    return Error{fmt::format("{} brings its own rules and position; leave those options out",
                             in_quotes(*arguments.record.file))};
  }
  const auto game = TRY(load_game(context, arguments.record, choice.game));
  if (arguments.lines) return Error{"--lines goes with a position, not with a game"};
  std::optional<AnnotatedFile> annotated;
  if (arguments.output) {
    annotated = {*arguments.output, std::nullopt, arguments.record.number};
    const auto format = context.games.of(game.saved.game->facts().name).format();
    if (format && format->read != nullptr && arguments.record.file->ends_with(format->ending)) {
      annotated->original = arguments.record.file;
    }
  }
  return analyze_played_game(context, game.saved, game.title, *arguments.record.file,
                             arguments.player, annotated);
}

Result<int> run_analyze(AnalyzeArguments arguments, const Context& context) {
  find_record(arguments, context);
  if (arguments.record.file) return analyze_record(arguments, context);
  if (arguments.choice.game.empty()) {
    return Error{fmt::format("analyze: which game? expected one of {}; or a file with a game",
                             fmt::join(context.registry.names(), ", "))};
  }
  if (arguments.output) return Error{"-o goes with a game that was played, as analyze game.pgn"};
  const auto position = TRY(chosen_position(arguments.position));
  if (const auto code =
          context.games.of(arguments.choice.game)
              .analyze({position, arguments.choice.board, arguments.player, context.json})) {
    return *code;
  }
  const auto game = TRY(make_game(context, arguments.choice));
  const auto toolkit = context.registry.toolkit(game);
  const auto session = TRY(start_game(*game, arguments.position, Seed{0}));
  const std::string name = arguments.player.value_or(toolkit->strongest_player());
  auto player = TRY(make_player(*toolkit, name).in("--player"));
  if (player.is_human()) return Error{"--player: a human cannot be asked here"};
  const Seed seed{context.seed_option.value_or(1)};
  RandomStream random(seed, "analyze");
  const Stopwatch watch;
  play::Answer answer;
  if (session->outcome() == games::Outcome::ongoing) {
    SearchLine search("analyze", *session);
    answer = analyzed(
        *toolkit, name, *player.player, *session,
        {.lines = arguments.lines.value_or(0), .random = &random, .watch = &search.watch()});
  }
  // A thought that was cut short is worth something, too.
  const auto done = [] { return interrupted() ? report_interrupted() : kDone; };
  const double seconds = watch.seconds();
  const games::Facts& facts = game->facts();
  if (context.json) {
    print_json("analyze", {{"game", arguments.choice.game},
                           {"position", session->position_text()},
                           {"player", name},
                           {"moves", moves_json(*session, answer)},
                           {"pv", line_json(*session, answer)},
                           {"nodes", answer.nodes},
                           {"seed", value_of(seed)},
                           {"seconds", seconds}});
    return done();
  }
  const Look look = detect_look(false);
  const auto side = static_cast<std::size_t>(index(session->side_to_move()));
  const std::string_view legend = value_legend(answer, facts);
  const GameCommands& own = context.games.of(arguments.choice.game);
  const auto overlay = own.overlay(*session, answer, name, look);
  for (const std::string& line : overlay) print_output("{}\n", line);
  if (overlay.empty()) {
    print_output("{}\n", board_text(session->picture(), look, line_limit()));
  }
  print_output("{}{}\n", tr_format("{} to move, seen by {}", tr(facts.sides[side]), name),
               legend.empty() ? "" : tr_format("; values: {}", tr(legend)));
  if (answer.moves.empty()) {
    print_output("{}\n", tr_format("The game is over: {}.", session->ending().shown()));
  }
  const auto table =
      arguments.lines
          ? line_table(*session, answer, facts, static_cast<std::size_t>(*arguments.lines), look,
                       own)
          : move_table(*session, answer, facts, std::numeric_limits<std::size_t>::max(), look, own);
  for (const auto& line : table) print_output("{}\n", line);
  print_output("{}\n", tr_format("{}, {:.2f} s, seed {}", tr_counted(answer.nodes, "node"), seconds,
                                 value_of(seed)));
  return done();
}

}  // namespace

Action setup_analyze(CommandLine line, Context& context) {
  auto arguments = std::make_shared<AnalyzeArguments>();
  line.add_option("GAME", arguments->choice.game, "the game, or a file with one that was played");
  add_position_arguments(line, arguments->position);
  add_record_options(line, arguments->record, context, "every move of a game ({})");
  line.add_option("--player", arguments->player, "PLAYER",
                  "the player to ask (default: the strongest of the game)");
  line.add_number("--lines", arguments->lines, 1, 218,
                  "number of best moves to show, each with its line and outcome");
  line.add_option("-o,--output", arguments->output, "FILE",
                  "of a game that was played: write it with remarks, in the game's own format");
  line.add_option("--rules", arguments->choice.rules, "RULES",
                  "rule options, as name=value,name=value");
  line.add_option("--board", arguments->choice.board, "SIZE|FILE",
                  "the board's size; of a game with hidden information a file with the board as "
                  "its player sees it, '-' for standard input");
  add_shared_options(line, context, {"--seed", "--threads", "--json"});
  return [arguments, &context] { return run_analyze(*arguments, context); };
}

}  // namespace damier::app
