#include "damier/lab/fanorona/examination.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include "damier/learn/fanorona/task.h"
#include "damier/learn/training/learner.h"
#include "damier/solve/fanorona/table.h"

namespace damier::lab {

namespace {

using games::fanorona::State;
using CellKey = std::tuple<int, int, int>;

int result_of(solve::Verdict value) {
  return value == solve::Verdict::win ? 1 : value == solve::Verdict::loss ? -1 : 0;
}

CellKey key_of(const State& state) {
  const solve::ExactValue exact = solve::fanorona_table().value(state);
  return {result_of(exact.value), games::fanorona::kSetSize[state.moved],
          static_cast<int>(exact.distance)};
}

FanoronaCell empty_cell(const CellKey& key) {
  return {std::get<0>(key), std::get<1>(key), std::get<2>(key), 0, 0, 0};
}

std::int64_t count_in(const std::vector<Metric>& metrics, std::string_view name) {
  const Metric* metric = find_metric(metrics, name);
  return metric == nullptr ? 0 : std::llround(metric->value * static_cast<double>(metric->n));
}

Result<std::vector<State>> states_of(const learn::DataSet& data, learn::Split split) {
  const int column = data.column_index("state");
  if (column < 0) return Error{"has no column 'state'", {data.source()}};
  const auto numbers = data.values<std::int32_t>(column, data.rows(split));
  if (!numbers) return numbers.error();
  std::vector<State> states;
  for (const int number : *numbers) {
    states.push_back(
        solve::fanorona_table().indexer().state_at(static_cast<solve::StateIndex>(number)));
  }
  return states;
}

void add_value_errors(const learn::JudgedModel& model, std::string_view encoder,
                      const std::vector<State>& states, FanoronaExamination& examination) {
  std::size_t head = 0;
  while (head < model.spec.heads.size() && model.spec.heads[head].name != "value") ++head;
  if (head == model.spec.heads.size() || model.spec.head_shape(head).size() != 1) return;
  const auto width = static_cast<std::size_t>(model.spec.input.size());
  std::vector<float> inputs(states.size() * width);
  for (std::size_t i = 0; i < states.size(); ++i) {
    learn::encode_fanorona(encoder, states[i], std::span(inputs).subspan(i * width, width));
  }
  learn::JudgedModel::Outputs outputs;
  model.run(inputs, states.size(), outputs);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const int truth = std::get<0>(key_of(states[i]));
    const double error = static_cast<double>(outputs[head][i]) - truth;
    examination.value_errors[static_cast<std::size_t>(truth + 1)].push_back(
        static_cast<int>(std::lround(1e6 * error)));
  }
}

std::vector<State> reachable_states(std::size_t most) {
  const auto& table = solve::fanorona_table();
  auto numbers = table.reachable_from(table.game().initial());
  std::sort(numbers.begin(), numbers.end());
  std::vector<State> states;
  for (const solve::StateIndex number : numbers) {
    const State state = table.indexer().state_at(number);
    if (table.game().outcome(state) == games::Outcome::ongoing) states.push_back(state);
  }
  if (most == 0 || most >= states.size()) return states;
  std::vector<State> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(states[i * states.size() / most]);
  return some;
}

}  // namespace

Result<FanoronaExamination> examine_fanorona(const learn::JudgedModel& model,
                                             const learn::DataSet& data, learn::Split split) {
  const auto states = states_of(data, split);
  if (!states) return states.error();
  const std::string encoder = learn::encoder_of(data);
  std::map<CellKey, std::vector<State>> by_cell;
  for (const State& state : *states) by_cell[key_of(state)].push_back(state);
  FanoronaExamination examination;
  for (const auto& [key, members] : by_cell) {
    const std::vector<int> no_labels(members.size(), -1);
    const auto metrics = learn::judge_fanorona(model, encoder, members, no_labels);
    if (!metrics) return metrics.error();
    FanoronaCell cell = empty_cell(key);
    cell.n = static_cast<std::int64_t>(members.size());
    cell.kept = count_in(*metrics, "value_kept");
    cell.shortest = count_in(*metrics, "shortest");
    examination.cells.push_back(cell);
  }
  add_value_errors(model, encoder, *states, examination);
  return examination;
}

Result<std::vector<FanoronaCell>> examine_fanorona_player(const arena::Toolkit& toolkit,
                                                          const std::string& player, Seed seed,
                                                          std::size_t most, ThreadPool& pool,
                                                          const std::function<void(double)>& tell,
                                                          const std::function<bool()>& stop) {
  if (auto made = arena::make_player(toolkit, player); !made) return std::move(made).error();
  const auto& table = solve::fanorona_table();
  const std::vector<State> states = reachable_states(most);
  std::map<CellKey, FanoronaCell> cells;
  std::mutex mutex;
  std::size_t done = 0;
  constexpr std::size_t kChunk = 256;
  pool.for_each((states.size() + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    if (stop && stop()) return;
    const auto asked = std::move(arena::make_player(toolkit, player)->player);
    const std::size_t end = std::min(states.size(), (chunk + 1) * kChunk);
    std::vector<solve::ExactValue> after;
    for (std::size_t i = chunk * kChunk; i < end; ++i) {
      const auto session = toolkit.game().start_from(table.game().position_text(states[i]));
      RandomStream random(seed, "experiment.reachable", i);
      const int action = games::index(asked->choose(**session, random));
      after.push_back(table.value_after(states[i], static_cast<games::fanorona::Move>(action)));
    }
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < after.size(); ++i) {
      const State& state = states[chunk * kChunk + i];
      const solve::ExactValue exact = table.value(state);
      const CellKey key = key_of(state);
      FanoronaCell& cell = cells.try_emplace(key, empty_cell(key)).first->second;
      ++cell.n;
      cell.kept += after[i].value == exact.value;
      cell.shortest += after[i] == exact;
    }
    done += after.size();
    if (tell) tell(static_cast<double>(done) / static_cast<double>(states.size()));
  });
  std::vector<FanoronaCell> result;
  for (const auto& [key, cell] : cells) result.push_back(cell);
  return result;
}

}  // namespace damier::lab
