#include "damier/play/ratings/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "damier/base/text/parse_number.h"
#include "damier/base/text/text.h"

namespace damier::play {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// `units` are games or pairs; counts[i] of them had the value i / (size - 1).
struct Units {
  std::span<const std::int64_t> counts;

  double value(std::size_t i) const {
    return static_cast<double>(i) / static_cast<double>(counts.size() - 1);
  }
  double total() const {
    return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  }
};

// The variance of one unit over that of a unit that is worth 0 or 1 and has the same mean, in
// (0, 1]. One unit is added, half of it worth 0 and half of it worth 1.
double relative_variance(const Units& units) {
  const double total = units.total() + 1;
  double sum = 0.5;
  double squares = 0.5;
  for (std::size_t i = 0; i < units.counts.size(); ++i) {
    const double count = static_cast<double>(units.counts[i]);
    sum += count * units.value(i);
    squares += count * units.value(i) * units.value(i);
  }
  const double mean = sum / total;
  return (squares / total - mean * mean) / (mean * (1 - mean));
}

std::array<std::int64_t, 3> counts_of(const Record& record) {
  return {record.losses, record.draws, record.wins};
}

}  // namespace

GamePoints points_of(games::Outcome outcome, games::Side side) {
  assert(outcome != games::Outcome::ongoing);
  if (outcome == games::Outcome::draw) return GamePoints::draw;
  return outcome == games::win_of(side) ? GamePoints::win : GamePoints::loss;
}

void Record::add(GamePoints points, std::int64_t times) {
  (points == GamePoints::win ? wins : points == GamePoints::draw ? draws : losses) += times;
}

double Record::score() const {
  return games() == 0 ? 0.5 : points() / static_cast<double>(games());
}

void PairCounts::add(GamePoints one, GamePoints other) {
  ++count[static_cast<std::size_t>(one) + static_cast<std::size_t>(other)];
}

std::int64_t PairCounts::pairs() const {
  return std::accumulate(count.begin(), count.end(), std::int64_t{0});
}

double PairCounts::score() const {
  if (pairs() == 0) return 0.5;
  const std::int64_t quarters = count[1] + 2 * count[2] + 3 * count[3] + 4 * count[4];
  return static_cast<double>(quarters) / static_cast<double>(4 * pairs());
}

PairCounts PairCounts::reversed() const {
  return {{count[4], count[3], count[2], count[1], count[0]}};
}

void Tally::add(GamePoints points, std::optional<std::int64_t> pair) {
  record_.add(points);
  if (!pair) return;
  const auto [place, is_new] = half_pairs_.emplace(*pair, points);
  if (is_new) return;
  pairs_.add(place->second, points);
  half_pairs_.erase(place);
}

Estimate score_estimate(const Record& record) {
  const auto counts = counts_of(record);
  const double units = static_cast<double>(record.games());
  return {record.score(), wilson_interval(record.score(), units / relative_variance({counts})),
          record.games(), EstimateKind::share};
}

Estimate score_estimate(const PairCounts& pairs) {
  const double units = static_cast<double>(pairs.pairs());
  return {pairs.score(), wilson_interval(pairs.score(), units / relative_variance({pairs.count})),
          pairs.games(), EstimateKind::share};
}

Estimate score_estimate(const Tally& tally) {
  const Record& record = tally.record();
  if (2 * tally.pairs().games() < record.games()) return score_estimate(record);
  // The pairs give the variance; the few single games, worth half a pair each, still count.
  const double units = static_cast<double>(record.games()) / 2;
  const double relative = relative_variance({tally.pairs().count});
  return {record.score(), wilson_interval(record.score(), units / relative), record.games(),
          EstimateKind::share};
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

// The generalised sequential probability ratio test: each hypothesis fixes only the mean of a unit
// (a pair, or a game), and the rest of the distribution is whatever fits the observations best.
//
// Of all distributions with mean `mean`, the one of greatest likelihood has the probabilities
// frequency_i / (1 + t (value_i - mean)), where t makes the mean come out right (Owen's empirical
// likelihood; Van den Bergh used it for engine matches, and fishtest computes the same). The t is
// the root of a function that falls over the whole interval where all probabilities are positive.
// All frequencies must be positive.
template <std::size_t kValues>
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

template <std::size_t kValues>
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

template <std::size_t kValues>
SprtState evaluate(const Sprt& sprt, const std::array<std::int64_t, kValues>& counts) {
  const double ratio = log_likelihood_ratio(sprt, counts);
  if (ratio <= sprt.lower_bound()) return {ratio, SprtDecision::accept_elo0};
  if (ratio >= sprt.upper_bound()) return {ratio, SprtDecision::accept_elo1};
  return {ratio, SprtDecision::undecided};
}

}  // namespace

double Sprt::lower_bound() const { return std::log(beta / (1 - alpha)); }
double Sprt::upper_bound() const { return std::log((1 - beta) / alpha); }

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
  switch (decision) {
    case SprtDecision::accept_elo0:
      return "elo0";
    case SprtDecision::accept_elo1:
      return "elo1";
    case SprtDecision::undecided:
      break;
  }
  return "undecided";
}

SprtState test_sprt(const Sprt& sprt, const PairCounts& pairs) {
  return evaluate(sprt, pairs.count);
}

SprtState test_sprt(const Sprt& sprt, const Record& record) {
  return evaluate(sprt, counts_of(record));
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
  std::sort(values.begin(), values.end());
  return Quartiles{values.front(), quantile(values, 0.25), quantile(values, 0.5),
                   quantile(values, 0.75), values.back()};
}

}  // namespace damier::play
