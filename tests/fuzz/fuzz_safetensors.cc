// Weight files in the safetensors format: whatever is accepted is written again to the same
// tensors.

#include "tests/fuzz/check.h"

#include "damier/nn/safetensors.h"

using namespace damier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = nn::parse_safetensors({reinterpret_cast<const char*>(data), size}, "input");
  if (!file) return fuzz::require_one_line(file.error().text()), 0;
  const auto written = nn::serialize_safetensors(*file);
  fuzz::require(written.ok(), "an accepted file can be written");
  const auto again = nn::parse_safetensors(*written, "written");
  fuzz::require(again.ok() && *again == *file, "an accepted file reads back");
  return 0;
}
