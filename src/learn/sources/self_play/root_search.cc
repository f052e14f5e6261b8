#include "damier/learn/sources/self_play/root_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "damier/model/predictor.h"

namespace damier::learn {

namespace {

using games::Verdict;

// Of the paper: how much values weigh against priors.
constexpr float kVisitsBase = 50;
constexpr float kValueScale = 1;
constexpr float kMinPrior = 1e-20f;

double exponential(RandomStream& random) { return -std::log(1 - random.uniform()); }

// Marsaglia and Tsang (2000); for shapes below 1 with their correction.
double gamma_variate(RandomStream& random, double shape) {
  if (shape < 1) {
    const double correction = std::pow(1 - random.uniform(), 1 / shape);
    return gamma_variate(random, shape + 1) * correction;
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    constexpr double kTwoPi = 6.283185307179586;
    const double normal = std::sqrt(2 * exponential(random)) * std::cos(kTwoPi * random.uniform());
    const double cube = std::pow(1 + c * normal, 3);
    if (cube <= 0) continue;
    if (std::log(1 - random.uniform()) < normal * normal / 2 + d - d * cube + d * std::log(cube)) {
      return d * cube;
    }
  }
}

// Sequential halving as a list: the visits that a move must have to be next. All moves of a round
// get the same number, then the better half of them goes on.
std::vector<std::uint32_t> halving_plan(int moves, int simulations) {
  std::vector<std::uint32_t> plan;
  const auto all = static_cast<std::size_t>(simulations);
  const int rounds = std::max(1, static_cast<int>(std::ceil(std::log2(std::max(moves, 2)))));
  std::uint32_t visits = 0;
  for (int left = moves; plan.size() < all; left = std::max(2, left / 2)) {
    const int each = std::max(1, simulations / (rounds * left));
    for (int i = 0; i < each; ++i, ++visits) {
      plan.insert(plan.end(), static_cast<std::size_t>(std::min(left, moves)), visits);
    }
  }
  plan.resize(all);
  return plan;
}

bool has_win(std::span<const RootMove> moves) {
  return std::ranges::any_of(moves,
                             [](const RootMove& move) { return move.proof == Verdict::win; });
}

}  // namespace

RootSearch::RootSearch(const RootOptions& options, std::span<const RootMove> moves, float value,
                       bool explores, RandomStream& random)
    : options_(options), value_(value), explores_(explores) {
  const std::size_t count = moves.size();
  for (const RootMove& move : moves) {
    log_prior_.push_back(std::log(std::max(move.prior, kMinPrior)));
  }
  if (options.kind == RootKind::visits) {
    if (!explores || options.noise <= 0) return;
    double sum = 0;
    std::vector<double> drawn(count);
    for (double& one : drawn) {
      sum += one = gamma_variate(random, options.concentration / static_cast<double>(count));
    }
    if (sum <= 0) return;  // all of them too small for a double
    for (const double one : drawn) prior_noise_.push_back(static_cast<float>(one / sum));
    return;
  }
  gumbel_.resize(count);
  if (explores) {
    for (float& noise : gumbel_) noise = static_cast<float>(-std::log(exponential(random)));
  }
  const auto tried = std::min({count, static_cast<std::size_t>(options.considered),
                               static_cast<std::size_t>(options.simulations)});
  const Weighing weights = weighing(moves);
  std::vector<float> noisy(count);
  for (std::size_t i = 0; i < count; ++i) noisy[i] = noisy_score(weights, moves[i], i);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return noisy[a] > noisy[b]; });
  considered_.resize(count);
  for (std::size_t i = 0; i < tried; ++i) considered_[order[i]] = true;
  plan_ = halving_plan(static_cast<int>(tried), options.simulations);
}

float RootSearch::value(std::span<const RootMove> moves) const {
  if (has_win(moves)) return 1;
  // The network's word for the moves that were not tried, the search's for those that were, in
  // proportion to their priors.
  float priors = 0, sum = 0, visits = 0, best = -1;
  bool all_proven = true;
  for (const RootMove& move : moves) {
    visits += static_cast<float>(move.visits);
    all_proven = all_proven && !move.open();
    best = std::max(best, move.mean);
    if (!move.known()) continue;
    priors += move.prior;
    sum += move.prior * move.mean;
  }
  if (all_proven) return best;
  if (visits == 0 || priors <= 0) return value_;
  return (value_ + visits * sum / priors) / (1 + visits);
}

