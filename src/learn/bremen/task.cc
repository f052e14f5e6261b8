#include "damier/learn/bremen/task.h"

#include "damier/exact/bremen/exact.h"
#include "damier/learn/game_task_impl.h"
#include "damier/model/bremen/encoders.h"

namespace damier::learn {

using namespace games::bremen;

namespace {

constexpr std::string_view kRetreat = "retreat";

TaskFacts bremen_facts() {
  TaskFacts facts = GameTask<Bremen>::usual_facts();
  facts.potentials.emplace_back(kRetreat);
  facts.options.push_back({"from", "",
                           "positions with their exact answers, as samples/bremen.txt, in the "
                           "place of any that are played; all moves that keep the value are "
                           "taught"});
  return facts;
}

class BremenTask final : public GameTask<Bremen> {
 public:
  BremenTask() : GameTask(bremen_facts()) {}

  // A side that must move a certain animal has one thing less to choose.
  double potential(const Bremen& game, std::string_view name, const State& state) const override {
    if (name == kRetreat) return state.duty == State::kFree ? 0 : -1;
    return GameTask::potential(game, name, state);
  }

 private:
  Status check_together(const GenerateOptions& options) const override {
    if (!judged_file(options).empty() && options.split == "game") {
      return Error{"the split 'game' needs positions from play; expected no --from with it"};
    }
    return GameTask::check_together(options);
  }

  std::string judged_file(const GenerateOptions& options) const override {
    return text_option(options, "from");
  }
};

}  // namespace

template class GameTask<Bremen>;

template <>
const GameTask<Bremen>& game_task() {
  static const BremenTask task;
  return task;
}

}  // namespace damier::learn
