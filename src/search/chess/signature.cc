#include "damier/search/chess/signature.h"

#include "damier/base/files/interrupt.h"
#include "damier/games/chess/fen.h"

namespace damier::search::chess {

std::span<const std::string_view> signature_positions() {
  static constexpr std::string_view kPositions[] = {
      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
      // Openings after a few moves.
      "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4",
      "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
      "rnbqk2r/ppp1bppp/4pn2/3p2B1/2PP4/2N5/PP2PPPP/R2QKBNR w KQkq - 4 5",
      "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
      "rnbqkbnr/pp2pppp/2p5/3pP3/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3",
      "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R b KQkq - 0 5",
      // Middlegames.
      "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
      "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
      "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 4 9",
      "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
      "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/2KR3R w - - 0 13",
      "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/5N1P/PPBN1PP1/R1BQR1K1 w - - 0 14",
      "3r1rk1/p1q2ppp/1pn1p3/3pP3/3P4/P1PQ1N2/5PPP/1R3RK1 w - - 2 20",
      "r3r1k1/pp3pbp/1qp1n1p1/2p5/2P1P3/1P2B1PP/P1Q1NPK1/R3R3 b - - 3 19",
      "2kr3r/ppp1qppp/2n1b3/4P3/1bB5/2N2N2/PPP1QPPP/R3K2R w KQ - 5 12",
      // Both kings in the open.
      "r1b1kb1r/2pp1ppp/1np1q3/p3P3/2P5/1P6/PB1NQPPP/R3KB1R b KQkq - 0 1",
      "6k1/1R3p2/6p1/2Bp3p/3P2q1/P7/1P2rQ1K/5R2 b - - 4 44",
      "4rrk1/1p1nq3/p7/2p1P1pp/3P2bp/3Q1Bn1/PPPB4/1K2R1NR w - - 40 21",
      // Endings.
      "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
      "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
      "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
      "5k2/8/3PK3/8/8/8/3r4/7R w - - 0 1",
      "8/5p2/3k2p1/3b3p/3P3P/1K3BP1/5P2/8 w - - 0 40",
      "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1",
      "3r2k1/5pp1/1p5p/p1p5/2P1R3/1P3P2/P5PP/6K1 w - - 0 30",
      "8/8/4k3/8/2b5/3N4/4K3/8 w - - 90 80",
      "8/8/8/5N2/8/p7/8/2NK3k w - - 0 1",
      // Mates, and a stalemate that saves.
      "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
      "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
      "k7/8/1Q6/8/8/7p/8/K7 w - - 0 1",
      // Chess960: the rooks are not where they usually are.
      "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
  };
  return kPositions;
}

Signature search_signature(int depth, const std::shared_ptr<const EvaluationNetwork>& network) {
  EngineOptions options;
  options.network = network;
  Engine engine(options);
  const Chess game;
  SearchLimits limits;
  limits.depth = depth;
  Signature signature;
  for (const std::string_view fen : signature_positions()) {
    if (interrupted()) break;
    engine.new_game();
    const auto state = games::chess::parse_fen(fen, game.generator());
    const SearchReport report = engine.search(History(game, state.value()), limits);
    signature.nodes += report.nodes;
    signature.seconds += report.seconds;
  }
  return signature;
}

}  // namespace damier::search::chess
