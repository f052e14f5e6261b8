// Chess as a task: rows against the report's CSV, targets, splits by game, errors against figures
// done by hand, networks that know values alone, and what is wrong with files and engines.

#include "damier/learn/chess/task.h"

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/base/temporary_folder.h"
#include "tests/model/fake_predictor.h"
#include "tests/search/chess/fake_engine.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/games/chess/encoders.h"
#include "damier/learn/chess/positions.h"
#include "damier/learn/chess/value_errors.h"
#include "damier/model/network_evaluator.h"
#include "damier/nn/training.h"

namespace damier::learn {
namespace {

using namespace model;

using namespace chess;
namespace rules = games::chess;

constexpr const char* kGames = R"([White "A"]
[Black "B"]
[Result "1-0"]

1. e4 { [%eval 0.3] } e5 { [%eval 0.25] } 2. Qh5 { [%eval -0.8] } Nc6 { [%eval 0.1] }
3. Bc4 { [%eval -0.4] } Nf6 { [%eval #1] } 4. Qxf7# 1-0

[White "C"]
[Black "D"]
[Result "1/2-1/2"]

1. d4 { [%eval 0.2] } d5 { [%eval 25.0] } 2. c4 1/2-1/2

[White "E"]
[Black "F"]
[Result "*"]

1. c4 *
)";

std::string write_text_file(const TemporaryFolder& folder, const char* name,
                            std::string_view text) {
  const auto path = folder.path() / name;
  EXPECT_TRUE(write_file_atomically(path, text));
  return path.string();
}

GenerateOptions rows_of(Json more, const char* split = "none") {
  GenerateOptions options = game_task<Chess>().defaults();
  options.split = split;
  options.more = std::move(more);
  return options;
}

Result<DataSet> made(const GenerateOptions& options, int threads = 2) {
  const auto& task = game_task<Chess>();
  if (auto status = task.check(options); !status) return std::move(status).error();
  ThreadPool pool(threads);
  return generate_in_memory(task, options, pool);
}

std::string error_of(const GenerateOptions& options) {
  const auto data = made(options);
  EXPECT_FALSE(data);
  return data ? "" : data.error().text();
}

template <class T>
std::vector<T> column(const DataSet& data, const char* name, Split split = Split::training) {
  return data.values<T>(data.column_index(name), data.rows(split)).value();
}

TEST(ChessRows, CommentsOfGamesGiveTheScores) {
  const TemporaryFolder folder;
  const std::string games = write_text_file(folder, "games.pgn", kGames);
  const auto data = made(
      rows_of({{"from", games}, {"teacher", "comments"}, {"share", 1.0}, {"encoder", "bytes"}}));
  ASSERT_TRUE(data) << data.error().text();
  // Six positions of the first game (the mate itself is none), two of the second; the third has no
  // result.
  const auto scores = column<double>(*data, "score");
  EXPECT_EQ(scores, (std::vector<double>{30, 25, -80, 10, -40, 2000, 20, 2000}));
  const auto targets = column<float>(*data, "target");
  const auto results = column<float>(*data, "result");
  const auto values = column<float>(*data, "value");
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_FLOAT_EQ(targets[i], static_cast<float>(1 / (1 + std::exp(-scores[i] / 400))));
    EXPECT_FLOAT_EQ(results[i], i < 6 ? 1.0f : 0.5f);
    const float white = 2 * targets[i] - 1;
    EXPECT_NEAR(values[i], i % 2 == 0 ? -white : white, 1e-6) << "after 1. e4 Black moves";
  }
  // With the result alone as target.
  const auto by_result =
      made(rows_of({{"from", games}, {"teacher", "comments"}, {"share", 1.0}, {"result", 1.0}}));
  ASSERT_TRUE(by_result) << by_result.error().text();
  EXPECT_EQ(column<float>(*by_result, "target"), results);
  // After 3... Nf6 mate is a capture: not quiet. So is 2... d5xc4, but nobody plays it.
  const auto quiet =
      made(rows_of({{"from", games}, {"teacher", "comments"}, {"share", 1.0}, {"quiet", true}}));
  ASSERT_TRUE(quiet) << quiet.error().text();
  EXPECT_EQ(column<double>(*quiet, "score"), (std::vector<double>{30, 25, -80, 10, -40, 20, 2000}));
}

TEST(ChessRows, AreThoseOfTheReportsCsvAndComeBackFromIt) {
  const TemporaryFolder folder;
  const std::string games = write_text_file(folder, "games.pgn", kGames);
  const auto& task = game_task<Chess>();
  for (const char* encoder : {"bytes", "raw-bytes", "bits", "mover", "features"}) {
    const auto data = made(
        rows_of({{"from", games}, {"teacher", "comments"}, {"share", 1.0}, {"encoder", encoder}}));
    ASSERT_TRUE(data) << data.error().text();
    const auto path = folder.path() / "positions.csv";
    ASSERT_TRUE(task.write_text(*data, path));
    std::ifstream in(path);
    rules::PositionCsvReader reader(in, path.string());
    rules::PositionRow row;
    const auto targets = column<float>(*data, "target");
    const auto inputs = column<float>(*data, "input");
    const auto reads = find_encoder<Chess>(encoder).value();
    const auto stored = static_cast<std::size_t>(reads->stored_width());
    std::size_t rows = 0;
    for (; reader.next(row).value(); ++rows) {
      ASSERT_LT(rows, targets.size());
      EXPECT_NEAR(row.target, targets[rows], 1e-6);
      // The network reads the same of the row as of the position.
      std::vector<float> of_state(reads->width()), of_row(reads->width());
      reads->encode(row.state, of_state);
      reads->expand(std::span(inputs).subspan(rows * stored, stored), of_row);
      EXPECT_EQ(of_row, of_state) << encoder;
    }
    EXPECT_EQ(rows, targets.size());

    const auto again = made(rows_of({{"from", path.string()}, {"encoder", encoder}}));
    ASSERT_TRUE(again) << again.error().text();
    const auto again_targets = column<float>(*again, "target");
    ASSERT_EQ(again_targets.size(), targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      EXPECT_NEAR(again_targets[i], targets[i], 1e-6);
    }
    EXPECT_EQ(column<float>(*again, "input"), inputs);
  }
}

TEST(ChessRows, EncodersAgreeWithThoseOfTheRules) {
  const Chess game;
  const auto encode = [&](const char* encoder, const auto& of, std::span<float> out) {
    find_encoder<Chess>(encoder).value()->encode(of, out);
  };
  const auto state =
      game.parse_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1")
          .value();
  std::array<float, rules::kByteInputs> bytes;
  std::array<float, rules::kBitInputs> bits, expected_bits;
  encode("raw-bytes", state, bytes);
  const auto plain = rules::encode_bytes(state);
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), plain.begin()));
  // Divided by 255, and the side to move as it is.
  encode("bytes", state, bytes);
  for (std::size_t i = 0; i < rules::kByteInputs; ++i) {
    EXPECT_EQ(bytes[i], static_cast<float>(plain[i]) / (i + 1 < plain.size() ? 255.0f : 1.0f));
  }
  encode("bits", state, bits);
  rules::write_bit_inputs(state, expected_bits);
  EXPECT_EQ(bits, expected_bits);
  // Turned over with the colours exchanged, the mover sees the same.
  const auto turned =
      game.parse_position("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R w KQkq - 0 1")
          .value();
  std::array<float, rules::kBitInputs - 1> seen, seen_turned;
  encode("mover", state, seen);
  encode("mover", turned, seen_turned);
  EXPECT_EQ(seen, seen_turned);
  encode("bits", turned, bits);
  EXPECT_TRUE(std::equal(seen.begin(), seen.end(), bits.begin()))
      << "White sees the board as it is";
  encode("bits", state, bits);
  EXPECT_EQ(find_encoder<Chess>("bits").value()->encode_text(game.position_text(state)).value(),
            std::vector<float>(bits.begin(), bits.end()));
  EXPECT_FALSE(find_encoder<Chess>("bits").value()->encode_text("no position"));
}

