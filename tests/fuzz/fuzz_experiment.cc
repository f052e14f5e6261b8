// What was published, as the files of experiments/ say it.

#include "tests/fuzz/check.h"

#include "damier/lab/published.h"

using namespace damier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = lab::read_published({reinterpret_cast<const char*>(data), size}, "input");
  if (!read) fuzz::require_one_line(read.error().text());
  return 0;
}
