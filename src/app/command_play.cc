// `damier play`: who plays whom, from where; the game itself is PlayLoop's.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/app/play_loop.h"
#include "damier/base/files.h"
#include "damier/base/text.h"

namespace damier::app {

namespace {

struct Arguments {
  GameChoice choice;
  std::string as;
  std::string vs;
  std::string position;
  std::string load;
  std::int64_t number = 1;
  bool ascii = false;
  BoardStyle style;
  std::string language = "en";
  std::string pgn;
};

constexpr std::size_t kLargestRecord = std::size_t{256} << 20;

Result<games::SavedGame> load_game(const Arguments& arguments, const Context& context) {
  auto text = read_file(arguments.load, kLargestRecord);
  if (!text) return std::move(text).error();
  // A record of a match holds one game a line.
  std::string_view chosen = *text;
  if (const auto lines = split(trim(*text), '\n'); lines.size() > 1 && lines[0].ends_with("}")) {
    const auto count = static_cast<std::int64_t>(lines.size());
    if (arguments.number > count) {
      return Error{fmt::format("holds {} games; --number is {}", count, arguments.number),
                   {arguments.load}};
    }
    chosen = lines[static_cast<std::size_t>(arguments.number - 1)];
  } else if (arguments.number != 1) {
    return Error{fmt::format("holds 1 game; --number is {}", arguments.number), {arguments.load}};
  }
  auto saved = games::parse_saved_game(context.registry, chosen, arguments.load);
  if (!saved) return saved;
  const auto& choice = arguments.choice;
  if (!choice.game.empty() && choice.game != saved->game->facts().name) {
    return Error{
        fmt::format("is a game of {}; expected {}", saved->game->facts().name, choice.game),
        {arguments.load}};
  }
  if (!choice.rules.empty() || !choice.board.empty() || !choice.preset.empty() ||
      !arguments.position.empty() || context.seed_option) {
    return Error{"--load brings its own rules, position and seed; leave those options out"};
  }
  return saved;
}

Result<games::SavedGame> new_game(const Arguments& arguments, const Context& context) {
  if (arguments.choice.game.empty()) {
    return Error{fmt::format("play: which game? expected one of {}; or --load FILE",
                             fmt::join(context.registry.names(), ", "))};
  }
  auto game = make_game(context, arguments.choice);
  if (!game) return std::move(game).error();
  games::SavedGame saved;
  saved.game = *std::move(game);
  saved.seed = context.seed_option ? Seed{*context.seed_option} : fresh_seed();
  if (arguments.position.empty()) {
    saved.session = saved.game->start(saved.seed);
  } else {
    auto session = saved.game->start_from(arguments.position);
    if (!session) return std::move(session).error().in("--position");
    saved.session = *std::move(session);
  }
  return saved;
}

// Who plays each side: --as says which the person takes, --vs who takes the rest.
Result<std::array<std::string, 2>> player_names(const Arguments& arguments,
                                                const games::SavedGame& saved) {
  const auto& facts = saved.game->facts();
  const std::string other = arguments.vs.empty() ? "random" : arguments.vs;
  const bool alone = facts.players == 1;
  if (arguments.as.empty()) {
    if (arguments.vs.empty() && !saved.players[0].empty()) return saved.players;
    if (alone && !arguments.vs.empty()) {
      return Error{fmt::format("--vs: {} has one player; `--as none --vs PLAYER` lets PLAYER play",
                               facts.name)};
    }
    return std::array<std::string, 2>{"human", alone ? "human" : other};
  }
  if (arguments.as == "none") return std::array<std::string, 2>{other, other};
  if (arguments.as == "both" && !alone) return std::array<std::string, 2>{"human", "human"};
  if (arguments.as == facts.sides[0]) {
    return std::array<std::string, 2>{"human", alone ? "human" : other};
  }
  if (arguments.as == facts.sides[1] && !alone) return std::array<std::string, 2>{other, "human"};
  std::vector<std::string> sides = {std::string(facts.sides[0]), "none"};
  if (!alone) sides = {std::string(facts.sides[0]), std::string(facts.sides[1]), "both", "none"};
  return unknown_name("side", arguments.as, sides);
}

int run_play(const Arguments& arguments, const Context& context) {
  auto saved =
      arguments.load.empty() ? new_game(arguments, context) : load_game(arguments, context);
  if (!saved) return report(saved.error());
  const auto names = player_names(arguments, *saved);
  if (!names) return report(names.error());
  const auto toolkit = context.registry.toolkit(saved->game);
  std::array<arena::NamedPlayer, 2> players;
  for (std::size_t side = 0; side < 2; ++side) {
    auto player = arena::make_player(*toolkit, (*names)[side]);
    if (!player) return report(player.error());
    players[side] = *std::move(player);
  }
  const bool chess = saved->game->facts().name == "chess";
  if (!chess && (!arguments.pgn.empty() || arguments.style.letters || arguments.language != "en")) {
    return report(Error{fmt::format("--pgn, --letters and --lang go with chess, not with {}",
                                    saved->game->facts().name)});
  }
  if (arguments.style.overlay && saved->game->facts().name != "minesweeper") {
    return report(Error{
        fmt::format("--overlay goes with minesweeper, not with {}", saved->game->facts().name)});
  }
  BoardStyle style = arguments.style;
  style.french = arguments.language == "fr";
  PlayLoop loop(*std::move(saved), toolkit, std::move(players), detect_look(arguments.ascii),
                context.json, style, arguments.pgn);
  return loop.run();
}

}  // namespace

std::function<int()> setup_play(CommandLine line, Context& context) {
  auto arguments = std::make_shared<Arguments>();
  line.add_option("GAME", arguments->choice.game, "the game");
  line.add_option("PRESET", arguments->choice.preset,
                  "a named set of rules, as minesweeper's expert");
  line.add_option("--as", arguments->as,
                  "your side, as white, blue, vertical; 'both' or 'none' (default: the first)")
      .type_name("SIDE");
  line.add_option("--vs", arguments->vs, "who plays the other side (default: random)")
      .type_name("PLAYER");
  line.add_option("--position", arguments->position, "start here instead of at the beginning")
      .type_name("P");
  line.add_option("--load", arguments->load, "go on with a saved game").type_name("FILE");
  line.add_option("--number", arguments->number, "which game of a match's record (default 1)")
      .type_name("N")
      .between(1, 1'000'000'000);
  line.add_option("--pgn", arguments->pgn, "chess: write the game to this file at the end")
      .type_name("FILE");
  line.add_flag("--letters", arguments->style.letters, "chess: letters instead of figures");
  line.add_option("--lang", arguments->language, "chess: letters in English (en) or French (fr)")
      .one_of({"en", "fr"});
  line.add_flag("--overlay", arguments->style.overlay,
                "minesweeper: show the chance of a bomb in every masked cell, in colours");
  add_rules_options(line, arguments->choice);
  line.add_flag("--ascii", arguments->ascii, "plain characters, no colours");
  add_seed_option(line, context);
  add_json_option(line, context);
  return [arguments, &context] { return run_play(*arguments, context); };
}

}  // namespace damier::app
