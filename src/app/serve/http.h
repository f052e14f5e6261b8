// A request and an answer of the workbench's server, free of the library that carries them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/result.h"

namespace damier::app::serve {

struct HttpRequest {
  std::string method;  // "GET", "POST", …
  std::string target;  // "/api/runs?page=x"
  std::string host;
  std::string origin;
  std::string content_type;
  std::string authorization;
  std::string cookie;
  std::string accept_encoding;
  std::string last_event_id;
  std::string body;

  std::string_view path() const;  // "/api/runs"
  // What the address asks under a name ("page"); empty: nothing.
  std::string query(std::string_view name) const;
  // A cookie's value; empty: none.
  std::string_view cookie_value(std::string_view name) const;
};

struct HttpReply {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};

  // The events of a page, from the one after this number on, instead of a body.
  struct Events {
    std::string page;
    std::optional<std::uint64_t> after;
  };
  std::optional<Events> events = {};
};

// To be called once, from any thread.
using Respond = std::function<void(HttpReply)>;

// {"schema": "damier/error/1", "error": message}
HttpReply error_reply(int status, std::string_view message);
// Of wrong input, or of work that failed.
HttpReply error_reply(const Error& error);
// A message for pages: where this machine keeps its files is nobody's business there.
std::string without_folders(std::string_view text);

}  // namespace damier::app::serve
