#include "damier/base/json/described.h"

#include <fmt/format.h>

namespace damier {

namespace detail {

void fail(std::optional<Error>& error, const std::string& path, std::string message) {
  if (error) return;
  error = Error{path.empty() ? std::move(message) : fmt::format("{}: {}", path, message)};
}

bool check(const Json& json, bool fits, std::string_view expected, const std::string& path,
           std::optional<Error>& error) {
  if (fits) return true;
  const bool short_text = !json.is_array() && !json.is_object();
  fail(
      error, path,
      fmt::format("is {}; expected {}",
                  short_text ? dump_line(json) : fmt::format("an {}", json.type_name()), expected));
  return false;
}

}  // namespace detail

}  // namespace damier