TEST(ChessRows, OfSelfPlayAreTheSameOnAnyNumberOfThreadsAndSplitByGame) {
  const Json more = {{"oracle", "engine:60"},  // as older files call the teacher
                     {"player", "engine:30"},
                     {"encoder", "bytes"},
                     {"opening", 6},
                     {"share", 0.2}};
  GenerateOptions options = rows_of(more, "game");
  options.count = 300;
  options.validation = options.test = 0.25;
  const auto one = made(options, 1), two = made(options, 2);
  ASSERT_TRUE(one) << one.error().text();
  ASSERT_TRUE(two) << two.error().text();
  EXPECT_EQ(one->checksum(), two->checksum());
  EXPECT_EQ(one->row_count(), 300u);
  std::set<std::int64_t> seen;
  for (std::size_t i = 0; i < kSplits; ++i) {
    const auto split = static_cast<Split>(i);
    const auto groups = column<std::int64_t>(*one, "group", split);
    const std::set<std::int64_t> own(groups.begin(), groups.end());
    EXPECT_GT(own.size(), 1u);
    EXPECT_GT(groups.size(), own.size()) << "several positions of a game";
    for (const std::int64_t game : own) EXPECT_TRUE(seen.insert(game).second);
  }
  const auto scores = column<double>(*one, "score");
  EXPECT_GT(std::set<double>(scores.begin(), scores.end()).size(), 50u);
  for (const float result : column<float>(*one, "result")) {
    EXPECT_TRUE(result == 0 || result == 0.5f || result == 1);
  }
}

