// How the task of a game evaluates networks: their choices beside exact values, or beside what a
// teacher said.
#pragma once

#include <algorithm>

#include "damier/base/files/interrupt.h"
#include "damier/learn/game_task.h"
#include "damier/model/network_evaluator.h"

namespace damier::learn {

namespace detail {

inline constexpr std::size_t kEvaluated = 1024;  // positions asked about at a time

}  // namespace detail

// What evaluations compare with: labels, and where exact values are not at hand the teacher's marks
// and values.
template <games::Game G>
struct GameTask<G>::Truths {
  std::span<const int> labels;
  std::span<const float> marks = {};  // (positions, actions)
  std::span<const float> values = {};
};

template <games::Game G>
std::vector<std::string> GameTask<G>::evaluated_sets() const {
  if constexpr (exact::kHasTable<G>) {
    if (exact::Exact<G>(G::make({}).value()).is_at_hand()) return {"reachable"};
  }
  return {};
}

template <games::Game G>
Result<std::vector<Metric>> GameTask<G>::evaluate(model::Predictor& network,
                                                  std::string_view encoder,
                                                  std::string_view set) const {
  const auto read = TRY(model::find_encoder<G>(encoder));
  const auto states = TRY(listed(read->game(), set));
  const auto opened = TRY(open_asked(read->game(), "exact"));
  Teacher<G> teacher(read->game(), opened);
  RandomStream unused(Seed{0}, "evaluate");
  std::vector<int> labels;
  for (const State& state : states) {
    const auto lesson = teacher.teach(state, unused);
    labels.push_back(lesson ? index(read->game().action(state, lesson->move)) : -1);
  }
  const auto evaluation = TRY(evaluate_states(network, encoder, states, labels));
  return metrics_of(evaluation);
}

template <games::Game G>
Result<std::vector<Metric>> GameTask<G>::evaluate(model::Predictor& network,
                                                  std::string_view encoder, const DataSet& data,
                                                  Split split) const {
  const auto evaluation = TRY(evaluate_rows(network, encoder, data, split));
  return metrics_of(evaluation);
}

template <games::Game G>
Result<Evaluation> GameTask<G>::evaluate_rows(model::Predictor& network, std::string_view encoder,
                                              const DataSet& data, Split split) const {
  const auto read = TRY(model::find_encoder<G>(encoder));
  const auto states = TRY(states_in(read->game(), data, split));
  const RowRange rows = data.rows(split);
  const auto labels = TRY(column_of<std::int32_t>(data, "label", 1, rows));
  const auto actions = static_cast<std::uint64_t>(read->output_count());
  const auto marks = TRY(column_of<float>(data, "moves", actions, rows));
  const auto values = TRY(column_of<float>(data, "value", 1, rows));
  return evaluated(network, encoder, states, {labels, marks, values});
}

template <games::Game G>
Result<Evaluation> GameTask<G>::evaluate_states(model::Predictor& network, std::string_view encoder,
                                                std::span<const State> states,
                                                std::span<const int> labels) const {
  return evaluated(network, encoder, states, {labels});
}

template <games::Game G>
Result<Evaluation> GameTask<G>::evaluated(model::Predictor& network, std::string_view encoder,
                                          std::span<const State> states,
                                          const Truths& truths) const {
  const auto read = TRY(model::find_encoder<G>(encoder));
  const G& game = read->game();
  auto evaluator = TRY(model::NetworkEvaluator<G>::make(
      game, encoder, std::shared_ptr<model::Predictor>(std::shared_ptr<void>(), &network)));
  Evaluation evaluation{false, std::vector<EvaluatedRow>(states.size())};
  const auto run = [&](const auto& compare) -> Result<Evaluation> {
    std::vector<float> scores;
    // A look ahead asks the network again: one position at a time then.
    const std::size_t most = evaluator.knows_moves() ? detail::kEvaluated : 1;
    for (std::size_t at = 0; at < states.size(); at += most) {
      if (interrupted()) return interruption();
      const auto asked = states.subspan(at, std::min(most, states.size() - at));
      evaluator.ask(asked);
      for (std::size_t k = 0; k < asked.size(); ++k) {
        const auto moves = game.legal_moves(asked[k]);
        scores.resize(moves.size());
        EvaluatedRow& row = evaluation.rows[at + k];
        if (evaluator.knows_value()) row.said = evaluator.value(k, asked[k]);
        if (evaluator.knows_moves()) {
          evaluator.scores(k, asked[k], {moves.begin(), moves.size()}, scores);
        } else {
          evaluator.look_ahead(asked[k], {moves.begin(), moves.size()}, scores);
        }
        const auto best = std::ranges::max_element(scores) - scores.begin();
        const Move chosen = moves[static_cast<std::size_t>(best)];
        const auto action = read->output_of(asked[k], chosen);
        compare(at + k, row, chosen, static_cast<std::size_t>(action));
        row.named = names_label(evaluator.heads(), network, k, truths.labels[at + k],
                                games::action_at(action));
      }
    }
    return std::move(evaluation);
  };
  if constexpr (exact::kHasTable<G>) {
    const exact::Exact<G> exact(game);
    if (exact.is_at_hand()) {
      evaluation.exact = true;
      return run([&](std::size_t i, EvaluatedRow& row, Move chosen, std::size_t) {
        const games::Known before = exact.table().value(states[i]);
        const games::Known after = exact.table().value_after(states[i], chosen);
        row.value = static_cast<float>(value_of(before.verdict));
        row.distance = before.plies.value_or(0);
        row.kept = after.verdict == before.verdict;
        row.shortest = after == before;
        row.loss = value_of(before.verdict) - value_of(after.verdict);
      });
    }
  }
  // By the data's own marks.
  const auto actions = static_cast<std::size_t>(read->output_count());
  return run([&](std::size_t i, EvaluatedRow& row, Move, std::size_t action) {
    if (!truths.values.empty()) row.value = truths.values[i];
    if (!truths.marks.empty()) row.kept = truths.marks[i * actions + action] > 0;
  });
}

}  // namespace damier::learn
