#include "damier/lab/fanorona/evaluation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include "damier/exact/fanorona/table.h"
#include "damier/learn/fanorona/task.h"
#include "damier/learn/train/learner.h"

namespace damier::lab {

namespace {

using games::fanorona::State;
using CellKey = std::tuple<int, int, int>;

int result_of(exact::Verdict value) {
  return value == exact::Verdict::win ? 1 : value == exact::Verdict::loss ? -1 : 0;
}

CellKey key_of(const State& state) {
  const exact::ExactValue exact = exact::fanorona_table().value(state);
  return {result_of(exact.value), games::fanorona::kSetSize[state.moved],
          static_cast<int>(exact.distance)};
}

FanoronaCell empty_cell(const CellKey& key) {
  return {std::get<0>(key), std::get<1>(key), std::get<2>(key), 0, 0, 0};
}

std::vector<State> reachable_states(std::size_t most) {
  const auto& table = exact::fanorona_table();
  auto numbers = table.reachable_from(table.game().initial());
  std::sort(numbers.begin(), numbers.end());
  std::vector<State> states;
  for (const exact::StateIndex number : numbers) {
    const State state = table.indexer().state_at(number);
    if (table.game().outcome(state) == games::Outcome::ongoing) states.push_back(state);
  }
  if (most == 0 || most >= states.size()) return states;
  std::vector<State> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(states[i * states.size() / most]);
  return some;
}

}  // namespace

Result<FanoronaEvaluation> evaluate_fanorona(learn::Predictor& model, const learn::DataSet& data,
                                             learn::Split split) {
  const int column = data.column_index("phase");
  if (column < 0) return Error{"has no column 'phase'", {data.source()}};
  const auto phases = data.values<std::int32_t>(column, data.rows(split));
  if (!phases) return phases.error();
  const auto known =
      learn::fanorona_task().evaluate_rows(model, learn::encoder_of(data), data, split);
  if (!known) return known.error();
  std::map<CellKey, FanoronaCell> cells;
  FanoronaEvaluation evaluation;
  for (std::size_t i = 0; i < known->rows.size(); ++i) {
    const learn::EvaluatedRow& row = known->rows[i];
    const int value = static_cast<int>(row.value);
    const CellKey key = {value, (*phases)[i], row.distance};
    FanoronaCell& cell = cells.try_emplace(key, empty_cell(key)).first->second;
    ++cell.n;
    cell.kept += row.kept;
    cell.shortest += row.shortest;
    if (!row.said) continue;
    evaluation.value_errors[static_cast<std::size_t>(value + 1)].push_back(
        static_cast<int>(std::lround(1e6 * (static_cast<double>(*row.said) - value))));
  }
  for (const auto& [key, cell] : cells) evaluation.cells.push_back(cell);
  return evaluation;
}

Result<std::vector<FanoronaCell>> evaluate_fanorona_player(
    const play::Toolkit& toolkit, const play::OpenedPlayer& player, Seed seed, std::size_t most,
    ThreadPool& pool, const std::function<void(double)>& tell, const std::function<bool()>& stop) {
  const auto& table = exact::fanorona_table();
  const std::vector<State> states = reachable_states(most);
  std::map<CellKey, FanoronaCell> cells;
  std::mutex mutex;
  std::size_t done = 0;
  std::optional<Error> error;
  constexpr std::size_t kChunk = 256;
  pool.for_each((states.size() + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    if (stop && stop()) return;
    const auto asked = player.make();
    const std::size_t end = std::min(states.size(), (chunk + 1) * kChunk);
    std::vector<exact::ExactValue> after;
    for (std::size_t i = chunk * kChunk; i < end; ++i) {
      const auto session = toolkit.game().start_from(table.game().position_text(states[i]));
      if (!session) {
        const std::lock_guard lock(mutex);
        error = session.error();
        return;
      }
      RandomStream random(seed, "experiment.reachable", i);
      const int action = games::index(asked->choose(**session, random));
      after.push_back(table.value_after(states[i], static_cast<games::fanorona::Move>(action)));
    }
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < after.size(); ++i) {
      const State& state = states[chunk * kChunk + i];
      const exact::ExactValue exact = table.value(state);
      const CellKey key = key_of(state);
      FanoronaCell& cell = cells.try_emplace(key, empty_cell(key)).first->second;
      ++cell.n;
      cell.kept += after[i].value == exact.value;
      cell.shortest += after[i] == exact;
    }
    done += after.size();
    if (tell) tell(static_cast<double>(done) / static_cast<double>(states.size()));
  });
  if (error) return *error;
  std::vector<FanoronaCell> result;
  for (const auto& [key, cell] : cells) result.push_back(cell);
  return result;
}

}  // namespace damier::lab
