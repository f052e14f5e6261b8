// One node of the search: what is pruned before a move is made, in which order and how deep the
// moves are searched, and what is kept of the result. The steps of search() have their usual names.
#include <algorithm>
#include <array>
#include <cmath>

#include "damier/games/chess/state.h"
#include "damier/search/chess/searcher.h"

namespace damier::search::chess {

using namespace games::chess;

using games::opponent;

namespace {

// Late move reductions of quiet moves, in 1024ths of a ply, by depth and by the move's number.
struct ReductionTable {
  int plies[64][64] = {};

  ReductionTable() {
    for (int depth = 1; depth < 64; ++depth) {
      for (int number = 1; number < 64; ++number) {
        plies[depth][number] =
            static_cast<int>(1024 * (0.75 + std::log(depth) * std::log(number) / 2.25));
      }
    }
  }
  int operator()(int depth, int number) const {
    return plies[std::min(depth, 63)][std::min(number, 63)];
  }
};
const ReductionTable kReductions;

bool has_non_pawn_material(const State& state) {
  return (state.of(state.side) & ~state.of(Kind::pawn) & ~state.of(Kind::king)) != 0;
}

// Whether a score with that bound says on which side of the limit the true score is.
bool decides(Bound bound, int score, int limit) {
  return bound == Bound::exact || bound == (score >= limit ? Bound::lower : Bound::upper);
}

}  // namespace

template <bool kPv>
void Searcher::update_line(int ply, Move move) {
  if constexpr (kPv) {
    Frame& here = frame(ply);
    const Frame& next = frame(ply + 1);
    here.line[0] = move;
    std::copy_n(next.line.begin(), next.line_length, here.line.begin() + 1);
    here.line_length = next.line_length + 1;
  }
}

// Of a node that ends the line; else kNoScore.
int Searcher::leaf_score(int ply) {
  const State& state = frame(ply).state;
  const bool in_check = frame(ply).checkers != 0;
  if (reaches_halfmove_limit(state)) {
    return in_check && game_.generator().count(state) == 0 ? mated_in(ply) : 0;
  }
  if (is_draw(ply)) return 0;
  if (ply < kMaxPly - 1) return kNoScore;
  return in_check ? 0 : corrected_evaluation(state, evaluator_.score(state));
}

template <Searcher::NodeType kNodeType>
int Searcher::search(int depth, int alpha, int beta, int ply, bool cut_node) {
  constexpr bool kRoot = kNodeType == NodeType::root, kPv = kNodeType != NodeType::non_pv;
  if (depth <= 0) return quiescence<kPv>(alpha, beta, ply);
  depth = std::min(depth, kMaxPly - 1);

  // Step 1. Prepare the node.
  Frame& here = frame(ply);
  Frame& next = frame(ply + 1);
  const State& state = here.state;
  here.line_length = 0;
  if (poll_stop()) return 0;
  const bool in_check = here.checkers != 0;
  if constexpr (kPv) selective_depth_ = std::max(selective_depth_, ply + 1);

  if constexpr (!kRoot) {
    // Step 2. Draws, and the largest ply.
    if (const int score = leaf_score(ply); score != kNoScore) return score;
    // Step 3. Mate distance pruning: a mate that is nearer than any from here makes it useless.
    alpha = std::max(alpha, mated_in(ply));
    beta = std::min(beta, mate_in(ply + 1));
    if (alpha >= beta) return alpha;
    here.double_extensions = frame(ply - 1).double_extensions;
  }
  const Move excluded_move = here.excluded_move;
  next.killers[0] = next.killers[1] = Move{};
  frame(ply + 2).cutoff_count = 0;

  // Step 4. Transposition table.
  const std::uint64_t key = table_key(state);
  const TableEntry entry = excluded_move == Move{} ? table_.find(key) : TableEntry{};
  const int table_score = entry.found ? from_table(entry.score, ply) : kNoScore;
  const Move table_move = kRoot ? root_moves_[line_].move : entry.move;
  const bool was_pv = kPv || entry.pv;
  if (!kPv && entry.found && entry.depth >= depth && decides(entry.bound, table_score, beta) &&
      !nears_halfmove_limit(state)) {
    if (table_score >= beta && table_move != Move{} && is_quiet(state, table_move)) {
      update_quiet_histories(ply, table_move, std::min(120 * depth - 60, 1200));
    }
    return table_score;
  }

  // Step 5. Static evaluation.
  int raw_evaluation = kNoScore, estimate = kNoScore;
  bool improving = false;
  if (in_check) {
    here.static_evaluation = kNoScore;
  } else if (excluded_move != Move{}) {
    estimate = here.static_evaluation;
  } else {
    raw_evaluation = entry.evaluation != kNoScore ? entry.evaluation : evaluator_.score(state);
    estimate = here.static_evaluation = corrected_evaluation(state, raw_evaluation);
    if (entry.found && !is_decided(table_score) && decides(entry.bound, table_score, estimate)) {
      estimate = table_score;
    }
    if (!entry.found) table_.store(key, {.evaluation = raw_evaluation, .pv = was_pv});
  }
  if (!in_check) {
    const int before = frame(ply - 2).static_evaluation;
    const int earlier = frame(ply - 4).static_evaluation;
    improving = before != kNoScore    ? here.static_evaluation > before
                : earlier != kNoScore ? here.static_evaluation > earlier
                                      : true;
  }

  if (!kPv && !in_check && excluded_move == Move{}) {
    // Step 6. Razoring: so far below alpha that only captures could help.
    if (depth <= 4 && estimate + 180 + 190 * depth * depth < alpha) {
      const int score = quiescence<false>(alpha - 1, alpha, ply);
      if (score < alpha && !is_decided(score)) return score;
    }
    // Step 7. Reverse futility pruning: so far above beta that the opponent will not come back.
    if (depth <= 8 && !is_decided(estimate) && !is_decided(beta) &&
        estimate - 75 * (depth - (improving ? 1 : 0)) >= beta && estimate >= beta) {
      return beta + (estimate - beta) / 3;
    }
    // Step 8. Null move pruning.
    if (frame(ply - 1).move != Move{} && estimate >= beta &&
        here.static_evaluation >= beta - 18 * depth + 150 && depth >= 2 && ply >= null_move_ply_ &&
        !is_decided(beta) && has_non_pawn_material(state)) {
      const int score = null_move_pruning(depth, beta, ply, cut_node, estimate);
      if (stopped()) return 0;
      if (score != kNoScore) return score;
    }
    // Step 9. ProbCut.
    if (depth >= 5 && !is_decided(beta) &&
        !(entry.found && entry.depth >= depth - 3 && table_score < beta + 170)) {
      const int score =
          probcut(depth, beta + 170 - (improving ? 50 : 0), ply, cut_node, table_move);
      if (stopped()) return 0;
      if (score != kNoScore) {
        table_.store(key, {.score = to_table(score, ply),
                           .evaluation = raw_evaluation,
                           .depth = depth - 3,
                           .bound = Bound::lower,
                           .pv = was_pv});
        return score;
      }
    }
  }
  // Step 10. Internal iterative reduction.
  if (depth >= 4 && table_move == Move{} && (kPv || cut_node)) --depth;

  // Step 11. Loop over the moves.
  const QuietOrder order = quiet_order(ply);
  MovePicker picker(game_.generator(), attacks_, state, histories_, table_move,
                    MovePicker::Wanted::all, order);
  const bool table_move_captures = table_move != Move{} && !is_quiet(state, table_move);
  Move best = {};
  int best_score = -kInfiniteScore;
  const int first_alpha = alpha;
  int count = 0;
  Move quiets[64], captures[32];
  int quiet_count = 0, capture_count = 0;

  for (Move move = picker.next(); move != Move{}; move = picker.next()) {
    if (move == excluded_move) continue;
    RootMove* const root_move = kRoot ? find_root_move(move) : nullptr;
    if (kRoot && root_move == nullptr) continue;
    ++count;
    const bool quiet = is_quiet(state, move);
    const int history = quiet ? quiet_history(ply, move) : 0;
    play(ply, move);
    const bool gives_check = next.checkers != 0;
    int reduction = kReductions(depth, count);
    if (!improving) reduction += 600;

    // Step 12. Pruning at shallow depth.
    if (!kRoot && has_non_pawn_material(state) && best_score > -games::kHeuristicLimit) {
      const int reduced_depth = std::max(depth - reduction / 1024, 0);
      if (quiet) {
        // Late move pruning.
        if (count >= (4 + depth * depth) / (improving ? 1 : 2)) picker.skip_quiets();
        if (!gives_check) {
          // Futility pruning.
          if (reduced_depth < 8 && !in_check &&
              here.static_evaluation + 110 + 95 * reduced_depth + history / 128 <= alpha) {
            picker.skip_quiets();
            continue;
          }
          // History pruning.
          if (reduced_depth < 5 && history < -3200 * depth) continue;
        }
        // Pruning by static exchange.
        if (!see_ge(attacks_, state, move, -24 * reduced_depth * reduced_depth)) continue;
      } else if (picker.is_bad_capture() && !see_ge(attacks_, state, move, -110 * depth)) {
        continue;
      }
    }

    // Step 13. Extensions.
    int extension = 0;
    if (!kRoot && move == table_move && excluded_move == Move{} && depth >= 7 && entry.found &&
        ply < 2 * root_depth_ && entry.depth >= depth - 3 && !is_decided(table_score) &&
        (entry.bound == Bound::lower || entry.bound == Bound::exact)) {
      const Singularity found =
          singular_extension(depth, beta, ply, kPv, cut_node, move, table_score);
      if (stopped()) return 0;
      if (found.multi_cut != kNoScore) return found.multi_cut;
      extension = found.extension;
      play(ply, move);  // again: that search used the frame
    } else if (gives_check && depth <= 8 && !picker.is_bad_capture() && ply < 2 * root_depth_) {
      extension = kPv ? 1 : 0;
    }
    here.double_extensions += extension >= 2 ? 1 : 0;

    // Step 14. Make the move and search it.
    const std::uint64_t nodes_before = nodes();
    enter(ply, move);
    int new_depth = depth - 1 + extension;
    int score = -kInfiniteScore;
    if (depth >= 2 && count > 1 + (kRoot ? 1 : 0)) {
      // Late move reductions.
      if (was_pv) reduction -= kPv ? 1500 : 1000;
      if (cut_node) reduction += 1700;
      if (table_move_captures) reduction += 800;
      if (next.cutoff_count > 3) reduction += 700;
      if (gives_check) reduction -= 700;
      if (quiet) {
        reduction -= history / 12;
        if (move == order.killers[0] || move == order.killers[1]) reduction -= 900;
      } else {
        reduction -= 1024 + (picker.is_bad_capture() ? 0 : 700);
      }
      const int reduced = std::clamp(new_depth - reduction / 1024, 1, std::max(new_depth, 1));
      score = -search<NodeType::non_pv>(reduced, -alpha - 1, -alpha, ply + 1, true);
      if (score > alpha && reduced < new_depth) {
        if (score > best_score + 45 + 2 * new_depth) ++new_depth;
        if (score < best_score + 8) --new_depth;
        if (reduced < new_depth) {
          score = -search<NodeType::non_pv>(new_depth, -alpha - 1, -alpha, ply + 1, !cut_node);
        }
        if (quiet && (score <= alpha || score >= beta)) {
          const int bonus = std::min(110 * depth, 1100);
          update_quiet_histories(ply, move, score <= alpha ? -bonus : bonus);
        }
      }
    } else if (!kPv || count > 1) {
      // A zero window at full depth.
      score = -search<NodeType::non_pv>(new_depth, -alpha - 1, -alpha, ply + 1, !cut_node);
    }
    if (kPv && (count == 1 || score > alpha)) {
      // The whole window.
      score = -search<NodeType::pv>(new_depth, -beta, -alpha, ply + 1, false);
    }
    leave();
    here.double_extensions -= extension >= 2 ? 1 : 0;
    if (stopped()) return 0;

    // Step 15. A new best move.
    if constexpr (kRoot) {
      root_move->nodes += nodes() - nodes_before;
      record_root_move(*root_move, score, alpha, beta, count == 1);
    }
    if (score > best_score) {
      best_score = score;
      if (score > alpha) {
        best = move;
        if constexpr (kPv && !kRoot) update_line<kPv>(ply, move);
        if (score >= beta) {
          ++here.cutoff_count;
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

  // Step 16. Mate and stalemate.
  if (count == 0) {
    if (excluded_move != Move{}) return alpha;
    return in_check ? mated_in(ply) : 0;
  }
  if (best_score == -kInfiniteScore) best_score = alpha;  // all moves were pruned

  // Step 17. Update the histories and the transposition table.
  if (best != Move{}) {
    update_histories(ply, best, depth, quiets, quiet_count, captures, capture_count);
  }
  if (excluded_move == Move{} && !(kRoot && line_ > 0)) {
    const Bound bound = best_score >= beta                ? Bound::lower
                        : kPv && best_score > first_alpha ? Bound::exact
                                                          : Bound::upper;
    table_.store(key, {.move = best,
                       .score = to_table(best_score, ply),
                       .evaluation = raw_evaluation,
                       .depth = depth,
                       .bound = bound,
                       .pv = was_pv});
    if (!in_check && (best == Move{} || is_quiet(state, best)) && !is_decided(best_score) &&
        !(bound == Bound::lower && best_score <= here.static_evaluation) &&
        !(bound == Bound::upper && best_score >= here.static_evaluation)) {
      histories_.update_correction(state, best_score - here.static_evaluation, depth);
    }
  }
  return best_score;
}

// Null when the line that is searched now may not begin with the move.
RootMove* Searcher::find_root_move(Move move) {
  const auto found =
      std::find_if(root_moves_.begin() + static_cast<std::ptrdiff_t>(line_), root_moves_.end(),
                   [&](const RootMove& each) { return each.move == move; });
  return found == root_moves_.end() ? nullptr : &*found;
}

void Searcher::record_root_move(RootMove& root_move, int score, int alpha, int beta,
                                bool is_first) {
  if (!is_first && score <= alpha) {
    root_move.score = -kInfiniteScore;
    return;
  }
  root_move.score = score;
  root_move.bound = score >= beta ? Bound::lower : score <= alpha ? Bound::upper : Bound::exact;
  root_move.selective_depth = selective_depth_;
  const Frame& next = frame(1);
  root_move.line.assign({root_move.move});
  root_move.line.insert(root_move.line.end(), next.line.begin(),
                        next.line.begin() + next.line_length);
}

// When the position is good enough even if the other side moves twice: a score not below beta.
int Searcher::null_move_pruning(int depth, int beta, int ply, bool cut_node, int estimate) {
  const int reduced = depth - 4 - depth / 4 - std::min((estimate - beta) / 200, 3);
  const int score = null_move_search(reduced, beta, ply, cut_node);
  if (stopped() || score < beta) return kNoScore;
  const int bound = is_decided(score) ? beta : score;
  if (depth < 14 || null_move_ply_ > 0) return bound;
  // Verification: in a deep search make sure that it was no zugzwang.
  null_move_ply_ = ply + 3 * reduced / 4;
  const int verified = search<NodeType::non_pv>(reduced, beta - 1, beta, ply, false);
  null_move_ply_ = 0;
  return verified >= beta ? bound : kNoScore;
}

int Searcher::null_move_search(int depth, int beta, int ply, bool cut_node) {
  Frame& here = frame(ply);
  Frame& next = frame(ply + 1);
  next.state = here.state;
  State& state = next.state;
  state.side = opponent(state.side);
  state.hash ^= kZobrist.black_to_move;
  if (state.en_passant != Square::none) {
    state.hash ^= kZobrist.en_passant[file_of(state.en_passant)];
    state.en_passant = Square::none;
  }
  next.checkers = 0;
  next.reversible = 0;
  here.move = Move{};
  here.piece_to = kNoPieceTo;
  evaluator_.push_null();
  path_[path_length_++] = state.hash;
  count_node();
  const int score = -search<NodeType::non_pv>(depth, -beta, -beta + 1, ply + 1, !cut_node);
  leave();
  return score;
}

// A capture that a shallow search finds to be better than a raised beta will be so in a deep one.
int Searcher::probcut(int depth, int beta, int ply, bool cut_node, Move table_move) {
  const Frame& here = frame(ply);
  const QuietOrder none = {};
  MovePicker picker(game_.generator(), attacks_, here.state, histories_, table_move,
                    MovePicker::Wanted::captures, none, beta - here.static_evaluation);
  for (Move move = picker.next(); move != Move{} && !picker.is_bad_capture();
       move = picker.next()) {
    play(ply, move);
    enter(ply, move);
    int score = -quiescence<false>(-beta, -beta + 1, ply + 1);
    if (score >= beta) {
      score = -search<NodeType::non_pv>(depth - 4, -beta, -beta + 1, ply + 1, !cut_node);
    }
    leave();
    if (stopped()) return kNoScore;
    if (score >= beta && !is_decided(score)) return score;
  }
  return kNoScore;
}

// The table's move is singular when a shallow search of all others stays below its score by a
// margin. If instead another move reaches beta too, the node is cut off (multi-cut).
Searcher::Singularity Searcher::singular_extension(int depth, int beta, int ply, bool pv,
                                                   bool cut_node, Move move, int table_score) {
  Frame& here = frame(ply);
  const int singular_beta = table_score - 2 * depth;
  here.excluded_move = move;
  const int score =
      search<NodeType::non_pv>((depth - 1) / 2, singular_beta - 1, singular_beta, ply, cut_node);
  here.excluded_move = Move{};
  if (score < singular_beta) {
    const bool doubly = !pv && score < singular_beta - 18 && here.double_extensions < 8;
    return {.extension = doubly ? 2 : 1};
  }
  if (singular_beta >= beta) return {.multi_cut = singular_beta};
  if (table_score >= beta) return {.extension = pv ? -1 : -2};
  return {.extension = cut_node ? -1 : 0};
}

// Captures alone, until nothing hangs; in check every move.
template <bool kPv>
int Searcher::quiescence(int alpha, int beta, int ply) {
  Frame& here = frame(ply);
  const State& state = here.state;
  here.line_length = 0;
  if (poll_stop()) return 0;
  const bool in_check = here.checkers != 0;
  if constexpr (kPv) selective_depth_ = std::max(selective_depth_, ply + 1);
  if (const int score = leaf_score(ply); score != kNoScore) return score;

  const std::uint64_t key = table_key(state);
  const TableEntry entry = table_.find(key);
  const int table_score = entry.found ? from_table(entry.score, ply) : kNoScore;
  if (!kPv && entry.found && decides(entry.bound, table_score, beta) &&
      !nears_halfmove_limit(state)) {
    return table_score;
  }
  const bool was_pv = kPv || entry.pv;
  int raw_evaluation = kNoScore, best_score = -kInfiniteScore, futility_base = -kInfiniteScore;
  if (!in_check) {
    // Stand pat.
    raw_evaluation = entry.evaluation != kNoScore ? entry.evaluation : evaluator_.score(state);
    here.static_evaluation = best_score = corrected_evaluation(state, raw_evaluation);
    if (entry.found && !is_decided(table_score) && decides(entry.bound, table_score, best_score)) {
      best_score = table_score;
    }
    if (best_score >= beta) {
      if (!entry.found) {
        table_.store(key, {.score = to_table(best_score, ply),
                           .evaluation = raw_evaluation,
                           .bound = Bound::lower,
                           .pv = was_pv});
      }
      return best_score;
    }
    alpha = std::max(alpha, best_score);
    futility_base = here.static_evaluation + 150;
  }

  const QuietOrder order = in_check ? quiet_order(ply) : QuietOrder{};
  MovePicker picker(game_.generator(), attacks_, state, histories_, entry.move,
                    in_check ? MovePicker::Wanted::all : MovePicker::Wanted::captures, order);
  Move best = {};
  int count = 0;
  for (Move move = picker.next(); move != Move{}; move = picker.next()) {
    ++count;
    if (best_score > -games::kHeuristicLimit) {
      if (picker.is_bad_capture()) break;
      if (!in_check && !is_promotion(move)) {
        // Delta pruning: even what it captures does not lift the score to alpha.
        const int ceiling = futility_base + kSeeValues[captured_kind(state, move)];
        if (ceiling <= alpha) {
          best_score = std::max(best_score, ceiling);
          continue;
        }
        if (futility_base <= alpha && !see_ge(attacks_, state, move, 1)) {
          best_score = std::max(best_score, futility_base);
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
    const int score = -quiescence<kPv>(-beta, -alpha, ply + 1);
    leave();
    if (stopped()) return 0;
    if (score > best_score) {
      best_score = score;
      if (score > alpha) {
        best = move;
        update_line<kPv>(ply, move);
        if (score >= beta) break;
        alpha = score;
      }
    }
  }
  if (in_check && count == 0) return mated_in(ply);
  table_.store(key, {.move = best,
                     .score = to_table(best_score, ply),
                     .evaluation = raw_evaluation,
                     .bound = best_score >= beta ? Bound::lower : Bound::upper,
                     .pv = was_pv});
  return best_score;
}

template int Searcher::search<Searcher::NodeType::root>(int, int, int, int, bool);

}  // namespace damier::search::chess
