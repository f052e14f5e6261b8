// `damier play`: who plays whom, from where; the game itself is PlayLoop's.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/app/play_loop.h"
#include "damier/base/atomic_file.h"
#include "damier/base/files.h"
#include "damier/base/text.h"

namespace damier::app {

namespace {

struct PlayArguments {
  GameChoice choice;
  std::optional<std::string> as;
  std::optional<std::string> vs;
  std::optional<std::string> position;
  std::optional<std::string> load;
  std::int64_t number = 1;
  bool ascii = false;
  GameOptions own;  // of single games
};

constexpr std::size_t kLargestRecord = std::size_t{256} << 20;

Result<games::SavedGame> load_game(const std::string& file, const PlayArguments& arguments,
                                   const Context& context) {
  auto text = read_file(file, kLargestRecord);
  if (!text) return std::move(text).error();
  // A record of a match holds one game a line.
  std::string_view chosen = *text;
  if (const auto lines = split(trim(*text), '\n'); lines.size() > 1 && lines[0].ends_with("}")) {
    const auto count = static_cast<std::int64_t>(lines.size());
    if (arguments.number > count) {
      return Error{fmt::format("holds {} games; --number is {}", count, arguments.number), {file}};
    }
    chosen = lines[static_cast<std::size_t>(arguments.number - 1)];
  } else if (arguments.number != 1) {
    return Error{fmt::format("holds 1 game; --number is {}", arguments.number), {file}};
  }
  auto saved = games::parse_saved_game(context.registry, chosen, file);
  if (!saved) return saved;
  const auto& choice = arguments.choice;
  if (!choice.game.empty() && choice.game != saved->game->facts().name) {
    return Error{
        fmt::format("is a game of {}; expected {}", saved->game->facts().name, choice.game),
        {file}};
  }
  if (choice.rules || choice.board || choice.preset || arguments.position || context.seed_option) {
    return Error{"--load brings its own rules, position and seed; leave those options out"};
  }
  return saved;
}

Result<games::SavedGame> new_game(const PlayArguments& arguments, const Context& context) {
  if (arguments.choice.game.empty()) {
    return Error{fmt::format("play: which game? expected one of {}; or --load FILE",
                             fmt::join(context.registry.names(), ", "))};
  }
  auto game = make_game(context, arguments.choice);
  if (!game) return std::move(game).error();
  games::SavedGame saved;
  saved.game = *std::move(game);
  saved.seed = context.seed();
  auto session = start_game(*saved.game, arguments.position, saved.seed, "--position");
  if (!session) return std::move(session).error();
  saved.session = *std::move(session);
  return saved;
}

// Who plays each side: --as says which the person takes, --vs who takes the rest.
Result<std::array<std::string, 2>> player_names(const PlayArguments& arguments,
                                                const games::SavedGame& saved) {
  const auto& facts = saved.game->facts();
  const std::string other = arguments.vs.value_or("random");
  const bool alone = facts.players == 1;
  if (!arguments.as) {
    if (!arguments.vs && !saved.players[0].empty()) return saved.players;
    if (alone && arguments.vs) {
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
  return unknown_name("side", *arguments.as, sides);
}

int run_play(const PlayArguments& arguments, const Context& context) {
  auto saved = arguments.load ? load_game(*arguments.load, arguments, context)
                              : new_game(arguments, context);
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
  const GameCommands& own = context.games.of(saved->game->facts().name);
  if (auto status = arguments.own.check(saved->game->facts().name); !status)
    return report(status.error());
  const auto file = arguments.own.file_of(own);
  if (file) {
    if (auto status = check_output(*file); !status) return report(status.error());
  }
  PlayLoop loop(*std::move(saved), toolkit, std::move(players),
                {detect_look(arguments.ascii), context.json, own, file});
  return loop.run();
}

}  // namespace

std::function<int()> setup_play(CommandLine line, Context& context) {
  auto arguments = std::make_shared<PlayArguments>();
  line.add_option("GAME", arguments->choice.game, "the game");
  line.add_option("PRESET", arguments->choice.preset,
                  "a named set of rules; `{program} games` lists them");
  line.add_option("--as", arguments->as,
                  "your side, as white, blue, vertical; 'both' or 'none' (default: the first)")
      .type_name("SIDE");
  line.add_option("--vs", arguments->vs, "who plays the other side (default: random)")
      .type_name("PLAYER");
  line.add_option("--position", arguments->position, "start here instead of at the beginning")
      .type_name("P");
  line.add_option("--load", arguments->load, "go on with a saved game").type_name("FILE");
  line.add_number("--number", arguments->number, 1, 1'000'000'000,
                  "which game of a match's record (default 1)");
  arguments->own.add_formats(line, context.games);
  arguments->own.add_board_options(line, context.games);
  add_rules_options(line, arguments->choice);
  line.add_flag("--ascii", arguments->ascii, "plain characters, no colours");
  add_seed_option(line, context);
  add_json_option(line, context);
  return [arguments, &context] { return run_play(*arguments, context); };
}

}  // namespace damier::app
