// The sets of benchmarks that `damier bench NAME` runs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure.h"

#include "damier/base/json/json.h"
#include "damier/base/numbers/random.h"
#include "damier/base/result.h"

namespace damier::bench {

struct SuiteRequest {
  Seed seed = Seed{1};
  Effort effort;
  bool beside_peer = false;  // measure beside the suite's other program, in alternation
  // Of a suite that has games: those that are measured, on how many threads, and changes of their
  // recipes ("key=value").
  std::vector<std::string> games;
  std::vector<int> threads;
  std::vector<std::string> settings;
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
  std::size_t rows = 0;   // for each game and number of threads, where it has games
  Result<SuiteReport> (*run)(const SuiteRequest& request);
  // Games that can be measured alone; none: the suite is one whole and uses one thread.
  std::span<const std::string_view> games = {};
};

// The first is the default.
std::span<const Suite> suites();

Result<SuiteReport> bench_games(const SuiteRequest& request);
Result<SuiteReport> bench_search(const SuiteRequest& request);
Result<SuiteReport> bench_chess_rules(const SuiteRequest& request);
Result<SuiteReport> bench_chess_engine(const SuiteRequest& request);
Result<SuiteReport> bench_nn(const SuiteRequest& request);
Result<SuiteReport> bench_self_play(const SuiteRequest& request);
Result<SuiteReport> bench_scaling(const SuiteRequest& request);

}  // namespace damier::bench
