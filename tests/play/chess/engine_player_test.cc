#include <gtest/gtest.h>

#include "damier/play/players/players.h"
#include "damier/play/registry.h"

namespace damier::play {
namespace {

std::shared_ptr<const Toolkit> chess() {
  const Registry registry = builtin_games();
  return registry.toolkit(registry.make("chess", {}).value());
}

std::unique_ptr<games::Session> session_at(const Toolkit& kit, std::string_view fen) {
  return kit.game().start_from(fen).value();
}

std::vector<games::Action> some_moves(Player& player, const Toolkit& kit) {
  const auto session = kit.game().start(Seed{1});
  RandomStream random(Seed{1}, "test");
  std::vector<games::Action> moves;
  for (int ply = 0; ply < 6; ++ply) {
    moves.push_back(player.choose(*session, random));
    session->play(moves.back());
  }
  return moves;
}

TEST(EnginePlayer, PlaysTheSameGameWhateverItPlayedBefore) {
  const auto kit = chess();
  const auto first = make_player(*kit, "engine:nodes=2000"),
             second = make_player(*kit, "engine:nodes=2000");
  const auto moves = some_moves(*first->player, *kit);
  EXPECT_EQ(some_moves(*second->player, *kit), moves);
  EXPECT_EQ(some_moves(*first->player, *kit), moves);
}

TEST(EnginePlayer, ShowsMovesWithScoresAMateAndItsLine) {
  const auto kit = chess();
  RandomStream random(Seed{1}, "test");
  const auto player = make_player(*kit, "engine:depth=5,lines=2");
  const auto mating = session_at(*kit, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
  const Answer answer = player->player->answer(*mating, {.every_move = true, .random = &random});
  EXPECT_EQ(answer.moves.size(), mating->legal_actions().size());
  EXPECT_EQ(mating->move_text(answer.moves[0].move), "Rd8#");
  EXPECT_EQ(answer.moves[0].known, (Known{Verdict::win, 1}));
  EXPECT_TRUE(answer.moves[1].score);
  EXPECT_FALSE(answer.moves[2].score);
  EXPECT_EQ(answer.line.size(), 1u);
  EXPECT_GT(answer.nodes, 0u);
}

TEST(EnginePlayer, RefusesWhatItDoesNotKnow) {
  const auto kit = chess();
  EXPECT_FALSE(make_player(*kit, "engine:elo=100"));
  EXPECT_FALSE(make_player(*kit, "engine:ply=3"));
  EXPECT_TRUE(make_player(*kit, "engine:elo=900,seconds=0.01,threads=2,hash=1"));
}

}  // namespace
}  // namespace damier::play
