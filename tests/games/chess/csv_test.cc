// Positions as numbers: the encoders, and files of them.

#include <sstream>

#include "tests/games/chess/test_kit.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/games/chess/encoders.h"

namespace damier::games::chess {
namespace {

State without_rights(State state) {
  state.castling = 0;
  state.en_passant = Square::none;
  state.hash = zobrist_hash(state);
  return state;
}

TEST(ChessEncoders, BytesAreRanksFromTheEighthWithTheAFileLowest) {
  const Chess game;
  const PositionBytes start = encode_bytes(game.initial());
  const auto at = [&](std::size_t board, int rank) {
    return start[8 * board + 8 - static_cast<std::size_t>(rank)];
  };
  EXPECT_EQ(at(0, 2), 255) << "white pawns";
  EXPECT_EQ(at(1, 7), 255) << "black pawns";
  EXPECT_EQ(at(2, 1), 0b10000001) << "white rooks";
  EXPECT_EQ(at(5, 8), 0b01000010) << "black knights";
  EXPECT_EQ(at(6, 1), 0b00100100) << "white bishops";
  EXPECT_EQ(at(8, 1), 0b00001000) << "white queen on d1";
  EXPECT_EQ(at(11, 8), 0b00010000) << "black king on e8";
  EXPECT_EQ(start[96], 1) << "White to move";
}

TEST(ChessEncoders, FeaturesAreTheBitsAndAPlaneForTheSide) {
  const Chess game;
  const State state = read_fen(game, "4k3/8/8/8/8/8/4P3/R3K3 b - - 0 1");
  std::vector<float> features(13 * 64);
  game.write_features(state, features);
  EXPECT_EQ(features[12], 1.0f) << "the white pawn on e2";
  EXPECT_EQ(features[2 * 64], 1.0f) << "the white rook on a1";
  EXPECT_EQ(features[11 * 64 + 60], 1.0f) << "the black king on e8";
  EXPECT_EQ(features[12 * 64], 0.0f) << "Black to move";
  EXPECT_EQ(std::count(features.begin(), features.end(), 1.0f), 4);
}

RC_GTEST_PROP(ChessEncoders, DecodingGivesThePositionBack, (std::uint64_t seed)) {
  const Chess game = any_chess(seed);
  for (const RandomPly& ply : random_game(game, seed, 100)) {
    const auto bytes = decode_bytes(encode_bytes(ply.after), game.generator());
    RC_ASSERT(bytes.ok());
    RC_ASSERT(*bytes == without_rights(ply.after));
  }
}

TEST(ChessEncoders, DecodingRefusesWhatIsNoPosition) {
  const Chess game;
  const auto error = [&](std::size_t at, std::uint8_t value) {
    PositionBytes bytes = encode_bytes(game.initial());
    bytes[at] = value;
    const auto state = decode_bytes(bytes, game.generator());
    return state ? "" : state.error().message;
  };
  EXPECT_EQ(error(96, 2), "the side to move is 1 (White) or 0 (Black), not 2");
  EXPECT_EQ(error(14, 255), "two pieces on a2");
  EXPECT_EQ(error(87, 0), "White has 0 kings, not one");
  EXPECT_EQ(error(0, 1), "two pieces on a8");
}

std::string csv_of(std::uint64_t seed, int plies, std::vector<PositionRow>* rows = nullptr) {
  std::ostringstream out;
  PositionCsvWriter writer(out);
  RandomStream random(Seed{seed}, "chess.csv");
  for (const RandomPly& ply : random_game(any_chess(seed), seed, plies)) {
    const double target = random.uniform();
    writer.write(ply.after, target);
    if (rows != nullptr) rows->push_back({without_rights(ply.after), target});
  }
  return out.str();
}

TEST(ChessCsv, HasAHeaderAnd98Columns) {
  const std::string text = csv_of(0, 3);
  EXPECT_TRUE(text.starts_with("P8,P7,P6,P5,P4,P3,P2,P1,p8,")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_EQ(std::count(text.begin(), text.end(), ','), 4 * 97);
}

RC_GTEST_PROP(ChessCsv, WhatIsWrittenIsRead, (std::uint64_t seed)) {
  std::vector<PositionRow> rows;
  std::istringstream in(csv_of(seed, 80, &rows));
  PositionCsvReader reader(in, "data.csv");
  PositionRow row;
  for (const PositionRow& expected : rows) {
    const auto more = reader.next(row);
    RC_ASSERT(more.ok());
    RC_ASSERT(*more);
    RC_ASSERT(row.state == expected.state);
    RC_ASSERT(row.target == expected.target);
  }
  const auto more = reader.next(row);
  RC_ASSERT(more.ok());
  RC_ASSERT(!*more);
}

TEST(ChessCsv, SaysTheLineAndTheColumnThatAreWrong) {
  const std::string text = csv_of(0, 1);
  const std::size_t second = text.find('\n') + 1;
  const std::string header = text.substr(0, second);
  const std::string line = text.substr(second, text.size() - second - 1);
  const auto replaced = [&](std::size_t at, std::size_t length, const char* with) {
    return header + std::string(line).replace(at, length, with) + "\n";
  };
  const std::size_t last = line.rfind(',') + 1;
  struct Wrong {
    std::string text;
    const char* error;
  };
  const Wrong table[] = {
      {"", "data.csv:1:1: expected a header row of 98 columns, found nothing"},
      {"a,b,c\n", "data.csv:1:1: expected a header row of 98 columns, found 3"},
      {line + "\n", "data.csv:1:1: expected a header row with the names of the columns"},
      {replaced(0, 1, "256"), "data.csv:2:1: column 1 (P8): expected a number from 0 to 255"},
      {replaced(2, 1, "x"),
       "data.csv:2:3: column 2 (P7): expected a number from 0 to 255, found 'x'"},
      {replaced(2, 1, ""),
       "data.csv:2:3: column 2 (P7): expected a number from 0 to 255, found ''"},
      {replaced(2, 1, "-1"), "data.csv:2:3: column 2 (P7)"},
      {header + "1,2,3\n", "data.csv:2:5: expected 98 columns, found 3"},
      {header + line + ",0\n", "more than 98 columns"},
      {replaced(last, line.size() - last, "1.5"),
       "column 98 (target): expected a number from 0 to 1"},
      {replaced(last, line.size() - last, "nan"), "column 98 (target)"},
      {replaced(last, line.size() - last, ""), "column 98 (target)"},
      {replaced(0, 1, "1"), "data.csv:2:1: not a position: "},
  };
  for (const Wrong& wrong : table) {
    std::istringstream in(wrong.text);
    PositionCsvReader reader(in, "data.csv");
    PositionRow row;
    const auto more = reader.next(row);
    ASSERT_FALSE(more) << wrong.error;
    EXPECT_NE(more.error().text().find(wrong.error), std::string::npos)
        << more.error().text() << "\nexpected: " << wrong.error;
  }
}

TEST(ChessCsv, GoesOnBehindAWrongLine) {
  const std::string text = csv_of(0, 1);
  std::istringstream in(text + "nonsense\n\n" + text.substr(text.find('\n') + 1));
  PositionCsvReader reader(in, "data.csv");
  PositionRow row;
  EXPECT_TRUE(reader.next(row).value());
  EXPECT_EQ(reader.next(row).error().where.line, 3);
  EXPECT_TRUE(reader.next(row).value());
  EXPECT_FALSE(reader.next(row).value());
}

}  // namespace
}  // namespace damier::games::chess
