// A file that is written bit by bit and appears under its name only when it is whole.
// base/files/files.h takes the content in one piece.
//
// A link stays: what it points to is replaced. Devices, pipes and what is open already
// (/dev/stdout) cannot be replaced and are written into as the bytes come. A file that is replaced
// keeps its permissions.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "damier/base/result.h"

namespace damier {

class AtomicFile {
 public:
  // Also removes what dead processes left in the folder.
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
  AtomicFile(std::filesystem::path named, std::filesystem::path target,
             std::filesystem::path temporary, int descriptor);

  std::filesystem::path named_;      // as the user knows it
  std::filesystem::path target_;     // where the links lead
  std::filesystem::path temporary_;  // empty: the bytes go straight to the target
  int descriptor_;
};

// Whether a file can be written there, found out before the work rather than after it.
Status check_output(const std::filesystem::path& path);

// Whether what is written to `path` goes to standard output, so that nothing else should.
bool is_standard_output(const std::filesystem::path& path);

// A file without a name, for what does not fit into memory while `path` is made; it vanishes with
// the process. The caller closes it.
Result<int> open_nameless_file(const std::filesystem::path& path);

// All of them, whatever the system call takes at a time; errno tells why not.
bool write_bytes(int descriptor, std::span<const std::byte> bytes);

}  // namespace damier
