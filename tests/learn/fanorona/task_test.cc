// Fanoron-telo as a task: its labels against a plain solution of the whole game, its splits, its
// symmetries, its evaluation.

#include "damier/learn/fanorona/task.h"

#include <algorithm>
#include <map>
#include <set>

#include "tests/model/fake_predictor.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/exact/fanorona/exact.h"

namespace damier::learn {
namespace {

using namespace model;

using namespace games::fanorona;

// The game again, written differently: cells of -2 to 2, all states in one array, and values that
// spread by one ply a round until nothing changes.
class PlainSolution {
 public:
  PlainSolution() : result_(kCodes, kUnknown), distance_(kCodes) {
    const auto& indexer = exact::fanorona_table().indexer();
    std::vector<int> states;
    for (exact::StateIndex i = 0; i < indexer.state_count(); ++i) {
      states.push_back(code_of(indexer.state_at(i)));
    }
    for (const int code : states) {
      const Board board = board_of(code);
      const bool lost = has_line(board, -board.player) ||
                        (!has_line(board, board.player) && moves_of(board).empty());
      if (lost) result_[index(code)] = -1;
      if (!lost && has_line(board, board.player)) result_[index(code)] = 1;
    }
    for (int round = 1; spread(states, round); ++round) {
    }
  }

  // 1, 0 or -1 and the plies to the end.
  std::pair<int, int> value(const State& state) const { return value(code_of(state)); }

  // 9 * from + to of the moves that keep the value and, in won and lost states, the distance.
  std::set<int> best_moves(const State& state) const {
    const int code = code_of(state);
    const auto [result, distance] = value(code);
    std::set<int> best;
    for (const auto& [move, next] : moves_of(board_of(code))) {
      const auto [their_result, their_distance] = value(next);
      if (their_result == -result && (result == 0 || their_distance == distance - 1)) {
        best.insert(move);
      }
    }
    return best;
  }

 private:
  static constexpr int kCodes = 2 * 1'953'125;  // 5^9 boards, two players
  static constexpr int kUnknown = 9;
  struct Board {
    std::array<int, 9> cell;
    int player;
  };

  static std::size_t index(int code) { return static_cast<std::size_t>(code); }
  std::pair<int, int> value(int code) const {
    const int result = result_[index(code)];
    return result == kUnknown ? std::pair(0, 0) : std::pair(result, distance_[index(code)]);
  }

  static int code_of(const State& state) {
    int code = 0;
    for (int point = 8; point >= 0; --point) {
      const int size = (state.moved >> point & 1) ? 2 : 1;
      const int cell = (state.pieces[0] >> point & 1)   ? size
                       : (state.pieces[1] >> point & 1) ? -size
                                                        : 0;
      code = 5 * code + cell + 2;
    }
    return 2 * code + (state.side == games::Side::first ? 1 : 0);
  }
  static Board board_of(int code) {
    Board board{{}, code % 2 == 1 ? 1 : -1};
    code /= 2;
    for (int& cell : board.cell) {
      cell = code % 5 - 2;
      code /= 5;
    }
    return board;
  }
  static int code_of(const Board& board) {
    int code = 0;
    for (std::size_t point = 9; point-- > 0;) code = 5 * code + board.cell[point] + 2;
    return 2 * code + (board.player == 1 ? 1 : 0);
  }

  static bool has_line(const Board& board, int player) {
    constexpr std::array<std::array<std::size_t, 3>, 8> kLines = {
        {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}};
    return std::any_of(kLines.begin(), kLines.end(), [&](const auto& line) {
      return std::all_of(line.begin(), line.end(),
                         [&](std::size_t point) { return board.cell[point] == 2 * player; });
    });
  }

  // Points touch when one step leads from one to the other: along rows and columns from anywhere,
  // along diagonals only from or to the centre.
  static bool touch(int a, int b) {
    const int rows = std::abs(a / 3 - b / 3), cols = std::abs(a % 3 - b % 3);
    return rows + cols == 1 || (rows == 1 && cols == 1 && (a == 4 || b == 4));
  }

