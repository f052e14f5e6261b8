// The sets of benchmarks that `damier bench NAME` runs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure.h"

#include "damier/base/json.h"
#include "damier/base/random.h"
#include "damier/base/result.h"

namespace damier::bench {

struct SuiteRequest {
  Seed seed = Seed{1};
  Effort effort;
  bool beside_peer = false;  // measure beside the suite's other program, in alternation
  std::function<void()> on_row;
};

struct SuiteReport {
  std::vector<Row> rows;
  std::string head;             // for people, above the rows
  std::string note;             // and below them
  Json facts = Json::object();  // the same for programs
};

struct Suite {
  std::string_view name;
  std::string_view about;
  std::string_view peer;  // another program that it can be measured beside; empty: none
  std::size_t rows = 0;
  Result<SuiteReport> (*run)(const SuiteRequest& request);
};

// The first is the default.
std::span<const Suite> suites();

Result<SuiteReport> bench_games(const SuiteRequest& request);
Result<SuiteReport> bench_search(const SuiteRequest& request);
Result<SuiteReport> bench_chess_rules(const SuiteRequest& request);
Result<SuiteReport> bench_nn(const SuiteRequest& request);

}  // namespace damier::bench
