#include "damier/play/ratings/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::play {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Of units (games or pairs), counts[i] of which had the value i / (size - 1): the variance of one
// over that of a unit that is worth 0 or 1 and has the same mean, in (0, 1]. One unit is added,
// half of it worth 0 and half of it worth 1.
double relative_variance(std::span<const std::int64_t> counts) {
  double total = 1, sum = 0.5, squares = 0.5;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double count = static_cast<double>(counts[i]);
    const double value = static_cast<double>(i) / static_cast<double>(counts.size() - 1);
    total += count;
    sum += count * value;
    squares += count * value * value;
  }
  const double mean = sum / total;
  return (squares / total - mean * mean) / (mean * (1 - mean));
}

// Of this many games, whose units had these values.
Estimate score_of(double score, double units, std::span<const std::int64_t> counts,
                  std::int64_t games) {
  return {score, wilson_interval(score, units / relative_variance(counts)), games,
          EstimateKind::share};
}

}  // namespace

Estimate score_estimate(const Record& record) {
  const std::array<std::int64_t, 3> counts = {record.losses, record.draws, record.wins};
  return score_of(record.score(), static_cast<double>(record.games()), counts, record.games());
}

Estimate score_estimate(const PairCounts& pairs) {
  return score_of(pairs.score(), static_cast<double>(pairs.pairs()), pairs.count, pairs.games());
}

Estimate score_estimate(const Tally& tally) {
  const Record& record = tally.record();
  if (2 * tally.pairs().games() < record.games()) return score_estimate(record);
  // The pairs give the variance; the few single games, worth half a pair each, still count.
  return score_of(record.score(), static_cast<double>(record.games()) / 2, tally.pairs().count,
                  record.games());
}

double elo_of_score(double score) {
  if (score <= 0) return -kInfinity;
  if (score >= 1) return kInfinity;
  return 400 * std::log10(score / (1 - score));
}

double score_of_elo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

EloDifference elo_difference(const Estimate& score) {
  return {elo_of_score(score.value),
          {elo_of_score(score.interval.low), elo_of_score(score.interval.high)}};
}

Json elo_json(const EloDifference& elo) {
  return Json{{"difference", number_json(elo.difference)},
              {"interval", interval_json(elo.interval)}};
}

std::string elo_text(double elo) {
  if (std::isinf(elo)) return elo > 0 ? "+inf" : "-inf";
  const double whole = std::round(elo);
  return whole == 0 ? "0" : fmt::format("{:+.0f}", whole);
}

std::string elo_text(const EloDifference& elo) {
  if (std::isinf(elo.difference)) {
    return elo.difference > 0 ? "> " + elo_text(elo.interval.low)
                              : "< " + elo_text(elo.interval.high);
  }
  return fmt::format("{} [{}, {}]", elo_text(elo.difference), elo_text(elo.interval.low),
                     elo_text(elo.interval.high));
}

