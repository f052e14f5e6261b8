// Iterative deepening and aspiration windows at the root, and what all nodes share: making moves,
// draws, correcting the evaluation, updating the histories.
#include "damier/search/chess/searcher.h"

#include <algorithm>
#include <utility>

#include "damier/games/chess/state.h"

namespace damier::search::chess {

using namespace games::chess;

using games::opponent;

namespace {

constexpr int kMaxCorrection = 64;  // hundredths of a pawn, of each of the three

std::uint64_t mixed(std::uint64_t sum, Bitboard squares) {
  return (sum ^ squares) * 0x9E3779B97F4A7C15u;
}

// The pieces of one side but its pawns.
std::uint64_t non_pawn_key(const State& state, Bitboard side) {
  std::uint64_t key = 0;
  for (int kind = 1; kind < kKinds; ++kind) {
    key = mixed(key ^ key >> 29, state.kinds[kind] & side);
  }
  return key;
}

}  // namespace

Histories::CorrectionSlots Histories::slots(const State& state) {
  constexpr int kShift = 64 - 14;
  const std::uint64_t white = mixed(0, state.kinds[0] & state.sides[0]);
  return {mixed(white ^ white >> 29, state.kinds[0] & state.sides[1]) >> kShift,
          non_pawn_key(state, state.sides[0]) >> kShift,
          non_pawn_key(state, state.sides[1]) >> kShift};
}

int Histories::correction(const State& state) const {
  const auto& known = correction_[static_cast<std::size_t>(games::index(state.side))];
  const CorrectionSlots at = slots(state);
  return (known[0][at.pawns] + known[1][at.first] + known[2][at.second]) / kCorrectionGrain;
}

void Histories::update_correction(const State& state, int error, int depth) {
  auto& known = correction_[static_cast<std::size_t>(games::index(state.side))];
  const CorrectionSlots at = slots(state);
  const int weight = std::min(depth + 1, 16);
  const int aim = std::clamp(error, -2 * kMaxCorrection, 2 * kMaxCorrection) * kCorrectionGrain / 2;
  for (std::int16_t* entry : {&known[0][at.pawns], &known[1][at.first], &known[2][at.second]}) {
    const int next = (*entry * (256 - weight) + aim * weight) / 256;
    constexpr int kMax = kMaxCorrection * kCorrectionGrain;
    *entry = static_cast<std::int16_t>(std::clamp(next, -kMax, kMax));
  }
}

Searcher::Searcher(SharedTable& table, std::shared_ptr<const EvaluationNetwork> network)
    : table_(table), evaluator_(std::move(network)), frames_(kMaxPly + kBefore + 4) {}

void Searcher::begin(const History& history, const std::vector<Move>& moves, int lines) {
  game_ = history.game();
  const RuleOptions& rules = game_.rules();
  repetitions_ = rules.repetitions;
  halfmove_limit_ = 2 * rules.move_rule;
  path_.clear();
  for (const State& state : history.states()) path_.push_back(state.hash);
  path_length_ = path_.size();
  path_.resize(path_.size() + kMaxPly + 4);

  for (Frame& each : frames_) each = Frame{};
  Frame& root = frame(0);
  root.state = history.state();
  root.checkers = game_.generator().checkers(root.state);
  root.reversible = std::min(static_cast<int>(root.state.halfmove_clock),
                             static_cast<int>(history.states().size()) - 1);
  // What was played before the root orders the answers to it.
  const auto played = history.moves();
  games::Side side = root.state.side;
  for (int back = 1; back <= 4 && back <= static_cast<int>(played.size()); ++back) {
    side = opponent(side);
    Frame& before = frame(-back);
    before.move = played[played.size() - static_cast<std::size_t>(back)];
    before.piece_to = piece_to_of(side, before.move);
  }
  evaluator_.reset();

  root_moves_.clear();
  for (const Move move : moves) root_moves_.push_back({.move = move, .line = {move}});
  lines_ = std::clamp<std::size_t>(static_cast<std::size_t>(lines), 1, root_moves_.size());
  depth_ = selective_depth_ = 0;
  null_move_ply_ = 0;
  nodes_.store(0, std::memory_order_relaxed);
  next_limit_check_ = 0;
}

void Searcher::iterative_deepening(int max_depth, std::atomic<bool>& stop,
                                   const std::function<bool()>& go_on,
                                   const std::function<std::uint64_t()>& check_limits) {
  stop_ = &stop;
  check_limits_ = &check_limits;
  max_depth = std::clamp(max_depth, 1, kMaxPly - 10);
  for (int depth = 1; depth <= max_depth && !stop.load(std::memory_order_relaxed); ++depth) {
    root_depth_ = depth;
    // A move that was only refuted has no score: an older one would outlive what refuted it.
    for (RootMove& move : root_moves_) move.previous = move.score;
    for (line_ = 0; line_ < lines_ && !stop.load(std::memory_order_relaxed); ++line_) {
      selective_depth_ = 0;
      aspiration_search(depth, line_);
    }
    if (stop.load(std::memory_order_relaxed)) return;
    depth_ = depth;
    if (!go_on()) return;
  }
}

// One of the best lines, in an aspiration window around what it was worth before.
void Searcher::aspiration_search(int depth, std::size_t line) {
  for (std::size_t i = line; i < root_moves_.size(); ++i) root_moves_[i].score = -kInfiniteScore;
  int delta = 14;
  int alpha = -kInfiniteScore, beta = kInfiniteScore;
  const int expected = root_moves_[line].previous;
  if (depth >= 5 && expected != -kInfiniteScore) {
    delta += std::abs(expected) / 64;
    alpha = std::max(expected - delta, -kInfiniteScore);
    beta = std::min(expected + delta, kInfiniteScore);
  }
  int reduced = 0;  // after failing high, the next search is a little shallower
  while (true) {
    const int score = search<NodeType::root>(std::max(depth - reduced, 1), alpha, beta, 0, false);
    const auto from = root_moves_.begin() + static_cast<std::ptrdiff_t>(line);
    std::stable_sort(from, root_moves_.end(), [](const RootMove& a, const RootMove& b) {
      return a.score != b.score ? a.score > b.score : a.previous > b.previous;
    });
    if (stopped()) break;
    if (score <= alpha) {
      beta = (alpha + beta) / 2;
      alpha = std::max(score - delta, -kInfiniteScore);
      reduced = 0;
    } else if (score >= beta) {
      beta = std::min(score + delta, kInfiniteScore);
      if (!is_decided(score)) reduced = std::min(reduced + 1, 3);
    } else {
      break;
    }
    delta += delta / 2 + 2;
    if (delta > 800) {
      alpha = -kInfiniteScore;
      beta = kInfiniteScore;
    }
  }
  // The lines found so far, the best first.
  std::stable_sort(
      root_moves_.begin(), root_moves_.begin() + static_cast<std::ptrdiff_t>(line) + 1,
      [](const RootMove& a, const RootMove& b) { return a.known_score() > b.known_score(); });
}

bool Searcher::poll_stop() {
  if (nodes() >= next_limit_check_) next_limit_check_ = nodes() + (*check_limits_)();
  return stopped();
}

void Searcher::play(int ply, Move move) {
  Frame& here = frame(ply);
  Frame& next = frame(ply + 1);
  next.state = here.state;
  game_.play(next.state, move);
  table_.prefetch(table_key(next.state));
  next.checkers = game_.generator().checkers(next.state);
  next.reversible = next.state.halfmove_clock == 0 ? 0 : here.reversible + 1;
}

void Searcher::enter(int ply, Move move) {
  Frame& here = frame(ply);
  here.move = move;
  here.piece_to = piece_to_of(here.state.side, move);
  evaluator_.push(here.state, move);
  path_[path_length_++] = frame(ply + 1).state.hash;
  count_node();
}

// A position that occurred in the line that is searched is a draw: what was good the first time is
// so again. One from the game before must have occurred as often as the rules say.
bool Searcher::is_draw(int ply) const {
  const Frame& here = frame(ply);
  const State& state = here.state;
  if (Chess::is_dead_material(state)) return true;
  if (repetitions_ == 0) return false;
  int seen = 1;
  const std::size_t last = path_length_ - 1;
  const int back = std::min(here.reversible, static_cast<int>(last));
  for (int i = 4; i <= back; i += 2) {
    if (path_[last - static_cast<std::size_t>(i)] != state.hash) continue;
    if (i < ply || ++seen >= repetitions_) return true;
  }
  return false;
}

// Positions shortly before a draw by the half-move clock are kept apart from those long before it.
std::uint64_t Searcher::table_key(const State& state) const {
  if (halfmove_limit_ == 0 || state.halfmove_clock < 20) return state.hash;
  return state.hash ^ mix64(static_cast<std::uint64_t>(state.halfmove_clock) / 8);
}

// What the evaluation says, corrected by the correction history, and nearer to a draw the higher
// the half-move clock.
int Searcher::corrected_evaluation(const State& state, int evaluation) const {
  int score = evaluation + histories_.correction(state);
  if (halfmove_limit_ > 0) {
    const int clock = std::min<int>(state.halfmove_clock, halfmove_limit_);
    score = score * (2 * halfmove_limit_ - clock) / (2 * halfmove_limit_);
  }
  return std::clamp(score, -games::kHeuristicLimit + 1, games::kHeuristicLimit - 1);
}

QuietOrder Searcher::quiet_order(int ply) {
  const Frame& here = frame(ply);
  QuietOrder order;
  order.killers[0] = here.killers[0];
  order.killers[1] = here.killers[1];
  order.counter_move = histories_.counter_move(frame(ply - 1).piece_to);
  order.continuation[0] = &histories_.continuation(frame(ply - 1).piece_to);
  order.continuation[1] = &histories_.continuation(frame(ply - 2).piece_to);
  order.continuation[2] = &histories_.continuation(frame(ply - 4).piece_to);
  return order;
}

int Searcher::quiet_history(int ply, Move move) {
  const Frame& here = frame(ply);
  const auto to = static_cast<std::size_t>(piece_to_of(here.state.side, move));
  return histories_.butterfly(here.state.side, move) +
         histories_.continuation(frame(ply - 1).piece_to)[to] +
         histories_.continuation(frame(ply - 2).piece_to)[to];
}

void Searcher::update_quiet_histories(int ply, Move move, int bonus) {
  const Frame& here = frame(ply);
  const auto to = static_cast<std::size_t>(piece_to_of(here.state.side, move));
  histories_.butterfly(here.state.side, move).add(bonus);
  for (const int back : {1, 2, 4}) {
    if (frame(ply - back).piece_to != kNoPieceTo) {
      histories_.continuation(frame(ply - back).piece_to)[to].add(bonus);
    }
  }
}

void Searcher::update_histories(int ply, Move best, int depth, const Move* quiets, int quiet_count,
                                const Move* captures, int capture_count) {
  Frame& here = frame(ply);
  const int bonus = std::min(150 * depth - 60, 1600);
  const auto update_capture = [&](Move move, int worth) {
    histories_.capture(piece_to_of(here.state.side, move), captured_kind(here.state, move))
        .add(worth);
  };
  if (is_quiet(here.state, best)) {
    if (here.killers[0] != best) {
      here.killers[1] = here.killers[0];
      here.killers[0] = best;
    }
    histories_.counter_move(frame(ply - 1).piece_to) = best;
    update_quiet_histories(ply, best, bonus);
    for (int i = 0; i < quiet_count; ++i) {
      if (quiets[i] != best) update_quiet_histories(ply, quiets[i], -bonus);
    }
  } else {
    update_capture(best, bonus);
  }
  for (int i = 0; i < capture_count; ++i) {
    if (captures[i] != best) update_capture(captures[i], -bonus);
  }
}

}  // namespace damier::search::chess
