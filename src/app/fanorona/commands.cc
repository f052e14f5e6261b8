// What fanoron-telo offers to the commands: examples, and moves by pointing.

#include "damier/app/commands/builtin_commands.h"

namespace damier::app {

namespace {

constexpr std::string_view kExamples[] = {
    "{program} play fanorona",
    "{program} play fanorona --level 8",
    "{program} strength fanorona",
    "{program} analyze fanorona",
    "{program} solve fanorona",
    "{program} solve fanorona --stats",
    "{program} match fanorona minimax:6 perfect --games 100 --record games.jsonl",
    "{program} tournament fanorona random minimax:2 perfect --anchor random=0",
    "{program} eval models/fanorona",
    "{program} eval fanorona --games 200 --seed 1",
    "{program} ratings fanorona --json",
    "{program} reproduce fanorona",
    "{program} report fanorona -o model.html",
    "{program} perft fanorona 6",
    "{program} generate fanorona -o fanorona.data",
    "{program} generate fanorona --teacher minimax:6 --count 61000 --seed 1 -o report.data",
    "{program} train fanorona",
    "{program} train fanorona-quick -o quick.safetensors --seed 1",
    "{program} inspect fanorona",
};

}  // namespace

std::unique_ptr<GameCommands> fanorona_commands() {
  return std::make_unique<GameCommands>(
      "fanorona", GameHelp{kExamples,
                           {"{program} play fanorona", "three in line, on nine points"},
                           "fanorona-quick"});
}

}  // namespace damier::app
