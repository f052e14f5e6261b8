#include "damier/lab/game_tally.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/report/plot/plot.h"

namespace damier::lab {

Estimate GameTally::win_rate() const { return share_estimate(wins, games); }

Estimate GameTally::mean_score() const {
  double sum = 0, squares = 0;
  for (std::size_t score = 0; score < scores.size(); ++score) {
    const auto count = static_cast<double>(scores[score]);
    const auto value = static_cast<double>(score);
    sum += count * value;
    squares += count * value * value;
  }
  return mean_estimate(EstimateKind::number, sum, squares, games);
}

Estimate GameTally::score_share() const {
  Estimate share = mean_score();
  const double most = scores.size() > 1 ? static_cast<double>(scores.size() - 1) : 1;
  share.kind = EstimateKind::share;
  share.value /= most;
  share.interval = {share.interval.low / most, std::min(1.0, share.interval.high / most)};
  return share;
}

std::vector<double> GameTally::values() const {
  std::vector<double> all;
  for (std::size_t score = 0; score < scores.size(); ++score) {
    all.insert(all.end(), static_cast<std::size_t>(scores[score]), static_cast<double>(score));
  }
  return all;
}

std::string GameTally::quartiles() const {
  const report::BoxSummary box = report::box_summary(values());
  return fmt::format("{:g} / {:g} / {:g}", box.lower_quartile, box.median, box.upper_quartile);
}

}  // namespace damier::lab
