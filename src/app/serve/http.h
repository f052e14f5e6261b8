// Requests and answers of the workbench's server, and the server: HTTP on this machine's own
// address, within limits of size and time. Boost.Beast is known to http_server.cc alone, since it
// takes long to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/app/serve/events.h"
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

struct ServerLimits {
  std::size_t header_bytes = 8 << 10;
  std::size_t body_bytes = 64 << 10;
  int seconds = 10;       // to send a request, or to take an answer
  int connections = 256;  // in all
  int per_address = 128;  // of them from one address
  int streams = 32;       // of events
  int heartbeat_seconds = 15;
};

class HttpServer {
 public:
  // Answers a request; it may go on thinking and respond later.
  using Handler = std::function<void(HttpRequest, Respond)>;

  // On 127.0.0.1; port 0 takes one that is free.
  static Result<std::unique_ptr<HttpServer>> listen(int port, const ServerLimits& limits = {});
  virtual ~HttpServer() = default;

  virtual int port() const = 0;
  // Until an interrupt. A search that still runs may respond later: until this object is gone.
  virtual void run(const Handler& handler, EventLog& events) = 0;
};

}  // namespace damier::app::serve
