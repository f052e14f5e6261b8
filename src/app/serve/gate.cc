#include "damier/app/serve/gate.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/numbers/random.h"
#include "damier/base/text/program_name.h"

namespace damier::app::serve {

namespace {

// Takes as long for a token that is nearly right as for any other.
bool equal_secrets(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

}  // namespace

Gate::Gate(GateOptions options) : options_(std::move(options)) {
  for (const std::string_view name : {"127.0.0.1", "localhost", "[::1]"}) {
    hosts_.push_back(fmt::format("{}:{}", name, options_.port));
    if (options_.port == 80) hosts_.emplace_back(name);
  }
  for (const std::string& host : options_.hosts) hosts_.push_back(lower(host));
}

bool Gate::knows_host(std::string_view host) const {
  return std::ranges::find(hosts_, lower(host)) != hosts_.end();
}

std::string Gate::cookie_name() const {
  // Cookies know no ports: two servers on one machine must not take each other's.
  return fmt::format("damier_{}", options_.port);
}

bool Gate::knows_token(const HttpRequest& request) const {
  if (!options_.token) return true;
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view authorization = request.authorization;
  return equal_secrets(request.cookie_value(cookie_name()), *options_.token) ||
         (authorization.starts_with(kBearer) &&
          equal_secrets(authorization.substr(kBearer.size()), *options_.token));
}

std::optional<HttpReply> Gate::welcome(const HttpRequest& request) const {
  if (!options_.token || request.path() != "/" || request.query("token").empty()) return {};
  if (!equal_secrets(request.query("token"), *options_.token)) return {};
  HttpReply reply{.status = 303, .type = "text/plain", .body = "\n"};
  reply.headers = {
      {"Location", "/"},
      {"Set-Cookie", fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000",
                                 cookie_name(), *options_.token)}};
  return reply;
}

std::optional<HttpReply> Gate::refusal(const HttpRequest& request) const {
  if (!knows_host(request.host)) {
    return error_reply(421, "this server does not answer for that host");
  }
  if (request.method != "GET" && request.method != "POST") {
    auto reply = error_reply(405, "expected GET or POST");
    reply.headers = {{"Allow", "GET, POST"}};
    return reply;
  }
  if (request.method == "POST") {
    if (!request.origin.empty()) {
      const auto scheme = request.origin.find("://");
      if (scheme == std::string::npos ||
          !knows_host(std::string_view(request.origin).substr(scheme + 3))) {
        return error_reply(403, "a page of another origin may not ask");
      }
    }
    const std::string type = lower(request.content_type);
    if (type != "application/json" && !type.starts_with("application/json;")) {
      return error_reply(415, "expected Content-Type: application/json");
    }
  }
  // The page itself is no secret: without the token it says what to do.
  const bool asks = request.method == "POST" || request.path().starts_with("/api/");
  if (asks && !knows_token(request)) {
    return error_reply(
        403,
        fmt::format("open the address that `{} serve` printed: it holds a token", program_name()));
  }
  return {};
}

std::string random_token() {
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", value_of(fresh_seed()));
  return token;
}

const std::vector<std::pair<std::string, std::string>>& safe_headers() {
  static const std::vector<std::pair<std::string, std::string>> headers = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
       "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
       "'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-cache"},
  };
  return headers;
}

}  // namespace damier::app::serve
