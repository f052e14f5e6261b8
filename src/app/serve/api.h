// What the pages ask and what they are told: the routes of the workbench's server, as JSON in the
// forms of the command line (docs/workbench.md).
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "damier/app/context.h"
#include "damier/app/serve/events.h"
#include "damier/app/serve/gate.h"
#include "damier/app/serve/http.h"
#include "damier/app/serve/jobs.h"
#include "damier/app/serve/players.h"
#include "damier/app/serve/searches.h"

namespace damier::app::serve {

struct ApiOptions {
  bool is_public = false;  // no routes to trainings, runs and files
  SearchLimits limits = {};
};

class Api {
 public:
  Api(const Context& context, const ApiOptions& options, EventLog& events);

  // Answers at once or, where somebody has to think, later from another thread.
  void answer(const HttpRequest& request, Respond respond);

 private:
  using Handler = void (Api::*)(const HttpRequest&, Respond);
  struct Route {
    Handler handler;
    bool local = false;  // closed when the server is public
  };

  void add_routes();
  // Work that may take a moment goes to the threads that think.
  void later(Respond respond, std::function<HttpReply()> work);

  void games(const HttpRequest& request, Respond respond);
  void position(const HttpRequest& request, Respond respond);
  void edit(const HttpRequest& request, Respond respond);
  void read_game_file(const HttpRequest& request, Respond respond);
  void write_game_file(const HttpRequest& request, Respond respond);
  void ask_player(const HttpRequest& request, Respond respond);
  void analyze(const HttpRequest& request, Respond respond);
  void analyze_game(const HttpRequest& request, Respond respond);
  void stop(const HttpRequest& request, Respond respond);
  void models(const HttpRequest& request, Respond respond);
  void inspect(const HttpRequest& request, Respond respond);
  void weights(const HttpRequest& request, Respond respond);
  void network(const HttpRequest& request, Respond respond);
  void deal(const HttpRequest& request, Respond respond);
  void report(const HttpRequest& request, Respond respond);
  void runs(const HttpRequest& request, Respond respond);
  void run_games(const HttpRequest& request, Respond respond);
  void recipes(const HttpRequest& request, Respond respond);
  void experiments(const HttpRequest& request, Respond respond);
  void jobs(const HttpRequest& request, Respond respond);
  void start_job(const HttpRequest& request, Respond respond);
  void stop_job(const HttpRequest& request, Respond respond);
  void events(const HttpRequest& request, Respond respond);

  Result<std::vector<std::string>> job_words(const Json& body) const;
  // Tells the pages of runs that have moved on.
  void watch_runs(std::stop_token stop);

  const Context& context_;
  ApiOptions options_;
  EventLog& events_;
  std::map<std::string, Route, std::less<>> routes_;  // by "GET /api/games"
  PlayerShelf players_;
  Jobs jobs_;
  SearchQueue searches_;
  std::jthread watcher_;
};

}  // namespace damier::app::serve
