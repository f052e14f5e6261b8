#include "damier/app/page_output.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "damier/base/files.h"

namespace damier::app {

Status check_page_output(const std::string& output) {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::absolute(output, ignored);
  if (output.empty() || std::filesystem::is_directory(path, ignored)) {
    return Error{"is a folder; expected the name of a page", {output.empty() ? "-o" : output}};
  }
  if (::access(path.parent_path().c_str(), W_OK) == 0) return Done{};
  return Error{fmt::format("cannot be written: {}", std::strerror(errno)), {output}};
}

Status write_page(const std::string& output, const report::Page& report) {
  return write_file_atomically(output, report::html(report));
}

}  // namespace damier::app
