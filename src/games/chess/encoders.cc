#include "damier/games/chess/encoders.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/games/chess/validity.h"
#include "damier/games/chess/zobrist.h"

namespace damier::games::chess {

namespace {

using Boards = std::array<Bitboard, kEncoderPieces.size()>;

Result<State> from_boards(const Boards& boards, bool white_to_move, const Generator& generator) {
  State state;
  state.side = white_to_move ? Side::first : Side::second;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const auto [kind, side] = kEncoderPieces[i];
    if (const Bitboard taken = state.occupied() & boards[i]; taken != 0) {
      return Error{fmt::format("two pieces on {}", square_name(square_at(lowest_bit(taken))))};
    }
    state.kinds[index(kind)] |= boards[i];
    state.sides[games::index(side)] |= boards[i];
  }
  TRY(check_position(state, generator));
  state.hash = zobrist_hash(state);
  return state;
}

}  // namespace

PositionBytes encode_bytes(const State& state) {
  PositionBytes bytes;
  std::size_t at = 0;
  for (const Piece piece : kEncoderPieces) {
    const Bitboard board = state.of(piece);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[at++] = static_cast<std::uint8_t>(board >> shift);
    }
  }
  bytes[at] = state.side == Side::first ? 1 : 0;
  return bytes;
}

Result<State> decode_bytes(const PositionBytes& bytes, const Generator& generator) {
  Boards boards = {};
  std::size_t at = 0;
  for (Bitboard& board : boards) {
    for (int byte = 0; byte < 8; ++byte) board = board << 8 | bytes[at++];
  }
  if (bytes[at] > 1) {
    return Error{fmt::format("the side to move is 1 (White) or 0 (Black), not {}", bytes[at])};
  }
  return from_boards(boards, bytes[at] == 1, generator);
}

void write_bit_inputs(const State& state, std::span<float, kBitInputs> out) {
  std::fill(out.begin(), out.end(), 0.0f);
  std::size_t plane = 0;
  for (const Piece piece : kEncoderPieces) {
    for (Bitboard squares = state.of(piece); squares != 0;) {
      out[plane * kSquares + static_cast<std::size_t>(take_lowest(squares))] = 1.0f;
    }
    ++plane;
  }
  out.back() = state.side == Side::first ? 1.0f : 0.0f;
}

}  // namespace damier::games::chess
