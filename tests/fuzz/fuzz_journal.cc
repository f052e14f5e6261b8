// The journal of a study: whatever is accepted prints and reads back the same.

#include "tests/fuzz/target.h"

#include "damier/lab/journal.h"

using namespace damier;

DAMIER_FUZZ_TARGET(journal, input) {
  const auto json = parse_json(input, "input");
  if (!json) return fuzz::require_one_line(json.error().text());
  const auto page = read_described<lab::JournalPage>(*json, "input");
  if (!page) return fuzz::require_one_line(page.error().text());
  const Json said = json_of(*page);
  const auto again = read_described<lab::JournalPage>(said, "again");
  fuzz::require(again.ok() && json_of(*again) == said, "a journal reads back");
}
