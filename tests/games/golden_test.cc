// Golden playthroughs: every value along a seeded game, so that a change of the rules, the
// notation, the indices or the features shows as a diff. To accept a change on purpose:
//   DAMIER_UPDATE_GOLDEN=1 ./test -R Golden

#include <cstdlib>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/games/builtin.h"
#include "damier/games/history.h"
#include "damier/testing/kit.h"

namespace damier::games {
namespace {

std::string name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ongoing:
      return "ongoing";
    case Outcome::first_wins:
      return "first wins";
    case Outcome::second_wins:
      return "second wins";
    case Outcome::draw:
      return "draw";
  }
  return "?";
}

template <class G>
std::string position_lines(const G& game, const typename G::State& state) {
  std::string out;
  if constexpr (HiddenGame<G>) {
    out += "observation:\n" + game.observation_text(game.observe(state));
  } else {
    out += fmt::format("position: {}\n", game.position_text(state));
  }
  out += fmt::format("to move: {}\nhash: {:016x}\nsymmetries: {}\nlegal:",
                     G::facts().sides[static_cast<std::size_t>(index(game.side_to_move(state)))],
                     game.hash(state), game.symmetries(state).size());
  for (const auto move : game.legal_moves(state)) {
    out += fmt::format(" {}={}", game.move_text(state, move), index(game.action(state, move)));
  }
  std::vector<float> features(static_cast<std::size_t>(game.feature_shape().size()));
  game.write_features(state, features);
  out += "\nfeatures set:";
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (features[i] != 0)
      out += fmt::format(
          " {}", features[i] == 1 ? fmt::format("{}", i) : fmt::format("{}:{}", i, features[i]));
  }
  return out + "\n";
}

template <class G>
std::string playthrough(const G& game) {
  std::string out = fmt::format("{} {}\nactions: {}\nfeature shape: {} {} {}\n", G::facts().name,
                                options_text(game.option_values()), game.action_count(),
                                game.feature_shape().planes, game.feature_shape().rows,
                                game.feature_shape().cols);
  History<G> history(game, kit::start_of(game, Seed{2024}));
  RandomStream random(Seed{2024}, "golden");
  constexpr int kMaxPlies = 40;
  for (int ply = 0; ply <= kMaxPlies; ++ply) {
    out += fmt::format("\n# ply {}\n{}", ply, position_lines(game, history.state()));
    if (history.outcome() != Outcome::ongoing) {
      out +=
          fmt::format("outcome: {} ({})\n", name_of(history.outcome()), history.ending().english());
      for (const Figure& figure : game.figures(history.state())) {
        out += fmt::format("{}: {}\n", figure.name, figure.value);
      }
      break;
    }
    const auto moves = game.legal_moves(history.state());
    const auto move = moves[random.below(moves.size())];
    out += fmt::format("plays: {}\n", game.move_text(history.state(), move));
    history.play(move);
  }
  return out;
}

template <class G>
void check_golden(const std::string& file, const G& game) {
  const std::filesystem::path path =
      std::filesystem::path(DAMIER_SOURCE_DIR) / "tests" / "games" / "golden" / (file + ".txt");
  const std::string now = playthrough(game);
  if (std::getenv("DAMIER_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(write_file_atomically(path, now));
    return;
  }
  const auto expected = read_file(path, 1 << 20);
  ASSERT_TRUE(expected) << expected.error().text();
  EXPECT_EQ(now, *expected) << "see the head of golden_test.cc";
}

TEST(Golden, EveryGameThatShips) {
  for_each_game(BuiltinGames(), []<class G>() {
    // A small board shows as much as a large one.
    if constexpr (std::same_as<G, minesweeper::Minesweeper>) {
      check_golden("minesweeper", G(6, 7, 5));
    } else {
      check_golden(std::string(G::facts().name), G());
    }
  });
}
TEST(Golden, BremenOtherRules) {
  check_golden("bremen_other_rules",
               bremen::Bremen({.rooster_wins = true, .only_carried_bind = true, .max_plies = 12}));
}
TEST(Golden, DomineeringSmall) { check_golden("domineering_3x5", domineering::Domineering(3, 5)); }

}  // namespace
}  // namespace damier::games
