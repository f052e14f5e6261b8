// A file that is written bit by bit and appears under its name only when it is whole.
// base/files.h takes the content in one piece.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "damier/base/result.h"

namespace damier {

class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::filesystem::path& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  // What was not finished leaves no trace.
  ~AtomicFile();

  Status write(std::span<const std::byte> bytes);
  Status write(std::string_view text) { return write(std::as_bytes(std::span(text))); }
  // Synced to the disk and renamed.
  Status finish();

 private:
  AtomicFile(std::filesystem::path path, std::string temporary, int descriptor);

  std::filesystem::path path_;
  std::string temporary_;
  int descriptor_;
};

// All of them, whatever the system call takes at a time; errno tells why not.
bool write_bytes(int descriptor, std::span<const std::byte> bytes);

}  // namespace damier
