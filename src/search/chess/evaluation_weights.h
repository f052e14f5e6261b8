// The weights of the hand-written evaluation: hundredths of a pawn, one for the middlegame and one
// for the endgame, packed into one number so that both are added up at once. They were fitted to
// positions and results of the engine's own games (docs/chess.md).
#pragma once

namespace damier::search::chess {

inline constexpr int kWholePhase = 24;  // all officers on the board
inline constexpr int kDangerSteps = 48;
inline constexpr int kEvaluationTempo = 18;

constexpr int pack(int middlegame, int endgame) { return middlegame * 65536 + endgame; }
constexpr int middlegame_of(int packed) { return (packed + 0x8000) >> 16; }
constexpr int endgame_of(int packed) { return static_cast<short>(packed & 0xFFFF); }

struct EvaluationWeights {
  int material[5];    // by kind
  int square[6][32];  // by kind, then row and column of half a board; left and right are the same
  int knight_mobility[9];
  int bishop_mobility[14];
  int rook_mobility[15];
  int queen_mobility[28];
  int isolated[2];  // on a file with pawns of both, or with none in front
  int doubled;
  int backward[2];
  int phalanx[8];    // beside another pawn, by row
  int supported[8];  // by a pawn, by row
  int passed[8];     // by row
  int candidate[8];
  int passed_own_king[4][8];  // rows 4 to 7, by distance to the next square
  int passed_other_king[4][8];
  int passed_free[4][3];  // the next square is guarded, safe, or the whole way is
  int passed_rook[2];     // a rook behind it: its own, another
  int bishop_pair;
  int bishop_pawns;  // own pawns on its colour
  int knight_outpost;
  int bishop_outpost;
  int minor_behind_pawn;
  int rook_open[2];       // without own pawns, without any
  int threat_by_pawn[5];  // by kind
  int threat_by_minor[5];
  int threat_by_rook[5];
  int threat_by_king;
  int hanging;
  int push_threat;
  int space;
  int shelter[4][8];  // files from the edge, row of the nearest own pawn; 0: none
  int storm[4][8];    // the same of the other side's
  int blocked_storm[8];
  int king_danger[48];  // by units of attack
};

// clang-format off
constexpr EvaluationWeights kEvaluationWeights = {
  .material = {
    pack(82, 105), pack(330, 310), pack(345, 325), pack(470, 540),
    pack(960, 1000)},
  .square = {
    {
      pack(0, 0), pack(0, 0), pack(0, 0), pack(0, 0),
      pack(-3, 0), pack(0, 0), pack(0, 0), pack(-8, 0),
      pack(-2, 0), pack(1, 0), pack(2, 0), pack(3, 0),
      pack(-1, 4), pack(4, 4), pack(6, 4), pack(14, 4),
      pack(1, 10), pack(8, 10), pack(12, 10), pack(22, 10),
      pack(3, 20), pack(13, 20), pack(20, 20), pack(27, 20),
      pack(6, 30), pack(19, 30), pack(30, 30), pack(40, 30),
      pack(0, 0), pack(0, 0), pack(0, 0), pack(0, 0)},
    {
      pack(-32, -24), pack(-23, -17), pack(-14, -10), pack(-5, -3),
      pack(-23, -17), pack(-14, -10), pack(-5, -3), pack(4, 4),
      pack(-14, -10), pack(-5, -3), pack(4, 4), pack(13, 11),
      pack(-5, -3), pack(4, 4), pack(13, 11), pack(22, 18),
      pack(3, -3), pack(12, 4), pack(21, 11), pack(30, 18),
      pack(-6, -10), pack(3, -3), pack(12, 4), pack(21, 11),
      pack(-23, -17), pack(-14, -10), pack(-5, -3), pack(4, 4),
      pack(-32, -24), pack(-23, -17), pack(-14, -10), pack(-5, -3)},
    {
      pack(-20, -8), pack(-16, -5), pack(-12, -2), pack(-8, 1),
      pack(-8, -5), pack(-4, -2), pack(0, 1), pack(4, 4),
      pack(-4, -2), pack(0, 1), pack(4, 4), pack(8, 7),
      pack(0, 1), pack(4, 4), pack(8, 7), pack(12, 10),
      pack(0, 1), pack(4, 4), pack(8, 7), pack(12, 10),
      pack(-4, -2), pack(0, 1), pack(4, 4), pack(8, 7),
      pack(-8, -5), pack(-4, -2), pack(0, 1), pack(4, 4),
      pack(-12, -8), pack(-8, -5), pack(-4, -2), pack(0, 1)},
    {
      pack(-6, -2), pack(-3, -2), pack(0, -2), pack(3, -2),
      pack(-6, -2), pack(-3, -2), pack(0, -2), pack(3, -2),
      pack(-6, -2), pack(-3, -2), pack(0, -2), pack(3, -2),
      pack(-6, -2), pack(-3, -2), pack(0, -2), pack(3, -2),
      pack(-6, -2), pack(-3, -2), pack(0, -2), pack(3, -2),
      pack(-6, 4), pack(-3, 4), pack(0, 4), pack(3, 4),
      pack(4, 4), pack(7, 4), pack(10, 4), pack(13, 4),
      pack(-6, 4), pack(-3, 4), pack(0, 4), pack(3, 4)},
    {
      pack(-6, -18), pack(-4, -12), pack(-2, -6), pack(0, 0),
      pack(-4, -12), pack(-2, -6), pack(0, 0), pack(2, 6),
      pack(-2, -6), pack(0, 0), pack(2, 6), pack(4, 12),
      pack(0, 0), pack(2, 6), pack(4, 12), pack(6, 18),
      pack(0, 0), pack(2, 6), pack(4, 12), pack(6, 18),
      pack(-2, -6), pack(0, 0), pack(2, 6), pack(4, 12),
      pack(-4, -12), pack(-2, -6), pack(0, 0), pack(2, 6),
      pack(-6, -18), pack(-4, -12), pack(-2, -6), pack(0, 0)},
    {
      pack(35, -38), pack(43, -27), pack(25, -16), pack(17, -5),
      pack(15, -27), pack(23, -16), pack(5, -5), pack(-3, 6),
      pack(-15, -16), pack(-7, -5), pack(-25, 6), pack(-33, 17),
      pack(-40, -5), pack(-32, 6), pack(-50, 17), pack(-58, 28),
      pack(-50, -5), pack(-42, 6), pack(-60, 17), pack(-68, 28),
      pack(-50, -16), pack(-42, -5), pack(-60, 6), pack(-68, 17),
      pack(-50, -27), pack(-42, -16), pack(-60, -5), pack(-68, 6),
      pack(-50, -38), pack(-42, -27), pack(-60, -16), pack(-68, -5)}},
  .knight_mobility = {
    pack(-45, -50), pack(-23, -26), pack(-14, -16), pack(-7, -8),
    pack(-1, -2), pack(4, 4), pack(9, 9), pack(13, 13),
    pack(17, 18)},
  .bishop_mobility = {
    pack(-45, -58), pack(-25, -34), pack(-17, -24), pack(-10, -16),
    pack(-5, -10), pack(0, -4), pack(4, 1), pack(8, 5),
    pack(12, 10), pack(15, 14), pack(18, 18), pack(21, 22),
    pack(24, 25), pack(27, 29)},
  .rook_mobility = {
    pack(-28, -80), pack(-16, -48), pack(-11, -35), pack(-7, -25),
    pack(-4, -16), pack(-1, -8), pack(1, -2), pack(4, 5),
    pack(6, 11), pack(8, 16), pack(10, 21), pack(12, 26),
    pack(14, 31), pack(15, 35), pack(17, 40)},
  .queen_mobility = {
    pack(-26, -70), pack(-18, -48), pack(-15, -39), pack(-12, -32),
    pack(-10, -26), pack(-8, -21), pack(-6, -16), pack(-5, -12),
    pack(-3, -8), pack(-2, -4), pack(-1, 0), pack(1, 3),
    pack(2, 6), pack(3, 9), pack(4, 12), pack(5, 15),
    pack(6, 18), pack(7, 21), pack(8, 23), pack(9, 26),
    pack(10, 28), pack(11, 31), pack(12, 33), pack(12, 36),
    pack(13, 38), pack(14, 40), pack(15, 42), pack(16, 44)},
  .isolated = {
    pack(-8, -8), pack(-14, -14)},
  .doubled = pack(-8, -20),
  .backward = {
    pack(-6, -8), pack(-14, -12)},
  .phalanx = {
    pack(0, 0), pack(3, 0), pack(6, 4), pack(9, 8),
    pack(20, 20), pack(40, 50), pack(70, 90), pack(0, 0)},
  .supported = {
    pack(0, 0), pack(0, 0), pack(12, 6), pack(10, 6),
    pack(14, 12), pack(30, 30), pack(60, 60), pack(0, 0)},
  .passed = {
    pack(0, 0), pack(0, 8), pack(0, 12), pack(4, 26),
    pack(22, 46), pack(50, 80), pack(90, 120), pack(0, 0)},
  .candidate = {
    pack(0, 0), pack(0, 0), pack(0, 0), pack(8, 12),
    pack(14, 24), pack(20, 40), pack(0, 0), pack(0, 0)},
  .passed_own_king = {
    {
      pack(0, 4), pack(0, 2), pack(0, 0), pack(0, -2),
      pack(0, -4), pack(0, -6), pack(0, -6), pack(0, -6)},
    {
      pack(0, 8), pack(0, 4), pack(0, 0), pack(0, -4),
      pack(0, -8), pack(0, -12), pack(0, -12), pack(0, -12)},
    {
      pack(0, 16), pack(0, 8), pack(0, 0), pack(0, -8),
      pack(0, -16), pack(0, -24), pack(0, -24), pack(0, -24)},
    {
      pack(0, 20), pack(0, 10), pack(0, 0), pack(0, -10),
      pack(0, -20), pack(0, -30), pack(0, -30), pack(0, -30)}},
  .passed_other_king = {
    {
      pack(0, -8), pack(0, -4), pack(0, -2), pack(0, 2),
      pack(0, 4), pack(0, 8), pack(0, 8), pack(0, 8)},
    {
      pack(0, -15), pack(0, -9), pack(0, -3), pack(0, 3),
      pack(0, 9), pack(0, 15), pack(0, 15), pack(0, 15)},
    {
      pack(0, -30), pack(0, -18), pack(0, -6), pack(0, 6),
      pack(0, 18), pack(0, 30), pack(0, 30), pack(0, 30)},
    {
      pack(0, -38), pack(0, -22), pack(0, -8), pack(0, 8),
      pack(0, 22), pack(0, 38), pack(0, 38), pack(0, 38)}},
  .passed_free = {
    {
      pack(1, 2), pack(2, 4), pack(2, 7)},
    {
      pack(2, 4), pack(4, 9), pack(6, 18)},
    {
      pack(4, 8), pack(8, 18), pack(12, 36)},
    {
      pack(6, 12), pack(12, 27), pack(18, 54)}},
  .passed_rook = {
    pack(2, 12), pack(-8, -14)},
  .bishop_pair = pack(28, 55),
  .bishop_pawns = pack(-3, -6),
  .knight_outpost = pack(26, 18),
  .bishop_outpost = pack(24, 8),
  .minor_behind_pawn = pack(6, 4),
  .rook_open = {
    pack(14, 10), pack(34, 14)},
  .threat_by_pawn = {
    pack(0, 0), pack(60, 40), pack(60, 45), pack(75, 40),
    pack(70, 45)},
  .threat_by_minor = {
    pack(0, 0), pack(25, 30), pack(25, 30), pack(50, 45),
    pack(45, 50)},
  .threat_by_rook = {
    pack(0, 0), pack(25, 30), pack(25, 30), pack(5, 20),
    pack(55, 35)},
  .threat_by_king = pack(15, 45),
  .hanging = pack(30, 20),
  .push_threat = pack(18, 16),
  .space = pack(3, 0),
  .shelter = {
    {
      pack(-19, 0), pack(16, 0), pack(13, 0), pack(2, 0),
      pack(-5, 0), pack(-8, 0), pack(-10, 0), pack(0, 0)},
    {
      pack(-29, 0), pack(24, 0), pack(19, 0), pack(2, 0),
      pack(-7, 0), pack(-12, 0), pack(-14, 0), pack(0, 0)},
    {
      pack(-24, 0), pack(20, 0), pack(16, 0), pack(2, 0),
      pack(-6, 0), pack(-10, 0), pack(-12, 0), pack(0, 0)},
    {
      pack(-17, 0), pack(14, 0), pack(11, 0), pack(1, 0),
      pack(-4, 0), pack(-7, 0), pack(-8, 0), pack(0, 0)}},
  .storm = {
    {
      pack(4, 0), pack(10, 0), pack(-24, 0), pack(-16, 0),
      pack(-5, 0), pack(0, 0), pack(0, 0), pack(0, 0)},
    {
      pack(4, 0), pack(10, 0), pack(-36, 0), pack(-24, 0),
      pack(-7, 0), pack(0, 0), pack(0, 0), pack(0, 0)},
    {
      pack(4, 0), pack(10, 0), pack(-30, 0), pack(-20, 0),
      pack(-6, 0), pack(0, 0), pack(0, 0), pack(0, 0)},
    {
      pack(4, 0), pack(10, 0), pack(-21, 0), pack(-14, 0),
      pack(-4, 0), pack(0, 0), pack(0, 0), pack(0, 0)}},
  .blocked_storm = {
    pack(0, 0), pack(0, 0), pack(-4, -4), pack(-4, -6),
    pack(0, -4), pack(0, 0), pack(0, 0), pack(0, 0)},
  .king_danger = {
    pack(0, 0), pack(0, 0), pack(-1, 0), pack(-2, 0),
    pack(-4, -1), pack(-6, -1), pack(-9, -1), pack(-12, -2),
    pack(-15, -2), pack(-19, -3), pack(-24, -3), pack(-29, -4),
    pack(-34, -5), pack(-40, -6), pack(-47, -7), pack(-54, -8),
    pack(-61, -9), pack(-69, -10), pack(-77, -11), pack(-86, -12),
    pack(-95, -13), pack(-105, -15), pack(-115, -16), pack(-126, -18),
    pack(-137, -19), pack(-149, -21), pack(-161, -23), pack(-174, -24),
    pack(-187, -26), pack(-200, -28), pack(-214, -30), pack(-229, -32),
    pack(-244, -34), pack(-259, -36), pack(-275, -39), pack(-292, -41),
    pack(-309, -43), pack(-326, -46), pack(-344, -48), pack(-362, -50),
    pack(-381, -50), pack(-400, -50), pack(-420, -50), pack(-420, -50),
    pack(-420, -50), pack(-420, -50), pack(-420, -50), pack(-420, -50)},
};
// clang-format on

}  // namespace damier::search::chess
