#include "damier/play/ratings/ratings.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::play {

namespace {

// Strengths are natural logarithms inside; this many Elo points are one unit.
const double kEloPerUnit = 400 / std::log(10.0);

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// A symmetric matrix in full, by rows.
class Matrix {
 public:
  explicit Matrix(std::size_t size) : size_(size), cells_(size * size) {}

  std::size_t size() const { return size_; }
  double& operator()(std::size_t row, std::size_t col) { return cells_[row * size_ + col]; }
  double operator()(std::size_t row, std::size_t col) const { return cells_[row * size_ + col]; }

  // Adds `weight` times the square of (value of a - value of b), as a quadratic form.
  void add_edge(std::size_t a, std::size_t b, double weight) {
    (*this)(a, a) += weight;
    (*this)(b, b) += weight;
    (*this)(a, b) -= weight;
    (*this)(b, a) -= weight;
  }

 private:
  std::size_t size_;
  std::vector<double> cells_;
};

Matrix operator*(const Matrix& left, const Matrix& right) {
  Matrix product(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t k = 0; k < left.size(); ++k) {
      for (std::size_t j = 0; j < left.size(); ++j) product(i, j) += left(i, k) * right(k, j);
    }
  }
  return product;
}

// The inverse of a positive definite matrix, by Gauss and Jordan; no pivots are needed then.
Matrix inverse(Matrix matrix) {
  const std::size_t size = matrix.size();
  for (std::size_t k = 0; k < size; ++k) {
    const double pivot = 1 / matrix(k, k);
    for (std::size_t j = 0; j < size; ++j) {
      if (j != k) matrix(k, j) *= pivot;
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (i == k) continue;
      const double factor = matrix(i, k);
      for (std::size_t j = 0; j < size; ++j) {
        if (j != k) matrix(i, j) -= factor * matrix(k, j);
      }
      matrix(i, k) = -factor * pivot;
    }
    matrix(k, k) = pivot;
  }
  return matrix;
}

// A pool of players who all met, directly or through others.
struct Pool {
  std::vector<std::size_t> players;  // indices into the list of all players
  std::vector<Pairing> pairings;     // with indices into `players`
};

class Fit {
 public:
  explicit Fit(const Pool& pool) : pool_(pool), strength_(pool.players.size()) {
    std::vector<double> games(pool.players.size());
    for (const Pairing& pairing : pool.pairings) {
      games[pairing.player] += static_cast<double>(pairing.record.games());
      games[pairing.opponent] += static_cast<double>(pairing.record.games());
    }
    for (const Pairing& pairing : pool.pairings) {
      const double played = static_cast<double>(pairing.record.games());
      virtual_draws_.push_back((played / games[pairing.player] + played / games[pairing.opponent]) /
                               2);
    }
    // Newton's method on a concave function. Far from the top a full step can leap over it: halve
    // it until the likelihood grows.
    double likelihood = log_likelihood(strength_);
    for (int step = 0; step < 100; ++step) {
      const Matrix inverse_information = pseudo_inverse(information());
      const std::vector<double> slope = gradient();
      std::vector<double> move(strength_.size());
      for (std::size_t i = 0; i < move.size(); ++i) {
        for (std::size_t j = 0; j < move.size(); ++j) {
          move[i] += inverse_information(i, j) * slope[j];
        }
      }
      std::vector<double> next(strength_.size());
      double length = 1;
      double better = likelihood;
      for (; length > 1e-9; length /= 2) {
        for (std::size_t i = 0; i < next.size(); ++i) next[i] = strength_[i] + length * move[i];
        better = log_likelihood(next);
        if (better >= likelihood) break;
      }
      double longest = 0;
      for (const double part : move) longest = std::max(longest, std::abs(part));
      if (better < likelihood) break;  // nothing left but rounding
      strength_ = next;
      likelihood = better;
      if (longest < 1e-10) break;
    }
  }

  // The fitted strengths, mean 0.
  const std::vector<double>& strength() const { return strength_; }

