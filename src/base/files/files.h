// Whole files in and out. A file is written under a temporary name, synced and renamed, so that a
// reader, a crash or a Ctrl-C never meets half of one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "damier/base/result.h"

namespace damier {

// Refuses files larger than `limit` bytes before reading them. "-" is standard input; waiting
// for it, or for the writer of a pipe, can be interrupted.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit);

Status write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace damier
