#include "damier/lab/fanorona/evaluation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "damier/exact/fanorona/table.h"
#include "damier/learn/fanorona/task.h"
#include "damier/learn/train/fit.h"
#include "damier/play/analysis/move_quality.h"

namespace damier::lab {

namespace {

using games::fanorona::State;
using CellKey = std::tuple<int, int, int>;

CellKey key_of(const State& state) {
  const games::Known exact = exact::fanorona_table().value(state);
  return {static_cast<int>(value_of(exact.verdict)), games::fanorona::kSetSize[state.moved],
          exact.plies.value_or(0)};
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

Result<FanoronaEvaluation> evaluate_fanorona(model::Predictor& model, const learn::DataSet& data,
                                             learn::Split split) {
  const int column = data.column_index("phase");
  if (column < 0) return Error{"has no column 'phase'", {data.source()}};
  const auto phases = TRY(data.values<std::int32_t>(column, data.rows(split)));
  const auto known = TRY(learn::Judge<games::fanorona::Fanorona>::evaluate_rows(
      model, learn::encoder_of(data), data, split));
  std::map<CellKey, FanoronaCell> cells;
  FanoronaEvaluation evaluation;
  for (std::size_t i = 0; i < known.rows.size(); ++i) {
    const learn::EvaluatedRow& row = known.rows[i];
    const int value = static_cast<int>(row.value);
    const CellKey key = {value, phases[i], row.distance};
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
  std::size_t done = 0;
  const play::KnownPositions positions =
      [&](std::uint64_t number) -> std::optional<play::KnownPosition> {
    if (stop && stop()) return std::nullopt;
    const State state = states[static_cast<std::size_t>(number)];
    auto session = toolkit.game().start_from(table.game().position_text(state));
    return play::KnownPosition{
        std::move(session).value(), table.value(state), [&table, state](games::Action action) {
          return table.value_after(state, static_cast<games::fanorona::Move>(index(action)));
        }};
  };
  const auto all = play::move_qualities(
      {{player}, states.size(), seed, "experiment.reachable"}, [&] { return positions; }, pool,
      [&] {
        ++done;
        if (tell) tell(static_cast<double>(done) / static_cast<double>(states.size()));
      });
  if (!all) return all.error();
  std::map<CellKey, FanoronaCell> cells;
  const auto& moves = all->front().moves;
  // After a stop positions are missing, and the result is void.
  for (std::size_t i = 0; i < moves.size() && moves.size() == states.size(); ++i) {
    const CellKey key = key_of(states[i]);
    FanoronaCell& cell = cells.try_emplace(key, empty_cell(key)).first->second;
    ++cell.n;
    cell.kept += moves[i].keeps();
    cell.shortest += moves[i].is_best();
  }
  std::vector<FanoronaCell> result;
  for (const auto& [key, cell] : cells) result.push_back(cell);
  return result;
}

}  // namespace damier::lab
