// How well a network plays fanoron-telo, move by move, against the exact table.

#include <algorithm>

#include "damier/learn/fanorona/network.h"
#include "damier/learn/fanorona/task.h"
#include "damier/solve/fanorona/table.h"

namespace damier::learn {

using namespace games::fanorona;

namespace {

constexpr std::size_t kChunk = 1024;
constexpr int kPolicy = 18;

int result_of(solve::ExactValue value) {
  return value.value == solve::Verdict::win ? 1 : value.value == solve::Verdict::loss ? -1 : 0;
}

struct Tally {
  std::int64_t n = 0, kept = 0, best = 0, label = 0, value = 0;
  double regret = 0, regret_squares = 0;
};

// The report's own question: do the highest departure and the highest arrival name the label?
bool names_label(const FanoronaHeads& heads, const JudgedModel::Outputs& outputs, std::size_t row,
                 int label, Move chosen) {
  if (heads.policy < 0) return static_cast<int>(chosen) == label;
  const float* policy = outputs[static_cast<std::size_t>(heads.policy)].data() + row * kPolicy;
  const auto from = std::max_element(policy, policy + kPoints) - policy;
  const auto to = std::max_element(policy + kPoints, policy + kPolicy) - policy - kPoints;
  return kPoints * from + to == label;
}

void judge_row(const FanoronaHeads& heads, const JudgedModel::Outputs& outputs, std::size_t row,
               const State& state, int label, Tally& tally) {
  const auto& table = solve::fanorona_table();
  const auto moves = table.game().legal_moves(state);
  Move chosen = *moves.begin();
  for (const Move move : moves) {
    if (heads.score(outputs, row, move) > heads.score(outputs, row, chosen)) chosen = move;
  }
  const solve::ExactValue exact = table.value(state);
  const solve::ExactValue after = table.value_after(state, chosen);
  const double loss = result_of(exact) - result_of(after);
  ++tally.n;
  tally.kept += after.value == exact.value;
  tally.best += after == exact;
  tally.regret += loss;
  tally.regret_squares += loss * loss;
  tally.label += names_label(heads, outputs, row, label, chosen);
  if (heads.value >= 0) {
    const float value = outputs[static_cast<std::size_t>(heads.value)][row];
    const int said = value > 0.5f ? 1 : value < -0.5f ? -1 : 0;
    tally.value += said == result_of(exact);
  }
}

}  // namespace

Result<std::vector<Metric>> judge_fanorona(const JudgedModel& model, std::string_view encoder,
                                           std::span<const State> states,
                                           std::span<const int> labels) {
  const auto heads = FanoronaHeads::find(model.spec);
  if (!heads) return heads.error();
  const auto width = static_cast<std::size_t>(model.spec.input.size());
  std::vector<float> inputs(kChunk * width);
  JudgedModel::Outputs outputs;
  Tally tally;
  for (std::size_t at = 0; at < states.size(); at += kChunk) {
    const std::size_t count = std::min(kChunk, states.size() - at);
    for (std::size_t i = 0; i < count; ++i) {
      encode_fanorona(encoder, states[at + i], std::span(inputs).subspan(i * width, width));
    }
    model.run(std::span(inputs).first(count * width), count, outputs);
    for (std::size_t i = 0; i < count; ++i) {
      judge_row(*heads, outputs, i, states[at + i], labels[at + i], tally);
    }
  }
  std::vector<Metric> metrics = {
      {"value_kept", share_estimate(tally.kept, tally.n)},
      {"shortest", share_estimate(tally.best, tally.n)},
      {"regret", mean_estimate(EstimateKind::loss, tally.regret, tally.regret_squares, tally.n)},
      {"label_accuracy", share_estimate(tally.label, tally.n)},
  };
  if (heads->value >= 0) {
    metrics.emplace_back("value_accuracy", share_estimate(tally.value, tally.n));
  }
  return metrics;
}

}  // namespace damier::learn
