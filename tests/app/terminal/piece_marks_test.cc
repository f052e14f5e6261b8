#include "damier/app/terminal/piece_marks.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "damier/base/numbers/random.h"
#include "damier/base/text/language.h"
#include "damier/games/any_game.h"
#include "damier/games/builtin.h"

namespace damier::app {
namespace {

constexpr Look kSigns = {.colour = false, .unicode = true};
constexpr Look kAscii = {.colour = false, .unicode = false};

TEST(PieceMarks, TheSidesOfEveryGameCanBeToldApartWithoutColours) {
  games::for_each_game(games::BuiltinGames(), []<class G>() {
    std::map<std::string, games::Side> owners;
    RandomStream random(Seed{1}, "piece_marks_test");
    const auto game = games::game_entry<G>().make({}).value();
    const auto session = game->start(Seed{1});
    while (session->outcome() == games::Outcome::ongoing) {
      const games::Picture picture = session->picture();
      for (const games::Cell& cell : picture.cells) {
        for (const games::Token& token : cell.tokens) {
          if (!token.side) continue;
          for (const Look& look : {kSigns, kAscii}) {
            const std::string sign = mark_of(token, picture.colours, look).sign;
            const auto [owner, is_new] = owners.emplace(sign, *token.side);
            ASSERT_EQ(owner->second, *token.side) << G::facts().name << ": both have " << sign;
          }
        }
      }
      const auto actions = session->legal_actions();
      session->play(actions[random.below(actions.size())]);
    }
  });
}

TEST(PieceMarks, LettersOfChessAreThoseOfTheLanguage) {
  const auto letters = [] {
    std::string text;
    for (const char* role : {"king", "queen", "rook", "bishop", "knight", "pawn"}) {
      text += mark_of({role, games::Side::first}, {}, kAscii).sign;
    }
    return text;
  };
  EXPECT_EQ(letters(), "KQRBNP");
  set_language(Language::french);
  EXPECT_EQ(letters(), "RDTFCP");
  set_language(Language::english);
  EXPECT_EQ(mark_of({"knight", games::Side::second}, {}, kSigns).sign, "♞");
}

TEST(PieceMarks, PiecesOfOtherGamesAreTheirFirstLetter) {
  EXPECT_EQ(mark_of({"wizard", games::Side::first}, {}, kSigns).sign, "W");
  EXPECT_EQ(mark_of({"wizard", games::Side::second}, {}, kSigns).sign, "w");
}

TEST(PieceMarks, ColoursOfSidesDiffer) {
  using games::Colour;
  std::set<std::string> discs, tiles;
  for (const Colour colour :
       {Colour::blue, Colour::green, Colour::orange, Colour::purple, Colour::red, Colour::yellow}) {
    discs.insert(mark_of({"disc", games::Side::first}, {colour, colour}, kSigns).codes);
    tiles.insert(mark_of({"dog", games::Side::first}, {colour, colour}, kSigns).codes);
  }
  EXPECT_EQ(discs.size(), 6u);
  EXPECT_EQ(tiles.size(), 6u);
}

}  // namespace
}  // namespace damier::app
