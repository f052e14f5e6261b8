#include <charconv>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_static_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <fcntl.h>
#include <fmt/format.h>

#include "damier/app/serve/gate.h"
#include "damier/app/serve/http.h"
#include "damier/base/files/interrupt.h"

namespace damier::app::serve {

namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using net::ip::tcp;

constexpr auto kLookForInterrupts = std::chrono::milliseconds(100);

std::string text_of(boost::string_view text) { return {text.data(), text.size()}; }

HttpRequest request_of(http::request<http::string_body>&& message) {
  const auto field = [&](http::field name) { return text_of(message[name]); };
  HttpRequest request;
  request.method = text_of(message.method_string());
  request.target = text_of(message.target());
  request.host = field(http::field::host);
  request.origin = field(http::field::origin);
  request.content_type = field(http::field::content_type);
  request.authorization = field(http::field::authorization);
  request.cookie = field(http::field::cookie);
  request.accept_encoding = field(http::field::accept_encoding);
  request.last_event_id = text_of(message["Last-Event-ID"]);
  request.body = std::move(message.body());
  return request;
}

// Where spawn() cannot close what a child should not have.
template <class Socket>
void keep_from_children(Socket& socket) {
  fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
}

class BeastServer final : public HttpServer {
 public:
  BeastServer(const ServerLimits& limits) : limits_(limits), acceptor_(io_), poll_(io_) {}

  Status open(int port) {
    error_code error;
    const tcp::endpoint endpoint(net::ip::address_v4::loopback(),
                                 static_cast<unsigned short>(port));
    acceptor_.open(endpoint.protocol(), error);
    if (!error) keep_from_children(acceptor_);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
    if (!error) return Done{};
    const bool taken = error == net::error::address_in_use;
    return Error{fmt::format("cannot listen on 127.0.0.1:{}: {}{}", port, error.message(),
                             taken ? "; `--port 0` takes a free one" : ""),
                 {},
                 taken ? ErrorKind::input : ErrorKind::failure};
  }

  int port() const override { return acceptor_.local_endpoint().port(); }

  void run(const Handler& handler, EventLog& events) override {
    handler_ = &handler;
    events_ = &events;
    events.on_new([this] {
      net::post(io_, [this] {
        for (net::steady_timer* stream : streams_) stream->cancel();
      });
    });
    net::co_spawn(io_, accept_all(), net::detached);
    net::co_spawn(io_, watch_interrupts(), net::detached);
    io_.run();
    events.on_new(nullptr);
  }

 private:
  net::awaitable<void> watch_interrupts() {
    while (!interrupted()) {
      poll_.expires_after(kLookForInterrupts);
      error_code ignored;
      co_await poll_.async_wait(net::redirect_error(net::use_awaitable, ignored));
    }
    io_.stop();
  }

  net::awaitable<void> accept_all() {
    for (;;) {
      error_code error;
      tcp::socket socket =
          co_await acceptor_.async_accept(net::redirect_error(net::use_awaitable, error));
      if (error) {
        // Out of descriptors: those that are open will end.
        net::steady_timer pause(io_, kLookForInterrupts);
        co_await pause.async_wait(net::redirect_error(net::use_awaitable, error));
        continue;
      }
      keep_from_children(socket);
      const auto peer = socket.remote_endpoint(error);
      if (error) continue;
      socket.set_option(tcp::no_delay(true), error);  // an answer's last piece waits for nothing
      if (error) continue;
      const std::string address = peer.address().to_string();
      if (connections_ >= limits_.connections || by_address_[address] >= limits_.per_address) {
        if (by_address_[address] == 0) by_address_.erase(address);
        continue;  // closes it
      }
      ++connections_;
      ++by_address_[address];
      net::co_spawn(io_, converse(beast::tcp_stream(std::move(socket))),
                    [this, address](std::exception_ptr) {
                      --connections_;
                      if (--by_address_[address] == 0) by_address_.erase(address);
                    });
    }
  }