RootSearch::Weighing RootSearch::weighing(std::span<const RootMove> moves) const {
  std::uint32_t most = 0;
  for (const RootMove& move : moves) most = std::max(most, move.visits);
  return {value(moves), (kVisitsBase + static_cast<float>(most)) * kValueScale};
}

bool RootSearch::considers(const RootMove& move, std::size_t i) const {
  return considered_[i] && move.open();
}

bool RootSearch::goes_on(std::span<const RootMove> moves, int done) const {
  if (done >= options_.simulations || has_win(moves)) return false;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (options_.kind == RootKind::visits ? moves[i].open() : considers(moves[i], i)) return true;
  }
  return false;
}

std::optional<std::size_t> RootSearch::next(std::span<const RootMove> moves, int done) const {
  if (options_.kind == RootKind::visits) return std::nullopt;
  const Weighing weights = weighing(moves);
  // A move that was proven leaves its turn to the best of the rest.
  std::optional<std::size_t> best, spare;
  float best_score = 0, spare_score = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (!considers(moves[i], i)) continue;
    const float here = noisy_score(weights, moves[i], i);
    if (!spare || here > spare_score) spare = i, spare_score = here;
    if (moves[i].visits != plan_[static_cast<std::size_t>(done)]) continue;
    if (!best || here > best_score) best = i, best_score = here;
  }
  return best ? best : spare;
}

std::size_t RootSearch::choice(std::span<const RootMove> moves, int ply,
                               RandomStream& random) const {
  const auto best_of = [&](const auto& better) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < moves.size(); ++i) {
      if (better(i, best)) best = i;
    }
    return best;
  };
  if (has_win(moves)) {
    return best_of([&](std::size_t i, std::size_t best) {
      return moves[i].proof == Verdict::win && moves[best].proof != Verdict::win;
    });
  }
  if (options_.kind == RootKind::gumbel) {
    // Of the moves that the halving left: those with most visits, and what was proven.
    std::uint32_t most = 0;
    for (const RootMove& move : moves) most = std::max(most, move.visits);
    const Weighing weights = weighing(moves);
    const auto is_left = [&](std::size_t i) {
      return considered_[i] && (moves[i].visits == most || !moves[i].open());
    };
    return best_of([&](std::size_t i, std::size_t best) {
      return is_left(i) && (!is_left(best) || noisy_score(weights, moves[i], i) >
                                                  noisy_score(weights, moves[best], best));
    });
  }
  if (explores_ && ply < options_.temperature_plies && options_.temperature > 0) {
    std::vector<double> weights;
    double sum = 0;
    for (const RootMove& move : moves) {
      weights.push_back(move.proof == Verdict::loss
                            ? 0
                            : std::pow(static_cast<double>(move.visits), 1 / options_.temperature));
      sum += weights.back();
    }
    double at = random.uniform() * sum;
    for (std::size_t i = 0; i < moves.size() && sum > 0; ++i) {
      at -= weights[i];
      if (at < 0) return i;
    }
  }
  return best_of([&](std::size_t i, std::size_t best) {
    const auto rank = [&](std::size_t k) {
      return moves[k].proof == Verdict::loss ? -1.0 : static_cast<double>(moves[k].visits);
    };
    return rank(i) != rank(best) ? rank(i) > rank(best) : moves[i].mean > moves[best].mean;
  });
}

void RootSearch::policy(std::span<const RootMove> moves, std::span<float> out) const {
  if (has_win(moves)) {
    // Every move that wins for certain, as the network likes them.
    float sum = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      out[i] = moves[i].proof == Verdict::win ? std::max(moves[i].prior, kMinPrior) : 0;
      sum += out[i];
    }
    for (float& one : out) one /= sum;
    return;
  }
  std::uint64_t visits = 0;
  for (const RootMove& move : moves) visits += move.visits;
  if (options_.kind == RootKind::visits && visits > 0) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      out[i] = static_cast<float>(moves[i].visits) / static_cast<float>(visits);
    }
    return;
  }
  const Weighing weights = weighing(moves);
  for (std::size_t i = 0; i < moves.size(); ++i) out[i] = score(weights, moves[i], i);
  model::softmax(out);
}

}  // namespace damier::learn
