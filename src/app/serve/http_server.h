// HTTP on this machine's own address: reads requests within limits of size and time, and writes
// answers and event streams. Boost.Beast is known to http_server.cc alone, since it takes long to
// compile.
#pragma once

#include <functional>
#include <memory>

#include "damier/app/serve/events.h"
#include "damier/app/serve/http.h"
#include "damier/base/result.h"

namespace damier::app::serve {

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
