#include "damier/learn/fanorona/task.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/exact/fanorona/exact.h"
#include "damier/learn/game_task_impl.h"
#include "damier/model/fanorona/encoders.h"

namespace damier::learn {

using namespace games::fanorona;
using exact::StateIndex;

namespace {

constexpr int kPhases = 7;
constexpr int kPolicy = model::kFanoronaPolicy;  // departures, then arrivals

int phase_of(const State& state) { return kSetSize[state.moved]; }

TaskFacts fanorona_facts() {
  TaskFacts facts = GameTask<Fanorona>::usual_facts({"all", "reachable", "play"});
  facts.options.push_back({"balance",
                           "none",
                           "draw evenly by phase, by class (win, draw, loss), by both, or not",
                           {"none", "phase", "class", "both"}});
  return facts;
}

class FanoronaTask final : public GameTask<Fanorona> {
 public:
  FanoronaTask() : GameTask(fanorona_facts()) {}

  std::vector<std::string> evaluated_sets() const override { return {"all", "reachable"}; }

  Status check_together(const GenerateOptions& options) const override {
    if (options.count == 0 && text_option(options, "balance") != "none") {
      return Error{"a balanced choice needs a count: all states have the balance that they have"};
    }
    return GameTask::check_together(options);
  }
  // In the order of their numbers.
  Result<std::vector<State>> listed(const Fanorona& game, std::string_view which) const override {
    const auto& table = exact::fanorona_table();
    std::vector<StateIndex> numbers;
    if (which == "reachable") {
      numbers = table.reachable_from(game.initial());
      std::ranges::sort(numbers);
    } else {
      for (StateIndex i = 0; i < exact::FanoronaIndexer::kStates; ++i) numbers.push_back(i);
    }
    std::vector<State> states;
    for (const StateIndex i : numbers) {
      const State state = table.indexer().state_at(i);
      if (game.outcome(state) == games::Outcome::ongoing) states.push_back(state);
    }
    return states;
  }

  // As evenly as they allow from each class of the balance.
  std::vector<State> drawn(std::vector<State> states,
                           const GenerateOptions& options) const override {
    const std::string balance = text_option(options, "balance");
    const bool by_phase = balance == "phase" || balance == "both";
    const bool by_class = balance == "class" || balance == "both";
    const auto count = static_cast<std::size_t>(options.count);
    if ((!by_phase && !by_class) || count == 0 || count >= states.size()) {
      return GameTask::drawn(std::move(states), options);
    }
    RandomStream(options.seed, "generate").shuffle(std::span(states));
    std::vector<std::vector<State>> cells(kPhases * 3);
    for (const State& state : states) {
      const int phase = by_phase ? phase_of(state) : 0;
      const games::Verdict value = exact::fanorona_table().value(state).verdict;
      const int result = by_class ? 1 + static_cast<int>(games::value_of(value)) : 0;
      cells[static_cast<std::size_t>(phase * 3 + result)].push_back(state);
    }
    states.clear();
    for (std::size_t round = 0; states.size() < count; ++round) {
      for (const auto& cell : cells) {
        if (round < cell.size() && states.size() < count) states.push_back(cell[round]);
      }
    }
    RandomStream(options.seed, "generate.mix").shuffle(std::span(states));
    return states;
  }

  std::vector<Column> policy_columns(const Encoder&) const override {
    return {{"policy", nn::DType::f32, kPolicy}};
  }
  std::vector<Column> place_columns(const Fanorona&) const override {
    return {{"phase", nn::DType::u8, 1}, {"state", nn::DType::i32, 1}};
  }

  void write_more(const Encoder&, const State& state, const Lesson<Fanorona>& lesson,
                  RowBuffer& rows) const override {
    const auto policy = rows.last<float>("policy");
    const float share = 1.0f / static_cast<float>(lesson.best.size());
    for (const Move move : lesson.best) {
      policy[static_cast<std::size_t>(from_of(move))] += share;
      policy[static_cast<std::size_t>(kPoints + to_of(move))] += share;
    }
    rows.last<std::uint8_t>("phase")[0] = static_cast<std::uint8_t>(phase_of(state));
    rows.last<std::int32_t>("state")[0] =
        static_cast<std::int32_t>(exact::fanorona_table().indexer().index_of(state));
  }

  Result<std::vector<State>> states_in(const Fanorona& game, const DataSet& data,
                                       Split split) const override {
    const auto numbers = TRY(column_of<std::int32_t>(data, "state", 1, data.rows(split)));
    const auto& indexer = exact::fanorona_table().indexer();
    std::vector<State> states;
    for (const int number : numbers) {
      const bool good = number >= 0 && number < static_cast<int>(indexer.state_count());
      if (good) states.push_back(indexer.state_at(static_cast<StateIndex>(number)));
      if (!good || game.outcome(states.back()) != games::Outcome::ongoing) {
        return Error{fmt::format("the column 'state' holds {}; expected the number of a state that "
                                 "is not over",
                                 number),
                     {data.source()}};
      }
    }
    return states;
  }

  std::int64_t group_of(const Fanorona& game, const State& state) const override {
    const auto key = [](const State& s) {
      return std::uint64_t{s.pieces[0]} | std::uint64_t{s.pieces[1]} << 16 |
             std::uint64_t{s.moved} << 32 | static_cast<std::uint64_t>(games::index(s.side)) << 48;
    };
    std::uint64_t smallest = ~std::uint64_t{0};
    for (const games::Symmetry symmetry : game.symmetries(state)) {
      smallest = std::min(smallest, key(game.transformed(state, symmetry)));
    }
    return static_cast<std::int64_t>(mix64(smallest + 1));
  }

  bool names_label(const model::MoveHeads& heads, const model::Predictor& network, std::size_t row,
                   int label, games::Action chosen) const override {
    if (heads.own < 0) return index(chosen) == label;
    const float* policy = network.output(static_cast<std::size_t>(heads.own), row).data();
    const auto from = std::max_element(policy, policy + kPoints) - policy;
    const auto to = std::max_element(policy + kPoints, policy + kPolicy) - policy - kPoints;
    return kPoints * from + to == label;
  }
};

}  // namespace

template class GameTask<Fanorona>;

template <>
const GameTask<Fanorona>& game_task() {
  static const FanoronaTask task;
  return task;
}

}  // namespace damier::learn
