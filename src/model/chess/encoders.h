// How networks read chess. Beside the board's own features there are a report's 97 bytes, as they
// are ("raw-bytes") or divided by 255 ("bytes"), its 769 bits ("bits", games/chess/encoders.h), and
// "mover": the 768 bits of the board as the side to move sees it. Rows of data sets keep the 97
// bytes that they follow from. "pieces" is for the engine's evaluation network: the numbers of the
// pieces as each side sees them, kept in 24 bytes.
//
// A head "value" that ends in a sigmoid says what White may expect, or, of "pieces", the side to
// move; any other one what the side to move may, as in every game.
#pragma once

#include "damier/games/chess/chess.h"
#include "damier/games/chess/encoders.h"
#include "damier/model/encoder.h"
#include "damier/search/chess/evaluation_network.h"

namespace damier::model {

template <>
std::vector<EncoderKind<games::chess::Chess>> encoder_kinds();

namespace chess {

// Whether an encoder of that name, with or without rules behind it, keeps pieces.
bool reads_pieces(std::string_view encoder);

bool ends_in_sigmoid(const nn::NetworkSpec& spec, int head);

// The squares that are taken, in 8 bytes, and for each of them in order a piece in half a byte: its
// kind, and 8 for one of the side that waits.
inline constexpr std::size_t kPackedPieces = 24;
// What the mover sees, then what the other side sees; -1: no piece.
inline constexpr std::size_t kPieceInputs = 2 * games::chess::kMaxPieces;

// The bytes as numbers.
void pack_pieces(const games::chess::State& state, std::span<float, kPackedPieces> out);
// Whatever the bytes are, there are numbers of features.
void unpack_pieces(std::span<const float, kPackedPieces> packed,
                   std::span<float, kPieceInputs> out);

// The engine's evaluation by name: "hand" is none, the hand-written one. Empty is the network that
// ships as the model of chess, none where there is no such file. Anything else names a model
// (model/library.h).
inline constexpr std::string_view kHandWritten = "hand";
Result<std::shared_ptr<const search::chess::EvaluationNetwork>> evaluation_network(
    const std::string& name);

}  // namespace chess

}  // namespace damier::model
