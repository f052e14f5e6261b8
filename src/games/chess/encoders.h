// A position as numbers for a network, in three forms: 97 bytes, 769 bits, and a list.
//
// The first two hold the twelve bitboards in the order pawns, rooks, knights, bishops, queens,
// kings, White before Black, and then the side to move (1 for White, 0 for Black). Neither knows
// castling rights or en passant: decoding gives a position without them.
#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <ostream>
#include <span>
#include <string>
#include <utility>

#include "damier/base/files/files.h"
#include "damier/base/result.h"
#include "damier/games/chess/generator.h"

namespace damier::games::chess {

inline constexpr auto kEncoderPieces = [] {
  std::array<Piece, 12> pieces;
  std::size_t next = 0;
  for (const Kind kind :
       {Kind::pawn, Kind::rook, Kind::knight, Kind::bishop, Kind::queen, Kind::king}) {
    for (const Side side : {Side::first, Side::second}) pieces[next++] = {kind, side};
  }
  return pieces;
}();

// Eight bytes a bitboard, most significant first: ranks 8 to 1, the a-file in the lowest bit.
inline constexpr std::size_t kByteInputs = 97;
using PositionBytes = std::array<std::uint8_t, kByteInputs>;

PositionBytes encode_bytes(const State& state);
// Refuses what check_position (fen.h) refuses, two pieces on one square, and a side other than
// 0 or 1.
Result<State> decode_bytes(const PositionBytes& bytes, const Generator& generator);

// One number a square and bitboard, a1 first.
inline constexpr std::size_t kBitInputs = 12 * kSquares + 1;
void write_bit_inputs(const State& state, std::span<float, kBitInputs> out);

// The third form, for networks with sparse inputs: one feature for each piece on each square, as
// one side sees it. That side's pieces come first, its first rank is the first, and the board is
// mirrored left to right when its king stands on the files e to h.
inline constexpr int kPieceFeatures = 2 * kKinds * kSquares;
inline constexpr int kMaxPieces = 32;

constexpr bool sees_mirrored(Square own_king) { return file_of(own_king) >= kBoardSize / 2; }

constexpr int piece_feature(Side viewer, bool mirrored, Piece piece, Square square) {
  const int seen =
      index(square) ^ (viewer == Side::first ? 0 : 56) ^ (mirrored ? kBoardSize - 1 : 0);
  return ((piece.side == viewer ? 0 : kKinds) + index(piece.kind)) * kSquares + seen;
}

struct PieceFeatures {
  std::array<std::uint16_t, kMaxPieces> numbers = {};
  int count = 0;
};

// Of all pieces, at most kMaxPieces.
inline PieceFeatures piece_features(const State& state, Side viewer) {
  const bool mirrored = sees_mirrored(state.king(viewer));
  PieceFeatures features;
  for (const Side side : {Side::first, Side::second}) {
    for (int kind = 0; kind < kKinds; ++kind) {
      Bitboard squares = state.of(side, kind_at(kind));
      while (squares != 0 && features.count < kMaxPieces) {
        const int feature =
            piece_feature(viewer, mirrored, {kind_at(kind), side}, square_at(take_lowest(squares)));
        features.numbers[static_cast<std::size_t>(features.count++)] =
            static_cast<std::uint16_t>(feature);
      }
    }
  }
  return features;
}

// Positions with a target as comma-separated values: a header row, then in each line the 97 bytes
// and a number from 0 to 1, 98 columns in all.
struct PositionRow {
  State state;  // without castling rights and en passant
  double target = 0;
};

class PositionCsvReader {
 public:
  // `source` names the file in errors. `in` must outlive the reader.
  PositionCsvReader(std::istream& in, std::string source)
      : lines_(in), source_(std::move(source)) {}

  // True: `row` is the next one. False: the end. An error says the line and the column (in
  // characters) where it is wrong; call again for the line after it. The first call also checks the
  // header: it must have 98 columns, whatever their names.
  Result<bool> next(PositionRow& row);

 private:
  Error error(std::string message, std::size_t offset) const;
  Status check_header();

  StreamLines lines_;
  std::string source_;
  Generator generator_;
  bool has_header_ = false;
};

class PositionCsvWriter {
 public:
  // Writes the header: P8 to P1 for the white pawns' ranks, p8 to p1 for the black ones', …, side,
  // target.
  explicit PositionCsvWriter(std::ostream& out);

  void write(const State& state, double target);

 private:
  std::ostream& out_;
  std::string line_;
};

}  // namespace damier::games::chess
