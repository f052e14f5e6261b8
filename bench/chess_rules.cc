// How fast the rules of chess are, alone or beside Stockfish.

#include <chrono>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "bench/peer.h"
#include "bench/suite.h"
#include <fmt/format.h>

#include "damier/games/chess/chess.h"
#include "damier/games/chess/encoders.h"
#include "damier/games/chess/pgn.h"
#include "damier/games/perft.h"
#include "damier/games/playout.h"

namespace damier::bench {

namespace {

using namespace damier::games::chess;
using games::perft;

constexpr const char* kKiwipete =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

// The whole count once, whatever the time of a repetition.
Measure perft_rate(const Chess& game, const State& state, int depth) {
  return rate_of_work([game, state, depth] { return perft(game, state, depth); }, {1, 0});
}

Measure stockfish_rate(Peer& stockfish, const std::string& fen, int depth) {
  return [&stockfish, fen, depth] {
    stockfish.ask(fmt::format("position fen {}\nisready", fen), "readyok");
    const auto begin = std::chrono::steady_clock::now();
    const std::string nodes = stockfish.ask(fmt::format("go perft {}", depth), "Nodes searched: ");
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return static_cast<double>(std::strtoull(nodes.c_str(), nullptr, 10)) / seconds;
  };
}

Row perft_row(const std::string& name, const std::string& fen, int depth, Peer* stockfish,
              const Effort& effort) {
  const Chess game;
  const State state = game.parse_position(fen).value();
  const Measure plain = rate_of_work(
      [game, state, depth] { return games::perft_plain(game, state, depth - 1); }, effort);
  Row row =
      compare_rates(name, "nodes", perft_rate(game, state, depth),
                    stockfish != nullptr ? stockfish->name() : "every node played, one ply less",
                    stockfish != nullptr ? stockfish_rate(*stockfish, fen, depth) : plain,
                    {stockfish != nullptr ? effort.repetitions : 3, effort.seconds});
  if (stockfish != nullptr) row.goal_ratio = 1;
  return row;
}

PgnGame random_game(const Chess& game, RandomStream& random) {
  PgnGame pgn;
  pgn.start = game.initial();
  State state = pgn.start;
  for (auto moves = game.legal_moves(state); !moves.empty(); moves = game.legal_moves(state)) {
    PgnPly ply;
    ply.move = moves[random.below(moves.size())];
    game.play(state, ply.move);
    pgn.line.push_back(std::move(ply));
  }
  return pgn;
}

}  // namespace

// Perft is measured beside Debian's stockfish or beside the plain count of every node.
Result<SuiteReport> bench_chess_rules(const SuiteRequest& request) {
  const Effort& effort = request.effort;
  std::optional<Peer> peer;
  if (request.beside_peer) {
    auto started = start_stockfish();
    if (!started) return std::move(started).error();
    peer = *std::move(started);
  }
  SuiteReport report;
  const auto add = [&](Row row) {
    report.rows.push_back(std::move(row));
    request.on_row();
  };
  const Chess game;
  add(perft_row("chess perft 6 from the start", game.position_text(game.initial()), 6,
                peer ? &*peer : nullptr, effort));
  add(perft_row("chess perft 5, Kiwipete", kKiwipete, 5, peer ? &*peer : nullptr, effort));
  RandomStream random(request.seed, "bench.chess");
  add(measure_alone(
      "chess, random games to the end", "games",
      [&] {
        constexpr std::uint64_t kGames = 100;
        for (std::uint64_t i = 0; i < kGames; ++i) {
          games::random_playout(game, game.initial(), random, 10'000);
        }
        return kGames;
      },
      20e3, effort));
  std::string pgn;
  std::ostringstream table;
  PositionCsvWriter writer(table);
  std::vector<State> positions;
  for (int i = 0; i < 200; ++i) {
    const PgnGame one = random_game(game, random);
    pgn += pgn_text(one) + "\n";
    State state = one.start;
    for (const PgnPly& ply : one.line) {
      positions.push_back(state);
      writer.write(state, 0.5);
      game.play(state, ply.move);
    }
  }
  add(measure_alone(
      "chess, PGN read", "bytes",
      [&] {
        std::istringstream in(pgn);
        const auto totals = read_pgn(
            in, "bench", {}, [](PgnGame&) {}, [](const Error&) {});
        return totals.broken == 0 ? static_cast<std::uint64_t>(pgn.size()) : 0;
      },
      20e6, effort));
  add(measure_alone(
      "chess, positions read from CSV", "positions",
      [&] {
        std::istringstream in(table.str());
        PositionCsvReader reader(in, "bench");
        PositionRow row;
        std::uint64_t count = 0;
        for (auto more = reader.next(row); more && *more; more = reader.next(row)) ++count;
        return count;
      },
      200e3, effort));
  add(measure_alone(
      "chess, positions written as CSV", "positions",
      [&] {
        std::ostringstream out;
        PositionCsvWriter again(out);
        for (const State& state : positions) again.write(state, 0.5);
        return static_cast<std::uint64_t>(positions.size());
      },
      200e3, effort));
  return report;
}

}  // namespace damier::bench
