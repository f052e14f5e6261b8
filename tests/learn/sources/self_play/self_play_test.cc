// Learning by play: the choice at the root, games that do not depend on who else plays, targets,
// generations that go on to the same bits, and recipes that are wrong.

#include <cmath>
#include <numeric>
#include <set>

#include "examples/tic_tac_toe/tic_tac_toe.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/learn/game_task.h"
#include "damier/learn/train/training_run.h"

namespace damier::learn {

template <games::Game G>
const GameTask<G>& game_task();
extern template const GameTask<tic_tac_toe::TicTacToe>& game_task();

namespace {

using games::Verdict;
using namespace model;
using tic_tac_toe::TicTacToe;

Tasks self_play_tasks() { return builtin_tasks().add(game_task<TicTacToe>()); }

std::vector<RootMove> evenly_liked(std::size_t count) {
  return std::vector<RootMove>(count, {1.0f / static_cast<float>(count), 0, 0, Verdict::unknown});
}

RootOptions gumbel(int simulations, int considered) {
  RootOptions options;
  options.simulations = simulations;
  options.considered = considered;
  return options;
}

// Plays a search with known results of the moves.
std::vector<RootMove> searched(const RootSearch& search, std::vector<RootMove> moves,
                               const std::vector<float>& results) {
  for (int done = 0; search.goes_on(moves, done); ++done) {
    const auto next = search.next(moves, done);
    EXPECT_TRUE(next.has_value());
    ++moves[*next].visits;
    moves[*next].mean = results[*next];
  }
  return moves;
}

TEST(RootSearch, HalvingGivesTheBetterHalfMoreVisits) {
  RandomStream random(Seed{1}, "test");
  const std::vector<float> results = {-0.5f, 0.9f, 0.1f, -0.2f, 0.5f, -0.9f, 0.2f, 0.0f};
  const RootSearch search(gumbel(48, 8), evenly_liked(8), 0, false, random);
  const auto moves = searched(search, evenly_liked(8), results);
  // Three rounds of 16 simulations: for 8, 4 and 2 moves.
  EXPECT_EQ(moves[1].visits, 2u + 4u + 8u);
  EXPECT_EQ(moves[4].visits, 2u + 4u + 8u);
  EXPECT_EQ(moves[6].visits, 2u + 4u);
  EXPECT_EQ(moves[5].visits, 2u);
  EXPECT_EQ(search.choice(moves, 0, random), 1u);
}

TEST(RootSearch, NoiseMakesGamesDifferButOnlyWhereItExplores) {
  const std::vector<float> results(8, 0.0f);
  std::vector<std::size_t> explored, played;
  for (std::uint64_t i = 0; i < 20; ++i) {
    RandomStream random(Seed{i}, "test");
    for (const bool explores : {true, false}) {
      const RootSearch search(gumbel(16, 8), evenly_liked(8), 0, explores, random);
      const auto moves = searched(search, evenly_liked(8), results);
      (explores ? explored : played).push_back(search.choice(moves, 0, random));
    }
  }
  EXPECT_GT(std::set(explored.begin(), explored.end()).size(), 3u);
  EXPECT_EQ(std::set(played.begin(), played.end()).size(), 1u);
}

TEST(RootSearch, TheTargetIsADistributionThatPrefersWhatTheSearchFound) {
  RandomStream random(Seed{1}, "test");
  for (const RootKind kind : {RootKind::gumbel, RootKind::visits}) {
    RootOptions options = gumbel(48, 4);
    options.kind = kind;
    const RootSearch search(options, evenly_liked(4), 0, false, random);
    auto moves = evenly_liked(4);
    const float results[] = {-0.5f, 0.8f, 0.0f, 0.1f};
    const std::uint32_t visits[] = {4, 30, 6, 8};
    for (std::size_t i = 0; i < 4; ++i) moves[i].mean = results[i], moves[i].visits = visits[i];
    std::vector<float> policy(4);
    search.policy(moves, policy);
    EXPECT_NEAR(std::accumulate(policy.begin(), policy.end(), 0.0), 1, 1e-5);
    EXPECT_GT(policy[1], 0.5f);
    EXPECT_LT(policy[0], policy[3]);
  }
}

TEST(RootSearch, AProvenWinEndsTheSearchAndIsAllThatIsTaught) {
  RandomStream random(Seed{1}, "test");
  auto moves = evenly_liked(4);
  const RootSearch search(gumbel(16, 4), moves, 0, true, random);
  moves[2].proof = Verdict::win;
  moves[2].mean = 1;
  EXPECT_FALSE(search.goes_on(moves, 1));
  EXPECT_EQ(search.choice(moves, 0, random), 2u);
  EXPECT_EQ(search.value(moves), 1);
  std::vector<float> policy(4);
  search.policy(moves, policy);
  EXPECT_EQ(policy, (std::vector<float>{0, 0, 1, 0}));
}

TEST(RootSearch, AProvenLossIsNotPlayedWhileThereIsAnythingElse) {
  RandomStream random(Seed{1}, "test");
  for (const RootKind kind : {RootKind::gumbel, RootKind::visits}) {
    RootOptions options = gumbel(16, 3);
    options.kind = kind;
    auto moves = evenly_liked(3);
    moves[0].prior = 0.98f;
    const RootSearch search(options, moves, 0, true, random);
    moves[0] = {0.98f, 9, -1, Verdict::loss};
    moves[1] = {0.01f, 9, -0.2f, Verdict::unknown};
    moves[2] = {0.01f, 9, -0.3f, Verdict::unknown};
    EXPECT_NE(search.choice(moves, 0, random), 0u);
  }
}

TEST(RootSearch, DirichletNoiseIsADistributionOfItsOwnForEveryRoot) {
  RootOptions options;
  options.kind = RootKind::visits;
  RandomStream random(Seed{1}, "test");
  std::vector<float> first;
  for (int i = 0; i < 3; ++i) {
    const RootSearch search(options, evenly_liked(30), 0, true, random);
    const auto noise = search.prior_noise();
    ASSERT_EQ(noise.size(), 30u);
    EXPECT_NEAR(std::accumulate(noise.begin(), noise.end(), 0.0), 1, 1e-4);
    EXPECT_NE(first, std::vector<float>(noise.begin(), noise.end()));
    first.assign(noise.begin(), noise.end());
  }
  EXPECT_TRUE(RootSearch(options, evenly_liked(30), 0, false, random).prior_noise().empty());
}

// --- Games -----------------------------------------------------------------------------------

Recipe recipe_of(const std::string& name, const Settings& settings) {
  auto recipe = find_recipe(name, settings, self_play_tasks());
  EXPECT_TRUE(recipe.ok()) << recipe.error().text();
  return *std::move(recipe);
}

std::shared_ptr<const nn::Network<float>> fresh_network(const Recipe& recipe) {
  auto network = std::make_shared<nn::Network<float>>(recipe.network, 1, nn::Use::inference);
  nn::initialise(*network, recipe.initialisation, Seed{1});
  return network;
}

struct Played {
  DataSet rows;
  SelfPlayFigures figures;
};

Played played(const Recipe& recipe, int threads, const SelfPlayOptions& options,
              std::uint64_t first = 0, std::uint64_t count = 12) {
  ThreadPool pool(threads);
  const std::string& encoder = recipe.self_play->encoder;
  MemoryRows rows(recipe.task->self_play_columns(encoder).value());
  const auto network = predict_with<float>(fresh_network(recipe), options.games_at_once);
  const auto figures =
      recipe.task->self_play(options, {encoder, Seed{3}, 1, first, count}, *network, pool, rows);
  EXPECT_TRUE(figures.ok());
  return {rows.finish(Json::object()), *figures};
}

class SelfPlayOf : public testing::TestWithParam<const char*> {};

TEST_P(SelfPlayOf, GamesDependOnNothingButTheirNumbers) {
  const Recipe recipe = recipe_of(GetParam(), {"simulations=12", "self_play.random_plies=3"});
  SelfPlayOptions options = recipe.self_play->play;
  const Played one = played(recipe, 1, options);
  EXPECT_EQ(one.figures.games, 12u);
  EXPECT_EQ(one.rows.row_count(), one.figures.positions);
  for (const int threads : {1, 3}) {
    for (const int at_once : {1, 5, 64}) {
      for (const bool cache : {false, true}) {
        options.games_at_once = at_once;
        options.cache = cache;
        const Played other = played(recipe, threads, options);
        ASSERT_EQ(other.rows.checksum(), one.rows.checksum())
            << threads << " threads, " << at_once << " games at once, cache " << cache;
        EXPECT_EQ(other.figures.simulations, one.figures.simulations);
        EXPECT_EQ(other.figures.certain, one.figures.certain);
        EXPECT_EQ(other.figures.cached > 0, cache);
        EXPECT_EQ(other.figures.evaluations + other.figures.cached + other.figures.certain,
                  other.figures.simulations + other.figures.positions);
        EXPECT_LE(other.figures.evaluations,
                  other.figures.passes * static_cast<std::uint64_t>(at_once));
      }
    }
  }
  // And a part of them is that part.
  const Played part = played(recipe, 2, options, 4, 3);
  const auto groups = part.rows.values<std::int64_t>(part.rows.column_index("group"),
                                                     part.rows.rows(Split::training));
  const std::set<std::int64_t> numbers(groups->begin(), groups->end());
  EXPECT_EQ(numbers, (std::set<std::int64_t>{4, 5, 6}));
}

INSTANTIATE_TEST_SUITE_P(Games, SelfPlayOf,
                         testing::Values("tictactoe-self-play", "fanorona-self-play",
                                         "domineering-self-play", "domineering-6x6-self-play"),
                         [](const auto& which) {
                           std::string name = which.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(SelfPlay, RowsHoldADistributionOverLegalMovesAndAValue) {
  const Recipe recipe = recipe_of("tictactoe-self-play", {"simulations=16"});
  const Played one = played(recipe, 2, recipe.self_play->play, 0, 30);
  const RowRange all = one.rows.rows(Split::training);
  const auto column = [&](const char* name) {
    return one.rows.values<float>(one.rows.column_index(name), all).value();
  };
  const auto moves = column("moves"), legal = column("legal"), value = column("value");
  for (std::size_t row = 0; row < all.count; ++row) {
    double sum = 0;
    for (std::size_t i = row * 9; i < row * 9 + 9; ++i) {
      sum += static_cast<double>(moves[i]);
      EXPECT_TRUE(legal[i] == 1 || moves[i] == 0);
    }
    EXPECT_NEAR(sum, 1, 1e-4);
    EXPECT_LE(std::abs(value[row]), 1);
  }
  EXPECT_EQ(one.figures.first_wins + one.figures.second_wins + one.figures.draws, 30u);
}

// With the result alone as the target, the last position of a won game is worth 1 to its winner,
// and the one before -1 to the other.
TEST(SelfPlay, TheResultIsSeenFromTheSideToMove) {
  const Recipe recipe = recipe_of("tictactoe-self-play", {"simulations=1", "self_play.considered=1",
                                                          "self_play.search_value=0"});
  const Played one = played(recipe, 1, recipe.self_play->play, 0, 40);
  const RowRange all = one.rows.rows(Split::training);
  const auto value = one.rows.values<float>(one.rows.column_index("value"), all).value();
  const auto group = one.rows.values<std::int64_t>(one.rows.column_index("group"), all).value();
  int decided = 0;
  for (std::size_t row = 0; row + 1 < all.count; ++row) {
    if (group[row] != group[row + 1]) {
      EXPECT_TRUE(value[row] == 1 || value[row] == 0) << "who moves last wins, or nobody does";
      decided += value[row] == 1;
    } else {
      EXPECT_EQ(value[row], -value[row + 1]);
    }
  }
  EXPECT_GT(decided, 5);
}

TEST(SelfPlay, ResignationIsMeasuredByGamesThatGoOn) {
  const Recipe recipe = recipe_of("tictactoe-self-play", {"simulations=8"});
  SelfPlayOptions options = recipe.self_play->play;
  options.resign = 0.01;  // far too early: it must show
  options.resign_checked = 0;
  const SelfPlayFigures given_up = played(recipe, 1, options, 0, 60).figures;
  EXPECT_GT(given_up.resigned, 20u);
  EXPECT_EQ(given_up.resignations_checked, 0u);
  options.resign_checked = 1;
  const SelfPlayFigures checked = played(recipe, 1, options, 0, 60).figures;
  EXPECT_EQ(checked.resigned, 0u);
  EXPECT_GT(checked.resignations_checked, 20u);
  EXPECT_GT(checked.resignations_wrong, 5u);
}

TEST(SelfPlay, AMatchKnowsWhoIsStronger) {
  const Recipe recipe = recipe_of("tictactoe-self-play", {"simulations=64"});
  ThreadPool pool(2);
  const auto network = predict_with<float>(fresh_network(recipe), 64);
  const SelfPlayGames request = {recipe.self_play->encoder, Seed{3}, 0, 0, 60};
  const auto match = [&](const Opponent& opponent) {
    return recipe.task->self_play_match(recipe.self_play->play, request, *network, opponent, pool)
        .value();
  };
  EXPECT_GT(match({nullptr, "random"}).score(), 0.7);
  EXPECT_LE(match({nullptr, "exact"}).wins, 12u) << "only where the opening gave it away";
  const MatchCounts itself = match({network.get(), ""});
  EXPECT_EQ(itself.games(), 60u);
  ASSERT_EQ(itself.played.size(), 60u);
  EXPECT_TRUE(itself.played[0].network_first);
  EXPECT_FALSE(itself.played[1].network_first);
  EXPECT_EQ(itself.played[0].moves, itself.played[1].moves);
  EXPECT_EQ(itself.wins, itself.losses) << "both games of a pair are the same, sides swapped";
}

// --- Generations -----------------------------------------------------------------------------

const Settings kSmall = {"generations=4", "games=24",           "simulations=8",
                         "batch=32",      "evaluation.games=8", "self_play.window=2"};

std::string trained(const Recipe& recipe, int threads, const std::filesystem::path& folder = {},
                    int stop_after = 0) {
  ThreadPool pool(threads);
  TrainingOptions options;
  options.folder = folder;
  int generation = 0;
  if (stop_after > 0) {
    options.on_epoch = [&](const EpochMetrics&) -> Status {
      if (++generation == stop_after) return Error{"stopped", {}, ErrorKind::failure};
      return Done{};
    };
  }
  const auto result = train(recipe, Seed{7}, pool, {}, options);
  if (!result) return result.error().message;
  return nn::serialize_safetensors(result->model).value();
}

TEST(Generations, EndWithTheSameBitsOnAnyNumberOfThreadsAndAfterAnyStop) {
  const Recipe recipe = recipe_of("tictactoe-self-play", kSmall);
  const std::string whole = trained(recipe, 1);
  ASSERT_GT(whole.size(), 1000u);
  EXPECT_EQ(trained(recipe, 3), whole);
  for (const int stop : {1, 2, 3, 4}) {
    const TemporaryFolder folder;
    // Before its checkpoint: the generation's games are there, its lessons are not.
    ASSERT_EQ(trained(recipe, 2, folder.path(), stop), "stopped");
    EXPECT_EQ(trained(recipe, 1, folder.path()), whole) << "stopped in generation " << stop;
  }
}

TEST(Generations, LearnFromWhatTheMemoryHasRoomForAndNoMore) {
  Settings settings = kSmall;
  settings.push_back("games=3000");
  settings.push_back("generations=1");
  settings.push_back("memory=1");
  EXPECT_NE(trained(recipe_of("tictactoe-self-play", settings), 2).find("1048576 at most"),
            std::string::npos);
  // One generation of these fits, two do not: a window of two is one of the newest alone.
  settings = kSmall;
  for (const char* more : {"games=1500", "generations=2", "memory=1"}) settings.push_back(more);
  const std::string bounded = trained(recipe_of("tictactoe-self-play", settings), 2);
  ASSERT_GT(bounded.size(), 1000u);
  settings.back() = "memory=64";
  EXPECT_TRUE(trained(recipe_of("tictactoe-self-play", settings), 2) != bounded);
}

TEST(Generations, AGateLetsOnlyBetterNetworksPlay) {
  Settings settings = kSmall;
  settings.push_back("self_play.gate=1");
  settings.push_back("self_play.gate_games=8");
  const Recipe recipe = recipe_of("tictactoe-self-play", settings);
  ThreadPool pool(2);
  TrainingOptions options;
  int passed = 0;
  options.on_epoch = [&](const EpochMetrics& metrics) -> Status {
    passed += metrics.best;
    return Done{};
  };
  ASSERT_TRUE(train(recipe, Seed{7}, pool, {}, options).ok());
  EXPECT_EQ(passed, 1) << "nobody wins all games of tic-tac-toe; the first one needs not";
}

TEST(Generations, WrongRecipesGetOneLine) {
  const auto error = [](const std::string& name, const Settings& settings) {
    auto recipe = find_recipe(name, settings, self_play_tasks());
    return recipe ? "none" : recipe.error().text();
  };
  const std::string own = "tictactoe-self-play";
  EXPECT_EQ(error(own, {"batch=0"}),
            "tictactoe-self-play: batch: is 0; expected a whole number from 1 to 65536");
  EXPECT_EQ(
      error(own, {"network.heads.value=[{\"type\":\"dense\",\"units\":2}]"}),
      "tictactoe-self-play: network.heads: has no head 'value' of 1 output; expected one, for "
      "the search");
  EXPECT_NE(error(own, {"task=checkers"}).find("checkers"), std::string::npos);
  EXPECT_NE(error(own, {"task=minesweeper"}).find("no self-play"), std::string::npos);
  EXPECT_NE(error(own, {"evaluation.opponents=[\"deep\"]"}).find("deep"), std::string::npos);
  EXPECT_NE(error(own, {"self_play.root=best"}).find("gumbel"), std::string::npos);
  EXPECT_NE(error(own, {"epochs=3"}).find("epochs"), std::string::npos);
  EXPECT_NE(error("domineering-self-play", {"rules.board=99x99"}).find("99"), std::string::npos);
}

}  // namespace

}  // namespace damier::learn
