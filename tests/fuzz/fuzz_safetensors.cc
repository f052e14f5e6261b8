// Weight files in the safetensors format: whatever is accepted is written again to the same
// tensors.

#include "tests/fuzz/target.h"

#include "damier/nn/safetensors.h"

using namespace damier;

DAMIER_FUZZ_TARGET(safetensors, input) {
  const auto file = nn::parse_safetensors(input, "input");
  if (!file) return fuzz::require_one_line(file.error().text());
  const auto written = nn::serialize_safetensors(*file);
  fuzz::require(written.ok(), "an accepted file can be written");
  const auto again = nn::parse_safetensors(*written, "written");
  fuzz::require(again.ok() && *again == *file, "an accepted file reads back");
}
