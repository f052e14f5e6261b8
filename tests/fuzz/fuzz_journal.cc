// The journal of a study: whatever is accepted prints and reads back the same.

#include "tests/fuzz/check.h"

#include "damier/lab/journal.h"

using namespace damier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto json = parse_json({reinterpret_cast<const char*>(data), size}, "input");
  if (!json) return fuzz::require_one_line(json.error().text()), 0;
  const auto page = read_described<lab::JournalPage>(*json, "input");
  if (!page) return fuzz::require_one_line(page.error().text()), 0;
  const Json said = json_of(*page);
  const auto again = read_described<lab::JournalPage>(said, "again");
  fuzz::require(again.ok() && json_of(*again) == said, "a journal reads back");
  return 0;
}