  // Of the distances from that mean.
  //
  // Draws, and pairs with a common opening, make points vary less than the model thinks (or more).
  // So the inverse of Fisher's information is corrected by the squared surprises that were really
  // seen, pairing by pairing (the sandwich estimator). A virtual draw counts as half a win and half
  // a loss here, so that no pairing seems free of chance.
  Matrix covariance() const {
    Matrix surprise(strength_.size());
    for (std::size_t i = 0; i < pool_.pairings.size(); ++i) {
      const Pairing& pairing = pool_.pairings[i];
      const double p = expected(pairing);
      const double of_virtual = virtual_draws_[i] * ((1 - p) * (1 - p) + p * p) / 2;
      surprise.add_edge(pairing.player, pairing.opponent,
                        squared_surprise(pairing, p) + of_virtual);
    }
    const Matrix inverse_information = pseudo_inverse(information());
    return inverse_information * surprise * inverse_information;
  }

 private:
  double expected(const Pairing& pairing) const {
    return logistic(strength_[pairing.player] - strength_[pairing.opponent]);
  }
  // With the virtual ones.
  double games(std::size_t i) const {
    return static_cast<double>(pool_.pairings[i].record.games()) + virtual_draws_[i];
  }
  double points(std::size_t i) const {
    return pool_.pairings[i].record.points() + virtual_draws_[i] / 2;
  }

  double log_likelihood(const std::vector<double>& strength) const {
    double sum = 0;
    for (std::size_t i = 0; i < pool_.pairings.size(); ++i) {
      const Pairing& pairing = pool_.pairings[i];
      const double lead = strength[pairing.player] - strength[pairing.opponent];
      // points * log(p) + (games - points) * log(1 - p), without overflow.
      const double softplus = std::max(lead, 0.0) + std::log1p(std::exp(-std::abs(lead)));
      sum += points(i) * lead - games(i) * softplus;
    }
    return sum;
  }

  std::vector<double> gradient() const {
    std::vector<double> slope(strength_.size());
    for (std::size_t i = 0; i < pool_.pairings.size(); ++i) {
      const Pairing& pairing = pool_.pairings[i];
      const double surplus = points(i) - games(i) * expected(pairing);
      slope[pairing.player] += surplus;
      slope[pairing.opponent] -= surplus;
    }
    return slope;
  }

  // Fisher's information of games without draws.
  Matrix information() const {
    Matrix matrix(strength_.size());
    for (std::size_t i = 0; i < pool_.pairings.size(); ++i) {
      const Pairing& pairing = pool_.pairings[i];
      const double p = expected(pairing);
      matrix.add_edge(pairing.player, pairing.opponent, games(i) * p * (1 - p));
    }
    return matrix;
  }

  // Information knows nothing of a common shift of all strengths, so it has no inverse; this one
  // leaves the mean strength alone.
  static Matrix pseudo_inverse(Matrix matrix) {
    const double share = 1 / static_cast<double>(matrix.size());
    // Any positive weight will do; of the size of the other entries it keeps the precision.
    double weight = 0;
    for (std::size_t i = 0; i < matrix.size(); ++i) weight = std::max(weight, matrix(i, i));
    if (weight == 0) weight = 1;
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      for (std::size_t j = 0; j < matrix.size(); ++j) matrix(i, j) += share * weight;
    }
    Matrix result = inverse(std::move(matrix));
    for (std::size_t i = 0; i < result.size(); ++i) {
      for (std::size_t j = 0; j < result.size(); ++j) result(i, j) -= share / weight;
    }
    return result;
  }

  static double squared_surprise(const Pairing& pairing, double p) {
    const auto& [wins, draws, losses] = pairing.record;
    if (pairing.pairs.pairs() == 0) {
      return static_cast<double>(wins) * (1 - p) * (1 - p) +
             static_cast<double>(draws) * (0.5 - p) * (0.5 - p) +
             static_cast<double>(losses) * p * p;
    }
    double sum = 0;
    for (std::size_t i = 0; i < pairing.pairs.count.size(); ++i) {
      const double surplus = static_cast<double>(i) / 2 - 2 * p;
      sum += static_cast<double>(pairing.pairs.count[i]) * surplus * surplus;
    }
    // Games whose pair is not whole yet: as surprising as the others.
    return sum * static_cast<double>(pairing.record.games()) /
           static_cast<double>(pairing.pairs.games());
  }

  const Pool& pool_;
  std::vector<double> virtual_draws_;  // of each pairing
  std::vector<double> strength_;
};

