#include "damier/play/players/players.h"

#include <map>

#include <gtest/gtest.h>

#include "damier/base/numbers/bits.h"
#include "damier/model/library.h"
#include "damier/play/registry.h"

namespace damier::play {
namespace {

std::shared_ptr<const Toolkit> toolkit(const std::string& game,
                                       const games::OptionValues& options = {}) {
  const Registry registry = builtin_games();
  return registry.toolkit(registry.make(game, options).value());
}

TEST(Players, EveryOfferedPlayerPlaysALegalMove) {
  const Registry registry = builtin_games();
  for (const std::string& game : registry.names()) {
    const auto kit = toolkit(game, game == "domineering" ? games::OptionValues{{"board", "4x4"}}
                                                         : games::OptionValues{});
    for (const std::string& name : player_names(*kit)) {
      SCOPED_TRACE(game + " " + name);
      const auto player = make_player(*kit, name);
      if (name == "uci") {  // tests/search/chess/uci_client_test.cc
        EXPECT_NE(player.error().text().find("as in uci:stockfish"), std::string::npos);
        continue;
      }
      const bool has_model = model::best_model_path(game).ok();
      if (name == "net" && !has_model) {
        EXPECT_NE(player.error().text().find("damier train " + game), std::string::npos);
        continue;
      }
      ASSERT_TRUE(player) << player.error().text();
      EXPECT_EQ(player->is_human(), name == "human");
      EXPECT_EQ(player->name, name);
      if (player->is_human()) continue;
      const auto session = kit->game().start(Seed{1});
      RandomStream random(Seed{1}, "test");
      const auto actions = session->legal_actions();
      const auto chosen = player->player->choose(*session, random);
      EXPECT_NE(std::find(actions.begin(), actions.end(), chosen), actions.end());
      const Answer answer =
          player->player->answer(*session, {.every_move = true, .random = &random});
      EXPECT_EQ(answer.moves.size(), session->playing_actions().size());
      for (const MoveAnswer& move : answer.moves) {
        EXPECT_LE(std::abs(move.value.value_or(0)), 1);
      }
    }
  }
}

TEST(Players, FirstTakesTheFirstLegalMove) {
  const auto kit = toolkit("fanorona");
  const auto session = kit->game().start(Seed{1});
  RandomStream random(Seed{1}, "test");
  const auto action = make_player(*kit, "first")->player->choose(*session, random);
  EXPECT_EQ(session->move_text(action), "6-3");
}

TEST(Players, RandomTakesAllMovesAlike) {
  const auto kit = toolkit("fanorona");
  const auto session = kit->game().start(Seed{1});
  const auto player = make_player(*kit, "random");
  RandomStream random(Seed{1}, "test");
  std::map<games::Action, int> counts;
  for (int i = 0; i < 50000; ++i) ++counts[player->player->choose(*session, random)];
  EXPECT_EQ(counts.size(), 5u);
  for (const auto& [action, count] : counts) EXPECT_NEAR(count, 10000, 450);
}

TEST(Players, InMinesweeperTheyOpenAndDoNotFlag) {
  const auto kit = toolkit("minesweeper");
  const auto session = kit->game().start(Seed{1});
  RandomStream random(Seed{1}, "test");
  for (const char* name : {"random", "first", "solver"}) {
    const auto action = make_player(*kit, name)->player->choose(*session, random);
    EXPECT_LT(games::index(action), 81) << "the openings come first among the actions";
  }
}

TEST(Players, WinAtOnceWhereTheyCan) {
  // White closes a diagonal.
  const auto kit = toolkit("fanorona");
  const auto session = kit->game().start_from("BB..WWWB. w").value();
  RandomStream random(Seed{1}, "test");
  for (const char* name : {"minimax:1", "minimax:4", "uct:500", "puct:500", "perfect", "flat:300",
                           "puct:100,eval=exact", "ucb:300"}) {
    const auto next = session->clone();
    next->play(make_player(*kit, name)->player->choose(*session, random));
    EXPECT_EQ(next->outcome(), games::Outcome::first_wins) << name;
  }
}

TEST(Players, WrongNamesGetTheListNearestFirst) {
  const auto kit = toolkit("fanorona");
  EXPECT_EQ(make_player(*kit, "randm").error().text(),
            "unknown fanorona player 'randm'; did you mean 'random'? (known: random, net, first, "
            "flat, ucb, uct, puct, minimax, human, perfect)");
  EXPECT_EQ(make_player(*kit, "random:5").error().text(),
            "player 'random' takes no options; got '5'");
  EXPECT_NE(make_player(*kit, "solver").error().text().find("unknown fanorona player 'solver'"),
            std::string::npos);
  EXPECT_NE(make_player(*toolkit("bremen"), "perfect").error().text().find("unknown bremen player"),
            std::string::npos);
  EXPECT_EQ(make_player(*toolkit("bremen"), "puct:10,eval=exact").error().text(),
            "player 'puct:10,eval=exact': bremen has no exact table for eval=exact; expected "
            "playouts");
}

const PlayerInfo* find(const std::vector<PlayerInfo>& infos, std::string_view name) {
  const auto found = std::find_if(infos.begin(), infos.end(),
                                  [&](const PlayerInfo& info) { return info.name == name; });
  return found == infos.end() ? nullptr : &*found;
}

TEST(Players, TheHelpIsMadeFromWhatTheyDeclare) {
  const auto infos = player_infos(builtin_games());
  EXPECT_EQ(infos.front().name, "random");
  EXPECT_EQ(infos.back().name, "human");
  const PlayerInfo* ucb = find(infos, "ucb");
  ASSERT_NE(ucb, nullptr);
  EXPECT_EQ(ucb->form, "ucb:N");
  ASSERT_EQ(ucb->options.size(), 4u);
  const auto declared = [&](int option) {
    const PlayerOption& one = ucb->options[at(option)].declared;
    return one.form + " | " + one.help + " | " + one.values.english();
  };
  EXPECT_EQ(declared(1), "c=X | how much to explore | from 0 to 1000, default 0.4");
  EXPECT_EQ(declared(2),
            "choice=C | for a study: play the move with most visits, or greatest upper bound | "
            "visits or bound, default visits");
  EXPECT_EQ(ucb->options[2].games, std::vector<std::string>{"domineering"});
  EXPECT_EQ(ucb->options[3].declared.name(), "mean");
  EXPECT_TRUE(ucb->options[1].games.empty()) << "every game that has the player has the option";
  const PlayerInfo* net = find(infos, "net");
  ASSERT_NE(net, nullptr);
  for (const PlayerInfo::Option& option : net->options) {
    if (option.declared.name() == "safe") {
      EXPECT_EQ(option.games, std::vector<std::string>{"minesweeper"});
    }
  }
}

TEST(Players, FaultsOfAPublishedProgramBelongToTheGameOfItsStudy) {
  const Registry games = builtin_games();
  const auto opens = [&](const char* game, const char* player) {
    return open_player(*games.toolkit(games.find(game).value()->make({}).value()), player).ok();
  };
  for (const char* player : {"flat:1,last=untried", "ucb:1,choice=bound", "ucb:1,mean=zero"}) {
    EXPECT_TRUE(opens("domineering", player)) << player;
    EXPECT_FALSE(opens("fanorona", player)) << player;
  }
}

TEST(Players, EveryDeclaredOptionIsUnderstood) {
  const Registry registry = builtin_games();
  for (const std::string& game : registry.names()) {
    const auto kit = toolkit(game);
    for (const PlayerKind& kind : player_kinds(*kit)) {
      for (const PlayerOption& option : kind.options()) {
        EXPECT_FALSE(option.help.empty()) << game << " " << kind.name << " " << option.form;
        if (option.name().empty()) continue;
        const auto player = make_player(*kit, kind.name + "," + std::string(option.name()) + "=?");
        ASSERT_FALSE(player) << "no option has the value ?";
        EXPECT_EQ(player.error().text().find("unknown option"), std::string::npos)
            << player.error().text();
      }
    }
  }
}

}  // namespace
}  // namespace damier::play