TEST(ChessRows, AnUnevenOpeningBeginsNoGame) {
  GamesPlan plan;
  plan.teacher =
      play::open_player(*play::toolkit_of(Chess()), "engine:nodes=50,hash=1,eval=hand").value();
  plan.noise = 0;
  plan.share = 1;
  GamesPlan even = plan;
  even.even = 60;
  int kept = 0, left_out = 0;
  for (std::uint64_t number = 0; number < 12; ++number) {
    const auto one = play_scored(plan, number), other = play_scored(even, number);
    ASSERT_FALSE(one.empty());
    const bool is_even = std::abs(one.front().score) <= even.even;
    EXPECT_EQ(other.size(), is_even ? one.size() : 0u) << number;
    (is_even ? kept : left_out) += 1;
  }
  EXPECT_GT(kept, 0);
  EXPECT_GT(left_out, 0);
}

TEST(ChessRows, AreLabelledByAnotherEngineToo) {
  const TemporaryFolder folder;
  const std::string games = write_text_file(folder, "games.pgn", "[White \"A\"]\n\n1. e4 e5 1-0\n");
  const auto rows_by = [&](const search::chess::FakeEngine& engine) {
    return made(rows_of({{"from", games},
                         {"engine", engine.path()},
                         {"teacher", "engine:50"},
                         {"share", 1.0},
                         {"encoder", "bytes"}}),
                1);
  };
  // It answers Black, then White, in its own view; a row has White's.
  const search::chess::FakeEngine fake(
      "if [ -z \"$again\" ]; then again=yes\n"
      "echo 'info depth 3 score cp 77 pv a7a6'; echo bestmove a7a6\n"
      "else echo 'info depth 9 score mate 3 pv a2a3'; echo bestmove a2a3; fi");
  const auto data = rows_by(fake);
  ASSERT_TRUE(data) << data.error().text();
  EXPECT_EQ(column<double>(*data, "score"), (std::vector<double>{-77, 2000}));
  EXPECT_NE(fake.log().find("ucinewgame\n"), std::string::npos);
  EXPECT_NE(fake.log().find("go nodes 50\n"), std::string::npos);

  const auto silent = rows_by(search::chess::FakeEngine("echo bestmove a7a6"));
  ASSERT_FALSE(silent);
  EXPECT_NE(silent.error().text().find("says no score"), std::string::npos)
      << silent.error().text();
}

