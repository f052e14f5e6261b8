// What happens at one node of the search: what is cut off before a move is made, in which order and
// how deep the moves are looked at, and what is kept of it.
#include <algorithm>
#include <array>
#include <cmath>

#include "damier/games/chess/zobrist.h"
#include "damier/search/chess/searcher.h"

namespace damier::search::chess {

using games::opponent;
using games::chess::Kind;

namespace {

// By how much a quiet move is reduced, in 1024ths of a ply, by depth and by its place in the order.
struct ReductionTable {
  std::array<std::array<int, 64>, 64> plies = {};

  ReductionTable() {
    for (int depth = 1; depth < 64; ++depth) {
      for (int place = 1; place < 64; ++place) {
        plies[static_cast<std::size_t>(depth)][static_cast<std::size_t>(place)] =
            static_cast<int>(1024 * (0.75 + std::log(depth) * std::log(place) / 2.25));
      }
    }
  }
  int operator()(int depth, int place) const {
    return plies[static_cast<std::size_t>(std::min(depth, 63))]
                [static_cast<std::size_t>(std::min(place, 63))];
  }
};
const ReductionTable kReductions;

bool has_officers(const State& state) {
  return (state.of(state.side) & ~state.of(Kind::pawn) & ~state.of(Kind::king)) != 0;
}

}  // namespace

template <bool kPrincipal>
void Searcher::set_line(int ply, Move move) {
  if constexpr (kPrincipal) {
    Frame& here = frame(ply);
    const Frame& next = frame(ply + 1);
    here.line[0] = move;
    std::copy_n(next.line.begin(), next.line_length, here.line.begin() + 1);
    here.line_length = next.line_length + 1;
  }
}

template <Searcher::Node kNode>
int Searcher::search(int depth, int alpha, int beta, int ply, bool cut_node) {
  constexpr bool kRoot = kNode == Node::root, kPrincipal = kNode != Node::zero_window;
  if (depth <= 0) return quiesce<kPrincipal>(alpha, beta, ply);
  depth = std::min(depth, kMaxPly - 1);

  Frame& here = frame(ply);
  Frame& next = frame(ply + 1);
  const State& state = here.state;
  here.line_length = 0;
  if (over()) return 0;
  const bool in_check = here.checkers != 0;
  if constexpr (kPrincipal) selective_depth_ = std::max(selective_depth_, ply + 1);

  if constexpr (!kRoot) {
    if (is_over_by_length(state)) {
      return in_check && game_.generator().count(state) == 0 ? mated_in(ply) : 0;
    }
    if (is_draw(ply)) return 0;
    if (ply >= kMaxPly - 1) return in_check ? 0 : corrected(state, evaluator_.score(state));
    // A mate that is nearer than any from here makes the node useless.
    alpha = std::max(alpha, mated_in(ply));
    beta = std::min(beta, mate_in(ply + 1));
    if (alpha >= beta) return alpha;
    here.extensions = frame(ply - 1).extensions;
  }
  const Move excluded = here.excluded;
  next.killers[0] = next.killers[1] = Move{};
  frame(ply + 2).cutoffs = 0;

  const std::uint64_t key = table_key(state);
  const TableEntry known = excluded == Move{} ? table_.find(key) : TableEntry{};
  const int known_score = known.found ? from_table(known.score, ply) : kNoScore;
  const TableBound known_bound = known.bound;
  Move table_move = kRoot ? root_moves_[line_].move : known.move;
  const bool was_principal = kPrincipal || known.principal;
  const auto fits = [&](int score, int limit) {
    return score >= limit ? known_bound == TableBound::lower || known_bound == TableBound::exact
                          : known_bound == TableBound::upper || known_bound == TableBound::exact;
  };
  // Close to a draw by length what the table says may come too late.
  if (!kPrincipal && known.found && known.depth >= depth && fits(known_score, beta) &&
      (quiet_limit_ == 0 || state.quiet_plies < quiet_limit_ - 10)) {
    if (known_score >= beta && table_move != Move{} && is_quiet(state, table_move)) {
      learn_quiet(ply, table_move, std::min(120 * depth - 60, 1200));
    }
    return known_score;
  }

  // What the position seems to be worth.
  int raw = kNoScore, estimate = kNoScore;
  bool improving = false;
  if (in_check) {
    here.evaluation = kNoScore;
  } else if (excluded != Move{}) {
    estimate = here.evaluation;
  } else {
    raw = known.evaluation != kNoScore ? known.evaluation : evaluator_.score(state);
    estimate = here.evaluation = corrected(state, raw);
    if (known.found && !is_decided(known_score) && fits(known_score, estimate))
      estimate = known_score;
    if (!known.found) {
      table_.store(key, {.evaluation = raw, .principal = was_principal});
    }
  }
  if (!in_check) {
    const int before = frame(ply - 2).evaluation, earlier = frame(ply - 4).evaluation;
    improving = before != kNoScore    ? here.evaluation > before
                : earlier != kNoScore ? here.evaluation > earlier
                                      : true;
  }

  if (!kPrincipal && !in_check && excluded == Move{}) {
    // So far below alpha that only captures could help.
    if (depth <= 4 && estimate + 180 + 190 * depth * depth < alpha) {
      const int score = quiesce<false>(alpha - 1, alpha, ply);
      if (score < alpha && !is_decided(score)) return score;
    }
    // So far above beta that the other side will not come back in time.
    if (depth <= 8 && !is_decided(estimate) && !is_decided(beta) &&
        estimate - 75 * (depth - (improving ? 1 : 0)) >= beta && estimate >= beta) {
      return beta + (estimate - beta) / 3;
    }
    if (frame(ply - 1).move != Move{} && estimate >= beta &&
        here.evaluation >= beta - 18 * depth + 150 && depth >= 2 && ply >= null_move_ply_ &&
        !is_decided(beta) && has_officers(state)) {
      const int reduction = 4 + depth / 4 + std::min((estimate - beta) / 200, 3);
      const int score = null_search(depth - reduction, beta, ply, cut_node);
      if (stop_->load(std::memory_order_relaxed)) return 0;
      if (score >= beta) {
        const int bound = is_decided(score) ? beta : score;
        if (depth < 14 || null_move_ply_ > 0) return bound;
        // In a deep search make sure that it was no zugzwang.
        null_move_ply_ = ply + 3 * (depth - reduction) / 4;
        const int verified =
            search<Node::zero_window>(depth - reduction, beta - 1, beta, ply, false);
        null_move_ply_ = 0;
        if (verified >= beta) return bound;
      }
    }
    if (depth >= 5 && !is_decided(beta) &&
        !(known.found && known.depth >= depth - 3 && known_score < beta + 170)) {
      const int score = probable_cut(depth, beta + 170 - (improving ? 50 : 0), ply, cut_node,
                                     here.evaluation, table_move);
      if (stop_->load(std::memory_order_relaxed)) return 0;
      if (score != kNoScore) {
        table_.store(key, {.score = to_table(score, ply),
                           .evaluation = raw,
                           .depth = depth - 3,
                           .bound = TableBound::lower,
                           .principal = was_principal});
        return score;
      }
    }
  }
  // Without a move to begin with a whole search costs more than it tells.
  if (depth >= 4 && table_move == Move{} && (kPrincipal || cut_node)) --depth;

  const QuietHints quiet_hints = hints(ply);
  MovePicker picker(game_.generator(), reach_, state, memory_, table_move, MovePicker::Wanted::all,
                    quiet_hints);
  const bool table_move_takes = table_move != Move{} && !is_quiet(state, table_move);
  Move best = {};
  int best_score = -kInfiniteScore;
  const int first_alpha = alpha;
  int count = 0;
  Move quiets[64], captures[32];
  int quiet_count = 0, capture_count = 0;

  for (Move move = picker.next(); move != Move{}; move = picker.next()) {
    if (move == excluded) continue;
    RootMove* root_move = nullptr;
    if constexpr (kRoot) {
      const auto found =
          std::find_if(root_moves_.begin() + static_cast<std::ptrdiff_t>(line_), root_moves_.end(),
                       [&](const RootMove& each) { return each.move == move; });
      if (found == root_moves_.end()) continue;
      root_move = &*found;
    }
    ++count;
    const bool quiet = is_quiet(state, move);
    const int history = quiet ? quiet_history(ply, move) : 0;
    play(ply, move);
    const bool gives_check = next.checkers != 0;
    int reduction = kReductions(depth, count);
    if (!improving) reduction += 600;

    if (!kRoot && has_officers(state) && best_score > -games::kHeuristicLimit) {
      const int reduced_depth = std::max(depth - reduction / 1024, 0);
      if (quiet) {
        if (count >= (4 + depth * depth) / (improving ? 1 : 2)) picker.skip_quiets();
        if (!gives_check) {
          if (reduced_depth < 8 && !in_check &&
              here.evaluation + 110 + 95 * reduced_depth + history / 128 <= alpha) {
            picker.skip_quiets();
            continue;
          }
          if (reduced_depth < 5 && history < -3200 * depth) continue;
        }
        if (!exchange_gains(reach_, state, move, -24 * reduced_depth * reduced_depth)) continue;
      } else if (picker.is_bad() && !exchange_gains(reach_, state, move, -110 * depth)) {
        continue;
      }
    }

    int extension = 0;
    if (!kRoot && move == table_move && excluded == Move{} && depth >= 7 && known.found &&
        ply < 2 * root_depth_ && known.depth >= depth - 3 && !is_decided(known_score) &&
        (known_bound == TableBound::lower || known_bound == TableBound::exact)) {
      // Whether the table's move is better than all others by far.
      const int margin_beta = known_score - 2 * depth;
      here.excluded = move;
      const int score =
          search<Node::zero_window>((depth - 1) / 2, margin_beta - 1, margin_beta, ply, cut_node);
      here.excluded = Move{};
      if (stop_->load(std::memory_order_relaxed)) return 0;
      if (score < margin_beta) {
        extension = 1;
        if (!kPrincipal && score < margin_beta - 18 && here.extensions < 8) extension = 2;
      } else if (margin_beta >= beta) {
        return margin_beta;  // more than one move is too good
      } else if (known_score >= beta) {
        extension = kPrincipal ? -1 : -2;
      } else if (cut_node) {
        extension = -1;
      }
      play(ply, move);  // again: that search used the frame
    } else if (gives_check && depth <= 8 && !picker.is_bad() && ply < 2 * root_depth_) {
      extension = kPrincipal ? 1 : 0;
    }
    here.extensions += extension >= 2 ? 1 : 0;

    const std::uint64_t nodes_before = nodes();
    enter(ply, move);
    int new_depth = depth - 1 + extension;
    int score = -kInfiniteScore;
    if (depth >= 2 && count > 1 + (kRoot ? 1 : 0)) {
      if (was_principal) reduction -= kPrincipal ? 1500 : 1000;
      if (cut_node) reduction += 1700;
      if (table_move_takes) reduction += 800;
      if (next.cutoffs > 3) reduction += 700;
      if (gives_check) reduction -= 700;
      if (quiet) {
        reduction -= history / 12;
        if (move == quiet_hints.killers[0] || move == quiet_hints.killers[1]) reduction -= 900;
      } else {
        reduction -= 1024 + (picker.is_bad() ? 0 : 700);
      }
      const int reduced = std::clamp(new_depth - reduction / 1024, 1, std::max(new_depth, 1));
      score = -search<Node::zero_window>(reduced, -alpha - 1, -alpha, ply + 1, true);
      if (score > alpha && reduced < new_depth) {
        if (score > best_score + 45 + 2 * new_depth) ++new_depth;
        if (score < best_score + 8) --new_depth;
        if (reduced < new_depth) {
          score = -search<Node::zero_window>(new_depth, -alpha - 1, -alpha, ply + 1, !cut_node);
        }
        if (quiet && (score <= alpha || score >= beta)) {
          learn_quiet(ply, move, (score <= alpha ? -1 : 1) * std::min(110 * depth, 1100));
        }
      }
    } else if (!kPrincipal || count > 1) {
      score = -search<Node::zero_window>(new_depth, -alpha - 1, -alpha, ply + 1, !cut_node);
    }
    if (kPrincipal && (count == 1 || score > alpha)) {
      score = -search<Node::principal>(new_depth, -beta, -alpha, ply + 1, false);
    }
    leave();
    here.extensions -= extension >= 2 ? 1 : 0;
    if (stop_->load(std::memory_order_relaxed)) return 0;

    if constexpr (kRoot) {
      root_move->nodes += nodes() - nodes_before;
      if (count == 1 || score > alpha) {
        root_move->score = score;
        root_move->bound = score >= beta    ? Bound::lower
                           : score <= alpha ? Bound::upper
                                            : Bound::exact;
        root_move->selective_depth = selective_depth_;
        root_move->line.assign({move});
        root_move->line.insert(root_move->line.end(), next.line.begin(),
                               next.line.begin() + next.line_length);
      } else {
        root_move->score = -kInfiniteScore;
      }
    }
    if (score > best_score) {
      best_score = score;
      if (score > alpha) {
        best = move;
        if constexpr (kPrincipal && !kRoot) set_line<kPrincipal>(ply, move);
        if (score >= beta) {
          ++here.cutoffs;
          break;
        }
        alpha = score;
        if (depth > 4 && depth < 12 && !is_decided(score)) depth -= 1;
      }
    }
    if (quiet) {
      if (quiet_count < 64) quiets[quiet_count++] = move;
    } else if (capture_count < 32) {
      captures[capture_count++] = move;
    }
  }

  if (count == 0) {
    if (excluded != Move{}) return alpha;
    return in_check ? mated_in(ply) : 0;
  }
  if (best_score == -kInfiniteScore) best_score = alpha;  // all moves were left out as hopeless
  if (best != Move{}) {
    learn_cutoff(ply, best, depth, quiets, quiet_count, captures, capture_count);
  }
  if (excluded == Move{} && !(kRoot && line_ > 0)) {
    const TableBound bound = best_score >= beta                       ? TableBound::lower
                             : kPrincipal && best_score > first_alpha ? TableBound::exact
                                                                      : TableBound::upper;
    table_.store(key, {.move = best,
                       .score = to_table(best_score, ply),
                       .evaluation = raw,
                       .depth = depth,
                       .bound = bound,
                       .principal = was_principal});
    if (!in_check && (best == Move{} || is_quiet(state, best)) &&
        !(bound == TableBound::lower && best_score <= here.evaluation) &&
        !(bound == TableBound::upper && best_score >= here.evaluation) && !is_decided(best_score)) {
      memory_.correct(state, best_score - here.evaluation, depth);
    }
  }
  return best_score;
}

// The other side moves twice: if that does not help it, the position is good enough.
int Searcher::null_search(int depth, int beta, int ply, bool cut_node) {
  Frame& here = frame(ply);
  Frame& next = frame(ply + 1);
  next.state = here.state;
  State& state = next.state;
  state.side = opponent(state.side);
  state.hash ^= games::chess::kZobrist.black_to_move;
  if (state.en_passant != games::chess::Square::none) {
    state.hash ^= games::chess::kZobrist.en_passant[file_of(state.en_passant)];
    state.en_passant = games::chess::Square::none;
  }
  next.checkers = 0;
  next.reversible = 0;
  here.move = Move{};
  here.moved_to = kNoPieceSquare;
  evaluator_.push_null();
  path_[path_length_++] = state.hash;
  count_node();
  const int score = -search<Node::zero_window>(depth, -beta, -beta + 1, ply + 1, !cut_node);
  leave();
  return score;
}

// A capture that a shallow search finds to be better than beta by a margin will be so in a deep
// one.
int Searcher::probable_cut(int depth, int beta, int ply, bool cut_node, int evaluation,
                           Move table_move) {
  const State& state = frame(ply).state;
  const QuietHints none = {};
  MovePicker picker(game_.generator(), reach_, state, memory_, table_move,
                    MovePicker::Wanted::captures, none, beta - evaluation);
  for (Move move = picker.next(); move != Move{} && !picker.is_bad(); move = picker.next()) {
    play(ply, move);
    enter(ply, move);
    int score = -quiesce<false>(-beta, -beta + 1, ply + 1);
    if (score >= beta) {
      score = -search<Node::zero_window>(depth - 4, -beta, -beta + 1, ply + 1, !cut_node);
    }
    leave();
    if (stop_->load(std::memory_order_relaxed)) return kNoScore;
    if (score >= beta && !is_decided(score)) return score;
  }
  return kNoScore;
}

// Captures alone, until nothing hangs; in check every move.
template <bool kPrincipal>
int Searcher::quiesce(int alpha, int beta, int ply) {
  Frame& here = frame(ply);
  const State& state = here.state;
  here.line_length = 0;
  if (over()) return 0;
  const bool in_check = here.checkers != 0;
  if constexpr (kPrincipal) selective_depth_ = std::max(selective_depth_, ply + 1);
  if (is_over_by_length(state)) {
    return in_check && game_.generator().count(state) == 0 ? mated_in(ply) : 0;
  }
  if (is_draw(ply)) return 0;
  if (ply >= kMaxPly - 1) return in_check ? 0 : corrected(state, evaluator_.score(state));

  const std::uint64_t key = table_key(state);
  const TableEntry known = table_.find(key);
  const int known_score = known.found ? from_table(known.score, ply) : kNoScore;
  if (!kPrincipal && known.found && known.bound != TableBound::none &&
      (known_score >= beta ? known.bound != TableBound::upper : known.bound != TableBound::lower) &&
      (quiet_limit_ == 0 || state.quiet_plies < quiet_limit_ - 10)) {
    return known_score;
  }
  const bool was_principal = kPrincipal || known.principal;
  int raw = kNoScore, best_score = -kInfiniteScore, ceiling = -kInfiniteScore;
  if (!in_check) {
    raw = known.evaluation != kNoScore ? known.evaluation : evaluator_.score(state);
    here.evaluation = best_score = corrected(state, raw);
    if (known.found && !is_decided(known_score) &&
        ((known.bound == TableBound::exact) ||
         (known.bound == TableBound::lower && known_score > best_score) ||
         (known.bound == TableBound::upper && known_score < best_score))) {
      best_score = known_score;
    }
    if (best_score >= beta) {
      if (!known.found) {
        table_.store(key, {.score = to_table(best_score, ply),
                           .evaluation = raw,
                           .bound = TableBound::lower,
                           .principal = was_principal});
      }
      return best_score;
    }
    alpha = std::max(alpha, best_score);
    ceiling = here.evaluation + 150;
  }

  const QuietHints quiet_hints = in_check ? hints(ply) : QuietHints{};
  MovePicker picker(game_.generator(), reach_, state, memory_, known.move,
                    in_check ? MovePicker::Wanted::all : MovePicker::Wanted::captures, quiet_hints);
  Move best = {};
  int count = 0;
  for (Move move = picker.next(); move != Move{}; move = picker.next()) {
    ++count;
    if (best_score > -games::kHeuristicLimit) {
      if (picker.is_bad()) break;
      if (!in_check && !is_promotion(move)) {
        const int most = ceiling + kExchangeValues[taken_kind(state, move)];
        if (most <= alpha) {
          best_score = std::max(best_score, most);
          continue;
        }
        if (ceiling <= alpha && !exchange_gains(reach_, state, move, 1)) {
          best_score = std::max(best_score, ceiling);
          continue;
        }
      }
      if (in_check && is_quiet(state, move)) {
        picker.skip_quiets();
        if (count > 3) continue;
      }
    }
    play(ply, move);
    enter(ply, move);
    const int score = -quiesce<kPrincipal>(-beta, -alpha, ply + 1);
    leave();
    if (stop_->load(std::memory_order_relaxed)) return 0;
    if (score > best_score) {
      best_score = score;
      if (score > alpha) {
        best = move;
        set_line<kPrincipal>(ply, move);
        if (score >= beta) break;
        alpha = score;
      }
    }
  }
  if (in_check && count == 0) return mated_in(ply);
  table_.store(key, {.move = best,
                     .score = to_table(best_score, ply),
                     .evaluation = raw,
                     .bound = best_score >= beta ? TableBound::lower : TableBound::upper,
                     .principal = was_principal});
  return best_score;
}

template int Searcher::search<Searcher::Node::root>(int, int, int, int, bool);

}  // namespace damier::search::chess
