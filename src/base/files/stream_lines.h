// The lines of a stream, one after the other, in a fixed buffer: many times faster than getline,
// and a line without end cannot exhaust the memory.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace damier {

class StreamLines {
 public:
  // Of a longer line, only something longer than this is kept, to be refused.
  static constexpr std::size_t kMaxLength = std::size_t{16} << 20;

  explicit StreamLines(std::istream& in) : in_(in), buffer_(kBufferSize) {}

  bool next();
  // Without its end ("\n" or "\r\n"), and without the byte order mark of the first line. Valid
  // until the next call.
  std::string_view line() const { return line_; }
  bool is_cut() const { return line_.size() > kMaxLength; }
  std::int64_t number() const { return number_; }  // from 1

 private:
  static constexpr std::size_t kBufferSize = std::size_t{1} << 16;

  bool refill();
  void skip_rest();  // of a line that was cut

  std::istream& in_;
  std::vector<char> buffer_;
  std::size_t from_ = 0;  // the unread part of the buffer
  std::size_t to_ = 0;
  std::string_view line_;
  std::string joined_;     // for a line that lies in two buffers
  bool has_rest_ = false;  // of the line, which was cut
  std::int64_t number_ = 0;
};

}  // namespace damier
