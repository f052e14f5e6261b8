// A fuzz target, and what it says when a law is broken; libFuzzer keeps the input that did it.
//
//   DAMIER_FUZZ_TARGET(fen, input) { ... require(...) ... }
//
// With DAMIER_FUZZ it is a libFuzzer program of its own; otherwise replay.cc calls it by its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace damier::fuzz {

using Target = void (*)(std::string_view input);

#ifdef DAMIER_FUZZ_NAME
constexpr std::string_view target_name() { return DAMIER_FUZZ_NAME; }
#define DAMIER_FUZZ_TARGET(name, input)                                               \
  static void fuzz_##name(std::string_view input);                                    \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    return fuzz_##name({reinterpret_cast<const char*>(data), size}), 0;               \
  }                                                                                   \
  static void fuzz_##name(std::string_view input)
#else
// The name of the corpus that is replayed: a source may serve several targets.
std::string_view target_name();
// Adds a target to those that replay.cc knows.
bool add_target(std::string_view name, Target target);
#define DAMIER_FUZZ_TARGET(name, input)                                                           \
  static void fuzz_##name(std::string_view input);                                                \
  [[maybe_unused]] static const bool added_##name = damier::fuzz::add_target(#name, fuzz_##name); \
  static void fuzz_##name(std::string_view input)
#endif

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
