// What the pages ask and what they are told: the routes of the workbench's server, as JSON in the
// forms of the command line (docs/workbench.md).
#pragma once

#include <memory>

#include "damier/app/context.h"
#include "damier/app/serve/http.h"
#include "damier/app/serve/searches.h"

namespace damier::app::serve {

struct ApiOptions {
  bool is_public = false;  // no routes to trainings, runs and files
  SearchLimits limits = {};
};

class Api {
 public:
  Api(const Context& context, const ApiOptions& options, EventLog& events);
  ~Api();

  // Answers at once or, where somebody has to think, later from another thread.
  void answer(const HttpRequest& request, Respond respond);

 private:
  struct Workbench;  // what the routes work with
  struct Routes;

  std::unique_ptr<Workbench> bench_;
};

}  // namespace damier::app::serve