  static std::vector<std::pair<int, int>> moves_of(const Board& board) {
    std::vector<std::pair<int, int>> moves;
    if (has_line(board, 1) || has_line(board, -1)) return moves;
    for (int from = 0; from < 9; ++from) {
      if (board.cell[index(from)] * board.player <= 0) continue;
      for (int to = 0; to < 9; ++to) {
        if (board.cell[index(to)] != 0 || !touch(from, to)) continue;
        Board next = board;
        next.cell[index(from)] = 0;
        next.cell[index(to)] = 2 * board.player;
        next.player = -board.player;
        moves.emplace_back(9 * from + to, code_of(next));
      }
    }
    return moves;
  }

  bool spread(const std::vector<int>& states, int round) {
    std::vector<std::pair<int, int>> found;
    for (const int code : states) {
      if (result_[index(code)] != kUnknown) continue;
      bool wins = false, loses = true;
      for (const auto& [move, next] : moves_of(board_of(code))) {
        wins = wins || result_[index(next)] == -1;
        loses = loses && result_[index(next)] == 1;
      }
      if (wins || loses) found.emplace_back(code, wins ? 1 : -1);
    }
    for (const auto& [code, result] : found) {
      result_[index(code)] = result;
      distance_[index(code)] = round;
    }
    return !found.empty();
  }

