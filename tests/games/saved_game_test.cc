#include "damier/games/saved_game.h"

#include <gtest/gtest.h>

namespace damier::games {
namespace {

// A random game of `plies` plies, saved.
SavedGame some_game(const Registry& registry, std::string_view name, int plies) {
  SavedGame saved;
  saved.game = registry.make(name).value();
  saved.seed = Seed{12};
  saved.session = saved.game->start(saved.seed);
  saved.players = {"human", "random"};
  saved.seconds = 12.5;
  RandomStream random(Seed{1}, "saved");
  for (int ply = 0; ply < plies && saved.session->outcome() == Outcome::ongoing; ++ply) {
    const auto actions = saved.session->legal_actions();
    saved.session->play(actions[random.below(actions.size())]);
  }
  return saved;
}

TEST(SavedGame, WhatIsSavedIsLoaded) {
  const Registry registry = builtin_games();
  for (const std::string& name : registry.names()) {
    for (const int plies : {0, 1, 7, 500}) {
      SavedGame saved = some_game(registry, name, plies);
      if (plies == 7) saved.resigned = Side::first;
      const auto loaded = parse_saved_game(registry, dump_pretty(to_json(saved)), "x.json");
      ASSERT_TRUE(loaded) << loaded.error().text();
      EXPECT_EQ(to_json(*loaded), to_json(saved));
      EXPECT_EQ(loaded->session->position_text(), saved.session->position_text());
      EXPECT_EQ(loaded->session->hash(), saved.session->hash());
    }
  }
}

TEST(SavedGame, EveryTruncationIsAnErrorInOneLine) {
  const Registry registry = builtin_games();
  const std::string text = dump_pretty(to_json(some_game(registry, "bremen", 12)));
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    const auto loaded = parse_saved_game(registry, text.substr(0, size), "x.json");
    ASSERT_FALSE(loaded) << size;
    EXPECT_EQ(loaded.error().kind, ErrorKind::input);
    EXPECT_TRUE(loaded.error().text().starts_with("x.json:")) << loaded.error().text();
    EXPECT_EQ(loaded.error().text().find('\n'), std::string::npos);
  }
}

TEST(SavedGame, ErrorsAreNamedByTheirField) {
  const Registry registry = builtin_games();
  const auto error = [&](std::string_view key, const Json& value) {
    Json json = to_json(some_game(registry, "fanorona", 3));
    if (value.is_null()) {
      json.erase(std::string(key));
    } else {
      json[std::string(key)] = value;
    }
    const auto loaded = parse_saved_game(registry, dump_line(json), "x");
    return loaded ? std::string("accepted") : loaded.error().text();
  };
  EXPECT_EQ(error("schema", "other/1"), "x: schema: is 'other/1'; expected 'damier/game/1'");
  EXPECT_EQ(error("game", "go").substr(0, 20), "x: unknown game 'go'");
  EXPECT_EQ(error("game", nullptr), "x: game: missing");
  EXPECT_EQ(error("moves", Json::array({"9-9"})).substr(0, 40),
            "x: moves[0]: '9-9' is not a legal move h");
  EXPECT_EQ(error("position", "bbb").substr(0, 20), "x: position 'bbb': e");
  EXPECT_EQ(error("rules", Json{{"size", "3"}}), "x: unknown rule option 'size'");
  EXPECT_EQ(error("seed", -1), "x: seed: is -1; expected a whole number from 0 to 2^64-1");
  EXPECT_EQ(error("resigned", "green"), "x: resigned: is 'green'; expected white or black");
  EXPECT_EQ(error("movse", "x").substr(0, 46), "x: unknown key 'movse'; did you mean 'moves'? ");
}

TEST(SavedGame, MovesAfterTheEndAreAnError) {
  const Registry registry = builtin_games();
  const std::string text =
      R"({"schema": "damier/game/1", "game": "domineering", "rules": {"board": "2x2"},
          "moves": ["a1", "b1"]})";
  EXPECT_EQ(parse_saved_game(registry, text, "x").error().text(),
            "x: moves[1]: 'b1' comes after the end of the game");
}

}  // namespace
}  // namespace damier::games
