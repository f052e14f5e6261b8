// `damier play`: the players and the position; the game itself is PlayLoop's.

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/game_record.h"
#include "damier/app/terminal/play_loop.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/text/language.h"
#include "damier/base/text/names.h"
#include "damier/base/text/text.h"
#include "damier/play/ratings/strength.h"

namespace damier::app {

namespace {

struct PlayArguments {
  GameChoice choice;
  std::optional<std::string> as;
  std::optional<std::string> vs;
  std::optional<int> level;
  PositionChoice position;
  RecordChoice record;
  bool ascii = false;
  GameOptions own;  // of single games
};

Result<games::SavedGame> loaded_game(const PlayArguments& arguments, const Context& context) {
  const auto& choice = arguments.choice;
  auto loaded = TRY(load_game(context, arguments.record, choice.game));
  if (choice.rules || choice.board || choice.preset || arguments.position.is_given() ||
      (context.seed_option && loaded.has_seed)) {
    return Error{fmt::format("--load brings its own rules{}; leave those options out",
                             loaded.has_seed ? ", position and seed" : " and position")};
  }
  if (loaded.saved.language && !context.language_option) set_language(*loaded.saved.language);
  return std::move(loaded.saved);
}

// The one word that may follow the game is a preset, or else a position.
void tell_preset_from_position(PlayArguments& arguments, const games::GameEntry& entry) {
  auto& word = arguments.choice.preset;
  if (!word || arguments.position.word || entry.facts.hidden_information) return;
  const auto presets = listed_names(entry.presets, &games::Preset::name);
  if (std::ranges::find(presets, *word) != presets.end()) return;
  if (did_you_mean(*word, presets)) return;
  arguments.position.word = std::exchange(word, std::nullopt);
}

Result<games::SavedGame> new_game(PlayArguments arguments, const Context& context) {
  if (arguments.choice.game.empty()) {
    return Error{fmt::format("play: which game? expected one of {}; or --load FILE",
                             fmt::join(context.registry.names(), ", "))};
  }
  const auto entry = TRY(context.registry.find(arguments.choice.game));
  tell_preset_from_position(arguments, *entry);
  auto game = TRY(make_game(context, arguments.choice));
  games::SavedGame saved;
  saved.game = std::move(game);
  saved.seed = context.seed();
  saved.session = TRY(start_game(*saved.game, arguments.position, saved.seed));
  return saved;
}

// Who plays each side: --as says which the person takes, --vs or --level who takes the rest.
Result<std::array<std::string, 2>> player_names(const PlayArguments& arguments,
                                                const games::SavedGame& saved,
                                                const play::Toolkit& toolkit) {
  const auto& facts = saved.game->facts();
  const bool alone = facts.players == 1;
  if (arguments.level && arguments.vs) {
    return Error{"--level and --vs both say who plays the other side; expected one of them"};
  }
  if (arguments.level && alone) {
    return Error{fmt::format("--level: {} has one player, and so no opponent", facts.name)};
  }
  if (arguments.level && arguments.as == "both") {
    return Error{"--level: with --as both there is no opponent"};
  }
  const auto level = static_cast<std::size_t>(arguments.level.value_or(play::kUsualLevel));
  const std::string other = arguments.vs ? *arguments.vs
                            : alone      ? "random"
                                         : levels_of(toolkit)[level - 1].player;
  using Players = std::array<std::string, 2>;
  if (!arguments.as) {
    if (!arguments.vs && !arguments.level && !saved.players[0].empty()) return saved.players;
    if (alone && arguments.vs) {
      return Error{fmt::format("--vs: {} has one player; `--as none --vs PLAYER` lets PLAYER play",
                               facts.name)};
    }
    return Players{"human", alone ? "human" : other};
  }
  if (arguments.as == "none") return Players{other, other};
  if (arguments.as == "both" && !alone) return Players{"human", "human"};
  const auto is_side = [&](std::size_t side) {
    return arguments.as == facts.sides[side] || arguments.as == tr(facts.sides[side]);
  };
  if (is_side(0)) {
    return Players{"human", alone ? "human" : other};
  }
  if (is_side(1) && !alone) return Players{other, "human"};
  std::vector<std::string> sides = {std::string(facts.sides[0]), "none"};
  if (!alone) sides = {std::string(facts.sides[0]), std::string(facts.sides[1]), "both", "none"};
  return unknown_name("side", *arguments.as, sides);
}

Result<int> run_play(const PlayArguments& arguments, const Context& context) {
  auto saved =
      TRY(arguments.record.file ? loaded_game(arguments, context) : new_game(arguments, context));
  const auto toolkit = context.registry.toolkit(saved.game);
  const auto names = TRY(player_names(arguments, saved, *toolkit));
  std::array<play::NamedPlayer, 2> players;
  for (std::size_t side = 0; side < 2; ++side) {
    players[side] = TRY(play::make_player(*toolkit, names[side]));
  }
  const GameCommands& own = context.games.of(saved.game->facts().name);
  TRY(arguments.own.check(saved.game->facts().name));
  const auto file = arguments.own.file_of(own);
  if (file) TRY(check_output(*file));
  PlayLoop loop(std::move(saved), toolkit, std::move(players),
                {context, detect_look(arguments.ascii), context.json, own, file});
  return loop.run();
}

}  // namespace

Action setup_play(CommandLine line, Context& context) {
  auto arguments = std::make_shared<PlayArguments>();
  line.add_option("GAME", arguments->choice.game, "the game");
  line.add_option("PRESET", arguments->choice.preset,
                  "a named set of rules; `{program} games` lists them");
  add_position_arguments(line, arguments->position);
  line.add_option("--as", arguments->as, "SIDE",
                  "your side, as white, blue, vertical; 'both' or 'none' (default: the first)");
  line.add_option("--vs", arguments->vs, "PLAYER", "who plays the other side");
  line.add_number("--level", arguments->level, 1, play::kLevels,
                  Text::of("who plays the other side, from easy to the best (default {}); "
                           "`{program} strength` says who that is",
                           play::kUsualLevel));
  add_record_options(line, arguments->record, context, "continue a game ({})");
  arguments->own.add_formats(line, context.games);
  arguments->own.add_board_options(line, context.games);
  add_rules_options(line, arguments->choice);
  line.add_flag("--ascii", arguments->ascii, "plain characters, no colours");
  add_shared_options(line, context, {"--seed", "--json"});
  return [arguments, &context] { return run_play(*arguments, context); };
}

}  // namespace damier::app