  std::vector<int> result_, distance_;
};

std::vector<State> states_of(const DataSet& data, RowRange range) {
  const auto numbers = data.values<std::int32_t>(data.column_index("state"), range).value();
  std::vector<State> states;
  for (const int number : numbers) {
    states.push_back(
        exact::fanorona_table().indexer().state_at(static_cast<exact::StateIndex>(number)));
  }
  return states;
}

DataSet generated(GenerateOptions options) {
  ThreadPool pool(2);
  auto data = generate_in_memory(fanorona_task(), options, pool);
  EXPECT_TRUE(data.ok()) << data.error().text();
  return *std::move(data);
}

TEST(FanoronaTask, ExactLabelsAreThoseOfAPlainSolution) {
  const PlainSolution plain;
  GenerateOptions options;
  options.count = 5000;
  const DataSet data = generated(options);
  const RowRange all = {0, data.row_count()};
  const auto states = states_of(data, all);
  const auto value = data.values<std::int32_t>(data.column_index("value"), all).value();
  const auto distance = data.values<std::int32_t>(data.column_index("distance"), all).value();
  const auto moves = data.values<std::int32_t>(data.column_index("moves"), all).value();
  const auto policy = data.values<double>(data.column_index("policy"), all).value();
  const auto label = data.values<std::int32_t>(data.column_index("label"), all).value();
  for (std::size_t i = 0; i < states.size(); ++i) {
    EXPECT_EQ(std::pair(value[i], distance[i]), plain.value(states[i]));
    std::set<int> taught;
    for (int move = 0; move < 81; ++move) {
      if (moves[81 * i + static_cast<std::size_t>(move)] != 0) taught.insert(move);
    }
    const std::set<int> best = plain.best_moves(states[i]);
    ASSERT_EQ(taught, best) << Fanorona().position_text(states[i]);
    EXPECT_TRUE(best.contains(label[i]));
    for (int point = 0; point < 9; ++point) {
      const auto leave =
          std::count_if(best.begin(), best.end(), [&](int move) { return move / 9 == point; });
      EXPECT_NEAR(policy[18 * i + static_cast<std::size_t>(point)],
                  static_cast<double>(leave) / static_cast<double>(best.size()), 1e-6);
    }
  }
}

TEST(FanoronaTask, ADeepSearchAgreesWithTheExactTable) {
  GenerateOptions options;
  options.count = 300;
  options.more["teacher"] = "minimax:12";
  const DataSet data = generated(options);
  const RowRange all = {0, data.row_count()};
  const auto states = states_of(data, all);
  const auto value = data.values<std::int32_t>(data.column_index("value"), all).value();
  const auto moves = data.values<std::int32_t>(data.column_index("moves"), all).value();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto exact = exact::fanorona_table().best_moves(states[i]);
    EXPECT_EQ(value[i], games::value_of(exact::fanorona_table().value(states[i]).verdict));
    for (int move = 0; move < 81; ++move) {
      const bool best =
          std::find(exact.begin(), exact.end(), static_cast<Move>(move)) != exact.end();
      EXPECT_EQ(moves[81 * i + static_cast<std::size_t>(move)] != 0, best)
          << Fanorona().position_text(states[i]) << " " << move;
    }
  }
}

TEST(FanoronaTask, CountsOfTheWholeSpace) {
  EXPECT_EQ(generated({}).row_count(), 209'104u);  // 215,040 less 5,096 won and 840 blocked
  GenerateOptions reachable;
  reachable.more["states"] = "reachable";
  EXPECT_EQ(generated(reachable).row_count(), 16'082u);  // 16,806 less those that are over
}

TEST(FanoronaTask, BalancedChoicesAreBalanced) {
  GenerateOptions options;
  options.count = 2100;
  options.more["balance"] = "both";
  const DataSet data = generated(options);
  const RowRange all = {0, data.row_count()};
  const auto phase = data.values<std::int32_t>(data.column_index("phase"), all).value();
  const auto value = data.values<std::int32_t>(data.column_index("value"), all).value();
  std::map<std::pair<int, int>, int> cells;
  for (std::size_t i = 0; i < phase.size(); ++i) ++cells[{phase[i], value[i]}];
  ASSERT_EQ(data.row_count(), 2100u);
  int largest = 0;
  for (const auto& [cell, count] : cells) largest = std::max(largest, count);
  // Rare cells give all that they have; the others share the rest evenly.
  const auto full = std::count_if(cells.begin(), cells.end(),
                                  [&](const auto& cell) { return cell.second >= largest - 1; });
  EXPECT_GE(full, 12);
}

// Whatever is asked for, all mirror images of a position are in one split.
RC_GTEST_PROP(FanoronaTaskLaws, NoSymmetryClassIsInTwoSplits, ()) {
  GenerateOptions options;
  options.seed = Seed{*rc::gen::arbitrary<std::uint64_t>()};
  options.count = *rc::gen::inRange<std::uint64_t>(1, 400);
  options.validation = *rc::gen::inRange(0, 45) / 100.0;
  options.test = *rc::gen::inRange(0, 45) / 100.0;
  options.more["states"] = *rc::gen::element<std::string>("all", "reachable");
  const DataSet data = generated(options);
  RC_ASSERT(check_data_set(data).ok());
  const Fanorona game;
  for (std::size_t split = 0; split < kSplits; ++split) {
    for (const State& state : states_of(data, data.rows(static_cast<Split>(split)))) {
      for (const games::Symmetry symmetry : game.symmetries(state)) {
        const std::int64_t group =
            fanorona_task().group_of(game, game.transformed(state, symmetry));
        RC_ASSERT(split_of(group, options) == static_cast<Split>(split));
      }
    }
  }
}

// Turning a row by a symmetry's maps gives the row of the turned state.
RC_GTEST_PROP(FanoronaTaskLaws, MapsCommuteWithTheGame, ()) {
  const auto index = *rc::gen::inRange<exact::StateIndex>(0, exact::FanoronaIndexer::kStates);
  const State state = exact::fanorona_table().indexer().state_at(index);
  const Fanorona game;
  const auto symmetries = game.symmetries(state);
  const std::string encoder = *rc::gen::element<std::string>("flat", "planes");
  const auto reads = find_encoder<Fanorona>(encoder).value();
  const auto maps = reads->symmetries();
  RC_ASSERT(maps.size() == symmetries.size());
  const auto encoded = [&](const State& of) {
    std::vector<float> out(reads->width());
    reads->encode(of, out);
    return out;
  };
  const auto legal = [&](const State& of) {
    std::vector<float> out(81);
    for (const Move move : game.legal_moves(of)) out[static_cast<std::size_t>(move)] = 1;
    return out;
  };
  // What can be left and what can be reached.
  const auto points = [&](const State& of) {
    std::vector<float> out(18);
    for (const Move move : game.legal_moves(of)) {
      out[static_cast<std::size_t>(from_of(move))] =
          out[static_cast<std::size_t>(9 + to_of(move))] = 1;
    }
    return out;
  };
  const auto turned = [](const ColumnMap& map, const std::vector<float>& in) {
    std::vector<float> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = map.sign[i] * in[map.source[i]];
    return out;
  };
  for (std::size_t s = 0; s < maps.size(); ++s) {
    const State other = game.transformed(state, symmetries[s]);
    for (const ColumnMap& map : maps[s]) {
      if (map.column == "input") RC_ASSERT(turned(map, encoded(state)) == encoded(other));
      if (map.column == "legal") RC_ASSERT(turned(map, legal(state)) == legal(other));
      if (map.column == "policy") RC_ASSERT(turned(map, points(state)) == points(other));
    }
  }
}

nn::NetworkSpec spec_of(const std::string& head, int outputs) {
  return nn::parse_network(
             {{"input", {46}}, {"heads", {{head, {{{"type", "dense"}, {"units", outputs}}}}}}},
             "test")
      .value();
}

std::vector<Metric> evaluated(FakePredictor model, std::span<const State> states,
                              std::span<const int> labels) {
  return metrics_of(fanorona_task().evaluate_states(model, "flat", states, labels).value());
}

TEST(FanoronaEvaluations, AModelThatKnowsTheTableIsPerfect) {
  std::vector<State> states;
  std::vector<int> labels;
  for (exact::StateIndex i = 0; i < exact::FanoronaIndexer::kStates; i += 97) {
    const State state = exact::fanorona_table().indexer().state_at(i);
    if (Fanorona().outcome(state) != games::Outcome::ongoing) continue;
    states.push_back(state);
    labels.push_back(static_cast<int>(exact::fanorona_table().best_moves(state).front()));
  }
  std::size_t asked = 0;
  const auto model = [&](float sign) {
    asked = 0;
    return FakePredictor(spec_of("moves", 81),
                         [&, sign](std::span<const float>, std::size_t count, auto& outputs) {
                           outputs.assign(1, std::vector<float>(81 * count));
                           for (std::size_t i = 0; i < count; ++i, ++asked) {
                             const auto label = static_cast<std::size_t>(labels[asked]);
                             outputs[0][81 * i + label] = sign;
                           }
                         });
  };
  const auto perfect = evaluated(model(1), states, labels);
  for (const char* name : {"value_kept", "shortest", "label_accuracy"}) {
    EXPECT_EQ(find_metric(perfect, name)->value, 1) << name;
    EXPECT_EQ(find_metric(perfect, name)->n, static_cast<std::int64_t>(states.size()));
  }
  EXPECT_EQ(find_metric(perfect, "regret")->value, 0);
  const auto worse = evaluated(model(-1), states, labels);
  EXPECT_LT(find_metric(worse, "value_kept")->value, 0.9);
  EXPECT_LT(find_metric(worse, "label_accuracy")->value, 0.1);  // some states have one move only
  EXPECT_GT(find_metric(worse, "regret")->value, 0.05);
}

TEST(FanoronaEvaluations, DepartureAndArrivalAreMultiplied) {
  const State state = Fanorona().parse_position("BB..WWWB. w").value();
  const FakePredictor model(spec_of("policy", 18),
                            [](std::span<const float>, std::size_t, auto& outputs) {
                              outputs.assign(1, std::vector<float>(18));
                              outputs[0][6] = 1;  // 6-3 makes the line 3, 4, 5
                              outputs[0][9 + 3] = 1;
                            });
  const auto metrics = evaluated(model, {&state, 1}, std::vector<int>{57});
  EXPECT_EQ(find_metric(metrics, "shortest")->value, 1);
  EXPECT_EQ(find_metric(metrics, "label_accuracy")->value, 1);
  EXPECT_FALSE(find_encoder<Fanorona>("flat").value()->check_network(spec_of("other", 18)).ok());
}

TEST(FanoronaTask, WrongOptionsAreNamed) {
  const auto message = [](auto change) {
    GenerateOptions options;
    change(options);
    const auto status = fanorona_task().check(options);
    return status ? std::string("good") : status.error().message;
  };
  EXPECT_EQ(message([](auto&) {}), "good");
  EXPECT_EQ(message([](auto& o) { o.more["teacher"] = "prefect"; }).substr(0, 66),
            "unknown fanorona player 'prefect'; did you mean 'perfect'? (known:");
  EXPECT_EQ(message([](auto& o) { o.more["states"] = "some"; }),
            "unknown states 'some' (known: all, play, reachable)");
  EXPECT_EQ(message([](auto& o) { o.validation = 0.8, o.test = 0.2; }),
            "the shares of validation and test are 0.8 and 0.2; expected 0.9 in all at most");
  EXPECT_EQ(message([](auto& o) { o.more["balance"] = "phase"; }),
            "a balanced choice needs a count: all states have the balance that they have");
}

}  // namespace
}  // namespace damier::learn
