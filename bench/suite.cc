#include "bench/suite.h"

namespace damier::bench {

std::span<const Suite> suites() {
  static constexpr std::string_view kSelfPlayGames[] = {"domineering", "bremen", "fanorona"};
  static constexpr Suite kSuites[] = {
      {"games", "how fast the rules are", "", 4, bench_games},
      {"search", "search and exact solvers", "", 5, bench_search},
      {"chess-rules", "the rules of chess and its files", "stockfish", 6, bench_chess_rules},
      {"chess", "the chess engine", "stockfish", 2, bench_chess_engine},
      {"nn", "the network engine", "pytorch", 9, bench_nn},
      {"self-play", "networks that play against themselves", "", 2, bench_self_play,
       kSelfPlayGames},
      {"scaling", "self-play on many machines", "", 8, bench_scaling},
  };
  return kSuites;
}

}  // namespace damier::bench
