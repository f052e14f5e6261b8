// A checksum of 64 bits that tells whether bytes are still those that were written. It guards
// against accidents, not against people: it is not cryptographic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "damier/base/numbers/random.h"

namespace damier::learn {

class Checksum {
 public:
  // However the bytes are cut into pieces, the value is the same.
  void add(std::span<const std::byte> bytes) {
    length_ += bytes.size();
    while (!bytes.empty()) {
      if (held_ == 0 && bytes.size() >= sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        mix(word);
        bytes = bytes.subspan(sizeof word);
        continue;
      }
      reinterpret_cast<std::byte*>(&part_)[held_++] = bytes.front();
      bytes = bytes.subspan(1);
      if (held_ == sizeof part_) {
        mix(part_);
        part_ = 0;
        held_ = 0;
      }
    }
  }
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  void add(std::uint64_t word) { add(std::as_bytes(std::span(&word, 1))); }

  std::uint64_t value() const { return mix64(mix64(state_ ^ part_) + length_); }

 private:
  void mix(std::uint64_t word) { state_ = mix64(state_ ^ word) + 0x9E3779B97F4A7C15u; }

  std::uint64_t state_ = 0x243F6A8885A308D3u;
  std::uint64_t part_ = 0;  // the bytes that do not make a word yet
  std::size_t held_ = 0;
  std::uint64_t length_ = 0;
};

// Sixteen hexadecimal digits.
inline std::string checksum_text(std::uint64_t value) { return fmt::format("{:016x}", value); }
inline std::string checksum_of(std::string_view text) {
  Checksum sum;
  sum.add(text);
  return checksum_text(sum.value());
}

}  // namespace damier::learn