// The players in groups that met; a player without games is alone.
std::vector<Pool> split_into_pools(std::size_t players, std::span<const Pairing> pairings) {
  std::vector<std::size_t> leader(players);
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto find = [&](std::size_t player) {
    while (leader[player] != player) player = leader[player] = leader[leader[player]];
    return player;
  };
  for (const Pairing& pairing : pairings) leader[find(pairing.player)] = find(pairing.opponent);
  std::map<std::size_t, std::size_t> pool_of_leader;
  std::vector<std::size_t> place(players);
  std::vector<Pool> pools;
  for (std::size_t player = 0; player < players; ++player) {
    const auto [at, is_new] = pool_of_leader.emplace(find(player), pools.size());
    if (is_new) pools.emplace_back();
    Pool& pool = pools[at->second];
    place[player] = pool.players.size();
    pool.players.push_back(player);
  }
  for (Pairing pairing : pairings) {
    Pool& pool = pools[pool_of_leader.at(find(pairing.player))];
    pairing.player = place[pairing.player];
    pairing.opponent = place[pairing.opponent];
    pool.pairings.push_back(pairing);
  }
  return pools;
}

// One pairing for each two players who played at all, whichever way round it was given.
std::vector<Pairing> merged(std::span<const Pairing> pairings) {
  std::map<std::pair<std::size_t, std::size_t>, Pairing> merged;
  for (Pairing pairing : pairings) {
    if (pairing.record.games() == 0) continue;
    if (pairing.player > pairing.opponent) {
      std::swap(pairing.player, pairing.opponent);
      pairing.record = pairing.record.reversed();
      pairing.pairs = pairing.pairs.reversed();
    }
    const auto [at, is_new] = merged.emplace(std::pair(pairing.player, pairing.opponent), pairing);
    if (is_new) continue;
    at->second.record += pairing.record;
    for (std::size_t i = 0; i < pairing.pairs.count.size(); ++i) {
      at->second.pairs.count[i] += pairing.pairs.count[i];
    }
  }
  std::vector<Pairing> list;
  for (const auto& [key, pairing] : merged) list.push_back(pairing);
  return list;
}

Record total_record(std::span<const Pairing> pairings, std::size_t player) {
  Record total;
  for (const Pairing& pairing : pairings) {
    if (pairing.player == player) total += pairing.record;
    if (pairing.opponent == player) total += pairing.record.reversed();
  }
  return total;
}

// `anchor` is an index into the pool's players.
std::vector<Rating> rate_pool(const Pool& pool, std::span<const std::string> names,
                              std::optional<std::size_t> anchor, double anchor_elo) {
  const Fit fit(pool);
  const Matrix covariance = fit.covariance();
  const auto variance_between = [&](std::size_t a, std::size_t b) {
    return std::max(0.0, covariance(a, a) + covariance(b, b) - 2 * covariance(a, b));
  };
  std::vector<std::size_t> order(pool.players.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Rating> by_place(order.size());
  for (const std::size_t i : order) {
    Rating& rating = by_place[i];
    rating.player = names[pool.players[i]];
    rating.record = total_record(pool.pairings, i);
    const double base = anchor ? fit.strength()[*anchor] : 0;
    rating.elo = kEloPerUnit * (fit.strength()[i] - base) + (anchor ? anchor_elo : 0);
    const double variance = anchor ? variance_between(i, *anchor) : covariance(i, i);
    double reach = kNormal95 * kEloPerUnit * std::sqrt(std::max(0.0, variance));
    if (pool.pairings.empty()) reach = std::numeric_limits<double>::infinity();
    if (anchor == i) reach = 0;
    rating.interval = {rating.elo - reach, rating.elo + reach};
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    // Equal players differ by rounding, which depends on the order of the list.
    const double one = std::round(by_place[a].elo * 1e6);
    const double other = std::round(by_place[b].elo * 1e6);
    if (one != other) return one > other;
    return by_place[a].player < by_place[b].player;
  });
  std::vector<Rating> ratings;
  for (const std::size_t i : order) ratings.push_back(std::move(by_place[i]));
  return ratings;
}

}  // namespace

