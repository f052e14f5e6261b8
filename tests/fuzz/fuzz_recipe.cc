// Recipes, of tasks and of a program's own rows: whatever is accepted says the same again as plain
// JSON.

#include "tests/fuzz/target.h"

#include "damier/learn/train/recipe.h"

using namespace damier;

DAMIER_FUZZ_TARGET(recipe, text) {
  static const learn::Tasks tasks = learn::builtin_tasks();
  const auto rows = learn::parse_rows_recipe(text, "input");
  if (!rows) fuzz::require_one_line(rows.error().text());
  const auto recipe = learn::parse_recipe(text, "input", {}, tasks);
  if (!recipe) return fuzz::require_one_line(recipe.error().text());
  const auto again = learn::read_recipe(recipe->json, "again", tasks);
  fuzz::require(again.ok() && again->hash() == recipe->hash(), "a recipe reads back");
}
