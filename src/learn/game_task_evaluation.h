// How a game's task evaluates a network: which heads say what, and how its choices compare with the
// exact values or with the teacher's. For whoever compiles a game's task.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/learn/game_task.h"
#include "damier/learn/network_evaluator.h"
#include "damier/learn/teacher.h"

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
int GameTask<G>::output_count(const G& game, std::string_view) const {
  return game.action_count();
}

template <games::Game G>
int GameTask<G>::output_of(const G& game, std::string_view, const State& state, Move move) const {
  return index(game.action(state, move));
}

template <games::Game G>
Status GameTask<G>::check_rules(const Reading& reading, const G& game) const {
  const auto rules = reading.game.option_values();
  if (rules == game.option_values()) return Done{};
  return Error{fmt::format("is a network for the rules {}; expected {}", games::options_text(rules),
                           games::options_text(game.option_values()))};
}

template <games::Game G>
Result<MoveHeads> GameTask<G>::heads_of(const Reading& reading, const nn::NetworkSpec& spec) const {
  const int outputs = output_count(reading.game, reading.encoder);
  MoveHeads heads;
  bool others_moves = false;  // those of another game or board
  for (std::size_t i = 0; i < spec.heads.size(); ++i) {
    const std::string& head = spec.heads[i].name;
    const int width = spec.head_shape(i).size();
    others_moves = others_moves || (head == "moves" && width != outputs);
    if (width == outputs && (head == "moves" || head == "policy" || head == "output")) {
      heads.moves = static_cast<int>(i);
      heads.logits = gives_logits(spec, i);
    }
    if (width == 1 && head == "value") heads.value = static_cast<int>(i);
  }
  if (heads.moves >= 0 || (heads.value >= 0 && !others_moves)) return heads;
  return Error{fmt::format("the network has no head 'moves' of {} outputs", outputs)};
}

template <games::Game G>
float GameTask<G>::value_said(const MoveHeads& heads, const Predictor& model, std::size_t row,
                              const State&) const {
  return model.output(static_cast<std::size_t>(heads.value), row)[0];
}

template <games::Game G>
void GameTask<G>::score(const MoveHeads& heads, const Predictor& model, std::size_t row,
                        const Reading& reading, const State& state, std::span<const Move> moves,
                        std::span<float> out) const {
  constexpr float kMinProbability = 1e-30f;
  const auto said = model.output(static_cast<std::size_t>(heads.moves), row);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const float number =
        said[static_cast<std::size_t>(output_of(reading.game, reading.encoder, state, moves[i]))];
    out[i] = heads.logits ? number : std::log(std::max(number, kMinProbability));
  }
}

template <games::Game G>
bool GameTask<G>::names_label(const MoveHeads&, const Predictor&, std::size_t, int label,
                              games::Action chosen) const {
  return index(chosen) == label;
}

template <games::Game G>
Status GameTask<G>::check_network(const nn::NetworkSpec& spec, std::string_view encoder) const {
  const auto read = reading(encoder);
  if (!read) return read.error();
  if (auto status = check_input(*this, spec, encoder); !status) return status;
  auto heads = heads_of(*read, spec);
  if (!heads) return std::move(heads).error();
  return Done{};
}

template <games::Game G>
std::vector<std::string> GameTask<G>::evaluated_sets() const {
  if constexpr (exact::kHasTable<G>) {
    if (exact::Exact<G>(G::make({}).value()).is_at_hand()) return {"reachable"};
  }
  return {};
}

template <games::Game G>
Result<std::vector<Metric>> GameTask<G>::evaluate(Predictor& model, std::string_view encoder,
                                                  std::string_view set) const {
  const auto read = reading(encoder);
  if (!read) return read.error();
  const auto states = listed(read->game, set);
  if (!states) return states.error();
  const auto teacher = make_teacher(read->game, TeacherName{}, true);
  if (!teacher) return teacher.error();
  RandomStream unused(Seed{0}, "evaluate");
  std::vector<int> labels;
  for (const State& state : *states) {
    const auto lesson = (*teacher)->teach(state, unused);
    labels.push_back(lesson ? index(read->game.action(state, lesson->move)) : -1);
  }
  const auto evaluation = evaluate_states(model, encoder, *states, labels);
  if (!evaluation) return evaluation.error();
  return metrics_of(*evaluation);
}

template <games::Game G>
Result<std::vector<Metric>> GameTask<G>::evaluate(Predictor& model, std::string_view encoder,
                                                  const DataSet& data, Split split) const {
  const auto evaluation = evaluate_rows(model, encoder, data, split);
  if (!evaluation) return evaluation.error();
  return metrics_of(*evaluation);
}

