// How networks read Domineering. Beside the board's own features, "mover" lets one network play
// every board of up to 8x8 cells; its moves are the 64 cells of the frame.
#pragma once

#include "damier/games/domineering/domineering.h"
#include "damier/model/encoder.h"

namespace damier::model {

template <>
std::vector<EncoderKind<games::domineering::Domineering>> encoder_kinds();

// Boards of up to 8x8 cells as one network sees them: in a frame of 8x8 cells, what lies outside
// the board as taken cells, turned so that the side to move lays its dominoes upright.
namespace domineering {

using games::domineering::CellSet;
using games::domineering::Domineering;
using games::domineering::Move;
using games::domineering::State;

inline constexpr int kFrame = 8;  // rows and columns
inline constexpr int kFrameCells = kFrame * kFrame;
inline constexpr int kFramePlanes = 7;

// The free cells, bit 8 * row + column.
CellSet framed(const Domineering& game, const State& state);
// The cell of the frame for a cell of the board, as the side to move sees it.
int framed_square(const Domineering& game, games::Side side, int cell);
// The same for the lower-index cell of a move.
int framed_cell(const Domineering& game, Move move);

// (7, 8, 8), the same for a board and for its image with the sides exchanged: free cells; cells
// where the mover's domino can begin; where the opponent's can; cells that only the mover can use;
// that only the opponent can; on all cells, by how many the mover leads in dominoes that nobody can
// take away (in eighths); by how many in places for a domino (in thirty-seconds).
void write_planes(CellSet framed, std::span<float> planes);

}  // namespace domineering

}  // namespace damier::model