  // All requests of one connection.
  net::awaitable<void> converse(beast::tcp_stream stream) {
    const auto deadline = std::chrono::seconds(limits_.seconds);
    // A header that does not fit is refused by the parser before the buffer is full.
    beast::flat_static_buffer<32 << 10> buffer;
    for (;;) {
      http::request_parser<http::string_body> parser;
      parser.header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
      parser.body_limit(limits_.body_bytes);
      stream.expires_after(deadline);
      error_code error;
      co_await http::async_read(stream, buffer, parser,
                                net::redirect_error(net::use_awaitable, error));
      if (error) {
        const bool late = error == beast::error::timeout;
        if (error == http::error::header_limit || error == http::error::buffer_overflow) {
          co_await write(stream, error_reply(431, "the header is too long"), false);
        } else if (error == http::error::body_limit) {
          co_await write(stream, error_reply(413, "the body is too long"), false);
        } else if (error.category() == http::make_error_code(http::error::bad_method).category() &&
                   error != http::error::end_of_stream && error != http::error::partial_message) {
          co_await write(stream, error_reply(400, "this is not HTTP"), false);
        }
        if (!late) close(stream);
        co_return;
      }
      const bool keep = parser.get().keep_alive();
      HttpReply reply = co_await answered(request_of(parser.release()));
      if (reply.events) {
        co_await send_events(stream, *std::exchange(reply.events, std::nullopt));
        co_return;
      }
      if (!co_await write(stream, std::move(reply), keep) || !keep) {
        close(stream);
        co_return;
      }
    }
  }

  // The handler may respond from another thread, and much later.
  net::awaitable<HttpReply> answered(HttpRequest request) {
    struct Pending {
      explicit Pending(net::io_context& io) : ready(io, net::steady_timer::time_point::max()) {}
      net::steady_timer ready;
      std::optional<HttpReply> reply;
    };
    const auto pending = std::make_shared<Pending>(io_);
    (*handler_)(std::move(request), [this, pending](HttpReply reply) {
      net::post(io_, [pending, reply = std::move(reply)]() mutable {
        pending->reply = std::move(reply);
        pending->ready.cancel();
      });
    });
    while (!pending->reply) {
      error_code ignored;
      co_await pending->ready.async_wait(net::redirect_error(net::use_awaitable, ignored));
    }
    co_return *std::move(pending->reply);
  }

  net::awaitable<bool> write(beast::tcp_stream& stream, HttpReply reply, bool keep) {
    http::response<http::string_body> message(static_cast<http::status>(reply.status), 11);
    for (const auto& [name, value] : safe_headers()) message.set(name, value);
    for (const auto& [name, value] : reply.headers) message.set(name, value);
    message.set(http::field::content_type, reply.type);
    message.keep_alive(keep);
    message.body() = std::move(reply.body);
    message.prepare_payload();
    stream.expires_after(std::chrono::seconds(limits_.seconds));
    error_code error;
    co_await http::async_write(stream, message, net::redirect_error(net::use_awaitable, error));
    co_return !error;
  }

  net::awaitable<void> send_events(beast::tcp_stream& stream, HttpReply::Events asked) {
    if (static_cast<int>(streams_.size()) >= limits_.streams) {
      co_await write(stream, error_reply(503, "too many pages are open"), false);
      co_return close(stream);
    }
    std::string text =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        "Connection: close\r\nX-Accel-Buffering: no\r\n";
    for (const auto& [name, value] : safe_headers()) text += fmt::format("{}: {}\r\n", name, value);
    text += "\r\nretry: 1000\n\n";
    net::steady_timer wake(io_);
    const auto list = [this](net::steady_timer* timer, bool comes) {
      comes ? void(streams_.insert(timer)) : void(streams_.erase(timer));
      events_->set_pages(static_cast<int>(streams_.size()));
    };
    list(&wake, true);
    const auto leave = [&list](net::steady_timer* timer) { list(timer, false); };
    const std::unique_ptr<net::steady_timer, decltype(leave)> listed(&wake, leave);
    for (;;) {
      for (std::string& event : events_->take(asked.page, asked.after)) text += event;
      if (!text.empty()) {
        stream.expires_after(std::chrono::seconds(limits_.seconds));
        error_code error;
        co_await net::async_write(stream, net::buffer(text),
                                  net::redirect_error(net::use_awaitable, error));
        if (error) co_return;
        text.clear();
        continue;  // something may have come meanwhile
      }
      wake.expires_after(std::chrono::seconds(limits_.heartbeat_seconds));
      error_code woken;
      co_await wake.async_wait(net::redirect_error(net::use_awaitable, woken));
      if (!woken) text = ": still here\n\n";  // finds out who has left
    }
  }

  static void close(beast::tcp_stream& stream) {
    error_code ignored;
    stream.socket().shutdown(tcp::socket::shutdown_both, ignored);
  }

  ServerLimits limits_;
  // Whatever the coroutines use outlives them: they end with io_.
  std::set<net::steady_timer*> streams_;
  std::map<std::string, int> by_address_;
  int connections_ = 0;
  const Handler* handler_ = nullptr;
  EventLog* events_ = nullptr;
  net::io_context io_{1};
  tcp::acceptor acceptor_;
  net::steady_timer poll_;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::listen(int port, const ServerLimits& limits) {
  auto server = std::make_unique<BeastServer>(limits);
  TRY(server->open(port));
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace damier::app::serve
