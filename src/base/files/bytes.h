// Numbers and texts in a row of bytes, as one process sends them to another of the same build.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace damier {

class ByteWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> ByteWriter& number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return *this;
  }
  ByteWriter& text(std::string_view value) {
    number<std::uint64_t>(value.size());
    bytes_ += value;
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a ByteWriter wrote. After the end there are zeros and empty texts, and it is not good.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_arithmetic_v<T> T number() {
    T value = {};
    const std::string_view found = take(sizeof(value));
    if (good_) std::memcpy(&value, found.data(), sizeof(value));
    return value;
  }
  std::string_view text() { return take(number<std::uint64_t>()); }

  bool at_end() const { return rest_.empty(); }
  bool good() const { return good_; }

 private:
  std::string_view take(std::uint64_t count) {
    good_ = good_ && count <= rest_.size();
    if (!good_) {
      rest_ = {};
      return {};
    }
    const std::string_view found = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(found.size());
    return found;
  }

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace damier
