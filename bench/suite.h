// What a set of benchmarks measures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/measure.h"
#include "bench/suites.h"

#include "damier/base/json/json.h"
#include "damier/base/result.h"

namespace damier::bench {

struct SuiteReport {
  std::vector<Row> rows;
  std::string head;             // for people, above the rows
  std::string note;             // and below them
  Json facts = Json::object();  // the same for programs
};

// One of kSuites.
Result<SuiteReport> run_suite(std::string_view name, const SuiteRequest& request);

Result<SuiteReport> bench_games(const SuiteRequest& request);
Result<SuiteReport> bench_search(const SuiteRequest& request);
Result<SuiteReport> bench_chess_rules(const SuiteRequest& request);
Result<SuiteReport> bench_chess_engine(const SuiteRequest& request);
Result<SuiteReport> bench_nn(const SuiteRequest& request);
Result<SuiteReport> bench_self_play(const SuiteRequest& request);
Result<SuiteReport> bench_scaling(const SuiteRequest& request);

}  // namespace damier::bench