namespace {

constexpr std::size_t kValues = std::tuple_size_v<decltype(PairCounts::count)>;

// The generalised sequential probability ratio test: each hypothesis fixes only the mean of a unit
// (a pair), and the rest of the distribution is whatever fits the observations best.
//
// Of all distributions with mean `mean`, the one of greatest likelihood has the probabilities
// frequency_i / (1 + t (value_i - mean)), where t makes the mean come out right (Owen's empirical
// likelihood; Van den Bergh used it for engine matches, and fishtest computes the same). The t is
// the root of a function that falls over the whole interval where all probabilities are positive.
// All frequencies must be positive.
double best_multiplier(const std::array<double, kValues>& frequency, double mean) {
  const auto distance = [&](std::size_t i) {
    return static_cast<double>(i) / static_cast<double>(kValues - 1) - mean;
  };
  double low = -1 / distance(kValues - 1);
  double high = -1 / distance(0);
  double t = 0;
  for (int step = 0; step < 200; ++step) {
    double value = 0;
    double slope = 0;
    for (std::size_t i = 0; i < kValues; ++i) {
      const double part = distance(i) / (1 + t * distance(i));
      value += frequency[i] * part;
      slope -= frequency[i] * part * part;
    }
    (value > 0 ? low : high) = t;
    // Newton's step where it stays inside, otherwise the middle.
    double next = t - value / slope;
    if (!(low < next && next < high)) next = low + (high - low) / 2;
    if (std::abs(next - t) <= 1e-14 * (1 + std::abs(t))) return next;
    t = next;
  }
  return t;
}

double log_likelihood_ratio(const Sprt& sprt, const std::array<std::int64_t, kValues>& counts) {
  if (std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) == 0) return 0;
  // What never happened may still happen: as in fishtest, a thousandth of a unit stands for it.
  std::array<double, kValues> frequency;
  double total = 0;
  for (std::size_t i = 0; i < kValues; ++i) {
    frequency[i] = counts[i] == 0 ? 1e-3 : static_cast<double>(counts[i]);
    total += frequency[i];
  }
  for (double& share : frequency) share /= total;
  const double mean0 = score_of_elo(sprt.elo0);
  const double mean1 = score_of_elo(sprt.elo1);
  const double t0 = best_multiplier(frequency, mean0);
  const double t1 = best_multiplier(frequency, mean1);
  double ratio = 0;
  for (std::size_t i = 0; i < kValues; ++i) {
    const double value = static_cast<double>(i) / static_cast<double>(kValues - 1);
    ratio += frequency[i] * (std::log1p(t0 * (value - mean0)) - std::log1p(t1 * (value - mean1)));
  }
  return total * ratio;
}

}  // namespace

Result<Sprt> parse_sprt(std::string_view text) {
  const auto parts = split(text, ',');
  if (parts.size() != 2 && parts.size() != 4) {
    return Error{
        fmt::format("the test is {}; expected elo0,elo1 or elo0,elo1,alpha,beta, such as "
                    "0,10,0.05,0.05",
                    in_quotes(text))};
  }
  struct Field {
    std::string_view name;
    double low;
    double high;
  };
  // Beyond a thousand Elo a match is so one-sided that the test has nothing to decide; with error
  // rates of a half the bounds would meet.
  constexpr std::array<Field, 4> kFields = {{{"elo0", -1000, 1000},
                                             {"elo1", -1000, 1000},
                                             {"alpha", 1e-6, 0.499},
                                             {"beta", 1e-6, 0.499}}};
  std::array<double, 4> values = {0, 0, Sprt{}.alpha, Sprt{}.beta};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string_view number = trim(parts[i]);
    if (number.starts_with('+') && !number.starts_with("+-")) number.remove_prefix(1);
    const auto read = parse_number<double>(number);
    if (!read || !(kFields[i].low <= *read && *read <= kFields[i].high)) {
      return Error{fmt::format("{} of the test is {}; expected a number from {} to {}",
                               kFields[i].name, in_quotes(parts[i]), kFields[i].low,
                               kFields[i].high)};
    }
    values[i] = *read;
  }
  if (!(values[0] < values[1])) {
    return Error{
        fmt::format("the test is {}; expected elo0 to be less than elo1", in_quotes(text))};
  }
  return Sprt{values[0], values[1], values[2], values[3]};
}

std::string sprt_text(const Sprt& sprt) {
  return fmt::format("{},{},{},{}", sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta);
}

std::string_view decision_text(SprtDecision decision) {
  constexpr std::string_view kNames[] = {"undecided", "elo0", "elo1"};
  return kNames[static_cast<int>(decision)];
}

SprtState test_sprt(const Sprt& sprt, const PairCounts& pairs) {
  const double ratio = log_likelihood_ratio(sprt, pairs.count);
  if (ratio <= sprt.lower_bound()) return {ratio, SprtDecision::accept_elo0};
  if (ratio >= sprt.upper_bound()) return {ratio, SprtDecision::accept_elo1};
  return {ratio, SprtDecision::undecided};
}

double quantile(std::span<const double> sorted, double q) {
  assert(!sorted.empty() && 0 <= q && q <= 1);
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

std::optional<Quartiles> quartiles(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  return Quartiles{values.front(), quantile(values, 0.25), quantile(values, 0.5),
                   quantile(values, 0.75), values.back()};
}

}  // namespace damier::play
