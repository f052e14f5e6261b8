#include "damier/learn/bremen/task.h"

#include "damier/exact/bremen/exact.h"
#include "damier/learn/game_task_impl.h"
#include "damier/model/bremen/encoders.h"

namespace damier::learn {

using namespace games::bremen;

namespace {

constexpr std::string_view kRetreat = "retreat";

}  // namespace

std::vector<TaskOption> Labels<Bremen>::options() {
  auto all = GenericLabels::options();
  all.push_back({"from", "",
                 "positions with their exact answers, as samples/bremen.txt, in the place "
                 "of any that are played; all moves that keep the value are taught"});
  return all;
}

Status Labels<Bremen>::check_together(const Task& task, const GenerateOptions& options) {
  if (!judged_file(task, options).empty() && options.split == "game") {
    return Error{"the split 'game' needs positions from play; expected no --from with it"};
  }
  return GenericLabels::check_together(task, options);
}

std::string Labels<Bremen>::judged_file(const Task& task, const GenerateOptions& options) {
  return task.text_option(options, "from");
}

std::vector<std::string> ActorsOf<Bremen>::potentials() {
  return {"heuristic", std::string(kRetreat)};
}

// Whoever must move a certain animal has one thing less to choose.
double ActorsOf<Bremen>::potential(const Bremen& game, std::string_view name, const State& state) {
  if (name == kRetreat) return state.duty == State::kFree ? 0 : -1;
  return GenericActors::potential(game, name, state);
}

template struct GenericJudge<Bremen>;
template class GameTask<Bremen>;

}  // namespace damier::learn
