// Recipes: whatever is accepted says the same again as plain JSON.

#include "tests/fuzz/check.h"

#include "damier/learn/training/recipe.h"

using namespace damier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto recipe = learn::parse_recipe({reinterpret_cast<const char*>(data), size}, "input", {});
  if (!recipe) return fuzz::require_one_line(recipe.error().text()), 0;
  const auto again = learn::read_recipe(recipe->json, "again");
  fuzz::require(again.ok() && again->hash() == recipe->hash(), "a recipe reads back");
  return 0;
}
