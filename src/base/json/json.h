// JSON in and out: parse errors carry line and column, wrong fields carry their path
// ("rules.board"), and keys that nobody asked for are errors with the nearest known key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/json/json_value.h"
#include "damier/base/result.h"

namespace damier {

// Whether // begins a comment, to the end of the line: in files that people write.
enum class JsonComments { refused, allowed };

// `source` names the text in errors (a file name, "--rules").
Result<Json> parse_json(std::string_view text, std::string_view source,
                        JsonComments comments = JsonComments::refused);

// One line, with anything that is not UTF-8 replaced rather than thrown at the user.
std::string dump_line(const Json& value);
// Whether a text can stand in a JSON document as it is.
bool is_utf8(std::string_view text);
// Indented, for files that people open.
std::string dump_pretty(const Json& value);

// The text or the number at `key`; nothing where the value is no object, has no such key, or
// something else stands there. For files that others may have written.
std::string text_in(const Json& json, std::string_view key);
std::optional<double> number_in(const Json& json, std::string_view key);

// Reads the fields of one JSON object, each with its type and range checked. Ask for every field
// that may stand there, then call finish(): it reports the first error, or an unknown key.
class JsonFields {
 public:
  // `path` is where the object stands ("" for the document), `source` the file.
  JsonFields(const Json& object, std::string path, std::string source);
  // One that is part of others: the first error of all of them is noted in `error`.
  JsonFields(const Json& object, std::string path, std::string source, std::optional<Error>& error);
  JsonFields(const JsonFields&) = delete;
  JsonFields& operator=(const JsonFields&) = delete;

  // Any member that described.h can read: one that must be there (but an optional), and one that
  // stays as it is when the key is missing.
  template <class T>
  void operator()(std::string_view key, T& value);
  template <class T>
  void optional(std::string_view key, T& value);
  template <class T>
  void unless_default(std::string_view key, T& value);

  std::string text(std::string_view key);
  std::optional<std::string> optional_text(std::string_view key);
  std::optional<std::uint64_t> optional_unsigned(std::string_view key);
  std::optional<double> optional_number(std::string_view key);
  // Whole numbers and numbers in a range, or the default when the key is missing.
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high);
  std::int64_t integer_or(std::string_view key, std::int64_t low, std::int64_t high,
                          std::int64_t missing);
  double number_or(std::string_view key, double low, double high, double missing);
  bool flag_or(std::string_view key, bool missing);
  // A text out of a list: its place there.
  std::size_t word_or(std::string_view key, const std::vector<std::string>& known,
                      std::string_view missing);
  // A value that the caller reads itself; null when the key is missing.
  const Json* optional_value(std::string_view key) { return find(key); }
  // A list of at most `most` texts.
  std::vector<std::string> texts(std::string_view key, std::size_t most);
  std::vector<std::string> optional_texts(std::string_view key, std::size_t most);
  // An object whose values are all texts; empty when the key is missing.
  std::vector<std::pair<std::string, std::string>> optional_text_map(std::string_view key);

  // The error found by the reader itself or by a caller, e.g. fields.fail("moves[3]", "…").
  void fail(std::string_view key, std::string message);
  // "layers[2].units": where a field of this object stands.
  std::string path_of(std::string_view key) const;
  Status finish();

 private:
  const Json* find(std::string_view key, bool required = false);
  // Nothing where it is missing or wrong.
  template <class T>
  std::optional<T> given(std::string_view key, bool required = false);
  std::vector<std::string> at_most(std::vector<std::string> texts, std::string_view key,
                                   std::size_t most);
  std::int64_t integer_of(const Json* value, std::string_view key, std::int64_t low,
                          std::int64_t high, std::int64_t missing);

  const Json& object_;
  std::string path_;
  std::string source_;
  std::vector<std::string> known_;
  std::optional<Error> own_error_;
  std::optional<Error>& error_;
};

}  // namespace damier
