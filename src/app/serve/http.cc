#include "damier/app/serve/http.h"

#include <algorithm>
#include <charconv>

#include "damier/base/json/json.h"

namespace damier::app::serve {

namespace {

// The value of `name` among "name=value" parts.
std::string_view value_among(std::string_view parts, char separator, std::string_view name) {
  while (!parts.empty()) {
    const auto end = parts.find(separator);
    std::string_view part = parts.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    if (part.starts_with(name) && part.substr(name.size()).starts_with('=')) {
      return part.substr(name.size() + 1);
    }
    parts = end == parts.npos ? "" : parts.substr(end + 1);
  }
  return {};
}

// "%2F" is "/", "+" a space; what is no such form stays as it is.
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr ==
            text.data() + i + 3) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

}  // namespace

std::string_view HttpRequest::path() const {
  const std::string_view whole = target;
  return whole.substr(0, whole.find('?'));
}

std::string HttpRequest::query(std::string_view name) const {
  const std::string_view whole = target;
  const auto mark = whole.find('?');
  return mark == whole.npos ? "" : decoded(value_among(whole.substr(mark + 1), '&', name));
}

std::string_view HttpRequest::cookie_value(std::string_view name) const {
  return value_among(cookie, ';', name);
}

HttpReply error_reply(int status, std::string_view message) {
  const Json body = {{"schema", "damier/error/1"}, {"error", message}};
  return {.status = status, .body = dump_line(body) + "\n"};
}

HttpReply error_reply(const Error& error) {
  return error_reply(error.kind == ErrorKind::input ? 422 : 500, without_folders(error.text()));
}

std::string without_folders(std::string_view text) {
  constexpr std::string_view kBefore = " '\"(:=", kAfter = " '\"),:;";
  std::string out;
  while (!text.empty()) {
    // A path begins a word; "//" is an address.
    const bool begins = text[0] == '/' && !text.substr(1).starts_with('/') &&
                        (out.empty() || kBefore.find(out.back()) != kBefore.npos);
    const std::size_t length = begins ? std::min(text.find_first_of(kAfter), text.size()) : 1;
    const std::string_view word = text.substr(0, length);
    const auto folder = word.size() > 1 ? word.find_last_of('/') : word.npos;
    out += folder == word.npos ? word : word.substr(folder + 1);
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace damier::app::serve
