// What Les Tacticiens de Brême offer to the commands: examples, and moves by pointing.

#include "damier/app/commands/builtin_commands.h"

namespace damier::app {

namespace {

constexpr std::string_view kExamples[] = {
    "{program} play bremen --as blue --level 2",
    "{program} analyze bremen \"c4d3d3b5/e3a4e2b1 b\" --player minimax:5",
    "{program} solve bremen --position \"a2a2c1a4/b3d4b3a5 b\" --seconds 10",
    "{program} match bremen minimax:4 minimax:2 --games 2000 --sprt 0,20",
    "{program} eval net bremen --judged positions/bremen.txt --players minimax:4 random",
    "{program} perft bremen --position \"a1b1c1d1/a5b5c5d5 b\" 5",
    "{program} generate bremen --teacher minimax:3 --count 2000 -o bremen.data",
    "{program} train bremen --data bremen.data",
    "{program} help bremen",
};

}  // namespace

std::unique_ptr<GameCommands> bremen_commands() {
  return std::make_unique<GameCommands>(
      "bremen",
      GameHelp{kExamples,
               {"{program} play bremen --as blue", "the animals of Brême: draft, then stack"}});
}

}  // namespace damier::app
