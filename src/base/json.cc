#include "damier/base/json.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "damier/base/text.h"

namespace damier {

namespace {

SourcePosition position_at(std::string_view text, std::size_t byte, std::string_view source) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto line_start = before.rfind('\n');
  const std::size_t column =
      1 + before.size() - (line_start == std::string_view::npos ? 0 : line_start + 1);
  return {std::string(source), static_cast<int>(line), static_cast<int>(column)};
}

// nlohmann's messages read "[json.exception.parse_error.101] parse error at line 1, column 2:
// syntax error while parsing value - unexpected end of input; expected '}'": keep the last part.
std::string plain_message(std::string_view what) {
  const auto dash = what.rfind(" - ");
  if (dash != std::string_view::npos) return std::string(what.substr(dash + 3));
  const auto colon = what.find(": ");
  if (colon != std::string_view::npos) return std::string(what.substr(colon + 2));
  const auto bracket = what.find("] ");
  return std::string(bracket == std::string_view::npos ? what : what.substr(bracket + 2));
}

// Deeper nesting than any document of ours has.
constexpr int kDeepest = 64;
constexpr std::size_t kMostKeys = 4096;

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view source) {
  // To nlohmann a zero byte is the end of the text, whatever follows it.
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    return Error{"not valid JSON: a zero byte", position_at(text, zero, source)};
  }
  // The first thing that the grammar allows and we do not.
  std::string refused;
  std::vector<std::set<std::string>> keys;  // of the objects around the current place
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end && !keys.empty()) keys.pop_back();
    if ((event == Event::object_start || event == Event::array_start) && depth >= kDeepest) {
      refused = fmt::format("nested deeper than the {} levels expected at most", kDeepest);
    }
    if (event == Event::key && !keys.empty()) {
      const auto key = parsed.get<std::string>();
      // Every object is searched key by key: many keys would take for ever.
      if (keys.back().size() >= kMostKeys) {
        refused = fmt::format("an object of more than the {} keys expected at most", kMostKeys);
      } else if (!keys.back().insert(key).second) {
        refused = fmt::format("the key {} stands twice in an object", in_quotes(key));
      }
    }
    return refused.empty();
  };
  try {
    Json value = Json::parse(text.begin(), text.end(), watch);
    if (refused.empty()) return value;
  } catch (const Json::parse_error& error) {
    SourcePosition where = position_at(text, error.byte == 0 ? 0 : error.byte - 1, source);
    return Error{"not valid JSON: " + plain_message(error.what()), std::move(where)};
  } catch (const Json::exception& error) {  // a number that no double can hold
    return Error{"not valid JSON: " + plain_message(error.what()), {std::string(source)}};
  }
  return Error{refused, {std::string(source)}};
}

std::string dump_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string dump_pretty(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

JsonFields::JsonFields(const Json& object, std::string path, std::string source)
    : object_(object), path_(std::move(path)), source_(std::move(source)) {
  if (!object_.is_object()) {
    fault_ = Error{fmt::format("{} is {}; expected an object",
                               path_.empty() ? "the document" : path_, object_.type_name()),
                   {source_}};
  }
}

std::string JsonFields::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void JsonFields::fail(std::string_view key, std::string message) {
  if (fault_) return;
  fault_ = Error{fmt::format("{}: {}", path_of(key), message), {source_}};
}

const Json* JsonFields::find(std::string_view key) {
  known_.emplace_back(key);
  if (!object_.is_object()) return nullptr;
  const auto at = object_.find(std::string(key));
  return at == object_.end() ? nullptr : &*at;
}

const Json* JsonFields::require(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) fail(key, "missing");
  return value;
}

std::string JsonFields::text(std::string_view key) {
  if (require(key) == nullptr) return {};
  known_.pop_back();
  return optional_text(key).value_or("");
}

std::optional<std::string> JsonFields::optional_text(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) {
    fail(key, fmt::format("is {}; expected a text", value->type_name()));
    return std::nullopt;
  }
  return value->get<std::string>();
}

std::optional<std::uint64_t> JsonFields::optional_unsigned(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number_unsigned()) {
    fail(key, fmt::format("is {}; expected a whole number from 0 to 2^64-1", dump_line(*value)));
    return std::nullopt;
  }
  return value->get<std::uint64_t>();
}

std::optional<double> JsonFields::optional_number(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) {
    fail(key, fmt::format("is {}; expected a number", value->type_name()));
    return std::nullopt;
  }
  return value->get<double>();
}

std::int64_t JsonFields::integer(std::string_view key, std::int64_t low, std::int64_t high) {
  if (require(key) == nullptr) return low;
  known_.pop_back();
  return integer_or(key, low, high, low);
}

std::int64_t JsonFields::integer_or(std::string_view key, std::int64_t low, std::int64_t high,
                                    std::int64_t missing) {
  const Json* value = find(key);
  if (value == nullptr) return missing;
  if (!value->is_number_integer() || *value < low || *value > high) {
    fail(key,
         fmt::format("is {}; expected a whole number from {} to {}", dump_line(*value), low, high));
    return missing;
  }
  return value->get<std::int64_t>();
}

double JsonFields::number_or(std::string_view key, double low, double high, double missing) {
  const Json* value = find(key);
  if (value == nullptr) return missing;
  if (!value->is_number() || *value < low || *value > high) {
    fail(key, fmt::format("is {}; expected a number from {} to {}", dump_line(*value), low, high));
    return missing;
  }
  return value->get<double>();
}

bool JsonFields::flag_or(std::string_view key, bool missing) {
  const Json* value = find(key);
  if (value == nullptr) return missing;
  if (!value->is_boolean()) {
    fail(key, fmt::format("is {}; expected true or false", dump_line(*value)));
    return missing;
  }
  return value->get<bool>();
}

std::vector<std::string> JsonFields::texts(std::string_view key, std::size_t most) {
  if (require(key) == nullptr) return {};
  known_.pop_back();
  return optional_texts(key, most);
}

std::vector<std::string> JsonFields::optional_texts(std::string_view key, std::size_t most) {
  const Json* value = find(key);
  if (value == nullptr) return {};
  if (!value->is_array()) {
    fail(key, fmt::format("is {}; expected a list of texts", value->type_name()));
    return {};
  }
  if (value->size() > most) {
    fail(key, fmt::format("has {} entries; expected {} at most", value->size(), most));
    return {};
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < value->size(); ++i) {
    if (!(*value)[i].is_string()) {
      fail(fmt::format("{}[{}]", key, i),
           fmt::format("is {}; expected a text", (*value)[i].type_name()));
      return {};
    }
    out.push_back((*value)[i].get<std::string>());
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> JsonFields::optional_text_map(
    std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) return {};
  if (!value->is_object()) {
    fail(key, fmt::format("is {}; expected an object of texts", value->type_name()));
    return {};
  }
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [name, entry] : value->items()) {
    if (!entry.is_string()) {
      fail(fmt::format("{}.{}", key, name),
           fmt::format("is {}; expected a text", entry.type_name()));
      return {};
    }
    out.emplace_back(name, entry.get<std::string>());
  }
  return out;
}

Status JsonFields::finish() {
  if (!fault_) {
    for (const auto& [key, unused] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      Error error = unknown_name("key", key, known_);
      if (!path_.empty()) error.message = path_ + ": " + error.message;
      error.where.source = source_;
      fault_ = std::move(error);
      break;
    }
  }
  if (fault_) return *fault_;
  return Done{};
}

}  // namespace damier
