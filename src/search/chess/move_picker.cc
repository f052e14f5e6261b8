#include "damier/search/chess/move_picker.h"

#include <algorithm>
#include <utility>

namespace damier::search::chess {

using namespace games::chess;
using games::opponent;
using games::Side;

namespace {

constexpr int kKillerScore = 40'000;
constexpr Bitboard kAnySquare = ~Bitboard{0};

}  // namespace

MovePicker::MovePicker(const Generator& generator, const Attacks& attacks, const State& state,
                       Histories& histories, Move table_move, Wanted wanted,
                       const QuietOrder& order, int threshold)
    : generator_(generator),
      attacks_(attacks),
      state_(state),
      histories_(histories),
      order_(order),
      table_move_(table_move),
      wanted_(wanted),
      threshold_(threshold) {
  if (table_move_ != Move{} &&
      ((wanted_ == Wanted::captures && is_quiet(state_, table_move_)) || !is_legal(table_move_))) {
    table_move_ = Move{};
  }
}

bool MovePicker::is_legal(Move move) const {
  const Bitboard from = bit(from_of(move));
  if ((state_.of(state_.side) & from) == 0) return false;
  return std::ranges::count(generator_.list_some(state_, from, bit(to_of(move))), move) > 0;
}

Move MovePicker::next() {
  while (true) {
    switch (stage_) {
      case Stage::table_move:
        stage_ = Stage::make_captures;
        if (table_move_ != Move{}) return table_move_;
        break;
      case Stage::make_captures:
        make_captures();
        stage_ = Stage::good_captures;
        break;
      case Stage::good_captures:
        while (next_ < end_) {
          const Scored best = take_best();
          if (best.move == table_move_) continue;
          if (see_ge(attacks_, state_, best.move, threshold_)) return best.move;
          moves_[bad_end_++] = best;  // its place is among those already taken
        }
        stage_ = wanted_ == Wanted::all ? Stage::make_quiets : Stage::bad_captures;
        if (stage_ == Stage::bad_captures) {
          next_ = 0;
          end_ = bad_end_;
        }
        break;
      case Stage::make_quiets:
        if (!skip_quiets_) make_quiets();
        stage_ = Stage::quiets;
        break;
      case Stage::quiets:
        while (!skip_quiets_ && next_ < end_) {
          const Scored best = take_best();
          if (best.move == table_move_) continue;
          return best.move;
        }
        stage_ = Stage::bad_captures;
        next_ = 0;
        end_ = bad_end_;
        break;
      case Stage::bad_captures:
        if (next_ < end_) return moves_[next_++].move;
        stage_ = Stage::done;
        break;
      case Stage::done:
        return Move{};
    }
  }
}

MovePicker::Scored MovePicker::take_best() {
  int best = next_;
  for (int i = next_ + 1; i < end_; ++i) {
    if (moves_[i].score > moves_[best].score) best = i;
  }
  std::swap(moves_[next_], moves_[best]);
  return moves_[next_++];
}

void MovePicker::add_captures(Bitboard from, Bitboard to) {
  for (const Move move : generator_.list_some(state_, from, to)) {
    const int kind = captured_kind(state_, move);
    int score =
        histories_.capture(piece_to_of(state_.side, move), kind) / 8 + 16 * kSeeValues[kind];
    if (is_promotion(move)) score += 16 * (kSeeValues[index(promoted_of(move))] - 600);
    moves_[end_++] = {move, score};
  }
}

void MovePicker::make_captures() {
  const Bitboard pawns = state_.of(state_.side, Kind::pawn);
  const Bitboard last = home_squares(opponent(state_.side));
  add_captures(kAnySquare, state_.of(opponent(state_.side)));
  const Bitboard promoting =
      pawns & (state_.side == Side::first ? last >> kBoardSize : last << kBoardSize);
  if (promoting != 0) add_captures(promoting, last & ~state_.occupied());
  if (state_.en_passant != Square::none) add_captures(pawns, bit(state_.en_passant));
}

void MovePicker::make_quiets() {
  const Bitboard own_rooks = state_.castling & state_.of(state_.side);  // castling goes there
  next_ = end_ = bad_end_;
  for (const Move move : generator_.list_some(state_, kAnySquare, ~state_.occupied() | own_rooks)) {
    if (is_promotion(move) || type_of(move) == MoveType::en_passant) continue;
    const auto to = static_cast<std::size_t>(piece_to_of(state_.side, move));
    int score = histories_.butterfly(state_.side, move);
    for (const PieceToHistory* history : order_.continuation) score += (*history)[to];
    if (move == order_.killers[0]) score += kKillerScore;
    if (move == order_.killers[1]) score += kKillerScore / 2;
    if (move == order_.counter_move) score += kKillerScore / 4;
    moves_[end_++] = {move, score};
  }
}

}  // namespace damier::search::chess
