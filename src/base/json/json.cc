#include "damier/base/json/json.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "damier/base/text/text.h"

namespace damier {

namespace {

using Library = nlohmann::ordered_json;

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

// No document of ours is deeper or has more values, and what is read stays small in memory.
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxKeys = 4096;  // objects are searched key by key
constexpr std::size_t kMaxValues = std::size_t{1} << 20;

// Builds a value while the library reads the text. Stops at the first thing that the grammar allows
// and we do not.
class Builder : public Library::json_sax_t {
 public:
  Builder(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  Json take() { return std::move(root_); }
  const std::optional<Error>& error() const { return error_; }

  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Library::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return start(Json::object()); }
  bool start_array(std::size_t) override { return start(Json::array()); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }

  bool key(std::string& key) override {
    Level& level = open_.back();
    // Every object is searched key by key: many keys would take very long.
    if (level.keys.size() >= kMaxKeys) {
      return refuse(fmt::format("an object of more than the {} keys expected at most", kMaxKeys));
    }
    if (!level.keys.insert(key).second) {
      return refuse(fmt::format("the key {} stands twice in an object", in_quotes(key)));
    }
    level.key = std::move(key);
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::detail::exception& error) override {
    constexpr int kNumberOverflow = 406;  // the only error that says nothing of its place
    SourcePosition where = {std::string(source_)};
    if (error.id != kNumberOverflow) where = position_at(text_, byte == 0 ? 0 : byte - 1, source_);
    error_ = Error{"not valid JSON: " + plain_message(error.what()), std::move(where)};
    return false;
  }

 private:
  struct Level {
    Json value;
    std::unordered_set<std::string> keys = {};
    std::string key = {};  // of the member that comes next
  };

  bool refuse(std::string message) {
    error_ = Error{std::move(message), {std::string(source_)}};
    return false;
  }

  bool add(Json value) {
    if (++values_ > kMaxValues) {
      return refuse(fmt::format("more than the {} values expected at most", kMaxValues));
    }
    put(std::move(value));
    return true;
  }

  void put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Level& level = open_.back(); level.value.is_object()) {
      level.value.append_new(std::move(level.key), std::move(value));
    } else {
      level.value.push_back(std::move(value));
    }
  }

  bool start(Json empty) {
    if (open_.size() >= kMaxDepth) {
      return refuse(fmt::format("nested deeper than the {} levels expected at most", kMaxDepth));
    }
    if (++values_ > kMaxValues) return add(Json());
    open_.push_back({std::move(empty)});
    return true;
  }

  bool end() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    put(std::move(value));
    return true;
  }

  std::string_view text_;
  std::string_view source_;
  Json root_;
  std::vector<Level> open_;
  std::size_t values_ = 0;
  std::optional<Error> error_;
};

Library library_value(const Json& value) {
  if (value.is_object()) {
    Library out = Library::object();
    auto& members = out.get_ref<Library::object_t&>();
    members.reserve(value.size());
    // The keys are known to differ: no search for each of them.
    for (const auto& [key, member] : value.items()) {
      static_cast<std::vector<Library::object_t::value_type>&>(members).emplace_back(
          key, library_value(member));
    }
    return out;
  }
  if (value.is_array()) {
    Library out = Library::array();
    for (const Json& entry : value) out.push_back(library_value(entry));
    return out;
  }
  if (value.is_string()) return value.text();
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return nullptr;
}

std::string dump(const Json& value, int indent) {
  // Anything that is not UTF-8 is replaced rather than thrown at the user.
  return library_value(value).dump(indent, ' ', false, Library::error_handler_t::replace);
}

// The text without its // comments; every place keeps its line and column.
std::string without_comments(std::string_view text) {
  std::string out(text);
  bool in_text = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (in_text && out[i] == '\\') {
      ++i;
    } else if (out[i] == '"') {
      in_text = !in_text;
    } else if (!in_text && out[i] == '/' && i + 1 < out.size() && out[i + 1] == '/') {
      for (; i < out.size() && out[i] != '\n'; ++i) out[i] = ' ';
    }
  }
  return out;
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view source, JsonComments comments) {
  if (comments == JsonComments::allowed) return parse_json(without_comments(text), source);
  // To nlohmann a zero byte is the end of the text, whatever follows it.
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    return Error{"not valid JSON: a zero byte", position_at(text, zero, source)};
  }
  Builder builder(text, source);
  if (Library::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  return *builder.error();
}

std::string dump_line(const Json& value) { return dump(value, -1); }

std::string dump_pretty(const Json& value) { return dump(value, 2) + "\n"; }

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string text_in(const Json& json, std::string_view key) {
  const Json* at = json.find(key);
  return at != nullptr && at->is_string() ? at->text() : std::string();
}

std::optional<double> number_in(const Json& json, std::string_view key) {
  const Json* at = json.find(key);
  if (at == nullptr || !at->is_number()) return std::nullopt;
  return at->get<double>();
}

}  // namespace damier
