// Any game as something to learn: rows against plain play, symmetries, evaluation, recipes.

#include <set>

#include "examples/tic_tac_toe/tic_tac_toe.h"
#include "tests/model/fake_predictor.h"
#include <gtest/gtest.h>

#include "damier/exact/bremen/exact.h"
#include "damier/exact/chess/exact.h"
#include "damier/exact/domineering/exact.h"
#include "damier/games/bremen/bremen.h"
#include "damier/games/chess/chess.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/registry.h"
#include "damier/learn/add_game.h"
#include "damier/learn/bremen/task.h"
#include "damier/learn/chess/task.h"
#include "damier/learn/domineering/task.h"
#include "damier/learn/fanorona/task.h"
#include "damier/learn/game_task_impl.h"
#include "damier/learn/tasks.h"
#include "damier/learn/train/training_run.h"
#include "damier/model/bremen/encoders.h"
#include "damier/model/chess/encoders.h"
#include "damier/model/domineering/encoders.h"
#include "damier/model/encoder_impl.h"
#include "damier/model/fanorona/encoders.h"

namespace damier::learn {

namespace {

using games::domineering::Domineering;
using namespace model;
using tic_tac_toe::TicTacToe;

const GameTask<TicTacToe>& task() { return game_task<TicTacToe>(); }

Tasks all_tasks() { return builtin_tasks().add(task()); }

DataSet generated(const Task& of, const GenerateOptions& options, int threads = 2) {
  ThreadPool pool(threads);
  auto data = generate_in_memory(of, options, pool);
  EXPECT_TRUE(data.ok()) << data.error().text();
  return *std::move(data);
}

GenerateOptions with(std::uint64_t count, Json more) {
  GenerateOptions options;
  options.count = count;
  options.more = std::move(more);
  return options;
}

// The result for the side to move and the plies to it, by trying everything.
std::pair<int, int> plain_value(const TicTacToe& game, const TicTacToe::State& state) {
  if (const auto outcome = game.outcome(state); outcome != games::Outcome::ongoing) {
    return {outcome == games::Outcome::draw ? 0 : outcome == win_of(state.side) ? 1 : -1, 0};
  }
  // A win soon, then a draw, then a loss late.
  std::pair<int, int> best = {-2, 0};
  for (const auto move : game.legal_moves(state)) {
    auto next = state;
    game.play(next, move);
    auto [value, distance] = plain_value(game, next);
    value = -value;
    distance = value == 0 ? 0 : distance + 1;
    const bool better = value != best.first ? value > best.first
                        : value == 1        ? distance < best.second
                                            : distance > best.second;
    if (better) best = {value, distance};
  }
  return best;
}

std::vector<TicTacToe::State> positions_of(const DataSet& data) {
  const RowRange all = {0, data.row_count()};
  const int column = data.column_index("position");
  const auto width = data.columns()[static_cast<std::size_t>(column)].width;
  const auto bytes = data.values<std::int32_t>(column, all).value();
  std::vector<TicTacToe::State> states;
  for (std::size_t at = 0; at < bytes.size(); at += width) {
    std::string text;
    for (std::size_t i = at; bytes[i] != 0; ++i) text += static_cast<char>(bytes[i]);
    states.push_back(TicTacToe().parse_position(text).value());
  }
  return states;
}

TEST(GameTask, RowsOfTicTacToeAreWhatTryingEverythingSays) {
  const TicTacToe game;
  const DataSet data = generated(task(), with(0, {{"states", "reachable"}}));
  ASSERT_EQ(data.row_count(), 4520u) << "5478 less the 958 that are over";
  ASSERT_TRUE(check_data_set(data).ok());
  const RowRange all = {0, data.row_count()};
  const auto value = data.values<std::int32_t>(data.column_index("value"), all).value();
  const auto distance = data.values<std::int32_t>(data.column_index("distance"), all).value();
  const auto moves = data.values<std::int32_t>(data.column_index("moves"), all).value();
  const auto legal = data.values<std::int32_t>(data.column_index("legal"), all).value();
  const auto label = data.values<std::int32_t>(data.column_index("label"), all).value();
  const auto input = data.values<float>(data.column_index("input"), all).value();
  const auto states = positions_of(data);
  for (std::size_t i = 0; i < states.size(); i += 5) {
    const auto [best, plies] = plain_value(game, states[i]);
    EXPECT_EQ(std::pair(value[i], distance[i]), std::pair(best, plies));
    for (std::size_t cell = 0; cell < 9; ++cell) {
      const auto move = game.move(states[i], games::action_at(static_cast<int>(cell)));
      EXPECT_EQ(legal[9 * i + cell] != 0, move.has_value());
      bool keeps = false;
      if (move) {
        auto next = states[i];
        game.play(next, *move);
        const auto [theirs, left] = plain_value(game, next);
        keeps = -theirs == best && (best == 0 || left + 1 == plies);
      }
      ASSERT_EQ(moves[9 * i + cell] != 0, keeps) << game.position_text(states[i]) << " " << cell;
    }
    EXPECT_NE(moves[9 * i + static_cast<std::size_t>(label[i])], 0);
    std::array<float, 18> features = {};
    game.write_features(states[i], features);
    EXPECT_TRUE(
        std::equal(features.begin(), features.end(), input.begin() + 18 * std::ptrdiff_t(i)));
  }
}

TEST(GameTask, RowsFollowFromTheSeedWhateverTheThreads) {
  for (const char* teacher : {"exact", "minimax:3", "ucb:5", "uct:60"}) {
    GenerateOptions options = with(500, {{"teacher", teacher}, {"states", "play"}});
    const std::string once = generated(task(), options, 1).checksum();
    EXPECT_EQ(generated(task(), options, 3).checksum(), once) << teacher;
    options.seed = Seed{2};
    EXPECT_NE(generated(task(), options, 3).checksum(), once) << teacher;
  }
}

// Without random moves between them, only its own chance tells one game of a bandit from another.
TEST(GameTask, SplitByGameAGameIsOneGroupInOneSplit) {
  GenerateOptions options = with(400, {{"board", "6x6"}, {"teacher", "ucb:5,c=0.3"}, {"noise", 0}});
  options.split = "game";
  options.validation = options.test = 0.2;
  const DataSet data = generated(game_task<Domineering>(), options);
  ASSERT_EQ(data.row_count(), 400u);
  EXPECT_TRUE(check_data_set(data).ok());
  EXPECT_EQ(text_in(data.info(), "group"), "game");
  for (const Split split : {Split::training, Split::validation, Split::test}) {
    EXPECT_GT(data.rows(split).count, 0u);
  }
  // A game on 6x6 has 18 positions at most, so 400 of them come from many games.
  const auto groups = groups_of(data).value();
  EXPECT_GT(groups.size(), 22u);
  EXPECT_LT(groups.size(), 60u);
}

TEST(GameTask, TheBoardCanBeShownAfterTheTaughtMove) {
  const auto& of = game_task<Domineering>();
  const Domineering game;
  const DataSet data =
      generated(of, with(60, {{"teacher", "minimax:1"}, {"target", "one"}, {"shown", "after"}}), 1);
  const RowRange all = {0, data.row_count()};
  const auto input = data.values<float>(data.column_index("input"), all).value();
  const auto label = data.values<std::int32_t>(data.column_index("label"), all).value();
  const auto moves = data.values<std::int32_t>(data.column_index("moves"), all).value();
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto cell = static_cast<std::size_t>(label[i]);
    EXPECT_EQ(input[192 * i + cell], 1.0f) << "the cells of the move are taken";
    EXPECT_EQ(moves[64 * i + cell], 1);
  }
}

TEST(GameTask, PlayMeetsEveryPositionOnceAndEndsWhenThereAreNoMore) {
  const DataSet data = generated(task(), with(100'000, {{"states", "play"}, {"noise", 1}}));
  EXPECT_GT(data.row_count(), 4000u);
  EXPECT_LE(data.row_count(), 4520u);
  std::set<std::string> texts;
  for (const auto& state : positions_of(data)) texts.insert(TicTacToe().position_text(state));
  EXPECT_EQ(texts.size(), data.row_count());
}

// A network that gives each of the moves in `answers` its due, row by row.
FakePredictor marking(const std::vector<int>& answers, float sign) {
  const auto spec = nn::parse_network({{"input", {2, 3, 3}},
                                       {"layers", {{{"type", "flatten"}}}},
                                       {"heads", {{"moves", {{{"type", "dense"}, {"units", 9}}}}}}},
                                      "test");
  EXPECT_TRUE(spec.ok()) << spec.error().text();
  return FakePredictor(*spec, [&answers, sign, asked = std::size_t{0}](
                                  std::span<const float>, std::size_t count, auto& out) mutable {
    out.assign(1, std::vector<float>(9 * count));
    for (std::size_t i = 0; i < count; ++i, ++asked) {
      out[0][9 * i + static_cast<std::size_t>(answers[asked])] = sign;
    }
  });
}

TEST(GameTask, EvaluationKnowsThePerfectNetwork) {
  const DataSet data = generated(task(), with(0, {{"states", "reachable"}}));
  const auto labels =
      data.values<std::int32_t>(data.column_index("label"), data.rows(Split::training)).value();
  FakePredictor good = marking(labels, 1), bad = marking(labels, -1);
  const auto best = task().evaluate_rows(good, "features", data, Split::training).value();
  EXPECT_TRUE(best.exact);
  for (const EvaluatedRow& row : best.rows) {
    EXPECT_TRUE(row.kept && row.shortest && row.named);
    EXPECT_EQ(row.loss, 0);
  }
  const auto worse =
      metrics_of(task().evaluate_rows(bad, "features", data, Split::training).value());
  EXPECT_LT(find_metric(worse, "value_kept")->value, 0.9);
  EXPECT_GT(find_metric(worse, "regret")->value, 0.05);
}

TEST(GameTask, WithoutExactValuesTheDataDecide) {
  const auto& of = game_task<games::bremen::Bremen>();
  const DataSet data = generated(of, with(60, {{"teacher", "minimax:2"}}));
  const auto spec = of.recipe("")["network"];
  nn::Network<float> network(nn::parse_network(spec, "test").value(), 16, nn::Use::inference);
  const auto evaluation =
      of.evaluate_rows(*predict_with(network), "features", data, Split::training);
  ASSERT_TRUE(evaluation.ok()) << evaluation.error().text();
  EXPECT_FALSE(evaluation->exact);
  EXPECT_EQ(evaluation->rows.size(), data.rows(Split::training).count);
  const auto metrics = metrics_of(*evaluation);
  EXPECT_EQ(find_metric(metrics, "regret"), nullptr);
  EXPECT_NE(find_metric(metrics, "value_kept"), nullptr);
}

TEST(GameTask, RuleOptionsAreOptionsOfTheTask) {
  const auto& of = game_task<Domineering>();
  const GenerateOptions small = with(40, {{"board", "4x5"}, {"teacher", "minimax:2"}});
  const DataSet data = generated(of, small);
  EXPECT_EQ(text_in(data.info(), "encoder"), "features board=4x5");
  const auto reads = find_encoder<Domineering>("features board=4x5").value();
  EXPECT_EQ(reads->shape().squares(), 20);
  EXPECT_EQ(data.columns()[1].width, 20u) << "actions";
  EXPECT_EQ(of.check(with(1, {{"board", "4x"}})).ok(), false);
  // A network for one board is none for another.
  const Json network = {{"input", {reads->shape().channels, 4, 5}},
                        {"layers", {{{"type", "flatten"}}}},
                        {"heads", {{"moves", {{{"type", "dense"}, {"units", 20}}}}}}};
  nn::Network<float> live(nn::parse_network(network, "test").value(), 1, nn::Use::inference);
  const auto on = [&](const char* board) {
    return NetworkEvaluator<Domineering>::make(Domineering::make({{"board", board}}).value(),
                                               "features board=4x5", predict_with(live));
  };
  EXPECT_TRUE(on("4x5").ok());
  EXPECT_EQ(on("8x8").error().message, "is a network for the rules board=4x5; expected board=8x8");
}

std::vector<float> turned(const ColumnMap& map, const std::vector<float>& in) {
  std::vector<float> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = map.sign[i] * in[map.source[i]];
  return out;
}

// In positions that the maps were not made from, each map is one of the game's symmetries.
template <games::Game G>
void check_symmetries(const std::string& encoder, std::size_t expected) {
  const auto reads = find_encoder<G>(encoder).value();
  const G& game = reads->game();
  const auto maps = reads->symmetries();
  EXPECT_EQ(maps.size(), expected) << G::facts().name << " " << encoder;
  const auto encoded = [&](const typename G::State& state) {
    std::vector<float> out(reads->width());
    reads->encode(state, out);
    return out;
  };
  const auto legal = [&](const typename G::State& state) {
    std::vector<float> out(static_cast<std::size_t>(game.action_count()));
    for (const auto move : game.legal_moves(state)) {
      out[static_cast<std::size_t>(index(game.action(state, move)))] = 1;
    }
    return out;
  };
  const auto states = met_in_random_games(game, "test", 30);
  for (std::size_t i = 0; i < states.size(); i += 5) {
    std::set<std::size_t> left;
    for (std::size_t k = 0; k < maps.size(); ++k) left.insert(k);
    for (const games::Symmetry symmetry : game.symmetries(states[i])) {
      const auto image = game.transformed(states[i], symmetry);
      for (auto k = left.begin(); k != left.end(); ++k) {
        const SymmetryMaps& map = maps[*k];
        if (turned(map[0], encoded(states[i])) != encoded(image)) continue;
        if (turned(map[1], legal(states[i])) != legal(image)) continue;
        left.erase(k);
        break;
      }
    }
    ASSERT_TRUE(left.empty()) << G::facts().name << ": " << game.position_text(states[i]);
  }
}

TEST(GameSymmetries, AreThoseOfTheGame) {
  check_symmetries<TicTacToe>("features", 8);
  check_symmetries<games::fanorona::Fanorona>("flat", 16);
  check_symmetries<games::fanorona::Fanorona>("planes", 16);
  // The same action is another domino for each side, and its images differ.
  check_symmetries<Domineering>("features", 1);
  check_symmetries<Domineering>("features board=4x5", 1);
  check_symmetries<games::bremen::Bremen>(
      "features", games::bremen::Bremen().symmetries(games::bremen::Bremen().initial()).size());
  check_symmetries<games::chess::Chess>("features", 1);
}

TEST(GameTask, EveryGameHasAPlainRecipe) {
  const Tasks tasks = all_tasks();
  std::vector<std::string_view> names = {"tictactoe"};
  const games::Registry registry = games::builtin_games();
  for (const auto& entry : registry.entries()) {
    if (entry.facts.players == 2) names.push_back(entry.facts.name);
  }
  for (const std::string_view name : names) {
    const auto recipe = find_recipe(std::string(name), {}, tasks);
    ASSERT_TRUE(recipe.ok()) << recipe.error().text();
    EXPECT_EQ(recipe->task->name(), name);
  }
  EXPECT_FALSE(find_recipe("minesweeper-patch", {}, tasks).ok());
  // The network fits the rules that the data are of.
  const Json small = tasks.find("domineering").value()->recipe("features board=4x5");
  EXPECT_EQ(dump_line(small["network"]["input"]), "[3,4,5]");
  EXPECT_EQ(small["network"]["heads"]["moves"][0]["units"], 20);
}

TEST(GameTask, TicTacToeIsLearntFromItsPlainRecipe) {
  const auto recipe = find_recipe("tictactoe", {"epochs=30"}, all_tasks()).value();
  ThreadPool pool(2);
  const DataSet data = open_data(recipe, pool).value();
  const auto trained = train(recipe, data, Seed{1}, pool, {}, {});
  ASSERT_TRUE(trained.ok()) << trained.error().text();
  ASSERT_EQ(trained->sets.size(), 1u);
  EXPECT_GT(find_metric(trained->sets[0].metrics, "value_kept")->value, 0.98);
}

TEST(GameTask, WrongOptionsAreNamed) {
  const auto message = [](Json more) {
    const auto status = task().check(with(10, std::move(more)));
    return status ? std::string("good") : status.error().message;
  };
  EXPECT_EQ(message(Json::object()), "good");
  const auto has = [&](const char* teacher, const char* expected) {
    EXPECT_NE(message({{"teacher", teacher}}).find(expected), std::string::npos)
        << message({{"teacher", teacher}});
  };
  has("uct:many", "many is not a whole number from 1 to 1000000000");
  has("ucb:100,c=0.3", "good");
  has("uct:100,c=1", "good");
  has("first", "good");
  has("net:nowhere", "good");  // nothing is opened
  has("ucb:100,c=much", "c=much is not a number from 0 to 1000");
  has("ucb:100,d=1", "unknown option of player 'ucb' 'd'");
  has("nobody", "unknown tictactoe player 'nobody'");
  // As older files call it.
  EXPECT_EQ(message({{"oracle", "minimax:2"}}), "good");
  GenerateOptions listed = with(10, {{"states", "reachable"}});
  listed.split = "game";
  EXPECT_EQ(task().check(listed).error().message,
            "the split 'game' needs positions from play; expected states 'play', not 'reachable'");
  EXPECT_EQ(message({{"noise", 2}}), "noise is 2; expected a number from 0 to 1");
  EXPECT_EQ(message({{"noise", "some"}}), "noise is \"some\"; expected a number from 0 to 1");
  EXPECT_EQ(message({{"encoder", "planes"}}), "unknown encoder 'planes' (known: features)");
  EXPECT_EQ(message({{"nois", 1}}),
            "unknown option 'nois'; did you mean 'noise'? (known: noise, shown, states, encoder, "
            "target, teacher)");
}

}  // namespace
// For the other tests of this program.
template const GameTask<tic_tac_toe::TicTacToe>& game_task();

}  // namespace damier::learn
