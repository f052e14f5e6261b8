#include "damier/learn/evaluation.h"

namespace damier::learn {

namespace {

// A number as a win, a draw or a loss.
int class_of(float value) { return value > 0.5f ? 1 : value < -0.5f ? -1 : 0; }

}  // namespace

std::vector<Metric> metrics_of(const Evaluation& evaluation) {
  const auto n = static_cast<std::int64_t>(evaluation.rows.size());
  std::int64_t kept = 0, shortest = 0, named = 0, said = 0, right = 0;
  double loss = 0, squares = 0;
  for (const EvaluatedRow& row : evaluation.rows) {
    kept += row.kept;
    shortest += row.shortest;
    named += row.named;
    loss += row.loss;
    squares += row.loss * row.loss;
    said += row.said.has_value();
    right += row.said && class_of(*row.said) == class_of(row.value);
  }
  std::vector<Metric> metrics = {Metric("value_kept", share_estimate(kept, n))};
  if (evaluation.exact) {
    metrics.push_back(Metric("shortest", share_estimate(shortest, n)));
    metrics.push_back(Metric("regret", mean_estimate(EstimateKind::loss, loss, squares, n)));
  }
  metrics.push_back(Metric("label_accuracy", share_estimate(named, n)));
  if (said > 0) metrics.push_back(Metric("value_accuracy", share_estimate(right, n)));
  return metrics;
}

}  // namespace damier::learn
