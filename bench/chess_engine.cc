// How fast the chess engine searches, alone or beside Stockfish.

#include <memory>
#include <optional>

#include "bench/peer.h"
#include "bench/suite.h"
#include <fmt/format.h>

#include "damier/games/chess/fen.h"
#include "damier/search/chess/signature.h"

namespace damier::bench {

namespace {

namespace engine = search::chess;

// The positions that rates are taken from: middlegames, where a search spends most of its life.
constexpr std::size_t kRatedPositions[] = {8, 11, 14};

// This many nodes in each of these positions.
std::uint64_t nodes_a_position(const Effort& effort) {
  return static_cast<std::uint64_t>(1e6 * effort.seconds);
}

Work engine_work(int threads, const Effort& effort) {
  engine::EngineOptions options;
  options.threads = threads;
  return [searching = std::make_shared<engine::Engine>(options), effort] {
    const games::chess::Chess game;
    std::uint64_t nodes = 0;
    for (const std::size_t i : kRatedPositions) {
      const auto state =
          games::chess::parse_fen(engine::signature_positions()[i], game.generator());
      searching->new_game();
      engine::SearchLimits limits;
      limits.nodes = nodes_a_position(effort);
      nodes += searching->search(engine::History(game, state.value()), limits).nodes;
    }
    return nodes;
  };
}

Work stockfish_work(Peer& stockfish, const Effort& effort) {
  return [&stockfish, effort] {
    const std::uint64_t nodes = nodes_a_position(effort);
    for (const std::size_t i : kRatedPositions) {
      stockfish.ask(
          fmt::format("ucinewgame\nposition fen {}\nisready", engine::signature_positions()[i]),
          "readyok");
      stockfish.ask(fmt::format("go nodes {}", nodes), "bestmove");
    }
    return std::size(kRatedPositions) * nodes;
  };
}

}  // namespace

Result<SuiteReport> bench_chess_engine(const SuiteRequest& request) {
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
  constexpr const char* kName = "chess engine, hand-written evaluation, middlegames";
  constexpr double kGoal = 1.5e6;
  const Work alone = engine_work(1, effort);
  add(peer ? compare(kName, "nodes", alone, peer->name(), stockfish_work(*peer, effort), kGoal,
                     effort)
           : measure_alone(kName, "nodes", alone, kGoal, effort));
  Row both = compare("chess engine, two threads", "nodes", engine_work(2, effort), "one thread",
                     alone, 0, effort);
  both.goal_ratio = 1.7;
  add(std::move(both));
  const engine::Signature signature = engine::search_signature();
  report.facts["nodes"] = signature.nodes;
  report.facts["depth"] = engine::kSignatureDepth;
  report.note = fmt::format("{} positions to depth {}:\n{} nodes {} nps",
                            engine::signature_positions().size(), engine::kSignatureDepth,
                            signature.nodes, signature.nodes_per_second());
  return report;
}

}  // namespace damier::bench
