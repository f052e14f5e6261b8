// `damier serve`: the workbench in a browser.

#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/serve/api.h"
#include "damier/app/serve/gate.h"
#include "damier/app/serve/http.h"
#include "damier/base/files/child_process.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/text/standard_streams.h"

namespace damier::app {

namespace {

constexpr int kUsualPort = 8470;

struct ServeArguments {
  int port = kUsualPort;
  bool no_open = false;
  bool is_public = false;
  std::vector<std::string> hosts;
};

bool variable_is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// Shows the page in the browser of the person at this machine; false where that cannot be.
bool open_browser(const std::string& address) {
  if (variable_is_set("SSH_CONNECTION")) return false;
  if (!variable_is_set("DISPLAY") && !variable_is_set("WAYLAND_DISPLAY") &&
      !variable_is_set("BROWSER")) {
    return false;
  }
  const std::string opener = variable_is_set("BROWSER") ? std::getenv("BROWSER") : "xdg-open";
  const auto program = find_program(opener);
  return program && spawn(*program, {opener, address}, {}).ok();
}

void print_directions(const ServeArguments& arguments, int port, const std::string& address) {
  if (arguments.is_public) {
    print_message(
        "Public: no token; trainings, runs and files are closed. Put a TLS proxy in front that "
        "forwards to 127.0.0.1:{}, and name its host with --host.\n",
        port);
  } else if (variable_is_set("SSH_CONNECTION")) {
    print_message(
        "On your own machine, `ssh -L {0}:127.0.0.1:{0} …` forwards the port; then open the "
        "address above there.\n",
        port);
  } else if (arguments.no_open || !open_browser(address)) {
    print_message("Open the address above in a browser.\n");
  }
  print_message("Ctrl-C ends the server.\n");
}

Result<int> run_serve(const ServeArguments& arguments, const Context& context) {
  auto server = TRY(serve::HttpServer::listen(arguments.port));
  const int port = server->port();
  serve::GateOptions options{port, std::nullopt, arguments.hosts};
  std::string address = fmt::format("http://127.0.0.1:{}/", port);
  if (!arguments.is_public) {
    options.token = serve::random_token();
    address += "?token=" + *options.token;
  }
  const serve::Gate gate(options);
  serve::EventLog events;
  serve::ApiOptions api_options;
  api_options.is_public = arguments.is_public;
  api_options.limits.threads = context.thread_count();
  constexpr double kPublicSeconds = 5;
  if (arguments.is_public) api_options.limits.seconds = kPublicSeconds;
  serve::Api api(context, api_options, events);
  print_output("{}\n", address);
  flush_output();
  if (output_error() || output_reader_left()) return kDone;  // nobody knows the address
  print_directions(arguments, port, address);
  server->run(
      [&](serve::HttpRequest request, serve::Respond respond) {
        if (auto reply = gate.welcome(request)) return respond(*std::move(reply));
        if (auto reply = gate.refusal(request)) return respond(*std::move(reply));
        api.answer(request, std::move(respond));
      },
      events);
  return kDone;  // Ctrl-C is how it is meant to end
}

}  // namespace

Action setup_serve(CommandLine line, Context& context) {
  auto arguments = std::make_shared<ServeArguments>();
  line.add_number("--port", arguments->port, 0, 65535,
                  Text::of("where it listens, on this machine only (default {}); 0 takes a "
                           "free one",
                           kUsualPort));
  line.add_flag("--no-open", arguments->no_open, "do not open the browser");
  line.add_flag("--public", arguments->is_public,
                "for others, behind a proxy: no token, trainings and files are closed");
  line.add_option("--host", arguments->hosts, "NAME",
                  "another name of this server, as its proxy forwards it; may be repeated")
      .one_at_a_time();
  add_shared_options(line, context, {"--threads"});
  return [arguments, &context] { return run_serve(*arguments, context); };
}

}  // namespace damier::app
