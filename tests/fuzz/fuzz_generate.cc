// What rows a recipe asks a task for: the first byte chooses the task, the rest is JSON. Whatever
// is accepted says the same again.

#include "tests/fuzz/check.h"

#include "damier/learn/training/recipe.h"

using namespace damier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const learn::Tasks tasks = learn::builtin_tasks();
  const learn::Task& task = *tasks.all()[data[0] % tasks.all().size()];
  const auto json = parse_json({reinterpret_cast<const char*>(data) + 1, size - 1}, "input");
  if (!json) return fuzz::require_one_line(json.error().text()), 0;
  const auto options = learn::read_generate_options(task, *json, "input");
  if (!options) return fuzz::require_one_line(options.error().text()), 0;
  const Json said = learn::to_json(task, *options);
  const auto again = learn::read_generate_options(task, said, "again");
  fuzz::require(again.ok() && learn::to_json(task, *again) == said, "options read back");
  return 0;
}