TEST(ChessRows, SayWhatIsWrongInOneLine) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name, const char* text) {
    return write_text_file(folder, name, text);
  };
  const auto expect = [&](const Json& more, const std::string& text) {
    const std::string error = error_of(rows_of(more));
    EXPECT_NE(error.find(text), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  };
  const std::string games = file("games.pgn", kGames);
  expect({{"from", (folder.path() / "none.pgn").string()}}, "none.pgn");
  expect({{"from", file("bad.pgn", "[White \"A\"]\n\n1. e5 1-0\n")}}, "bad.pgn:3");
  expect({{"from", file("empty.pgn", "")}}, "has no game; expected Portable Game Notation");
  expect({{"from", file("open.pgn", "[White \"A\"]\n\n1. e4 *\n")}}, "has no game with a result");
  expect({{"from", file("plain.pgn", "[White \"A\"]\n\n1. e4 e5 1-0\n")}, {"teacher", "comments"}},
         "expected [%eval …] in comments");
  expect({{"from", file("few.csv", "a,b\n1,2\n")}}, "few.csv:1");
  expect({{"from", file("games.txt", kGames)}}, "expected a file of games, .pgn");
  expect({{"teacher", "comments"}}, "expected games, --from FILE.pgn");
  expect({{"teacher", "engine:0"}}, "takes no value after the colon");
  expect({{"teacher", "first"}, {"from", games}}, "says no score");
  expect({{"teacher", "engine:5"}, {"states", "play"}}, "is for states 'games'");
  expect({{"teacher", "minimax:1"}, {"states", "play"}, {"from", games}}, "is for states 'games'");
  expect({{"teacher", "minimax:1"}, {"states", "play"}, {"engine", "x"}}, "engine: is for states");
  expect({{"engine", "x"}, {"teacher", "comments"}, {"from", games}}, "expected --teacher engine:");
  expect({{"engine", (folder.path() / "no-such-engine").string()}}, "no-such-engine");
  expect({{"eval", (folder.path() / "none.safetensors").string()}}, "none.safetensors");
}

// Errors by hand: 0.5 is 0 centipawns; the labels are 400, -400 and 0.
TEST(ChessValueErrors, AreThoseDoneByHand) {
  ValueErrors even;
  for (const double score : {400.0, -400.0, 0.0}) even.add(0.5, score);
  const auto metric = [](const ValueErrors& errors, std::string_view name) {
    return find_metric(errors.metrics(), name) == nullptr
               ? std::nan("")
               : find_metric(errors.metrics(), name)->value;
  };
  const double part = 1 / (1 + std::exp(-1)) - 0.5;  // 0.2311
  EXPECT_NEAR(metric(even, kCentipawnsMetric), 800.0 / 3, 1e-9);
  EXPECT_NEAR(metric(even, kSquaredMetric), 2 * part * part / 3, 1e-12);
  EXPECT_NEAR(metric(even, kRSquaredMetric), 0, 1e-12) << "the mean of the labels";
  EXPECT_NEAR(metric(even, kSignMetric), 0.5, 1e-12) << "of two positions that are not even";

  ValueErrors right;
  for (const double score : {400.0, -400.0, 0.0, 2000.0}) right.add(expected_of(score), score);
  EXPECT_NEAR(metric(right, kCentipawnsMetric), 0, 1e-6);
  EXPECT_NEAR(metric(right, kRSquaredMetric), 1, 1e-9);
  EXPECT_NEAR(metric(right, kSignMetric), 1, 1e-12);

  // Beyond 2000 everything is 2000; one of two signs is right.
  ValueErrors far;
  far.add(1.0, 1900);
  far.add(0.0, 100);
  EXPECT_NEAR(metric(far, kCentipawnsMetric), (100 + 2100) / 2.0, 1e-9);
  EXPECT_NEAR(metric(far, kSignMetric), 0.5, 1e-12);
  EXPECT_NEAR(centipawns_of(expected_of(-123)), -123, 1e-9);
}

