// Positions put together by hand, in every game that has them.
#include <algorithm>

#include <gtest/gtest.h>

#include "damier/games/any_game.h"
#include "damier/games/builtin.h"
#include "damier/games/picture.h"

namespace damier::games {
namespace {

template <class G>
std::shared_ptr<const AnyGame> game_of() {
  return game_entry<G>().make({}).value();
}

Placement placement_on(const AnyGame& game, std::string_view position) {
  const auto session = game.start_from(position).value();
  return placement_of(session->picture(), session->side_to_move(), game.pieces());
}

TEST(Placement, APositionIsWrittenAsItWasRead) {
  const auto check = []<class G>(std::string_view text) {
    const auto game = game_of<G>();
    EXPECT_EQ(game->text_of(placement_on(*game, text)), text);
  };
  check.operator()<chess::Chess>("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  check.operator()<chess::Chess>("4k2r/8/8/8/8/8/8/4K3 w k - 0 1");
  check.operator()<fanorona::Fanorona>("bBb..wW.w b");
  check.operator()<bremen::Bremen>("a2a2c1a4/b3d4b3a5 b");
  check.operator()<bremen::Bremen>("----/---- b");
  check.operator()<domineering::Domineering>(
      "..#...../..#...../......../......../......../......../......../........ h");
}

TEST(Placement, APieceIsPutOnACellAndTakenAwayAgain) {
  for_each_game(BuiltinGames(), []<class G>() {
    const auto game = game_of<G>();
    const std::vector<Token> pieces = game->pieces();
    EXPECT_EQ(pieces.empty(), !Placeable<G>) << G::facts().name;
    if (pieces.empty()) return;
    Placement placement;
    placement.cells.resize(game->start(Seed{1})->picture().cells.size());
    const std::string empty = game->text_of(placement);
    for (const Token& piece : pieces) {
      game->put(placement, 1, piece);
      EXPECT_EQ(placement.cells[1], std::vector{piece}) << G::facts().name;
      EXPECT_NE(game->text_of(placement), empty) << G::facts().name << " " << piece.role;
      game->put(placement, 1, piece);
      EXPECT_EQ(game->text_of(placement), empty) << G::facts().name << " " << piece.role;
    }
  });
}

TEST(Placement, AnAnimalStandsOnOneSquareAndNoneOfItsKindBesideIt) {
  const auto game = game_of<bremen::Bremen>();
  Placement placement = placement_on(*game, "a2a2c1a4/b3d4b3a5 b");
  game->put(placement, 24, {"donkey", Side::first});
  EXPECT_EQ(game->text_of(placement), "e1a2c1a4/b3d4b3a5 b");
  game->put(placement, 24, {"donkey", Side::second});
  EXPECT_EQ(game->text_of(placement), "-a2c1a4/e1d4b3a5 b");
}

TEST(Placement, AnimalsAreStackedInTheirOrder) {
  const auto game = game_of<bremen::Bremen>();
  Placement placement = placement_on(*game, "----/---- b");
  game->put(placement, 3, {"rooster", Side::first});
  game->put(placement, 3, {"dog", Side::second});
  EXPECT_EQ(placement.cells[3],
            (std::vector<Token>{{"dog", Side::second}, {"rooster", Side::first}}));
}

TEST(Placement, APictureShowsWhatWasPut) {
  const auto game = game_of<fanorona::Fanorona>();
  const auto session = game->start(Seed{1});
  Placement placement;
  placement.cells.resize(9);
  placement.cells[4] = {{"disc", Side::second, "moved"}};
  const Picture picture = picture_of(session->picture(), placement);
  EXPECT_TRUE(picture.cells[0].tokens.empty());
  EXPECT_EQ(picture.cells[4].tokens.front(), (Token{"disc", Side::second, "moved"}));
  EXPECT_TRUE(picture.caption.empty());
}

}  // namespace
}  // namespace damier::games
