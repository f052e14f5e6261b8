// JSON texts: a value or an error in one line, and values print and read back.

#include "tests/fuzz/check.h"

#include "damier/base/json.h"

using namespace damier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto json = parse_json({reinterpret_cast<const char*>(data), size}, "input");
  if (!json) return fuzz::require_one_line(json.error().text()), 0;
  const std::string text = dump_line(*json);
  const auto again = parse_json(text, "again");
  fuzz::require(again.ok() && dump_line(*again) == text, "a value reads back");
  return 0;
}
