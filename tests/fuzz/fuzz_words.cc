// The words of a study, read and filled in with a few findings.

#include "tests/fuzz/target.h"

#include "damier/lab/drawn_words.h"

using namespace damier;

DAMIER_FUZZ_TARGET(words, input) {
  static const auto published = lab::read_published(
      R"({"title": "x", "source": {"authors": "a", "title": "b", "place": "c"}, "listed": [],
          "seconds": {"full": 2, "quick": 1}, "comparisons": [],
          "figures": [{"name": "wins", "kind": "share", "value": 80}]})",
      "x");
  static const Json findings = {
      {"wins", estimate_json(share_estimate(8, 10))},
      {"player", "net"},
      {"rows", {{"a", {{"n", 1}}}, {"b", {{"n", 2}}}}},
      {"curve", {{1, 0.5}, {2, 0.25}}},
      {"numbers", {1, 2, 3}},
      {"map", {{"rows", {"a", "b"}}, {"columns", {"c", "d"}}, {"values", {{1, 2}, {3, 4}}}}}};
  const auto words = lab::read_words(input, "input");
  if (!words) return fuzz::require_one_line(words.error().text());
  lab::Finder found(findings, *published);
  const report::Page page = lab::page_of(*words, found, {});
  if (found.error()) return fuzz::require_one_line(found.error()->text());
  fuzz::require(report::html(page).ends_with("</html>\n"), "a page that does not end");
}
