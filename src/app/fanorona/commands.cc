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

class FanoronaCommands final : public GameCommands {
 public:
  FanoronaCommands() : GameCommands("fanorona") {}
  std::span<const std::string_view> examples() const override { return kExamples; }
  std::pair<std::string_view, std::string_view> invitation() const override {
    return {"{program} play fanorona", "three in line, on nine points"};
  }
  std::string_view quick_recipe() const override { return "fanorona-quick"; }
};

}  // namespace

std::unique_ptr<GameCommands> fanorona_commands() { return std::make_unique<FanoronaCommands>(); }

}  // namespace damier::app