nn::NetworkSpec value_spec(const char* last) {
  return nn::parse_network_text(
             fmt::format(R"({{"input": [769], "layers": [{{"type": "dense", "units": 1}},
                              {{"type": "{}"}}], "heads": {{"value": []}}}})",
                         last),
             "test")
      .value();
}

// A network that counts White's queens less Black's: a sigmoid speaks for White, a tanh for the
// side to move.
std::unique_ptr<nn::Network<float>> queen_counter(const char* last) {
  auto network = std::make_unique<nn::Network<float>>(value_spec(last), 64, nn::Use::inference);
  for (auto* parameter : network->parameters()) {
    std::fill_n(parameter->value, parameter->count(), 0.0f);
  }
  const auto& weights = *network->parameters()[0];  // a padded row for each input
  for (int square = 0; square < 64; ++square) {
    weights.value[(8 * 64 + square) * weights.ld] = 1;
    weights.value[(9 * 64 + square) * weights.ld] = -1;
  }
  return network;
}

TEST(ChessValueNetworks, PlayByLookingOneMoveAhead) {
  const Chess game;
  const auto network = queen_counter("sigmoid");
  auto evaluator = NetworkEvaluator<Chess>::make(game, "bits", predict_with(*network));
  ASSERT_TRUE(evaluator) << evaluator.error().text();
  EXPECT_FALSE(evaluator->knows_moves());
  EXPECT_TRUE(evaluator->knows_value());
  for (const char* text : {"k7/8/8/3q4/4P3/8/8/K7 w - - 0 1", "K7/8/8/3p4/4Q3/8/8/k7 b - - 0 1"}) {
    const auto state = game.parse_position(text).value();
    evaluator->ask({&state, 1});
    EXPECT_NEAR(evaluator->value(0, state), std::tanh(-0.5), 1e-5) << "the other side has a queen";
    const auto moves = game.legal_moves(state);
    std::vector<float> values(moves.size());
    evaluator->look_ahead(state, {moves.begin(), moves.end()}, values);
    const auto best = std::max_element(values.begin(), values.end()) - values.begin();
    const Move taking =
        game.parse_move(state, state.side == games::Side::first ? "exd5" : "dxe4").value();
    EXPECT_EQ(moves[static_cast<std::size_t>(best)], taking);
    EXPECT_NEAR(values[static_cast<std::size_t>(best)], 0, 1e-6);
  }
  // Mate is worth more than any queen.
  const auto mate = game.parse_position("7k/R7/8/8/8/K7/1R6/7q w - - 0 1").value();
  const auto moves = game.legal_moves(mate);
  std::vector<float> values(moves.size());
  evaluator->look_ahead(mate, {moves.begin(), moves.end()}, values);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    EXPECT_EQ(values[i] == 1, game.move_text(mate, moves[i]) == "Rb8#");
  }
}

TEST(ChessValueNetworks, AreEvaluatedInWhitesView) {
  const TemporaryFolder folder;
  const std::string csv = (folder.path() / "two.csv").string();
  {
    std::ofstream out(csv);
    rules::PositionCsvWriter writer(out);
    const Chess game;
    writer.write(game.parse_position("k7/8/8/8/8/8/1Q6/K7 w - - 0 1").value(), expected_of(400));
    writer.write(game.parse_position("k7/8/8/8/8/8/1Q6/K7 b - - 0 1").value(), expected_of(400));
  }
  const auto data = made(rows_of({{"from", csv}, {"encoder", "bits"}}));
  ASSERT_TRUE(data) << data.error().text();
  const auto sign = [&](const char* last) {
    const auto network = queen_counter(last);
    const auto predictor = predict_with(*network);
    const auto metrics =
        game_task<Chess>().evaluate(*predictor, "bits", *data, Split::training).value();
    return find_metric(metrics, kSignMetric)->value;
  };
  EXPECT_DOUBLE_EQ(sign("sigmoid"), 1.0);
  EXPECT_DOUBLE_EQ(sign("tanh"), 0.5) << "it calls Black's move in a lost position a win";
}

}  // namespace
}  // namespace damier::learn
