// Network specifications: whatever is accepted prints and reads back the same.

#include "tests/fuzz/target.h"

#include "damier/nn/spec.h"

using namespace damier;

DAMIER_FUZZ_TARGET(network, input) {
  const auto spec = nn::parse_network_text(input, "input");
  if (!spec) return fuzz::require_one_line(spec.error().text());
  const auto again = nn::parse_network(nn::to_json(*spec), "again");
  fuzz::require(again.ok() && *again == *spec, "a specification reads back");
}
