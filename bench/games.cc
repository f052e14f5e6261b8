// How fast the rules are.

#include "bench/suite.h"
#include <fmt/format.h>

#include "damier/games/bremen/bremen.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/fanorona/fanorona.h"
#include "damier/games/minesweeper/minesweeper.h"
#include "damier/games/perft.h"
#include "damier/games/playout.h"

namespace damier::bench {

namespace {

using namespace damier::games;

Row domineering_row(Seed seed, const Effort& effort) {
  const domineering::Domineering game;
  std::uint64_t item = 0;
  RandomStream random(seed, "bench.domineering");
  return compare(
      "domineering 8x8 random playouts", "games",
      [&] {
        constexpr std::uint64_t kGames = 20000;
        return domineering::random_playouts(game, game.initial(), kGames, seed, item++).games;
      },
      "plain playouts over the concept",
      [&] {
        constexpr std::uint64_t kGames = 2000;
        for (std::uint64_t i = 0; i < kGames; ++i) {
          random_playout(game, game.initial(), random, 64);
        }
        return kGames;
      },
      6e6, effort);
}

template <class G>
Row perft_row(const std::string& name, const G& game, const typename G::State& state, int depth,
              double goal, const Effort& effort) {
  return compare(
      name, "nodes", [&] { return perft(game, state, depth); }, "every node played",
      [&] { return perft_plain(game, state, depth); }, goal, effort);
}

Row minesweeper_row(Seed seed, const Effort& effort) {
  const minesweeper::Minesweeper game(16, 30, 99);
  std::uint64_t next_game = 0;
  const auto play = [&](const auto& choose) {
    constexpr std::uint64_t kGames = 100;
    for (std::uint64_t i = 0; i < kGames; ++i) {
      const std::uint64_t number = next_game++;
      RandomStream random(seed, "bench.minesweeper", number);
      minesweeper::State state = game.deal(Seed{number});
      while (game.outcome(state) == Outcome::ongoing) game.play(state, choose(state, random));
    }
    return kGames;
  };
  return compare(
      "minesweeper 16x30x99 random openings until the end", "games",
      [&] {
        return play([&](const auto& state, RandomStream& random) {
          return minesweeper::random_opening(game, state, random);
        });
      },
      "a choice from the list of legal moves",
      [&] {
        return play([&](const auto& state, RandomStream& random) {
          const auto moves = game.legal_moves(state);
          std::size_t openings = 0;
          while (openings < moves.size() && moves[openings].act == minesweeper::Act::open) {
            ++openings;
          }
          return moves[random.below(openings)];
        });
      },
      150e3, effort);
}

}  // namespace

Result<SuiteReport> bench_games(const SuiteRequest& request) {
  const Seed seed = request.seed;
  const Effort& effort = request.effort;
  const bremen::Bremen bremen_game;
  const auto bremen_start = bremen_game.parse_position("a1b1c1d1/a5b5c5d5 b").value();
  const fanorona::Fanorona fanorona_game;
  const std::vector<std::function<Row()>> benchmarks = {
      [&] { return domineering_row(seed, effort); },
      [&] { return perft_row("bremen perft 5", bremen_game, bremen_start, 5, 150e6, effort); },
      [&] {
        return perft_row("fanorona perft 14", fanorona_game, fanorona_game.initial(), 14, 200e6,
                         effort);
      },
      [&] { return minesweeper_row(seed, effort); },
  };
  SuiteReport report;
  for (const auto& benchmark : benchmarks) {
    report.rows.push_back(benchmark());
    request.on_row();
  }
  const domineering::Domineering game;
  const auto tally = domineering::random_playouts(game, game.initial(), 1000000, seed);
  const double vertical_wins =
      static_cast<double>(tally.first_wins) / static_cast<double>(tally.games);
  const double mean_length = static_cast<double>(tally.plies) / static_cast<double>(tally.games);
  report.facts["random_domineering"] = {
      {"games", tally.games}, {"vertical_wins", vertical_wins}, {"mean_length", mean_length}};
  report.note = fmt::format(
      "Check: of 1,000,000 random domineering games on 8x8, Vertical wins {:.2f} % (expected "
      "50.9), mean length {:.2f} plies (expected 27.9).",
      100 * vertical_wins, mean_length);
  return report;
}

}  // namespace damier::bench
