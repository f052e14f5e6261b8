// What a fuzz target says when a law is broken; libFuzzer keeps the input that did it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace damier::fuzz {

inline void require(bool holds, std::string_view law) {
  if (holds) return;
  std::fprintf(stderr, "broken: %.*s\n", static_cast<int>(law.size()), law.data());
  std::abort();
}

// An error is one line of printable text.
inline void require_one_line(std::string_view error) {
  require(!error.empty(), "an error says something");
  for (const char c : error) {
    require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F, "an error is one printable line");
  }
}

}  // namespace damier::fuzz
