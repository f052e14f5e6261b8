#include "damier/base/json/described.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text/text.h"

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

FieldReader::FieldReader(const Json& json, std::string path, std::optional<Error>& error)
    : json_(json), path_(std::move(path)), error_(error) {
  detail::check(json, json.is_object(), "an object", path_, error_);
}

std::string FieldReader::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const Json* FieldReader::find(std::string_view key, bool required) {
  known_.emplace_back(key);
  const Json* found = json_.find(key);
  if (found == nullptr && required) detail::fail(error_, path_of(key), "missing");
  return found;
}

void FieldReader::finish() {
  for (const auto& [key, value] : json_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    return detail::fail(error_, path_, unknown_name("key", key, known_).message);
  }
}

}  // namespace damier
