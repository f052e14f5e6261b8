#include "damier/base/files/checksum.h"

#include <fmt/format.h>

namespace damier::learn {

std::string checksum_text(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::string checksum_of(std::string_view text) {
  Checksum sum;
  sum.add(text);
  return checksum_text(sum.value());
}

}  // namespace damier::learn
