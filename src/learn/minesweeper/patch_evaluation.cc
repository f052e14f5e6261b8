// How well a network tells bombs from safe cells.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/learn/minesweeper/patch_task.h"

namespace damier::learn {

namespace {

constexpr std::uint64_t kPatchesAtOnce = 4096;

// A mean over rows that come in groups: the groups are independent, their rows are not.
class GroupedMean {
 public:
  void add(double value) { sum_ += value, ++count_; }
  void end_group() {
    groups_.push_back({sum_, static_cast<double>(count_)});
    sum_ = 0;
    count_ = 0;
  }

  Estimate estimate(EstimateKind kind) const {
    double sum = 0, count = 0;
    for (const auto& group : groups_) sum += group[0], count += group[1];
    if (count == 0) return {0, {0, 1}, 0, kind};
    const double mean = sum / count;
    double squares = 0;
    for (const auto& group : groups_) {
      const double off = group[0] - mean * group[1];
      squares += off * off;
    }
    const double reach = kNormal95 * std::sqrt(squares) / count;
    return {mean,
            {std::max(0.0, mean - reach), std::min(1.0, mean + reach)},
            static_cast<std::int64_t>(count),
            kind};
  }

 private:
  std::vector<std::array<double, 2>> groups_;  // sum, count
  double sum_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace

Result<std::vector<EvaluatedPatch>> evaluate_patches(model::Predictor& network,
                                                     std::string_view encoder, const DataSet& data,
                                                     Split split) {
  const auto head = TRY(model::PatchHead::find(network.spec()));
  const auto reader = TRY(model::minesweeper_patch_encoders().find(encoder));
  const auto width = static_cast<std::size_t>(network.spec().input.size());
  const RowRange all = data.rows(split);
  std::vector<EvaluatedPatch> patches(static_cast<std::size_t>(all.count));
  std::vector<float> inputs(kPatchesAtOnce * width);
  for (std::uint64_t done = 0; done < all.count; done += kPatchesAtOnce) {
    if (interrupted()) return interruption();
    const RowRange range = {all.first + done, std::min(kPatchesAtOnce, all.count - done)};
    const auto stored = TRY(column_of<float>(data, "input", width, range));
    const auto bomb = TRY(column_of<std::int32_t>(data, "bomb", 1, range));
    const auto uncovered = TRY(column_of<std::int32_t>(data, "uncovered", 1, range));
    const auto group = TRY(column_of<std::int64_t>(data, kGroupColumn, 1, range));
    const auto count = static_cast<std::size_t>(range.count);
    reader->expand(stored, std::span(inputs).first(count * width));
    network.run(std::span<const float>(inputs).first(count * width), count);
    for (std::size_t i = 0; i < count; ++i) {
      patches[static_cast<std::size_t>(done) + i] = {
          group[i], head.probability(network.output(head.head)[i]),
          static_cast<std::uint8_t>(uncovered[i]), bomb[i] != 0};
    }
  }
  return patches;
}

std::vector<Metric> patch_metrics(std::vector<EvaluatedPatch> patches) {
  std::sort(patches.begin(), patches.end(),
            [](const EvaluatedPatch& a, const EvaluatedPatch& b) { return a.group < b.group; });
  GroupedMean right, absolute, squared;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const double error = patches[i].error();
    right.add((patches[i].probability >= 0.5f) == patches[i].bomb ? 1 : 0);
    absolute.add(error);
    squared.add(error * error);
    if (i + 1 < patches.size() && patches[i + 1].group == patches[i].group) continue;
    for (GroupedMean* mean : {&right, &absolute, &squared}) mean->end_group();
  }
  return {{"accuracy", right.estimate(EstimateKind::share)},
          {"mean_absolute_error", absolute.estimate(EstimateKind::loss)},
          {"mean_squared_error", squared.estimate(EstimateKind::loss)}};
}

}  // namespace damier::learn
