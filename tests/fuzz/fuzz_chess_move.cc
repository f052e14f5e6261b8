// Moves of chess as people and programs write them (SAN, UCI), in positions that have everything:
// whatever is accepted is legal and reads back in both forms.

#include <array>
#include <vector>

#include "tests/fuzz/target.h"

#include "damier/games/chess/san.h"

using namespace damier;
using namespace damier::games::chess;

namespace {

// Castling, promotion, en passant, pins, checks, many pieces of a kind.
constexpr std::array<std::string_view, 4> kPositions = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "k7/8/8/2Q1Q3/8/2Q1Q3/8/4K3 w - - 0 1"};

}  // namespace

DAMIER_FUZZ_TARGET(chess_move, text) {
  static const Chess game;
  static const std::vector<State> states = [] {
    std::vector<State> all;
    for (const std::string_view fen : kPositions) all.push_back(game.parse_position(fen).value());
    return all;
  }();
  for (const State& state : states) {
    const auto move = game.parse_move(state, text);
    if (!move) {
      fuzz::require_one_line(move.error().text());
      continue;
    }
    const std::string san = game.move_text(state, *move), uci = uci_text(*move, false);
    fuzz::require(find_san(game.generator(), state, san) == *move, "SAN reads back");
    fuzz::require(find_uci(game.generator(), state, uci) == *move, "UCI reads back");
  }
}
