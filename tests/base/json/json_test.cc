#include "damier/base/json/json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/base/text/text.h"

namespace damier {
namespace {

TEST(Json, ErrorsAreFoundByLineAndColumn) {
  const auto result = parse_json("{\n  \"a\": 1,\n  \"b\": ?\n}", "x.json");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().text().substr(0, 11), "x.json:3:8:");
}

TEST(Json, TruncatedTextsAreErrors) {
  const std::string whole = R"({"a": [1, 2, {"b": "text"}]})";
  ASSERT_TRUE(parse_json(whole, "x"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(parse_json(whole.substr(0, size), "x")) << size;
  }
}

TEST(Json, NumbersThatNoDoubleHoldsAreErrors) {
  EXPECT_EQ(parse_json("[8e888]", "x").error().text(),
            "x: not valid JSON: number overflow parsing '8e888'");
}

TEST(Json, AZeroByteDoesNotHideWhatFollows) {
  EXPECT_EQ(parse_json(std::string_view("{}\0garbage", 10), "x").error().text(),
            "x:1:3: not valid JSON: a zero byte");
}

TEST(Json, KeysThatStandTwiceAreErrors) {
  EXPECT_EQ(parse_json(R"({"a": {"b": 1}, "b": 2, "a": 3})", "x").error().text(),
            "x: the key 'a' stands twice in an object");
  EXPECT_TRUE(parse_json(R"([{"a": 1}, {"a": 2}, {"b": {"a": 1}, "a": 3}])", "x"));
  std::string many = "{";
  for (int i = 0; i < 5000; ++i) many += fmt::format("\"{}\": 0, ", i);
  EXPECT_EQ(parse_json(many + "\"x\": 0}", "x").error().text(),
            "x: an object of more than the 4096 keys expected at most");
}

TEST(Json, DeepNestingIsRefused) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  const auto result = parse_json(deep, "x.json");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().text(), "x.json: nested deeper than the 64 levels expected at most");
}

TEST(Json, CommentsAreReadWhereTheyAreAllowed) {
  const auto read = [](std::string_view text) {
    return parse_json(text, "x", JsonComments::allowed);
  };
  EXPECT_EQ(read("// first\n{\"a//\": \"b // c\\\"//\"} // d").value(),
            (Json{{"a//", "b // c\"//"}}));
  EXPECT_EQ(read("[1, // one\n?]").error().where.line, 2);
  EXPECT_FALSE(read("[1 / 2]"));
  EXPECT_FALSE(read("// nothing else"));
  EXPECT_FALSE(parse_json("[1] // one", "x"));
}

RC_GTEST_PROP(Json, AnyTextIsAValueOrAnErrorInOneLine, (const std::string& text)) {
  const auto result = parse_json(text, "x");
  if (!result) RC_ASSERT(result.error().text().find('\n') == std::string::npos);
}

TEST(JsonFields, WrongFieldsAreNamedByTheirPath) {
  const auto json = parse_json(R"({"name": 5, "moves": ["a", 7]})", "x").value();
  JsonFields fields(json, "game", "x.json");
  fields.text("name");
  fields.texts("moves", 10);
  EXPECT_EQ(fields.finish().error().text(), "x.json: game.name: is 5; expected a text");
}

TEST(JsonFields, TheFirstErrorIsKept) {
  const auto json = parse_json(R"({"moves": ["a", 7]})", "x").value();
  JsonFields fields(json, "", "x.json");
  fields.texts("moves", 10);
  fields.text("name");
  EXPECT_EQ(fields.finish().error().text(), "x.json: moves[1]: is 7; expected a text");
}

TEST(JsonFields, UnknownKeysGetTheNearestKnownOne) {
  const auto json = parse_json(R"({"nmae": "x"})", "x").value();
  JsonFields fields(json, "", "x.json");
  fields.optional_text("name");
  fields.optional_text("seed");
  EXPECT_EQ(fields.finish().error().text(),
            "x.json: unknown key 'nmae'; did you mean 'name'? (known: name, seed)");
}

TEST(JsonFields, MissingAndOversizedFieldsAreErrors) {
  const auto json = parse_json(R"({"moves": ["a", "b"]})", "x").value();
  JsonFields missing(json, "", "x");
  missing.texts("moves", 2);
  missing.text("name");
  EXPECT_EQ(missing.finish().error().text(), "x: name: missing");
  JsonFields oversized(json, "", "x");
  oversized.texts("moves", 1);
  EXPECT_EQ(oversized.finish().error().text(), "x: moves: has 2 entries; expected 1 at most");
}

TEST(JsonFields, ADocumentMustBeAnObject) {
  const Json json = Json::array();
  JsonFields fields(json, "", "x");
  EXPECT_EQ(fields.text("name"), "");
  EXPECT_EQ(fields.finish().error().text(), "x: the document is array; expected an object");
}

TEST(Json, ReachesATerminalSafelyWithAllItsData) {
  const Json json = {{"text", "\x1b[2J \u009b \u202e \x7f \t é"}, {"key\u2066", {1, 2}}};
  const std::string shown = terminal_text(dump_line(json), Colours::shown);
  EXPECT_EQ(shown.find("\u202e"), std::string::npos);
  EXPECT_EQ(shown.find('\x7f'), std::string::npos);
  EXPECT_EQ(parse_json(shown, "shown").value(), json);
}

}  // namespace
}  // namespace damier
