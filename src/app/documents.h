// The JSON documents that a command prints with --json and the workbench's server gives its pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "damier/base/json/json.h"
#include "damier/base/result.h"
#include "damier/play/registry.h"
#include "damier/store/store.h"

namespace damier::app {

// {"games": […]}, as `games --json`.
Json games_document(const play::Registry& registry);

// What cannot be read is left out and named.
struct UnreadModels {
  std::vector<Error> models;
  DamagedRows runs;
};
// {"models": […]}, as `models --json`.
Result<Json> models_document(UnreadModels& unread);
// As `inspect MODEL --json`.
Result<Json> inspect_document(const std::string& model);

// {"runs": […]}, as `runs --json`; one run with its curves, as `runs show RUN --json`.
Result<Json> runs_document(Store& store, DamagedRows* damaged);
Result<Json> run_document(Store& store, const std::string& name, DamagedRows* damaged);

// {"experiments": […]}, as `reproduce --json`.
Result<Json> experiments_document();
// The page that `reproduce` wrote of an experiment here the last time.
Result<std::string> kept_report(const std::string& experiment, bool quick);

// A document as it goes out: its schema first.
Json with_schema(std::string_view name, const Json& body);

}  // namespace damier::app
