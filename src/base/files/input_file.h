// A file, a pipe or standard input, read once from beginning to end in a fixed buffer, however long
// it is. base/files/files.h takes what is small enough in one piece.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>
#include <vector>

#include "damier/base/result.h"

namespace damier {

// To be read through a std::istream. An interrupt ends it, even where it waits for a pipe.
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

}  // namespace damier
