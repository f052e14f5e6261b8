#include "damier/play/contest/match.h"

#include <gtest/gtest.h>

#include "damier/games/fanorona/fanorona.h"
#include "damier/nn/training.h"
#include "damier/play/players/network_players.h"

namespace damier::play {
namespace {

using games::fanorona::Fanorona;

const Registry& all_games() {
  static const Registry kGames = builtin_games();
  return kGames;
}

OpenedPlayer last_move() {
  class LastMove : public Player {
    games::Action choose(const games::Session& session, RandomStream&) override {
      return session.legal_actions().back();
    }
  };
  return {"last", [] { return std::make_unique<LastMove>(); }};
}

TEST(PlayMatch, IsTheSameOnAnyNumberOfThreads) {
  MatchOptions options = {.games = 20, .seed = Seed{7}, .threads = 1, .rules = {{"board", "4x4"}}};
  const auto one = play_match(all_games(), "domineering", "flat:5", "random", options).value();
  options.threads = 3;
  const auto three = play_match(all_games(), "domineering", "flat:5", "random", options).value();
  ASSERT_EQ(one.games.size(), 20u);
  for (std::size_t i = 0; i < one.games.size(); ++i) {
    EXPECT_EQ(one.games[i].moves, three.games[i].moves);
  }
  EXPECT_EQ(one.record, three.record);
  EXPECT_EQ(one.record.games(), 20);
  EXPECT_EQ(one.score.value, one.record.score());
  EXPECT_EQ(one.elo.difference, elo_difference(one.score).difference);
}

TEST(PlayMatch, TakesPlayersThatAreNoNames) {
  const auto match =
      play_match(all_games(), "fanorona", last_move(), "first", {.games = 4, .opening_plies = 0});
  ASSERT_TRUE(match) << match.error().text();
  EXPECT_EQ(match->games[0].first, "last");
  EXPECT_EQ(match->games[1].second, "last");
}

TEST(PlayMatch, EndsWhenItIsToldTo) {
  int heard = 0;
  const auto match = play_match(
      all_games(), "fanorona", "random", "random",
      {.games = 100, .threads = 1, .on_game = [&](const GameRow&) { return ++heard < 3; }});
  EXPECT_EQ(match.value().games.size(), 3u);
}

TEST(PlayMatch, WrongWordsAreNamed) {
  const auto error = [](std::string_view game, const Entrant& a, const MatchOptions& options = {}) {
    return play_match(all_games(), game, a, "random", options).error().text();
  };
  EXPECT_NE(error("fanrona", "random").find("did you mean 'fanorona'?"), std::string::npos);
  EXPECT_NE(error("fanorona", "randm").find("did you mean 'random'?"), std::string::npos);
  EXPECT_EQ(error("fanorona", "random", {.games = 3}),
            "3 games cannot be paired: expected an even number from 2 on");
  EXPECT_NE(error("fanorona", "human").find("damier play fanorona"), std::string::npos);
  EXPECT_NE(error("minesweeper", "solver").find("has one player"), std::string::npos);
  EXPECT_NE(error("domineering", "random", {.rules = {{"bord", "4x4"}}}).find("board"),
            std::string::npos);
}

TEST(NetworkPlayer, KeepsTheWeightsOfTheMomentWhenItWasMade) {
  const auto spec =
      nn::parse_network_text(R"({"input": [46], "layers": [{"type": "dense", "units": 8}],
      "heads": {"moves": [{"type": "dense", "units": 81}],
                "value": [{"type": "dense", "units": 1}]}})",
                             "test");
  ASSERT_TRUE(spec) << spec.error().text();
  nn::Network<float> live(*spec, 4, nn::Use::training);
  nn::initialise(live, nn::Initialisation(), Seed{1});
  const Fanorona game;
  const auto player_of = [&](int simulations) {
    const auto evaluator =
        model::NetworkEvaluator<Fanorona>::make(game, "flat", model::predict_with(live));
    return network_player("live", game, evaluator.value(), static_cast<std::uint64_t>(simulations));
  };
  const auto session = all_games().make("fanorona").value()->start(Seed{1});
  const auto priors = [&](const OpenedPlayer& player) {
    RandomStream random(Seed{1}, "test");
    std::vector<double> list;
    const Ask ask = {.every_move = true, .random = &random};
    for (const MoveAnswer& move : player.make()->answer(*session, ask).moves) {
      list.push_back(move.prior.value());
    }
    return list;
  };
  const OpenedPlayer alone = player_of(0), searching = player_of(20);
  const auto before = priors(alone);
  nn::initialise(live, nn::Initialisation(), Seed{2});
  EXPECT_EQ(priors(alone), before);
  EXPECT_NE(priors(player_of(0)), before);
  const auto match = play_match(all_games(), "fanorona", alone, searching, {.games = 4});
  EXPECT_EQ(match.value().record.games(), 4);
}

}  // namespace
}  // namespace damier::play
