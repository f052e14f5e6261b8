#include "damier/play/players/player_text.h"

#include <gtest/gtest.h>

namespace damier::play {
namespace {

TEST(PlayerText, HasANameAValueAndOptions) {
  auto text = PlayerText::parse("uct:1000,c=0.5").value();
  EXPECT_EQ(text.name(), "uct");
  EXPECT_EQ(text.integer(":N", "games", 1, 100000, 1), 1000);
  EXPECT_EQ(text.number("c=X", "exploration", 0, 10, 1), 0.5);
  EXPECT_EQ(text.integer("depth=D", "plies", 0, 9, 7), 7) << "the default";
  EXPECT_TRUE(text.finish());
}

TEST(PlayerText, OptionsMayStandWithoutAValue) {
  auto text = PlayerText::parse("solver:first=corner").value();
  constexpr std::string_view kWords[] = {"random", "corner"};
  EXPECT_EQ(text.word("first=CELL", "the first cell", kWords), "corner");
  EXPECT_TRUE(text.finish());
}

TEST(PlayerText, ABackslashKeepsTheMarksOfAFileName) {
  const std::string file = R"(a,b=c\d\,e.safetensors)";
  auto text = PlayerText::parse("net:" + player_value(file) + ",mcts=20").value();
  EXPECT_EQ(text.text(":MODEL", "a model"), file);
  EXPECT_EQ(text.integer("mcts=N", "simulations", 1, 100), 20);
  // Before anything else it is a letter like any other.
  auto plain = PlayerText::parse(R"(net:C:\models\a)").value();
  EXPECT_EQ(plain.text(":MODEL", "a model"), R"(C:\models\a)");
}

TEST(PlayerText, AWordAloneIsAFlag) {
  auto text = PlayerText::parse("net:a/b.safetensors,flags,pl=1.15").value();
  EXPECT_EQ(text.text(":MODEL", "a model", "none"), "a/b.safetensors");
  EXPECT_TRUE(text.flag("flags", "sets flags"));
  EXPECT_FALSE(text.flag("other", "another one"));
  EXPECT_EQ(text.number("pl=X", "playfulness", 0, 2, 1), 1.15);
  EXPECT_TRUE(text.finish());
  auto bare = PlayerText::parse("net,flags").value();
  EXPECT_EQ(bare.text(":MODEL", "a model", "none"), "none");
  EXPECT_TRUE(bare.flag("flags", "sets flags"));
  EXPECT_TRUE(bare.finish());
  auto wrong = PlayerText::parse("net,flags=2").value();
  EXPECT_TRUE(wrong.flag("flags", "sets flags"));
  EXPECT_EQ(wrong.finish().error().text(),
            "player 'net,flags=2': flags=2 is not a word that stands alone");
}

// Reads what uct knows, as its maker would.
std::string error_of(std::string_view text) {
  auto parsed = PlayerText::parse(text);
  if (!parsed) return parsed.error().text();
  parsed->integer(":N", "games", 1, 100000, 1);
  parsed->number("c=X", "exploration", 0, 10, 1);
  const auto status = parsed->finish();
  return status ? "" : status.error().text();
}

TEST(PlayerText, ErrorsAreNamedInOneLine) {
  EXPECT_EQ(error_of("uct:1000"), "");
  EXPECT_EQ(error_of("uct:0"), "player 'uct:0': 0 is not a whole number from 1 to 100000");
  EXPECT_EQ(error_of("uct:ten"), "player 'uct:ten': ten is not a whole number from 1 to 100000");
  EXPECT_EQ(error_of("uct:5,c=x"), "player 'uct:5,c=x': c=x is not a number from 0 to 10");
  EXPECT_EQ(error_of("uct:5,c=nan"), "player 'uct:5,c=nan': c=nan is not a number from 0 to 10");
  EXPECT_EQ(error_of("uct:5,cc=1"),
            "unknown option of player 'uct' 'cc'; did you mean 'c'? (known: c)");
  EXPECT_EQ(error_of("uct:5,c=1,c=2"), "player 'uct:5,c=1,c=2': 'c' is given twice");
  EXPECT_EQ(error_of("uct:5,6"),
            "unknown option of player 'uct' '6'; did you mean 'c'? (known: c)");
  EXPECT_EQ(error_of("uct:5,c"), "player 'uct:5,c': c= is not a number from 0 to 10");
  EXPECT_EQ(error_of("uct:5,"), "player 'uct:5,': '' is not of the form VALUE or name=VALUE");
  EXPECT_EQ(error_of("uct:"), "player 'uct:': '' is not of the form VALUE or name=VALUE");
  EXPECT_EQ(error_of("uct:5,=1"), "player 'uct:5,=1': '=1' is not of the form VALUE or name=VALUE");
  EXPECT_EQ(error_of(""), "player '' has no name");
  EXPECT_EQ(error_of(":5"), "player ':5' has no name");
}

TEST(PlayerText, WhatIsReadIsDeclared) {
  PlayerText text = PlayerText::listening();
  EXPECT_EQ(text.integer(":N", "games a move", 1, 9, 3), 3);
  EXPECT_EQ(text.number("seconds=S", "time", 0.5, 60), std::nullopt);
  EXPECT_FALSE(text.flag("flags", "sets flags"));
  std::string declared;
  for (const PlayerOption& option : text.declared()) {
    declared += option.form + " | " + option.help + " | " + option.values.english() + "\n";
  }
  EXPECT_EQ(declared,
            ":N | games a move | from 1 to 9, default 3\n"
            "seconds=S | time | from 0.5 to 60\n"
            "flags | sets flags | \n");
  EXPECT_FALSE(text.finish()) << "nothing may be opened for a text that only listens";
}

TEST(PlayerText, EveryPlayerMayHaveANameForTables) {
  auto text = PlayerText::parse("uct:1000,name=the old one,c=0.5").value();
  EXPECT_EQ(text.alias(), "the old one");
  EXPECT_EQ(text.text(), "uct:1000,name=the old one,c=0.5");
  EXPECT_EQ(error_of("uct:10,name=a"), "");
  EXPECT_EQ(error_of("uct,name=a,name=b"), "player 'uct,name=a,name=b': 'name' is given twice");
  EXPECT_EQ(error_of("uct,name"), "player 'uct,name': expected name=NAME, what tables call it");
  EXPECT_EQ(PlayerText::parse("uct:10").value().alias(), std::nullopt);
}

using Names = std::vector<std::string>;

TEST(ShownPlayers, NamesStandForTextsAndLongPathsLoseTheirFolders) {
  const std::string folder = "/home/somebody/models/of/this/year/";
  EXPECT_EQ(shown_players(Names{"net:" + folder + "a.safetensors,mcts=40", "uct:1000",
                                "net:" + folder + "b.safetensors,name=ours"}),
            (Names{"net:…/a.safetensors,mcts=40", "uct:1000", "ours"}));
  EXPECT_EQ(shown_players(Names{"net:models/a.safetensors"}), Names{"net:models/a.safetensors"})
      << "short enough";
}

TEST(ShownPlayers, DifferentPlayersLookDifferent) {
  const std::string runs = "net:/home/somebody/.local/state/damier/runs/";
  EXPECT_EQ(shown_players(
                Names{runs + "k3m9x2ab/model.safetensors", runs + "77aa88bb/model.safetensors"}),
            (Names{"net:…/k3m9x2ab/model.safetensors", "net:…/77aa88bb/model.safetensors"}));
  EXPECT_EQ(shown_players(Names{"uct:10,name=random", "random"}),
            (Names{"uct:10,name=random", "random"}));
  EXPECT_EQ(shown_players(Names{"flat", "flat"}), (Names{"flat", "flat"}));
}

TEST(ShownPlayers, AreAsWideAsTheirCharacters) {
  EXPECT_EQ(width_of(Names{"…/a", "random"}), 6u);
  EXPECT_EQ(width_of(Names{}), 0u);
}

}  // namespace
}  // namespace damier::play