template <games::Game G>
Result<std::vector<typename G::State>> GameTask<G>::states_in(const G& game, const DataSet& data,
                                                              Split split) const {
  const std::uint64_t width = place_columns(game)[0].width;
  const auto bytes = column_of<std::int32_t>(data, "position", width, data.rows(split));
  if (!bytes) return bytes.error();
  std::vector<State> states;
  for (std::size_t at = 0; at < bytes->size(); at += width) {
    std::string text;
    for (std::size_t i = at; i < at + width && (*bytes)[i] != 0; ++i) {
      text += static_cast<char>((*bytes)[i]);
    }
    auto state = game.parse_position(text);
    if (!state) return std::move(state).error().in(data.source());
    if (game.outcome(*state) != games::Outcome::ongoing) {
      return Error{fmt::format("the column 'position' holds {}; expected a position that is not "
                               "over",
                               in_quotes(text)),
                   {data.source()}};
    }
    states.push_back(*state);
  }
  return states;
}

template <games::Game G>
Result<Evaluation> GameTask<G>::evaluate_rows(Predictor& model, std::string_view encoder,
                                              const DataSet& data, Split split) const {
  const auto read = reading(encoder);
  if (!read) return read.error();
  const auto states = states_in(read->game, data, split);
  if (!states) return states.error();
  const RowRange rows = data.rows(split);
  const auto labels = column_of<std::int32_t>(data, "label", 1, rows);
  if (!labels) return labels.error();
  const auto actions = static_cast<std::uint64_t>(output_count(read->game, read->encoder));
  const auto marks = column_of<float>(data, "moves", actions, rows);
  if (!marks) return marks.error();
  const auto values = column_of<float>(data, "value", 1, rows);
  if (!values) return values.error();
  return evaluated(model, encoder, *states, {*labels, *marks, *values});
}

template <games::Game G>
Result<Evaluation> GameTask<G>::evaluate_states(Predictor& model, std::string_view encoder,
                                                std::span<const State> states,
                                                std::span<const int> labels) const {
  return evaluated(model, encoder, states, {labels});
}

template <games::Game G>
Result<Evaluation> GameTask<G>::evaluated(Predictor& model, std::string_view encoder,
                                          std::span<const State> states,
                                          const Truths& truths) const {
  const auto read = reading(encoder);
  if (!read) return read.error();
  const G& game = read->game;
  auto evaluator = NetworkEvaluator<G>::make(
      *this, game, encoder, std::shared_ptr<Predictor>(std::shared_ptr<void>(), &model));
  if (!evaluator) return std::move(evaluator).error();
  Evaluation evaluation{false, std::vector<EvaluatedRow>(states.size())};
  const auto teach = [&](std::size_t i, Move chosen) {  // by the data's own marks
    EvaluatedRow& row = evaluation.rows[i];
    const auto actions = static_cast<std::size_t>(output_count(game, read->encoder));
    const auto action = static_cast<std::size_t>(output_of(game, read->encoder, states[i], chosen));
    if (!truths.values.empty()) row.value = truths.values[i];
    if (!truths.marks.empty()) row.kept = truths.marks[i * actions + action] > 0;
  };
  const auto run = [&](const auto& compare) {
    std::vector<float> scores;
    // A look ahead asks the network again: one position at a time then.
    const std::size_t most = evaluator->knows_moves() ? detail::kEvaluated : 1;
    for (std::size_t at = 0; at < states.size() && !interrupted(); at += most) {
      const auto asked = states.subspan(at, std::min(most, states.size() - at));
      evaluator->ask(asked);
      for (std::size_t k = 0; k < asked.size(); ++k) {
        const auto moves = game.legal_moves(asked[k]);
        scores.resize(moves.size());
        EvaluatedRow& row = evaluation.rows[at + k];
        if (evaluator->knows_value()) row.said = evaluator->value(k, asked[k]);
        if (evaluator->knows_moves()) {
          evaluator->scores(k, asked[k], {moves.begin(), moves.size()}, scores);
        } else {
          evaluator->look_ahead(asked[k], {moves.begin(), moves.size()}, scores);
        }
        const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
        const Move chosen = moves[static_cast<std::size_t>(best)];
        compare(at + k, chosen);
        row.named = names_label(evaluator->heads(), model, k, truths.labels[at + k],
                                games::action_at(output_of(game, read->encoder, asked[k], chosen)));
      }
    }
  };
  if constexpr (exact::kHasTable<G>) {
    const exact::Exact<G> exact(game);
    if (exact.is_at_hand()) {
      evaluation.exact = true;
      run([&](std::size_t i, Move chosen) {
        EvaluatedRow& row = evaluation.rows[i];
        const games::Known before = exact.table().value(states[i]);
        const games::Known after = exact.table().value_after(states[i], chosen);
        row.value = static_cast<float>(value_of(before.verdict));
        row.distance = before.plies.value_or(0);
        row.kept = after.verdict == before.verdict;
        row.shortest = after == before;
        row.loss = value_of(before.verdict) - value_of(after.verdict);
      });
      if (interrupted()) return interruption();
      return evaluation;
    }
  }
  run(teach);
  if (interrupted()) return interruption();
  return evaluation;
}

}  // namespace damier::learn
