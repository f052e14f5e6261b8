#include <algorithm>

#include <fmt/format.h>

#include "damier/base/json/json.h"
#include "damier/base/text/text.h"

namespace damier {

JsonFields::JsonFields(const Json& object, std::string path, std::string source)
    : JsonFields(object, std::move(path), std::move(source), own_error_) {}

JsonFields::JsonFields(const Json& object, std::string path, std::string source,
                       std::optional<Error>& error)
    : object_(object), path_(std::move(path)), source_(std::move(source)), error_(error) {
  if (object_.is_object() || error_) return;
  error_ = Error{fmt::format("{} is {}; expected an object", path_.empty() ? "the document" : path_,
                             object_.type_name()),
                 {source_}};
}

std::string JsonFields::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void JsonFields::fail(std::string_view key, std::string message) {
  if (error_) return;
  error_ = Error{fmt::format("{}: {}", path_of(key), message), {source_}};
}

bool JsonFields::expect(bool fits, std::string_view key, std::string_view found,
                        std::string_view expected) {
  if (!fits) fail(key, fmt::format("is {}; expected {}", found, expected));
  return fits;
}

const Json* JsonFields::find(std::string_view key, bool required) {
  known_.emplace_back(key);
  const Json* value = object_.find(key);
  if (value == nullptr && required) fail(key, "missing");
  return value;
}

std::string JsonFields::text(std::string_view key) { return text_of(key, true).value_or(""); }

std::optional<std::string> JsonFields::text_of(std::string_view key, bool required) {
  const Json* value = find(key, required);
  if (value == nullptr || !expect(value->is_string(), key, value->type_name(), "a text")) {
    return std::nullopt;
  }
  return value->text();
}

std::optional<std::uint64_t> JsonFields::optional_unsigned(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr || !expect(value->is_number_unsigned(), key, dump_line(*value),
                                  "a whole number from 0 to 2^64-1")) {
    return std::nullopt;
  }
  return value->get<std::uint64_t>();
}

std::optional<double> JsonFields::optional_number(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr || !expect(value->is_number(), key, value->type_name(), "a number")) {
    return std::nullopt;
  }
  return value->get<double>();
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
  const auto at = std::find(known.begin(), known.end(), text);
  if (at != known.end()) return static_cast<std::size_t>(at - known.begin());
  fail(key, unknown_name("word", text, known).message);
  return 0;
}

bool JsonFields::flag_or(std::string_view key, bool missing) {
  const Json* value = find(key);
  if (value == nullptr || !expect(value->is_boolean(), key, dump_line(*value), "true or false")) {
    return missing;
  }
  return value->get<bool>();
}

std::vector<std::string> JsonFields::texts_of(std::string_view key, bool required,
                                              std::size_t most) {
  const Json* value = find(key, required);
  if (value == nullptr || !expect(value->is_array(), key, value->type_name(), "a list of texts")) {
    return {};
  }
  if (value->size() > most) {
    fail(key, fmt::format("has {} entries; expected {} at most", value->size(), most));
    return {};
  }
  std::vector<std::string> out;
  for (const Json& entry : *value) {
    const std::string place = fmt::format("{}[{}]", key, out.size());
    if (!expect(entry.is_string(), place, entry.type_name(), "a text")) return {};
    out.push_back(entry.text());
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> JsonFields::optional_text_map(
    std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr ||
      !expect(value->is_object(), key, value->type_name(), "an object of texts")) {
    return {};
  }
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [name, entry] : value->items()) {
    const std::string place = fmt::format("{}.{}", key, name);
    if (!expect(entry.is_string(), place, entry.type_name(), "a text")) return {};
    out.emplace_back(name, entry.text());
  }
  return out;
}

Status JsonFields::finish() {
  for (const auto& [key, unused] : object_.items()) {
    if (error_) break;
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    Error error = unknown_name("key", key, known_);
    if (!path_.empty()) error.message = path_ + ": " + error.message;
    error_ = std::move(error).in(source_);
  }
  if (error_) return *error_;
  return Done{};
}

}  // namespace damier
