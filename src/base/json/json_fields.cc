#include <algorithm>

#include <fmt/format.h>

#include "damier/base/json/described.h"
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

JsonFields::JsonFields(const Json& object, std::string path, std::string source)
    : JsonFields(object, std::move(path), std::move(source), own_error_) {}

JsonFields::JsonFields(const Json& object, std::string path, std::string source,
                       std::optional<Error>& error)
    : object_(object), path_(std::move(path)), source_(std::move(source)), error_(error) {
  if (object_.is_object() || error_) return;
  error_ = Error{fmt::format("{} is {}; expected an object", path_.empty() ? "the document" : path_,
                             object_.type_name())};
}

std::string JsonFields::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void JsonFields::fail(std::string_view key, std::string message) {
  if (error_) return;
  error_ = Error{fmt::format("{}: {}", path_of(key), message)};
}

const Json* JsonFields::find(std::string_view key, bool required) {
  known_.emplace_back(key);
  const Json* value = object_.find(key);
  if (value == nullptr && required) fail(key, "missing");
  return value;
}

template <class T>
std::optional<T> JsonFields::given(std::string_view key, bool required) {
  const Json* found = find(key, required);
  if (found == nullptr || error_) return std::nullopt;
  T value = {};
  detail::read(*found, path_of(key), error_, value);
  return error_ ? std::nullopt : std::optional(std::move(value));
}

std::string JsonFields::text(std::string_view key) {
  return given<std::string>(key, true).value_or("");
}

std::optional<std::string> JsonFields::optional_text(std::string_view key) {
  return given<std::string>(key);
}

std::optional<std::uint64_t> JsonFields::optional_unsigned(std::string_view key) {
  return given<std::uint64_t>(key);
}

std::optional<double> JsonFields::optional_number(std::string_view key) {
  return given<double>(key);
}

bool JsonFields::flag_or(std::string_view key, bool missing) {
  return given<bool>(key).value_or(missing);
}

std::vector<std::string> JsonFields::texts(std::string_view key, std::size_t most) {
  return at_most(given<std::vector<std::string>>(key, true).value_or(std::vector<std::string>()),
                 key, most);
}

std::vector<std::string> JsonFields::optional_texts(std::string_view key, std::size_t most) {
  return at_most(given<std::vector<std::string>>(key).value_or(std::vector<std::string>()), key,
                 most);
}

std::vector<std::string> JsonFields::at_most(std::vector<std::string> texts, std::string_view key,
                                             std::size_t most) {
  if (texts.size() <= most) return texts;
  fail(key, fmt::format("has {} entries; expected {} at most", texts.size(), most));
  return {};
}

std::vector<std::pair<std::string, std::string>> JsonFields::optional_text_map(
    std::string_view key) {
  std::vector<std::pair<std::string, std::string>> out;
  const Json* value = find(key);
  if (value == nullptr ||
      !detail::check(*value, value->is_object(), "an object of texts", path_of(key), error_)) {
    return out;
  }
  for (const auto& [name, entry] : value->items()) {
    detail::read(entry, fmt::format("{}.{}", path_of(key), name), error_,
                 out.emplace_back(name, "").second);
  }
  return out;
}

std::int64_t JsonFields::integer(std::string_view key, std::int64_t low, std::int64_t high) {
  return integer_of(find(key, true), key, low, high, low);
}

std::int64_t JsonFields::integer_or(std::string_view key, std::int64_t low, std::int64_t high,
                                    std::int64_t missing) {
  return integer_of(find(key), key, low, high, missing);
}

std::int64_t JsonFields::integer_of(const Json* value, std::string_view key, std::int64_t low,
                                    std::int64_t high, std::int64_t missing) {
  if (value == nullptr) return missing;
  const bool fits = value->is_whole_in(low, high);
  if (!fits) {
    fail(key,
         fmt::format("is {}; expected a whole number from {} to {}", dump_line(*value), low, high));
  }
  return fits ? value->get<std::int64_t>() : missing;
}

double JsonFields::number_or(std::string_view key, double low, double high, double missing) {
  const Json* value = find(key);
  if (value == nullptr) return missing;
  if (!value->is_number() || !(value->get<double>() >= low && value->get<double>() <= high)) {
    fail(key, fmt::format("is {}; expected a number from {} to {}", dump_line(*value), low, high));
    return missing;
  }
  return value->get<double>();
}

std::size_t JsonFields::word_or(std::string_view key, const std::vector<std::string>& known,
                                std::string_view missing) {
  const std::string text = optional_text(key).value_or(std::string(missing));
  const auto at = std::ranges::find(known, text);
  if (at != known.end()) return static_cast<std::size_t>(at - known.begin());
  fail(key, unknown_name("word", text, known).message);
  return 0;
}

Status JsonFields::finish() {
  for (const auto& [key, unused] : object_.items()) {
    if (error_) break;
    if (std::ranges::find(known_, key) != known_.end()) continue;
    Error error = unknown_name("key", key, known_);
    if (!path_.empty()) error.message = path_ + ": " + error.message;
    error_ = std::move(error);
  }
  if (error_) return Error(*error_).in(source_);
  return Done{};
}

}  // namespace damier
