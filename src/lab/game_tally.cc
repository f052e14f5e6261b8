#include "damier/lab/game_tally.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/report/plot/plot.h"

namespace damier::lab {

namespace {

Estimate mean_score(const GameTally& tally) {
  double sum = 0, squares = 0;
  for (std::size_t score = 0; score < tally.scores.size(); ++score) {
    const auto count = static_cast<double>(tally.scores[score]);
    const auto value = static_cast<double>(score);
    sum += count * value;
    squares += count * value * value;
  }
  return mean_estimate(EstimateKind::number, sum, squares, tally.games);
}

}  // namespace

Estimate GameTally::win_rate() const { return share_estimate(wins, games); }

Json findings_of(const GameTally& tally) {
  const Estimate score = mean_score(tally);
  const double highest = tally.scores.size() > 1 ? static_cast<double>(tally.scores.size() - 1) : 1;
  Estimate share = score;
  share.kind = EstimateKind::share;
  share.value /= highest;
  share.interval = {share.interval.low / highest, std::min(1.0, share.interval.high / highest)};
  std::vector<double> values;
  for (std::size_t i = 0; i < tally.scores.size(); ++i) {
    values.insert(values.end(), static_cast<std::size_t>(tally.scores[i]), static_cast<double>(i));
  }
  const report::BoxSummary box = report::box_summary(values);
  return {{"wins", estimate_json(tally.win_rate())},
          {"score", estimate_json(score)},
          {"share", estimate_json(share)},
          {"quartiles",
           fmt::format("{:g} / {:g} / {:g}", box.lower_quartile, box.median, box.upper_quartile)},
          {"values", values}};
}

}  // namespace damier::lab
