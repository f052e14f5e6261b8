#include "damier/play/analysis/played_game.h"

#include <gtest/gtest.h>

#include "damier/play/registry.h"

namespace damier::play {
namespace {

constexpr std::string_view kGame =
    R"({"schema": "damier/game/1", "game": "fanorona", "moves": ["6-3", "2-5", "3-6", "5-2"]})";

class PlayedGames : public ::testing::Test {
 protected:
  games::SavedGame read(std::string_view text) const {
    return games::parse_saved_game(registry_, text, "game").value();
  }
  // The numbers of the moves, in the order of the calls.
  std::vector<std::size_t> judge(PlayedGame& played, const games::SavedGame& game, int threads) {
    const auto toolkit = registry_.toolkit(game.game);
    const auto player = open_player(*toolkit, "perfect").value();
    ThreadPool pool(threads);
    std::vector<std::size_t> reported;
    played.judge(*toolkit, player.make, Seed{1}, pool,
                 [&](std::size_t i) { reported.push_back(i); });
    return reported;
  }

  Registry registry_ = builtin_games();
};

TEST_F(PlayedGames, MovesAreReportedInOrder) {
  const auto game = read(kGame);
  PlayedGame played(game);
  EXPECT_EQ(judge(played, game, 2), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(played.end(), 4u);
}

TEST_F(PlayedGames, AMistakeHasABetterMoveAndALine) {
  const auto game = read(kGame);
  PlayedGame played(game);
  judge(played, game, 1);
  int mistakes = 0;
  for (std::size_t i = 0; i < played.moves().size(); ++i) {
    const PlayedMove& move = played.moves()[i];
    ASSERT_TRUE(move.loss.has_value());
    EXPECT_EQ(*move.loss > 0, !move.best.empty()) << move.move;
    EXPECT_EQ(played.better_line(i).empty(), move.best.empty());
    mistakes += *move.loss > 0;
  }
  EXPECT_EQ(mistakes, 2);
  EXPECT_EQ(played.summary_of(games::Side::first).moves, 2);
}

TEST_F(PlayedGames, PartOfAGameIsJudgedAsInTheWhole) {
  const auto game = read(kGame);
  PlayedGame whole(game), part(game, 2);
  judge(whole, game, 1);
  EXPECT_EQ(judge(part, game, 1), (std::vector<std::size_t>{2, 3}));
  for (const std::size_t i : {2u, 3u}) {
    EXPECT_EQ(part.moves()[i].loss, whole.moves()[i].loss);
    EXPECT_EQ(part.moves()[i].best, whole.moves()[i].best);
  }
  EXPECT_FALSE(part.moves()[0].loss.has_value());
}

TEST_F(PlayedGames, AGameMayJudgeItsMovesItself) {
  const auto game = read(kGame);
  PlayedGame played(game);
  played.judge(
      [](const games::Session& session, games::Action) -> std::optional<Judgement> {
        if (session.plies() != 1) return std::nullopt;
        return Judgement{"so-so", "2-4", 0.25};
      },
      [](std::size_t) {});
  EXPECT_EQ(played.moves()[1].words, "so-so");
  EXPECT_EQ(played.moves()[1].best, "2-4");
  EXPECT_EQ(kGrades[*grade_of(*played.moves()[1].loss)].name, "mistake");
  EXPECT_FALSE(played.moves()[0].loss.has_value());
}

TEST(Grades, GoByWhatIsGivenAway) {
  const auto name = [](double loss) {
    const auto grade = grade_of(loss);
    return grade ? kGrades[*grade].name : "none";
  };
  EXPECT_EQ(name(0.05), "none");
  EXPECT_EQ(name(0.1), "inaccuracy");
  EXPECT_EQ(name(0.2), "mistake");
  EXPECT_EQ(name(0.3), "blunder");
}

}  // namespace
}  // namespace damier::play
