// What rows a recipe asks a task for: the first byte chooses the task, the rest is JSON. Whatever
// is accepted says the same again.

#include "tests/fuzz/target.h"

#include "damier/learn/train/recipe.h"

using namespace damier;

DAMIER_FUZZ_TARGET(generate, input) {
  if (input.empty()) return;
  static const learn::Tasks tasks = learn::builtin_tasks();
  const learn::Task& task = *tasks.all()[static_cast<std::uint8_t>(input[0]) % tasks.all().size()];
  const auto json = parse_json(input.substr(1), "input");
  if (!json) return fuzz::require_one_line(json.error().text());
  const auto options = learn::read_generate_options(task, *json, "input");
  if (!options) return fuzz::require_one_line(options.error().text());
  const Json said = learn::to_json(task, *options);
  const auto again = learn::read_generate_options(task, said, "again");
  fuzz::require(again.ok() && learn::to_json(task, *again) == said, "options read back");
}
