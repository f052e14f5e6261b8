// What fanoron-telo offers to the commands: examples.

#include "damier/app/builtin_commands.h"

namespace damier::app {

namespace {

constexpr std::string_view kExamples[] = {
    "damier play fanorona",
    "damier analyze fanorona",
    "damier solve fanorona",
    "damier solve fanorona --stats",
    "damier match fanorona minimax:6 perfect --games 100 --record games.jsonl",
    "damier tournament fanorona random minimax:2 perfect --anchor random=0",
    "damier eval models/fanorona",
    "damier eval fanorona --games 200 --seed 1",
    "damier ratings fanorona --json",
    "damier reproduce fanorona",
    "damier report fanorona -o model.html",
    "damier perft fanorona 6",
    "damier generate fanorona -o fanorona.data",
    "damier generate fanorona --oracle minimax:6 --count 61000 --seed 1 -o report.data",
    "damier train fanorona",
    "damier train fanorona-quick -o quick.safetensors --seed 1",
    "damier inspect fanorona",
};

class FanoronaCommands final : public GameCommands {
 public:
  FanoronaCommands() : GameCommands("fanorona") {}
  std::span<const std::string_view> examples() const override { return kExamples; }
  std::pair<std::string_view, std::string_view> invitation() const override {
    return {"damier play fanorona", "three in line, against a random player"};
  }
};

}  // namespace

std::unique_ptr<GameCommands> fanorona_commands() { return std::make_unique<FanoronaCommands>(); }

}  // namespace damier::app
