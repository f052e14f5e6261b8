// What domineering offers to the commands: examples, and moves drawn on the board.

#include "damier/app/commands/builtin_commands.h"
#include "damier/app/domineering/view.h"

namespace damier::app {

namespace {

constexpr std::string_view kExamples[] = {
    "{program} play domineering --board 6x6 --vs human",
    "{program} analyze domineering --board 6x6 --player uct:100000 --json",
    "{program} analyze domineering --board 6x6 --player net",
    "{program} solve domineering --board 6x7",
    "{program} match domineering uct:1000 flat:100 --games 200",
    "{program} tournament domineering random flat:10 flat:100 uct:1000 --games 100",
    "{program} ratings domineering",
    "{program} eval domineering --players random ucb:100 uct:1000",
    "{program} eval uct:1000 domineering --positions 100 --seed 1",
    "{program} generate domineering --states games --set encoder=mover --count 10000 -o games.data",
    "{program} train domineering",
    "{program} perft domineering --board 5x6 4 --json",
};

class DomineeringCommands final : public GameCommands {
 public:
  DomineeringCommands() : GameCommands("domineering") {}
  std::span<const std::string_view> examples() const override { return kExamples; }
  Lines overlay(const games::Session& session, const play::Answer& answer,
                const std::string& player, const Look& look) const override {
    return domineering_overlay(session, answer, player, look);
  }
};

}  // namespace

std::unique_ptr<GameCommands> domineering_commands() {
  return std::make_unique<DomineeringCommands>();
}

}  // namespace damier::app
