// Network specifications: whatever is accepted prints and reads back the same.

#include "tests/fuzz/check.h"

#include "damier/nn/spec.h"

using namespace damier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto spec = nn::parse_network_text({reinterpret_cast<const char*>(data), size}, "input");
  if (!spec) return fuzz::require_one_line(spec.error().text()), 0;
  const auto again = nn::parse_network(nn::to_json(*spec), "again");
  fuzz::require(again.ok() && *again == *spec, "a specification reads back");
  return 0;
}
