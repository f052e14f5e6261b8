// The weights of the hand-written evaluation: hundredths of a pawn, one for the middlegame and one
// for the endgame, packed into one number so that both are added up at once. They were fitted to
// positions and results of the engine's own games (docs/chess.md).
#pragma once

namespace damier::search::chess {

inline constexpr int kWholePhase = 24;  // all pieces but pawns on the board
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
constexpr EvaluationWeights kWeights = {
  .material = {
    pack(84, 121), pack(320, 358), pack(337, 369), pack(475, 602),
    pack(1026, 1084)},
  .square = {
    {
      pack(0, 0), pack(0, 0), pack(0, 0), pack(0, 0),
      pack(-3, 15), pack(0, 22), pack(-9, -4), pack(-13, 8),
      pack(3, 8), pack(-2, 0), pack(1, -22), pack(-2, -12),
      pack(6, 20), pack(0, 16), pack(2, -7), pack(10, -6),
      pack(10, 9), pack(19, 20), pack(27, -14), pack(22, 3),
      pack(-8, 29), pack(20, 37), pack(30, -6), pack(13, 31),
      pack(-3, 66), pack(16, 40), pack(62, 45), pack(34, -18),
      pack(0, 0), pack(0, 0), pack(0, 0), pack(0, 0)},
    {
      pack(-33, -33), pack(-18, 1), pack(-20, -1), pack(3, -14),
      pack(-23, -13), pack(9, -3), pack(-12, -18), pack(1, 8),
      pack(-11, 11), pack(20, -5), pack(3, -10), pack(-8, 21),
      pack(14, 2), pack(-14, 9), pack(6, 21), pack(16, 15),
      pack(3, -16), pack(1, 7), pack(19, 32), pack(16, 20),
      pack(-19, -13), pack(31, -5), pack(9, -4), pack(0, 26),
      pack(-25, -5), pack(-15, -7), pack(6, 3), pack(22, 19),
      pack(-43, -38), pack(-25, -26), pack(-22, -15), pack(-5, 8)},
    {
      pack(-31, 11), pack(-14, 2), pack(-17, 3), pack(2, -1),
      pack(-5, 14), pack(2, -1), pack(-17, -1), pack(3, -4),
      pack(7, 17), pack(16, 3), pack(15, -13), pack(-4, 20),
      pack(26, -12), pack(-11, 18), pack(11, 17), pack(8, 5),
      pack(-19, 4), pack(19, 8), pack(-11, 8), pack(5, 20),
      pack(-13, -7), pack(22, -1), pack(24, -4), pack(8, 21),
      pack(-9, -9), pack(-16, -3), pack(-26, 5), pack(-1, 2),
      pack(-6, -9), pack(-10, -15), pack(2, 6), pack(-8, 7)},
    {
      pack(-1, -13), pack(-5, -9), pack(-2, -3), pack(-2, -18),
      pack(-15, -4), pack(12, -9), pack(-8, -5), pack(6, -6),
      pack(-8, -8), pack(5, -21), pack(-10, 0), pack(-14, 0),
      pack(12, -7), pack(-25, -10), pack(3, 1), pack(-3, -4),
      pack(-25, 13), pack(-30, 9), pack(4, 25), pack(2, 8),
      pack(23, 7), pack(23, 17), pack(2, 24), pack(19, 4),
      pack(-8, 13), pack(-5, 38), pack(21, 6), pack(31, 3),
      pack(-4, 17), pack(3, 24), pack(3, 14), pack(-5, -9)},
    {
      pack(-12, -20), pack(-24, -29), pack(6, -8), pack(1, -23),
      pack(13, -29), pack(-5, -1), pack(2, -9), pack(3, 6),
      pack(-3, -14), pack(4, 15), pack(-2, 18), pack(-12, 22),
      pack(6, 2), pack(20, 1), pack(1, 27), pack(2, 2),
      pack(13, -7), pack(6, 22), pack(16, 35), pack(3, 31),
      pack(6, 4), pack(16, 1), pack(12, 16), pack(17, 26),
      pack(11, -7), pack(-8, 6), pack(-1, 8), pack(-9, 2),
      pack(-23, -14), pack(8, 5), pack(8, 2), pack(3, 7)},
    {
      pack(24, -35), pack(42, -46), pack(13, -30), pack(10, -31),
      pack(14, -24), pack(40, -32), pack(-6, -4), pack(-8, -2),
      pack(-5, -26), pack(-1, -13), pack(-15, 11), pack(-39, 16),
      pack(-46, -7), pack(-25, 12), pack(-61, 19), pack(-65, 35),
      pack(-54, -18), pack(-52, 5), pack(-53, 35), pack(-68, 33),
      pack(-52, -3), pack(-42, 7), pack(-49, 40), pack(-64, 16),
      pack(-40, -11), pack(-39, 1), pack(-48, -10), pack(-65, 3),
      pack(-50, -40), pack(-41, -20), pack(-58, -17), pack(-68, -8)}},
  .knight_mobility = {
    pack(-34, -55), pack(-20, -29), pack(-17, -2), pack(-10, 11),
    pack(-4, 21), pack(5, 15), pack(5, 16), pack(15, 14),
    pack(7, 12)},
  .bishop_mobility = {
    pack(-27, -79), pack(-21, -29), pack(-16, -15), pack(-8, 1),
    pack(0, 5), pack(3, 18), pack(4, 16), pack(3, 24),
    pack(2, 20), pack(-8, 27), pack(19, 16), pack(8, 7),
    pack(32, 20), pack(0, 7)},
  .rook_mobility = {
    pack(-33, -94), pack(-14, -54), pack(-2, 3), pack(-4, -5),
    pack(-3, -4), pack(-6, -5), pack(-6, 11), pack(2, 15),
    pack(8, 13), pack(13, 17), pack(14, 20), pack(22, 22),
    pack(14, 23), pack(15, 37), pack(-8, 44)},
  .queen_mobility = {
    pack(-26, -70), pack(-12, -49), pack(-13, -36), pack(-2, -49),
    pack(-3, -50), pack(-3, -24), pack(-3, -42), pack(-6, -18),
    pack(-1, -2), pack(-2, 14), pack(2, -2), pack(-2, 7),
    pack(-1, 20), pack(5, 18), pack(3, 20), pack(-3, 28),
    pack(10, 37), pack(21, 37), pack(3, 52), pack(5, 43),
    pack(20, 39), pack(23, 38), pack(18, 38), pack(9, 31),
    pack(13, 39), pack(12, 36), pack(14, 42), pack(16, 44)},
  .isolated = {
    pack(-6, -6), pack(-18, -14)},
  .doubled = pack(-5, -38),
  .backward = {
    pack(10, -18), pack(-9, -3)},
  .phalanx = {
    pack(0, 0), pack(6, -2), pack(6, -1), pack(10, 12),
    pack(-4, 55), pack(47, 71), pack(70, 92), pack(0, 0)},
  .supported = {
    pack(0, 0), pack(0, 0), pack(19, 6), pack(15, -1),
    pack(8, 24), pack(0, 56), pack(59, 55), pack(0, 0)},
  .passed = {
    pack(0, 0), pack(5, 13), pack(-18, 31), pack(1, 18),
    pack(18, 58), pack(36, 120), pack(103, 133), pack(0, 0)},
  .candidate = {
    pack(0, 0), pack(0, 0), pack(0, 0), pack(2, -1),
    pack(2, 21), pack(19, 38), pack(0, 0), pack(0, 0)},
  .passed_own_king = {
    {
      pack(8, 35), pack(13, 32), pack(1, 6), pack(9, -11),
      pack(-4, -14), pack(19, -9), pack(-9, -18), pack(-40, -49)},
    {
      pack(9, 43), pack(3, 39), pack(5, 10), pack(0, -7),
      pack(-20, -22), pack(6, -30), pack(1, -23), pack(-11, -29)},
    {
      pack(11, 37), pack(9, 40), pack(5, 27), pack(-4, -6),
      pack(-14, -29), pack(2, -36), pack(-1, -32), pack(-26, -17)},
    {
      pack(4, 35), pack(5, -5), pack(11, 32), pack(2, 2),
      pack(6, -18), pack(-3, -39), pack(-9, -42), pack(-2, -39)}},
  .passed_other_king = {
    {
      pack(-5, -14), pack(8, -13), pack(3, 5), pack(6, -1),
      pack(-21, 3), pack(2, 3), pack(14, 12), pack(-10, 12)},
    {
      pack(2, -27), pack(27, -26), pack(-4, -17), pack(-14, 7),
      pack(16, 21), pack(-12, 31), pack(-19, 32), pack(-1, 28)},
    {
      pack(-20, -49), pack(-11, -26), pack(-6, -34), pack(14, 12),
      pack(16, 50), pack(14, 61), pack(-17, 56), pack(-9, 42)},
    {
      pack(-15, -71), pack(-9, -45), pack(-2, -35), pack(-7, 21),
      pack(18, 33), pack(18, 68), pack(5, 64), pack(7, 56)}},
  .passed_free = {
    {
      pack(13, 15), pack(1, 14), pack(-1, 33)},
    {
      pack(-8, 28), pack(-2, 39), pack(-4, 50)},
    {
      pack(16, 37), pack(5, 43), pack(19, 67)},
    {
      pack(27, 20), pack(12, 27), pack(41, 105)}},
  .passed_rook = {
    pack(14, 6), pack(-25, -54)},
  .bishop_pair = pack(47, 85),
  .bishop_pawns = pack(-8, -2),
  .knight_outpost = pack(13, 7),
  .bishop_outpost = pack(16, -13),
  .minor_behind_pawn = pack(10, 1),
  .rook_open = {
    pack(24, 17), pack(36, 9)},
  .threat_by_pawn = {
    pack(0, 0), pack(61, 33), pack(52, 46), pack(79, 32),
    pack(47, 41)},
  .threat_by_minor = {
    pack(0, 0), pack(21, 6), pack(33, 17), pack(47, 29),
    pack(37, 54)},
  .threat_by_rook = {
    pack(0, 0), pack(12, 36), pack(31, 11), pack(-17, 6),
    pack(56, 23)},
  .threat_by_king = pack(32, 16),
  .hanging = pack(19, 36),
  .push_threat = pack(17, 6),
  .space = pack(2, -15),
  .shelter = {
    {
      pack(-22, 8), pack(24, -11), pack(14, -4), pack(7, -6),
      pack(-12, 8), pack(-2, -14), pack(-3, 13), pack(0, 0)},
    {
      pack(-16, 6), pack(25, -10), pack(34, -9), pack(-2, 16),
      pack(-14, -5), pack(-35, 3), pack(-6, 35), pack(0, 0)},
    {
      pack(-28, -6), pack(18, -2), pack(7, -4), pack(-7, -2),
      pack(16, 1), pack(5, 15), pack(-9, 4), pack(0, 0)},
    {
      pack(-24, -2), pack(15, -13), pack(1, 2), pack(-5, -9),
      pack(4, 6), pack(-6, 5), pack(-5, -11), pack(0, 0)}},
  .storm = {
    {
      pack(-7, -18), pack(28, 44), pack(-40, 11), pack(-22, 6),
      pack(-2, 0), pack(-7, -2), pack(-12, -8), pack(0, 0)},
    {
      pack(-7, -8), pack(12, 2), pack(-42, 21), pack(-10, -2),
      pack(-7, 13), pack(-5, -7), pack(-18, -4), pack(0, 0)},
    {
      pack(1, -2), pack(10, -8), pack(-7, 18), pack(9, 14),
      pack(-13, -5), pack(4, 3), pack(-1, 7), pack(0, 0)},
    {
      pack(-8, 3), pack(13, 17), pack(8, -8), pack(-1, 10),
      pack(-8, -19), pack(2, -10), pack(3, 21), pack(0, 0)}},
  .blocked_storm = {
    pack(0, 0), pack(0, 0), pack(-10, -7), pack(1, -5),
    pack(-4, -17), pack(7, -23), pack(24, -32), pack(0, 0)},
  .king_danger = {
    pack(6, -7), pack(-2, 6), pack(-6, 5), pack(-7, 2),
    pack(-9, 5), pack(-11, -3), pack(-22, 3), pack(-21, 5),
    pack(-32, 16), pack(-24, 2), pack(-24, 0), pack(-36, -5),
    pack(-30, -13), pack(-30, -12), pack(-24, -17), pack(-54, -17),
    pack(-43, -20), pack(-60, -20), pack(-74, -22), pack(-65, -28),
    pack(-96, -16), pack(-79, -19), pack(-97, -19), pack(-115, -18),
    pack(-122, -14), pack(-130, -23), pack(-160, -22), pack(-164, -28),
    pack(-182, -22), pack(-196, -26), pack(-199, -30), pack(-222, -31),
    pack(-243, -31), pack(-255, -36), pack(-268, -33), pack(-284, -40),
    pack(-303, -40), pack(-323, -44), pack(-343, -48), pack(-359, -49),
    pack(-379, -48), pack(-399, -50), pack(-420, -50), pack(-423, -51),
    pack(-421, -50), pack(-421, -50), pack(-420, -50), pack(-422, -51)},
};
// clang-format on

}  // namespace damier::search::chess
