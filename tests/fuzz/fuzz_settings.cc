// What --set changes in a recipe, one setting a line: whatever is accepted says the same again as
// plain JSON.

#include "tests/fuzz/target.h"

#include "damier/base/text/text.h"
#include "damier/learn/train/recipe.h"

using namespace damier;

namespace {

constexpr std::string_view kRecipe = R"({"task": "fanorona",
  "data": {"generate": {"count": 100, "encoder": "flat"}},
  "network": {"input": [46], "layers": [{"type": "dense", "units": 18}]},
  "heads": {"output": {"loss": "cross_entropy", "groups": [9, 9]}}})";

}  // namespace

DAMIER_FUZZ_TARGET(settings, input) {
  learn::Settings settings;
  for (const auto line : split(input, '\n')) {
    settings.emplace_back(line);
    if (settings.size() == 8) break;
  }
  static const learn::Tasks tasks = learn::builtin_tasks();
  const auto recipe = learn::parse_recipe(kRecipe, "input", settings, tasks);
  if (!recipe) return fuzz::require_one_line(recipe.error().text());
  const auto again = learn::read_recipe(recipe->json, "again", tasks);
  fuzz::require(again.ok() && again->hash() == recipe->hash(), "a recipe reads back");
}
