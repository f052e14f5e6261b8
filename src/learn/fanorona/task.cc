#include "damier/learn/fanorona/task.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "damier/exact/fanorona/exact.h"
#include "damier/exact/fanorona/table.h"
#include "damier/learn/game_task_impl.h"

namespace damier::learn {

using namespace games::fanorona;
using exact::StateIndex;

namespace {

constexpr int kPhases = 7;
constexpr int kPolicy = 2 * kPoints;  // departures, then arrivals

int phase_of(const State& state) { return kSetSize[state.moved]; }

class FanoronaTask final : public GameTask<Fanorona> {
 public:
  std::vector<std::string> encoders() const override { return {"flat", "planes"}; }

  std::vector<TaskOption> options() const override {
    auto all = GameTask::options();
    all.push_back({"balance",
                   "none",
                   "draw evenly by phase, by class (win, draw, loss), by both, or not",
                   {"none", "phase", "class", "both"}});
    return all;
  }

  nn::Shape shape_of(const Fanorona&, std::string_view encoder) const override {
    return encoder == "planes" ? nn::Shape{6, 3, 3, true} : nn::Shape{46};
  }

  void encode(const Fanorona& game, std::string_view encoder, const State& state,
              std::span<float> out) const override {
    if (encoder == "flat") return game.write_features(state, out);
    std::fill(out.begin(), out.end(), 0.0f);
    for (std::size_t point = 0; point < kPoints; ++point) {
      const unsigned bit = point_bit(static_cast<int>(point));
      const std::size_t step = (state.moved & bit) ? 2 : 1;
      const std::size_t content = (state.pieces[0] & bit)   ? 2 + step
                                  : (state.pieces[1] & bit) ? 2 - step
                                                            : 2;
      out[content * kPoints + point] = 1.0f;
    }
    const float player = state.side == games::Side::first ? 1.0f : -1.0f;
    std::fill(out.end() - kPoints, out.end(), player);
  }

  void forget_cell(const Fanorona&, std::string_view encoder, const State&, int cell,
                   std::span<float> inputs) const override {
    constexpr std::size_t kContents = 5;
    const auto point = static_cast<std::size_t>(cell);
    for (std::size_t content = 0; content < kContents; ++content) {
      inputs[encoder == "flat" ? kContents * point + content : content * kPoints + point] = 0;
    }
  }

  std::vector<SymmetryMaps> symmetries(std::string_view encoder) const override {
    const Fanorona game;
    auto all = GameTask::symmetries(encoder);
    const auto own = game.symmetries(game.initial());
    assert(all.size() == own.size());  // all hold everywhere
    for (std::size_t i = 0; i < all.size(); ++i) {
      ColumnMap policy{"policy", std::vector<std::uint32_t>(kPolicy),
                       std::vector<float>(kPolicy, 1.0f)};
      for (int point = 0; point < kPoints; ++point) {
        const int to = from_of(game.transformed(make_move(point, point), own[i]));
        for (const int half : {0, kPoints}) {
          policy.source[static_cast<std::size_t>(half + to)] =
              static_cast<std::uint32_t>(half + point);
        }
      }
      all[i].push_back(std::move(policy));
    }
    return all;
  }

  std::vector<std::string> evaluated_sets() const override { return {"all", "reachable"}; }

  Result<MoveHeads> heads_of(const Reading& reading, const nn::NetworkSpec& spec) const override {
    MoveHeads heads;
    if (auto all = GameTask::heads_of(reading, spec)) heads = *all;
    for (std::size_t i = 0; i < spec.heads.size(); ++i) {
      const std::string& name = spec.heads[i].name;
      if (spec.head_shape(i).size() == 1 && name == "value") heads.value = static_cast<int>(i);
      if (spec.head_shape(i).size() != kPolicy || (name != "policy" && name != "output")) continue;
      heads.own = static_cast<int>(i);
      if (heads.moves < 0) heads.logits = gives_logits(spec, i);
    }
    if (heads.moves >= 0 || heads.own >= 0) return heads;
    return Error{"the network has neither a head 'policy' of 18 nor a head 'moves' of 81 outputs"};
  }

  // The probability of a departure times that of an arrival.
  void score(const MoveHeads& heads, const Predictor& model, std::size_t row,
             const Reading& reading, const State& state, std::span<const Move> moves,
             std::span<float> out) const override {
    if (heads.moves >= 0) return GameTask::score(heads, model, row, reading, state, moves, out);
    constexpr float kMinProbability = 1e-30f;
    const float* both = model.output(static_cast<std::size_t>(heads.own), row).data();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const float from = both[from_of(moves[i])], to = both[kPoints + to_of(moves[i])];
      out[i] = heads.logits ? from + to
                            : std::log(std::max(from, kMinProbability)) +
                                  std::log(std::max(to, kMinProbability));
    }
  }

  // The report's own question: do the highest departure and the highest arrival name the label?
  bool names_label(const MoveHeads& heads, const Predictor& model, std::size_t row, int label,
                   games::Action chosen) const override {
    if (heads.own < 0) return index(chosen) == label;
    const float* policy = model.output(static_cast<std::size_t>(heads.own), row).data();
    const auto from = std::max_element(policy, policy + kPoints) - policy;
    const auto to = std::max_element(policy + kPoints, policy + kPolicy) - policy - kPoints;
    return kPoints * from + to == label;
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

 protected:
  std::vector<std::string> state_words() const override { return {"all", "reachable", "play"}; }

  // From all states: most of them cannot be reached by play.
  std::vector<State> probed_states(const Fanorona& game) const override {
    std::vector<State> some;
    for (StateIndex i = 0; i < exact::FanoronaIndexer::kStates; i += 41) {
      const State state = exact::fanorona_table().indexer().state_at(i);
      if (game.outcome(state) == games::Outcome::ongoing) some.push_back(state);
    }
    return some;
  }

  // In the order of their numbers.
  Result<std::vector<State>> listed(const Fanorona& game, std::string_view which) const override {
    const auto& table = exact::fanorona_table();
    std::vector<StateIndex> numbers;
    if (which == "reachable") {
      numbers = table.reachable_from(game.initial());
      std::sort(numbers.begin(), numbers.end());
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

  std::vector<Column> policy_columns(const Fanorona&, std::string_view) const override {
    return {{"policy", nn::DType::f32, kPolicy}};
  }
  std::vector<Column> place_columns(const Fanorona&) const override {
    return {{"phase", nn::DType::u8, 1}, {"state", nn::DType::i32, 1}};
  }

  void write_more(const Reading&, const State& state, const Lesson<Fanorona>& lesson,
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
    const auto numbers = column_of<std::int32_t>(data, "state", 1, data.rows(split));
    if (!numbers) return numbers.error();
    const auto& indexer = exact::fanorona_table().indexer();
    std::vector<State> states;
    for (const int number : *numbers) {
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

  Status check_together(const GenerateOptions& options) const override {
    if (options.count == 0 && text_option(options, "balance") != "none") {
      return Error{"a balanced choice needs a count: all states have the balance that they have"};
    }
    return GameTask::check_together(options);
  }
};

}  // namespace

// Others evaluate states through it too.
template class GameTask<Fanorona>;

const GameTask<Fanorona>& fanorona_task() {
  static const FanoronaTask task;
  return task;
}

template <>
const GameTask<Fanorona>& game_task() {
  return fanorona_task();
}

}  // namespace damier::learn
