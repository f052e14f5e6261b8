#include "damier/app/terminal/board_printer.h"

#include <gtest/gtest.h>

#include "damier/base/text/columns.h"
#include "damier/base/text/text.h"
#include "damier/games/bremen/bremen.h"
#include "damier/games/chess/chess.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/fanorona/fanorona.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::app {
namespace {

constexpr int kWide = 200;
constexpr Look kPlain = {.colour = false, .unicode = false};
constexpr Look kUnicode = {.colour = false, .unicode = true};
constexpr Look kColour = {.colour = true, .unicode = true};

TEST(BoardPrinter, StacksReadFromBottomToTop) {
  const games::bremen::Bremen game;
  const auto state = game.parse_position("c3b1c1c3/a5c3c5d5 b").value();
  const std::string text = board_text(game.picture(state, {}), kPlain, kWide);
  EXPECT_NE(
      text.find(
          "  3 |              |              |  D  g     R  |              |              |\n"),
      std::string::npos)
      << text;
}

TEST(BoardPrinter, TheBoardCanBeTurned) {
  const games::chess::Chess game;
  const std::string text = board_text(turned(game.picture(game.initial(), {})), kPlain, kWide);
  EXPECT_NE(text.find("h   g   f"), std::string::npos) << text;
  EXPECT_LT(text.find("| R | N | B | K |"), text.find("| r | n | b | k |")) << text;
}

TEST(BoardPrinter, CaptionsHavePiecesInThem) {
  const games::fanorona::Fanorona game;
  const auto picture = game.picture(game.initial(), {});
  EXPECT_EQ(caption_text(picture, kUnicode).substr(0, 33), "  White ○ □ Black; ● ■ on");
  EXPECT_EQ(caption_text(picture, kPlain).substr(0, 24), "  White w b Black; W B o");
}

TEST(BoardPrinter, TheLastMoveStandsInBrackets) {
  const games::bremen::Bremen game;
  const auto state = game.parse_position("a1b1c1d3/a5b5c5d5 r").value();
  const games::bremen::Move last = games::bremen::play_move(3, 13);
  const std::string text = board_text(game.picture(state, {&last, 1}), kUnicode, kWide);
  EXPECT_NE(text.find("│[          R ]│"), std::string::npos) << text;
}

TEST(BoardPrinter, DominoesLookLikeDominoes) {
  const games::domineering::Domineering game(2, 3);
  auto state = game.initial();
  std::vector<games::domineering::Move> played;
  for (const char* text : {"a1", "b2"}) {
    played.push_back(game.parse_move(state, text).value());
    game.play(state, played.back());
  }
  EXPECT_EQ(board_text(game.picture(state, played), kUnicode, kWide),
            "    a b c\n  1 ╻ · ·\n  2 ╹ ╺━╸\n");
  EXPECT_EQ(board_text(game.picture(state, played), kPlain, kWide),
            "    a b c\n  1 | . .\n  2 | ===\n");
}

TEST(BoardPrinter, ChessHasLightAndDarkSquaresWhereThereAreColours) {
  const games::chess::Chess game;
  const auto picture = game.picture(game.initial(), {});
  const std::string colour = board_text(picture, kColour, kWide),
                    plain = board_text(picture, kPlain, kWide);
  EXPECT_NE(colour.find("48;5;180"), std::string::npos) << colour;
  EXPECT_NE(colour.find("48;5;137"), std::string::npos);
  EXPECT_EQ(colour.find("│"), std::string::npos) << "no lines between them";
  EXPECT_NE(plain.find("| r | n | b | q | k | b | n | r |"), std::string::npos) << plain;
}

TEST(BoardPrinter, WideBoardsKeepTheirColumnsApart) {
  const games::minesweeper::Minesweeper game(2, 28, 1);
  const std::string text = board_text(game.picture(game.deal(Seed{1}), {}), kPlain, kWide);
  EXPECT_NE(text.find(" z  aa ab\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  1 #  #  #"), std::string::npos) << text;
}

TEST(BoardPrinter, ColoursAreSwitchedOffAtTheEndOfEveryLine) {
  const games::minesweeper::Minesweeper game(9, 9, 10);
  auto state = game.deal(Seed{1});
  game.open(state, 4, 4);
  const std::string text = board_text(game.picture(state, {}), kColour, kWide);
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    const std::string line = text.substr(start, end - start);
    const auto last = line.rfind("\x1b[");
    if (last != std::string::npos) {
      EXPECT_EQ(line.substr(last, 4), "\x1b[0m") << line;
    }
    start = end + 1;
  }
}

int widest_line(const std::string& text) {
  int width = 0;
  for (const auto line : split(text, '\n')) width = std::max(width, visible_width(line));
  return width;
}

TEST(BoardPrinter, WideBoardsFitIntoNarrowTerminals) {
  const games::minesweeper::Minesweeper expert(16, 30, 99);
  const auto mines = expert.picture(expert.deal(Seed{1}), {});
  EXPECT_EQ(widest_line(board_text(mines, kUnicode, kWide)), 94);
  // Without gaps for two letters of a label, then without any.
  EXPECT_EQ(board_text(mines, kUnicode, 80).substr(0, 200).find("a a a a"), 57u);
  for (const int columns : {80, 60, 46}) {
    EXPECT_LE(widest_line(board_text(mines, kUnicode, columns)), columns);
  }
  const games::bremen::Bremen bremen;
  const auto state = bremen.parse_position("c3b1c1c3/a5c3c5d5 b").value();
  const auto stacks = bremen.picture(state, {});
  EXPECT_GT(widest_line(board_text(stacks, kPlain, kWide)), 75);
  const std::string close = board_text(stacks, kPlain, 75);
  EXPECT_NE(close.find("\n  3 .    .    Dg R .    .\n"), std::string::npos) << close;
}

TEST(BoardPrinter, ABoardThatIsTooWideInAnyFormComesInParts) {
  const auto game = games::domineering::Domineering::make({{"board", "2x32"}}).value();
  const std::string text = board_text(game.picture(game.initial(), {}), kPlain, 24);
  const std::string half = "  1 ................\n";
  EXPECT_NE(text.find(half), text.rfind(half)) << text;
  EXPECT_NE(text.find("the whole board needs 36 columns"), std::string::npos) << text;
}

}  // namespace
}  // namespace damier::app
