// One description writes a type and reads it back.
#include "damier/base/json/described.h"

#include <gtest/gtest.h>

namespace damier {
namespace {

struct Leaf {
  std::string name;
  std::optional<double> size;
};
void describe(auto& fields, Is<Leaf> auto& leaf) {
  fields("name", leaf.name);
  fields("size", leaf.size);
}

struct Tree {
  int age = 0;
  std::uint64_t rings = 0;
  bool green = false;
  std::vector<Leaf> leaves;
  std::array<std::int64_t, 2> place = {};
  Estimate height;
  Json notes;
  double width = 1;
};
void describe(auto& fields, Is<Tree> auto& tree) {
  fields("age", tree.age);
  fields("rings", tree.rings);
  fields("green", tree.green);
  fields("leaves", tree.leaves);
  fields("place", tree.place);
  fields("height", tree.height);
  fields("notes", tree.notes);
  fields.optional("width", tree.width);
}

Tree example() {
  return {-3,
          ~std::uint64_t{0},
          true,
          {{"a", 0.1}, {"b", std::nullopt}},
          {4, 5},
          share_estimate(1, 3),
          {{"any", "thing"}},
          1.0 / 3};
}

TEST(Descriptions, ReadWhatTheyWrote) {
  const Json json = json_of(example());
  const auto again = read_described<Tree>(json, "tree.json");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(json_of(*again), json);
  EXPECT_EQ(again->rings, ~std::uint64_t{0});
  EXPECT_EQ(again->leaves[0].size, 0.1);
  EXPECT_FALSE(again->leaves[1].size);
  EXPECT_EQ(again->width, 1.0 / 3);
  EXPECT_EQ(again->height, share_estimate(1, 3));
}

TEST(Descriptions, SayWhatIsWrongAndWhere) {
  const auto error = [](const std::function<void(Json&)>& damage) {
    Json json = json_of(example());
    damage(json);
    const auto read = read_described<Tree>(json, "tree.json");
    return read ? std::string("none") : read.error().text();
  };
  EXPECT_EQ(error([](Json&) {}), "none");
  EXPECT_EQ(error([](Json& json) { json.erase("width"); }), "none");
  EXPECT_EQ(error([](Json& json) { json.erase("age"); }), "tree.json: age: missing");
  EXPECT_EQ(error([](Json& json) { json["leaves"][1].erase("name"); }),
            "tree.json: leaves[1].name: missing");
  EXPECT_EQ(error([](Json& json) { json["agee"] = 1; }),
            "tree.json: unknown key 'agee'; did you mean 'age'? (known: age, green, leaves, place, "
            "notes, rings, height, width)");
  EXPECT_EQ(error([](Json& json) { json["leaves"][0]["x"] = 1; }).substr(0, 38),
            "tree.json: leaves[0]: unknown key 'x' ");
  EXPECT_EQ(error([](Json& json) { json["age"] = 2.5; }),
            "tree.json: age: is 2.5; expected a whole number");
  EXPECT_EQ(error([](Json& json) { json["age"] = std::int64_t{1} << 40; }),
            "tree.json: age: is 1099511627776; expected a whole number");
  EXPECT_EQ(error([](Json& json) { json["rings"] = -1; }),
            "tree.json: rings: is -1; expected a whole number from 0 to 2^64-1");
  EXPECT_EQ(error([](Json& json) { json["green"] = nullptr; }),
            "tree.json: green: is null; expected true or false");
  EXPECT_EQ(error([](Json& json) { json["place"].push_back(1); }),
            "tree.json: place: has 3 entries; expected 2");
  EXPECT_EQ(error([](Json& json) { json["leaves"] = Json::object(); }),
            "tree.json: leaves: is an object; expected a list");
  EXPECT_EQ(error([](Json& json) { json["height"] = 1; }),
            "tree.json: height: is 1; expected an estimate");
  EXPECT_EQ(error([](Json& json) { json = Json::array(); }),
            "tree.json: the document is array; expected an object");
}

}  // namespace
}  // namespace damier