Result<RatingTable> rate_players(std::span<const std::string> players,
                                 std::span<const Pairing> pairings,
                                 const std::optional<Anchor>& anchor) {
  std::set<std::string_view> seen;
  for (const std::string& player : players) {
    if (!seen.insert(player).second) {
      return Error{fmt::format("the player {} is listed twice", in_quotes(player))};
    }
  }
  if (anchor && !seen.contains(anchor->player)) {
    return unknown_name("anchor", anchor->player, players);
  }
  for (const Pairing& pairing : pairings) {
    assert(pairing.player < players.size() && pairing.opponent < players.size());
    assert(pairing.player != pairing.opponent);
    assert(pairing.pairs.games() <= pairing.record.games());
    (void)pairing;
  }
  const std::vector<Pairing> met = merged(pairings);
  std::vector<Pool> pools = split_into_pools(players.size(), met);
  const auto anchor_in = [&](const Pool& pool) -> std::optional<std::size_t> {
    if (!anchor) return std::nullopt;
    const auto name = [&](std::size_t player) { return std::string_view(players[player]); };
    const auto at = std::ranges::find(pool.players, anchor->player, name);
    if (at == pool.players.end()) return std::nullopt;
    return static_cast<std::size_t>(at - pool.players.begin());
  };
  const auto least_name = [&](const Pool& pool) {
    const auto name = [&](std::size_t player) { return std::string_view(players[player]); };
    return name(*std::ranges::min_element(pool.players, {}, name));
  };
  // An order that does not depend on the order of the list.
  std::ranges::sort(pools, [&](const Pool& a, const Pool& b) {
    const bool a_first = anchor_in(a).has_value();
    const bool b_first = anchor_in(b).has_value();
    if (a_first != b_first) return a_first;
    if (a.players.size() != b.players.size()) return a.players.size() > b.players.size();
    return least_name(a) < least_name(b);
  });
  RatingTable table;
  for (const Pool& pool : pools) {
    for (Rating& rating : rate_pool(pool, players, anchor_in(pool), anchor ? anchor->elo : 0)) {
      rating.pool = table.pools;
      table.ratings.push_back(std::move(rating));
    }
    ++table.pools;
  }
  return table;
}

GamePoints points_for(const GameRow& game, bool moves_first) {
  if (game.outcome == "draw") return GamePoints::draw;
  return (game.outcome == "first") == moves_first ? GamePoints::win : GamePoints::loss;
}

Result<RatingTable> rate_games(std::span<const GameRow> games,
                               const std::optional<Anchor>& anchor) {
  std::vector<std::string> players;
  std::map<std::string, std::size_t> known;
  const auto index_of = [&](const std::string& player) {
    const auto [place, fresh] = known.emplace(player, players.size());
    if (fresh) players.push_back(player);
    return place->second;
  };
  std::map<std::pair<std::size_t, std::size_t>, Tally> met;
  for (const GameRow& game : games) {
    const std::size_t first = index_of(game.first), second = index_of(game.second);
    if (first == second) continue;
    met[std::minmax(first, second)].add(points_for(game, first < second), game.pair);
  }
  std::vector<Pairing> pairings;
  for (const auto& [pair, tally] : met) {
    pairings.push_back({pair.first, pair.second, tally.record(), tally.pairs()});
  }
  return rate_players(players, pairings, anchor);
}

}  // namespace damier::play
