#include "tests/app/png_picture.h"

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace damier::app {

namespace {

using Bytes = std::vector<std::uint8_t>;

[[noreturn]] void fail(const char* what) { throw std::runtime_error(what); }

// The bits of a deflate stream (RFC 1951), the lowest of each byte first.
class Bits {
 public:
  explicit Bits(const Bytes& bytes, std::size_t at) : bytes_(bytes), at_(at) {}

  unsigned take(unsigned count) {
    unsigned value = 0;
    for (unsigned i = 0; i < count; ++i) value |= bit() << i;
    return value;
  }
  unsigned bit() {
    if (at_ >= bytes_.size()) fail("the stream ends early");
    const unsigned value = (bytes_[at_] >> place_) & 1u;
    if (++place_ == 8) {
      place_ = 0;
      ++at_;
    }
    return value;
  }
  void to_byte() {
    if (place_ != 0) ++at_;
    place_ = 0;
  }

 private:
  const Bytes& bytes_;
  std::size_t at_;
  unsigned place_ = 0;
};

// A prefix code from the lengths of its words.
class Code {
 public:
  explicit Code(const std::vector<unsigned>& lengths) {
    for (const unsigned length : lengths) ++counts_[length];
    counts_[0] = 0;
    std::array<unsigned, 16> next = {};
    for (unsigned i = 1; i < 16; ++i) next[i] = next[i - 1] + counts_[i - 1];
    symbols_.resize(lengths.size());
    for (unsigned symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != 0) symbols_[next[lengths[symbol]]++] = symbol;
    }
  }

  unsigned read(Bits& bits) const {
    unsigned code = 0, first = 0, index = 0;
    for (unsigned length = 1; length < 16; ++length) {
      code |= bits.bit();
      if (code < first + counts_[length]) return symbols_[index + code - first];
      index += counts_[length];
      first = (first + counts_[length]) << 1;
      code <<= 1;
    }
    fail("no such word");
  }

 private:
  std::array<unsigned, 16> counts_ = {};
  std::vector<unsigned> symbols_;
};

struct Codes {
  Code literals;
  Code distances;
};

Codes fixed_codes() {
  std::vector<unsigned> literals(288, 8);
  for (std::size_t i = 144; i < 256; ++i) literals[i] = 9;
  for (std::size_t i = 256; i < 280; ++i) literals[i] = 7;
  return {Code(literals), Code(std::vector<unsigned>(30, 5))};
}

Codes read_codes(Bits& bits) {
  const unsigned literals = bits.take(5) + 257, distances = bits.take(5) + 1,
                 words = bits.take(4) + 4;
  constexpr std::array<std::uint8_t, 19> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                   11, 4,  12, 3, 13, 2, 14, 1, 15};
  std::vector<unsigned> lengths(19);
  for (unsigned i = 0; i < words; ++i) lengths[kOrder[i]] = bits.take(3);
  const Code code(lengths);
  std::vector<unsigned> all;
  while (all.size() < literals + distances) {
    const unsigned word = code.read(bits);
    if (word < 16) {
      all.push_back(word);
      continue;
    }
    if (word == 16 && all.empty()) fail("nothing to repeat");
    const unsigned repeated = word == 16 ? all.back() : 0;
    const unsigned times = word == 16   ? 3 + bits.take(2)
                           : word == 17 ? 3 + bits.take(3)
                                        : 11 + bits.take(7);
    all.insert(all.end(), times, repeated);
  }
  const auto middle = all.begin() + literals;
  return {Code({all.begin(), middle}), Code({middle, middle + distances})};
}

