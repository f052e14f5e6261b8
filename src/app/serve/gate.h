// Who may ask the workbench's server for what. It listens on this machine only, but any page that
// the same browser shows could send requests there: names, origins and a secret keep those out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/app/serve/http.h"

namespace damier::app::serve {

struct GateOptions {
  int port = 0;
  // Without one (--public) anybody who reaches the server may ask.
  std::optional<std::string> token;
  std::vector<std::string> hosts;  // further names of the server, as a proxy forwards them
};

class Gate {
 public:
  explicit Gate(GateOptions options);

  // The answer to a request that goes no further; nothing: it may pass.
  std::optional<HttpReply> refusal(const HttpRequest& request) const;
  // The address with the token in it leads to the page and leaves the token in a cookie, so that
  // the address can be shown and shared.
  std::optional<HttpReply> welcome(const HttpRequest& request) const;

 private:
  bool knows_host(std::string_view host) const;
  bool knows_token(const HttpRequest& request) const;
  std::string cookie_name() const;

  GateOptions options_;
  std::vector<std::string> hosts_;
};

// 128 random bits in hexadecimal digits.
std::string random_token();

// What every answer carries.
const std::vector<std::pair<std::string, std::string>>& safe_headers();

}  // namespace damier::app::serve
