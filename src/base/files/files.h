// Whole files in and out. A file is written under a temporary name, synced and renamed, so that a
// reader, a crash or a Ctrl-C never meets half of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/result.h"

namespace damier {

// Refuses files larger than `limit` bytes before reading them. "-" is standard input; waiting
// for it, or for the writer of a pipe, can be interrupted.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit);

Status write_file_atomically(const std::filesystem::path& path, std::string_view content);

// A file, a pipe or standard input, read once from beginning to end in a fixed buffer, however long
// it is. To be read through a std::istream. An interrupt ends it, even where it waits for a pipe.
class InputFile final : public std::streambuf {
 public:
  // "-" is standard input.
  static Result<std::unique_ptr<InputFile>> open(const std::string& path);
  ~InputFile() override;

  // "standard input", or the path.
  const std::string& name() const { return name_; }
  // Bytes so far, and in all where that can be known.
  std::uint64_t bytes_read() const { return bytes_read_; }
  std::optional<std::uint64_t> size() const { return size_; }
  // An error of the system that ended it before its end.
  Status status() const;
  // All of it at once, where that is no more than `limit` bytes.
  Result<std::string> content(std::size_t limit);

 protected:
  int_type underflow() override;

 private:
  InputFile(std::string name, int descriptor);

  std::string name_;
  int descriptor_;
  std::optional<std::uint64_t> size_;
  std::uint64_t bytes_read_ = 0;
  int error_ = 0;  // errno of the read that failed
  std::vector<char> buffer_;
};

// The lines of a stream, one after the other, in a fixed buffer: many times faster than getline,
// and a line without end cannot exhaust the memory.
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