void read_block(Bits& bits, const Codes& codes, Bytes& out) {
  constexpr unsigned kEnd = 256;
  while (true) {
    const unsigned symbol = codes.literals.read(bits);
    if (symbol == kEnd) return;
    if (symbol < kEnd) {
      out.push_back(static_cast<std::uint8_t>(symbol));
      continue;
    }
    // Lengths in steps that double every four symbols, distances every two.
    const unsigned step = symbol - 257;
    unsigned length = 258;
    if (step < 8) length = step + 3;
    if (step >= 8 && step < 28) {
      const unsigned extra = step / 4 - 1;
      length = 3 + ((4 + step % 4) << extra) + bits.take(extra);
    }
    const unsigned far = codes.distances.read(bits);
    unsigned distance = far + 1;
    if (far >= 4) {
      const unsigned extra = far / 2 - 1;
      distance = 1 + ((2 + far % 2) << extra) + bits.take(extra);
    }
    if (distance > out.size()) fail("copies from before the beginning");
    for (unsigned i = 0; i < length; ++i) out.push_back(out[out.size() - distance]);
  }
}

Bytes inflated(const Bytes& packed) {
  constexpr std::size_t kZlibHeader = 2;
  Bits bits(packed, kZlibHeader);
  Bytes out;
  bool last = false;
  while (!last) {
    last = bits.bit() == 1;
    const unsigned kind = bits.take(2);
    if (kind == 3) fail("an unknown kind of block");
    if (kind == 0) {
      bits.to_byte();
      const unsigned length = bits.take(16);
      bits.take(16);
      for (unsigned i = 0; i < length; ++i) out.push_back(static_cast<std::uint8_t>(bits.take(8)));
    } else {
      read_block(bits, kind == 1 ? fixed_codes() : read_codes(bits), out);
    }
  }
  return out;
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  if (at + 4 > bytes.size()) fail("the file ends early");
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

int predicted(int filter, int left, int up, int corner) {
  if (filter == 1) return left;
  if (filter == 2) return up;
  if (filter == 3) return (left + up) / 2;
  if (filter != 4) return 0;
  const int guess = left + up - corner;
  const int a = std::abs(guess - left), b = std::abs(guess - up), c = std::abs(guess - corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

}  // namespace

Picture read_png(const std::string& bytes) {
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n")) fail("no PNG file");
  Picture picture;
  Bytes packed;
  std::size_t channels = 0;
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t length = big_endian(bytes, at);
    const std::string_view kind(bytes.data() + at + 4, 4);
    const std::size_t data = at + 8;
    if (length > bytes.size() - data) fail("a chunk ends early");
    if (kind == "IHDR") {
      picture.width = static_cast<int>(big_endian(bytes, data));
      picture.height = static_cast<int>(big_endian(bytes, data + 4));
      if (bytes[data + 8] != 8 || bytes[data + 12] != 0) fail("not eight bits, or interlaced");
      channels = bytes[data + 9] == 2 ? 3 : bytes[data + 9] == 6 ? 4 : 0;
    }
    if (kind == "IDAT") {
      for (std::size_t i = 0; i < length; ++i) {
        packed.push_back(static_cast<std::uint8_t>(bytes[data + i]));
      }
    }
    at = data + length + 4;
  }
  if (channels == 0) fail("not in colours");
  const Bytes raw = inflated(packed);
  const auto width = static_cast<std::size_t>(picture.width) * channels;
  if (raw.size() != (width + 1) * static_cast<std::size_t>(picture.height)) fail("a wrong size");
  Bytes row(width), above(width);
  for (std::size_t at = 0; at < raw.size(); at += width + 1) {
    above.swap(row);
    for (std::size_t i = 0; i < width; ++i) {
      const int left = i < channels ? 0 : row[i - channels];
      const int corner = i < channels ? 0 : above[i - channels];
      row[i] =
          static_cast<std::uint8_t>(raw[at + 1 + i] + predicted(raw[at], left, above[i], corner));
    }
    for (std::size_t i = 0; i < width; i += channels) {
      picture.pixels.push_back({row[i], row[i + 1], row[i + 2]});
    }
  }
  return picture;
}

}  // namespace damier::app
