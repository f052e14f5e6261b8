// How a network of a game of two players is judged: its choices beside exact values, or beside what
// a teacher said.
//
// A game that has something of its own specialises Judge in learn/GAME/task.h:
//   template <> struct Judge<MyGame> : GenericJudge<MyGame> { … };
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/learn/evaluation.h"
#include "damier/learn/rows/data_set.h"
#include "damier/model/encoder.h"

namespace damier::learn {

template <games::Game G>
struct GenericJudge {
  using State = typename G::State;
  using Move = typename G::Move;

  static std::string main_metric() { return "value_kept"; }
  static std::vector<std::string> curve_metrics() { return {}; }
  // Without a data set: games that are small enough to have all positions listed.
  static std::vector<std::string> sets();
  static Result<std::vector<Metric>> evaluate_set(model::Predictor& network,
                                                  std::string_view encoder, std::string_view set);
  static Result<std::vector<Metric>> evaluate_data(model::Predictor& network,
                                                   std::string_view encoder, const DataSet& data,
                                                   Split split);
  // The rows behind the metrics. The exact values decide where the game is small enough to have
  // them all, otherwise the teacher that made the data.
  static Result<Evaluation> evaluate_rows(model::Predictor& network, std::string_view encoder,
                                          const DataSet& data, Split split);
  // Positions that are not over; `labels` are the actions that count as named.
  static Result<Evaluation> evaluate_states(model::Predictor& network, std::string_view encoder,
                                            std::span<const State> states,
                                            std::span<const int> labels);
  // Whether the network names the action `label`; `chosen` is the legal move of the best score.
  static bool names_label(const model::MoveHeads&, const model::Predictor&, std::size_t /*row*/,
                          int label, games::Action chosen) {
    return index(chosen) == label;
  }

 private:
  struct Truths;
  static Result<Evaluation> evaluated(model::Predictor& network, std::string_view encoder,
                                      std::span<const State> states, const Truths& truths);
};

template <games::Game G>
struct Judge : GenericJudge<G> {};

}  // namespace damier::learn
