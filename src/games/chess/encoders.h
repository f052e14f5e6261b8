// A position as numbers for a network, in two forms: 97 bytes and 769 bits.
//
// Both hold the twelve bitboards in the order pawns, rooks, knights, bishops, queens, kings, White
// before Black, and then the side to move (1 for White, 0 for Black). Neither knows castling rights
// or en passant: decoding gives a position without them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "damier/base/result.h"
#include "damier/games/chess/generator.h"

namespace damier::games::chess {

inline constexpr std::array<Piece, 12> kEncoderPieces = {{
    {Kind::pawn, Side::first},
    {Kind::pawn, Side::second},
    {Kind::rook, Side::first},
    {Kind::rook, Side::second},
    {Kind::knight, Side::first},
    {Kind::knight, Side::second},
    {Kind::bishop, Side::first},
    {Kind::bishop, Side::second},
    {Kind::queen, Side::first},
    {Kind::queen, Side::second},
    {Kind::king, Side::first},
    {Kind::king, Side::second},
}};

// Eight bytes a bitboard, most significant first: ranks 8 to 1, the a-file in the lowest bit.
inline constexpr std::size_t kByteInputs = 97;
using PositionBytes = std::array<std::uint8_t, kByteInputs>;

PositionBytes encode_bytes(const State& state);
// Refuses what check_position (validity.h) refuses, two pieces on one square, and a side other than
// 0 or 1.
Result<State> decode_bytes(const PositionBytes& bytes, const Generator& generator);

// One number a square and bitboard, a1 first.
inline constexpr std::size_t kBitInputs = 12 * kSquares + 1;
void write_bit_inputs(const State& state, std::span<float, kBitInputs> out);

}  // namespace damier::games::chess
