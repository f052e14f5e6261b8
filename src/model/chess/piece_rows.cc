#include "damier/model/chess/piece_rows.h"

#include <algorithm>
#include <array>

namespace damier::model::chess {

namespace {

using games::Side;
using games::chess::Bitboard;
using games::chess::kBoardSize;
using games::chess::Kind;
using games::chess::kKinds;
using games::chess::kMaxPieces;
using games::chess::kSquares;

constexpr unsigned kWaits = 8;
constexpr int kBitsOfByte = 8;
constexpr std::size_t kTakenBytes = kSquares / kBitsOfByte;
constexpr int kUpsideDown = kSquares - kBoardSize;  // flips the ranks of a square
constexpr int kKing = static_cast<int>(Kind::king);

struct Standing {
  int square;
  int kind;
  bool waits;  // of the side that is not to move
};

}  // namespace

void pack_pieces(const games::chess::State& state, std::span<float, kPackedPieces> out) {
  const int turn = state.side == Side::first ? 0 : kUpsideDown;
  std::array<unsigned, kSquares> pieces = {};
  Bitboard taken = 0;
  for (const Side side : {Side::first, Side::second}) {
    for (int kind = 0; kind < kKinds; ++kind) {
      Bitboard squares = state.of(side, games::chess::kind_at(kind));
      while (squares != 0) {
        const int square = games::chess::take_lowest(squares) ^ turn;
        taken |= games::chess::bit(square);
        pieces[static_cast<std::size_t>(square)] =
            static_cast<unsigned>(kind) | (side == state.side ? 0 : kWaits);
      }
    }
  }
  std::array<unsigned, kPackedPieces> bytes = {};
  for (std::size_t i = 0; i < kTakenBytes; ++i) {
    bytes[i] = static_cast<unsigned>(taken >> (kBitsOfByte * i) & 0xFF);
  }
  for (std::size_t place = 0; taken != 0 && place < kMaxPieces; ++place) {
    const auto square = static_cast<std::size_t>(games::chess::take_lowest(taken));
    bytes[kTakenBytes + place / 2] |= pieces[square] << (place % 2 * 4);
  }
  std::transform(bytes.begin(), bytes.end(), out.begin(),
                 [](unsigned byte) { return static_cast<float>(byte); });
}

void unpack_pieces(std::span<const float, kPackedPieces> packed,
                   std::span<float, kPieceInputs> out) {
  Bitboard taken = 0;
  for (std::size_t i = 0; i < kTakenBytes; ++i) {
    taken |= static_cast<Bitboard>(static_cast<unsigned>(packed[i]) & 0xFF) << (kBitsOfByte * i);
  }
  std::array<Standing, kMaxPieces> pieces;
  std::size_t count = 0;
  int turn_mover = 0, turn_other = kUpsideDown;  // what the squares are changed by
  for (; taken != 0 && count < pieces.size(); ++count) {
    const unsigned half = static_cast<unsigned>(packed[kTakenBytes + count / 2]) >> (count % 2 * 4);
    Standing& piece = pieces[count];
    piece.square = games::chess::take_lowest(taken);
    piece.waits = (half & kWaits) != 0;
    piece.kind = std::min(static_cast<int>(half & 7), kKing);
    const bool mirrored = games::chess::sees_mirrored(games::chess::square_at(piece.square));
    if (piece.kind == kKing && mirrored) {
      (piece.waits ? turn_other : turn_mover) ^= kBoardSize - 1;
    }
  }
  std::fill(out.begin(), out.end(), -1.0f);
  for (std::size_t i = 0; i < count; ++i) {
    const Standing& piece = pieces[i];
    const auto feature = [&](bool own, int turn) {
      return static_cast<float>(((own ? 0 : kKinds) + piece.kind) * kSquares +
                                (piece.square ^ turn));
    };
    out[i] = feature(!piece.waits, turn_mover);
    out[kMaxPieces + i] = feature(piece.waits, turn_other);
  }
}

}  // namespace damier::model::chess
