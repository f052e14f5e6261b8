// What --set changes in a recipe, one setting a line: whatever is accepted says the same again as
// plain JSON.

#include "tests/fuzz/check.h"

#include "damier/base/text.h"
#include "damier/learn/training/recipe.h"

using namespace damier;

namespace {

constexpr std::string_view kRecipe = R"({"task": "fanorona",
  "data": {"generate": {"count": 100, "encoder": "flat"}},
  "network": {"input": [46], "layers": [{"type": "dense", "units": 18}]},
  "heads": {"output": {"loss": "cross_entropy", "groups": [9, 9]}}})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  learn::Settings settings;
  for (const auto line : split({reinterpret_cast<const char*>(data), size}, '\n')) {
    settings.emplace_back(line);
    if (settings.size() == 8) break;
  }
  static const learn::Tasks tasks = learn::builtin_tasks();
  const auto recipe = learn::parse_recipe(kRecipe, "input", settings, tasks);
  if (!recipe) return fuzz::require_one_line(recipe.error().text()), 0;
  const auto again = learn::read_recipe(recipe->json, "again", tasks);
  fuzz::require(again.ok() && again->hash() == recipe->hash(), "a recipe reads back");
  return 0;
}
