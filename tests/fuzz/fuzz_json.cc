// JSON texts: a value or an error in one line, and values print and read back.

#include "tests/fuzz/target.h"

#include "damier/base/json/json.h"

using namespace damier;

DAMIER_FUZZ_TARGET(json, input) {
  const auto json = parse_json(input, "input");
  if (!json) return fuzz::require_one_line(json.error().text());
  const std::string text = dump_line(*json);
  const auto again = parse_json(text, "again");
  fuzz::require(again.ok() && dump_line(*again) == text, "a value reads back");
}
