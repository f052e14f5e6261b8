// Learning by reward: games as a learner sees them, runs that end with the same bits, networks that
// have learnt tic-tac-toe, and recipes that are wrong.

#include "examples/tic_tac_toe/tic_tac_toe.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/learn/game_task.h"
#include "damier/learn/sources/rewards/experience.h"
#include "damier/learn/train/training_run.h"

namespace damier::learn {

template <games::Game G>
const GameTask<G>& game_task();
extern template const GameTask<tic_tac_toe::TicTacToe>& game_task();

namespace {

using namespace model;
using tic_tac_toe::TicTacToe;

Tasks rewarded_tasks() { return builtin_tasks().add(game_task<TicTacToe>()); }

Recipe rewarded_recipe(const std::string& name, const Settings& settings = {}) {
  auto recipe = find_recipe(name, settings, rewarded_tasks());
  EXPECT_TRUE(recipe.ok()) << recipe.error().text();
  return *std::move(recipe);
}

// --- Games -----------------------------------------------------------------------------------

struct Watched {
  std::unique_ptr<GamesInPlay> games;
  RandomStream random = RandomStream(Seed{4}, "test");
  std::vector<float> input;
  std::vector<std::uint8_t> legal;

  explicit Watched(const GamesInPlayOptions& options, const char* task = "tictactoe")
      : games((*rewarded_tasks().find(task))->games_in_play(options).value()) {
    const auto columns = (*rewarded_tasks().find(task))->self_play_columns(options.encoder).value();
    for (const Column& column : columns) {
      if (column.name == "input") input.resize(column.width);
      if (column.name == "legal") legal.resize(column.width);
    }
  }
  MoveMade play_any(std::size_t game) {
    games->observe(game, input, legal);
    int action = 0;
    do {
      action = static_cast<int>(random.below(legal.size()));
    } while (legal[static_cast<std::size_t>(action)] == 0);
    return games->play(game, action, random);
  }
};

GamesInPlayOptions played_by(std::vector<std::string> against) {
  return {"features", {1, 0.25, -1, 0}, 0, false, std::move(against)};
}

TEST(GamesInPlay, AgainstItselfTheSidesTakeTurnsAndWhoeverEndsItHasTheReward) {
  Watched watched(played_by({"self"}));
  watched.games->begin(0, watched.random);
  std::uint32_t plies = 0;
  int won = 0, drawn = 0;
  for (int i = 0; i < 2000; ++i) {
    const MoveMade made = watched.play_any(0);
    ++plies;
    EXPECT_NE(made.over, made.turned);
    if (!made.over) {
      EXPECT_EQ(made.reward, 0);
      continue;
    }
    EXPECT_EQ(made.plies, plies);
    EXPECT_EQ(made.reward, made.result == 0 ? 0.25f : 1.0f) << "nobody loses by an own move";
    if (made.result != 0) {
      EXPECT_EQ(made.result, plies % 2 == 1 ? 1 : -1) << "whoever moves last wins";
    }
    (made.result == 0 ? drawn : won) += 1;
    plies = 0;
    watched.games->observe(0, watched.input, watched.legal);
    EXPECT_EQ(std::count(watched.legal.begin(), watched.legal.end(), 1), 9) << "a new game";
  }
  EXPECT_GT(won, 100);
  EXPECT_GT(drawn, 10);
}

TEST(GamesInPlay, AgainstOthersOneSideIsSeenAlone) {
  Watched watched(played_by({"random", "exact"}));
  for (const std::size_t game : {0, 1}) watched.games->begin(game, watched.random);
  int games[2] = {}, wins[2] = {}, losses[2] = {};
  for (int i = 0; i < 2000; ++i) {
    for (const std::size_t game : {0, 1}) {
      const MoveMade made = watched.play_any(game);
      EXPECT_FALSE(made.turned);
      games[game] += made.over;
      wins[game] += made.over && made.reward == 1;
      losses[game] += made.over && made.reward == -1;
    }
  }
  EXPECT_GT(wins[0], games[0] / 3);
  EXPECT_GT(losses[0], games[0] / 5);
  EXPECT_EQ(wins[1], 0) << "nobody wins against the exact player";
  EXPECT_GT(losses[1], games[1] / 2);
}

class RestoredGamesOf : public testing::TestWithParam<const char*> {};

TEST_P(RestoredGamesOf, GoOnWhereTheyWere) {
  const Task& task = **rewarded_tasks().find(GetParam());
  GamesInPlayOptions options = played_by({"self", "random"});
  options.encoder = task.encoders().names.front();
  options.random_plies = 4;
  options.symmetry = true;
  Watched one(options, GetParam()), other(options, GetParam());
  for (const std::size_t game : {0, 1}) one.games->begin(game, one.random);
  for (int i = 0; i < 60; ++i) {
    for (const std::size_t game : {0, 1}) {
      one.play_any(game);
      ASSERT_TRUE(other.games->restore(game, one.games->record(game)).ok());
      one.games->observe(game, one.input, one.legal);
      other.games->observe(game, other.input, other.legal);
      ASSERT_EQ(one.input, other.input);
      ASSERT_EQ(one.legal, other.legal);
    }
  }
  for (const std::vector<std::int32_t>& wrong :
       {std::vector<std::int32_t>{}, {0}, {0, 99}, {0, 0, -1}, {0, 0, 1 << 20}}) {
    EXPECT_FALSE(other.games->restore(0, wrong).ok());
  }
}

INSTANTIATE_TEST_SUITE_P(Games, RestoredGamesOf,
                         testing::Values("tictactoe", "fanorona", "domineering", "bremen",
                                         "chess"));

// --- Runs ------------------------------------------------------------------------------------

std::string rewarded_bits(const Recipe& recipe, int threads,
                          const std::filesystem::path& folder = {}, int rounds = 0) {
  ThreadPool pool(threads);
  TrainingOptions options;
  options.folder = folder;
  if (rounds > 0) {
    options.stop = [left = rounds]() mutable { return left-- == 0; };
  }
  const auto result = train(recipe, Seed{7}, pool, {}, options);
  if (!result) return result.error().message;
  if (!result->finished) return "stopped";
  return nn::serialize_safetensors(result->model).value();
}

struct Way {
  const char* name;
  Settings settings;
};

// What a test is called by: the same in every run.
std::ostream& operator<<(std::ostream& out, const Way& way) {
  out << way.name;
  for (const std::string& setting : way.settings) out << ' ' << setting;
  return out;
}

class RewardRuns : public testing::TestWithParam<Way> {
 protected:
  static Settings small() {
    Settings settings = {"epochs=3", "steps=256", "reinforcement.games=16", "evaluation.games=4"};
    for (const std::string& more : GetParam().settings) settings.push_back(more);
    return settings;
  }
  static Recipe recipe() {
    return rewarded_recipe("tictactoe-" + std::string(GetParam().name), small());
  }
};

TEST_P(RewardRuns, EndWithTheSameBitsOnAnyNumberOfThreadsAndAfterAnyStop) {
  const Recipe recipe = RewardRuns::recipe();
  const std::string whole = rewarded_bits(recipe, 1);
  ASSERT_GT(whole.size(), 1000u) << whole;
  EXPECT_TRUE(rewarded_bits(recipe, 3) == whole);
  const auto rounds = static_cast<int>(recipe.reinforcement->rounds_of_epoch()) * recipe.epochs;
  for (const int stop : {1, rounds / 3, rounds / 2, rounds - 1}) {
    const TemporaryFolder folder;
    ASSERT_EQ(rewarded_bits(recipe, 2, folder.path(), stop), "stopped") << stop;
    EXPECT_TRUE(rewarded_bits(recipe, 1, folder.path()) == whole) << "stopped in round " << stop;
  }
}

TEST_P(RewardRuns, TellTheirFiguresAndGoOnFromADamagedCheckpointWithOneLine) {
  const Recipe recipe = RewardRuns::recipe();
  const TemporaryFolder folder;
  ASSERT_EQ(rewarded_bits(recipe, 1, folder.path(), 2), "stopped");
  auto file = nn::read_safetensors(folder.path() / kCheckpointFile).value();
  std::erase_if(file.tensors, [](const auto& tensor) { return tensor.name == "games.moves"; });
  ASSERT_TRUE(nn::write_safetensors(folder.path() / kCheckpointFile, file).ok());
  EXPECT_NE(rewarded_bits(recipe, 1, folder.path()).find("games.moves"), std::string::npos);

  ThreadPool pool(2);
  TrainingOptions options;
  std::vector<EpochMetrics> told;
  options.on_epoch = [&](const EpochMetrics& metrics) -> Status {
    told.push_back(metrics);
    return Done{};
  };
  ASSERT_TRUE(train(recipe, Seed{7}, pool, {}, options).ok());
  ASSERT_EQ(told.size(), 3u);
  EXPECT_TRUE(told.back().accuracy.has_value());
  std::vector<std::string> names;
  for (const auto& [name, value] : told.back().more) names.push_back(name);
  for (const char* expected : {"plies", "draws", "score_random"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), expected), names.end()) << expected;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, RewardRuns,
    testing::Values(Way{"q", {"reinforcement.begin=64", "batch=16"}},
                    Way{"q",
                        {"reinforcement.begin=64", "batch=16", "reinforcement.priority=0.6",
                         "reinforcement.look_ahead=3", "reinforcement.replay=300",
                         "reinforcement.double=false", "reinforcement.target_every=7"}},
                    Way{"q",
                        {"reinforcement.begin=64", "precision=double", "batch=16",
                         "reinforcement.against=[\"self\", \"random\"]"}},
                    Way{"a2c", {"reinforcement.moves=4"}},
                    Way{"ppo", {"reinforcement.moves=4", "batch=24"}}));

// Sizes that take less than a second; those that never lose are in examples/tic_tac_toe.
struct Learns : Way {
  double kept;  // share of the positions in which the value is kept
};

class LearntByReward : public testing::TestWithParam<Learns> {};

TEST_P(LearntByReward, KeepsTheValueOfTicTacToe) {
  Settings settings = {"evaluation.every=1000", "evaluation.opponents=[]"};
  for (const std::string& more : GetParam().settings) settings.push_back(more);
  const Recipe recipe = rewarded_recipe(GetParam().name, settings);
  ThreadPool pool(2);
  TrainingOptions options;
  EpochMetrics last;
  options.on_epoch = [&](const EpochMetrics& metrics) -> Status {
    last = metrics;
    return Done{};
  };
  const auto result = train(recipe, Seed{1}, pool, {}, options);
  ASSERT_TRUE(result.ok()) << result.error().text();
  EXPECT_GT(*last.accuracy, GetParam().kept);
  // From the start of the game, on both sides, the network alone.
  auto network = std::make_shared<nn::Network<float>>(recipe.network, 1, nn::Use::inference);
  ASSERT_TRUE(nn::load_weights(*network, result->model, "the model").ok());
  SelfPlayOptions alone;
  alone.root.simulations = alone.root.considered = 1;
  const SelfPlayGames request = {recipe.reinforcement->encoder, Seed{3}, 0, 0, 100, 0};
  const auto counts = recipe.task->self_play_match(
      alone, request, *predict_with<float>(network, 64), {nullptr, "exact"}, pool);
  ASSERT_TRUE(counts.ok());
  EXPECT_LT(counts->losses, 15u);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, LearntByReward,
    testing::Values(Learns{{"tictactoe-q", {"epochs=10"}}, 0.96},
                    Learns{{"tictactoe-q", {"epochs=10", "reinforcement.priority=0.6"}}, 0.96},
                    Learns{{"tictactoe-a2c", {"epochs=30"}}, 0.96},
                    Learns{{"tictactoe-ppo", {"epochs=8"}}, 0.96}));

TEST(RewardRecipes, WrongOnesGetOneLine) {
  const auto error = [](const std::string& name, const Settings& settings) {
    auto recipe = find_recipe(name, settings, rewarded_tasks());
    return recipe ? "none" : recipe.error().text();
  };
  const auto expect = [&](const std::string& name, const Settings& settings, const char* part) {
    const std::string text = error(name, settings);
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  };
  const std::string q = "tictactoe-q", a2c = "tictactoe-a2c", ppo = "tictactoe-ppo";
  EXPECT_EQ(error(q, {"reinforcement.epsilon=2"}),
            "tictactoe-q: reinforcement.epsilon: is 2; expected a number from 0 to 1");
  EXPECT_EQ(error(q, {"reinforcement.epsilon={\"from\":3}"}),
            "tictactoe-q: reinforcement.epsilon.from: is 3; expected a number from 0 to 1");
  expect(q, {"reinforcement.method=sarsa"}, "ppo");
  expect(q, {"reinforcement.clip=0.2"}, "clip");
  expect(ppo, {"reinforcement.replay=10"}, "replay");
  expect(a2c, {"reinforcement.clip=0.2"}, "clip");
  expect(a2c, {"batch=64"}, "batch: is given; expected none for a2c");
  expect(q, {"heads={}"}, "heads");
  expect(q, {"rule=local"}, "rule");
  expect(q, {"generations=3"}, "expected one of them");
  expect(q, {"task=minesweeper"}, "no self-play");
  expect(q, {"task=checkers"}, "checkers");
  expect(q, {"reinforcement.against=[\"deep\"]"}, "deep");
  expect(q, {"reinforcement.faults=[\"same_sgn\"]"}, "did you mean 'same_sign'");
  expect(q, {"reinforcement.shaping={\"height\": 1}"}, "height");
  expect(ppo, {"reinforcement.draft_by_result=true"}, "draft_by_result");
  expect(q, {"reinforcement.replay=100000000"}, "bytes of memory");
  expect(q, {"reinforcement.rewards.win=none"}, "reinforcement.rewards.win");
  expect(ppo, {"reinforcement.rewards.win=100"}, "tanh");
  expect(ppo, {"network.heads.value=[{\"type\":\"dense\",\"units\":2}]"}, "'value' of 1");
  expect(q, {"network.heads.moves=[{\"type\":\"dense\",\"units\":8}]"}, "'moves' of 9");
  expect(q, {"network.heads.moves=[{\"type\":\"dense\",\"units\":9},{\"type\":\"softmax\"}]"},
         "softmax");
  expect("domineering-q", {"rules.board=99x99"}, "99");
  expect("domineering-q", {"steps=0"}, "steps: is 0");
}

TEST(RewardRecipes, OfAProgramsOwnGameAreFoundByTheirMethod) {
  for (const char* name : {"q", "a2c", "ppo"}) {
    EXPECT_EQ(rewarded_recipe(name).task->name(), "tictactoe");
    EXPECT_FALSE(find_recipe(name).ok()) << "the program that ships adds no game";
  }
  for (const std::string game : {"fanorona", "bremen", "chess", "domineering"}) {
    EXPECT_TRUE(find_recipe(game + "-ppo").ok()) << game;
  }
  EXPECT_FALSE(find_recipe("minesweeper-q").ok());
}

}  // namespace

}  // namespace damier::learn
