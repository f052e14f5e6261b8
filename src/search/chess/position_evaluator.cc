#include "damier/search/chess/position_evaluator.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "damier/games/chess/encoders.h"
#include "damier/search/chess/evaluation_kernel.h"

namespace damier::search::chess {

using namespace games::chess;

// On any processor.
int evaluate_plain(const AttackTables& tables, const State& state, PawnEntry& entry) {
  return evaluate_position<MagicBits>(tables, state, entry);
}

namespace {

constexpr CompiledFor<EvaluationKernel> kEvaluationKernels = {
    .plain = evaluate_plain,
#if defined(__x86_64__)
    .bmi2 = evaluate_bmi2,
#endif
};

constexpr std::size_t kFirstFrames = 64;

games::Side side_at(int viewer) { return viewer == 0 ? games::Side::first : games::Side::second; }

}  // namespace

HandWrittenEvaluation::HandWrittenEvaluation(Isa isa)
    : evaluate_(kEvaluationKernels.of(isa)),
      tables_(&attack_tables(isa)),
      pawns_(std::size_t{1} << kPawnEntryBits) {
  assert(evaluate_ != nullptr);
}

int HandWrittenEvaluation::score(const State& state) {
  const auto& pawns = state.kinds[index(Kind::pawn)];
  const std::uint64_t key = (pawns & state.sides[0]) * 0x9E3779B97F4A7C15u ^
                            (pawns & state.sides[1]) * 0xBF58476D1CE4E5B9u;
  return evaluate_(*tables_, state, pawns_[key >> (64 - kPawnEntryBits)]);
}

PositionEvaluator::PositionEvaluator(std::shared_ptr<const EvaluationNetwork> network)
    : network_(std::move(network)), frames_(kFirstFrames) {
  if (network_ == nullptr) return;
  const auto units = static_cast<std::size_t>(network_->units());
  sums_ = AlignedNumbers(frames_.size() * 2 * units);
  for (auto& halves : remembered_) {
    for (Remembered& near : halves) {
      near.sums = AlignedNumbers(units);
      std::copy_n(network_->bias(), units, near.sums.data());
    }
  }
}

void PositionEvaluator::reset() {
  last_ = 0;
  frames_[0] = Frame{};
}

std::int16_t* PositionEvaluator::sums(std::size_t frame, int viewer) {
  return sums_.data() + (static_cast<std::ptrdiff_t>(2 * frame) + viewer) * network_->units();
}

PositionEvaluator::Frame& PositionEvaluator::add_frame() {
  if (++last_ == frames_.size()) {
    frames_.resize(2 * frames_.size());
    const auto width = 2 * static_cast<std::size_t>(network_->units());
    AlignedNumbers more(frames_.size() * width);
    std::copy_n(sums_.data(), last_ * width, more.data());
    sums_ = std::move(more);
  }
  return frames_[last_] = Frame{};
}

void PositionEvaluator::push(const State& before, Move move) {
  if (network_ == nullptr) return;
  Frame& frame = add_frame();
  const games::Side mover = before.side;
  const Square from = from_of(move), to = to_of(move);
  const Piece moved = {mover_of(move), mover};
  const auto add = [&](Piece piece, Square square) {
    frame.added[frame.added_count++] = {piece, square};
  };
  const auto remove = [&](Piece piece, Square square) {
    frame.removed[frame.removed_count++] = {piece, square};
  };
  remove(moved, from);
  Square arrival = to;
  if (is_castling(move)) {
    arrival = castled_king(move);
    remove({Kind::rook, mover}, to);
    add({Kind::rook, mover}, castled_rook(move));
  } else if (type_of(move) == MoveType::en_passant) {
    remove({Kind::pawn, games::opponent(mover)}, square_at(file_of(to), rank_of(from)));
  } else if ((before.of(games::opponent(mover)) & bit(to)) != 0) {
    remove({before.kind_on(bit(to)), games::opponent(mover)}, to);
  }
  add(is_promotion(move) ? Piece{promoted_of(move), mover} : moved, arrival);
  frame.turned[games::index(mover)] =
      moved.kind == Kind::king && sees_mirrored(from) != sees_mirrored(arrival);
}

void PositionEvaluator::push_null() {
  if (network_ != nullptr) add_frame();
}

void PositionEvaluator::pop() {
  if (network_ == nullptr) return;
  assert(last_ > 0);
  --last_;
}

void PositionEvaluator::add_up(const State& state, int viewer) {
  const bool mirrored = sees_mirrored(state.king(side_at(viewer)));
  Remembered& near = remembered_[viewer][mirrored ? 1 : 0];
  RowChanges changes;
  for (const games::Side side : {games::Side::first, games::Side::second}) {
    for (int kind = 0; kind < kKinds; ++kind) {
      const Piece piece = {kind_at(kind), side};
      const auto row = [&](int square) {
        return network_->row(piece_feature(side_at(viewer), mirrored, piece, square_at(square)));
      };
      Bitboard& then = near.pieces[games::index(side)][kind];
      const Bitboard now = state.of(side, piece.kind);
      for (auto left = now & ~then; left != 0;) {
        changes.added[changes.added_count++] = row(take_lowest(left));
      }
      for (auto left = then & ~now; left != 0;) {
        changes.removed[changes.removed_count++] = row(take_lowest(left));
      }
      then = now;
    }
  }
  network_->kernels().update(near.sums.data(), changes, near.sums.data(), network_->units());
  std::copy_n(near.sums.data(), network_->units(), sums(last_, viewer));
}

void PositionEvaluator::update(std::size_t frame, int viewer, bool mirrored) {
  Frame& to = frames_[frame];
  RowChanges changes;
  const auto row = [&](const Placed& placed) {
    return network_->row(piece_feature(side_at(viewer), mirrored, placed.piece, placed.square));
  };
  for (int i = 0; i < to.added_count; ++i) changes.added[changes.added_count++] = row(to.added[i]);
  for (int i = 0; i < to.removed_count; ++i) {
    changes.removed[changes.removed_count++] = row(to.removed[i]);
  }
  network_->kernels().update(sums(frame - 1, viewer), changes, sums(frame, viewer),
                             network_->units());
  to.known[viewer] = true;
}

void PositionEvaluator::bring_up_to_date(const State& state, int viewer) {
  std::size_t known = last_;
  while (!frames_[known].known[viewer]) {
    if (known == 0 || frames_[known].turned[viewer]) {
      add_up(state, viewer);
      frames_[last_].known[viewer] = true;
      return;
    }
    --known;
  }
  const bool mirrored = sees_mirrored(state.king(side_at(viewer)));
  while (known < last_) update(++known, viewer, mirrored);
}

int PositionEvaluator::score(const State& state) {
  if (network_ == nullptr) return hand_written_.score(state);
  for (const int viewer : {0, 1}) {
    if (!frames_[last_].known[viewer]) bring_up_to_date(state, viewer);
  }
  const int own = games::index(state.side);
  return network_->score(sums(last_, own), sums(last_, 1 - own));
}

}  // namespace damier::search::chess
