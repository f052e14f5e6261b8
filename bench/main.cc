// `damier_bench`: the program with its benchmarks. `damier bench` becomes it, with the same words.

#include "bench/suite.h"
#include <fmt/format.h>

#include "damier/app/app.h"
#include "damier/app/context.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/isa.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"

namespace damier::bench {

namespace {

Json machine_json() {
  return {{"processor", cpu_name()},        {"cores", available_threads()},
          {"pdep", can_run(Isa::bmi2)},     {"avx2", can_run(Isa::avx2)},
          {"avx512", can_run(Isa::avx512)}, {"damier", version()},
          {"compiler", build_compiler()}};
}

Json row_json(const Row& row) {
  const bool alone = row.peer_name.empty();
  Json json = {{"name", row.name},
               {"unit", row.unit + "/s"},
               {"ours", row.ours.median},
               {"ours_range", {row.ours.low, row.ours.high}},
               {"peer_name", alone ? Json(nullptr) : Json(row.peer_name)},
               {"peer", alone ? Json(nullptr) : Json(row.peer.median)},
               {"peer_range", alone ? Json(nullptr) : Json({row.peer.low, row.peer.high})},
               {"ratio", alone ? Json(nullptr) : Json(row.ratio())},
               {"goal", row.goal_ratio > 0 ? row.goal_ratio : row.goal},
               {"goal_is", row.goal_ratio > 0 ? "ratio" : "rate"},
               {"met", row.met()}};
  json.update(row.facts);
  return json;
}

void print_row(const Row& row) {
  const auto line = [&](const std::string& who, const Rate& rate) {
    return fmt::format("  {:<38} {:>9} {}/s   [{}, {}]", who, short_number(rate.median), row.unit,
                       short_number(rate.low), short_number(rate.high));
  };
  const char* verdict = row.met() ? "met" : "missed";
  print_output("{}\n{}", row.name, line("ours", row.ours));
  if (row.goal > 0) print_output("   goal {}: {}", short_number(row.goal), verdict);
  if (!row.peer_name.empty()) {
    print_output("\n{}   ours is {:.2f} times as fast", line(row.peer_name, row.peer), row.ratio());
    if (row.goal_ratio > 0) print_output(", goal {}: {}", row.goal_ratio, verdict);
  }
  if (!row.note.empty()) print_output("\n{}", row.note);
  print_output("\n\n");
}

// "one thread", "1 and 8 threads"
std::string threads_text(const std::vector<int>& threads) {
  if (threads.empty()) return "one thread";
  if (threads.size() == 1) return counted(threads.front(), "thread");
  return fmt::format("{} threads", fmt::join(threads, " and "));
}

int run_and_print(const Suite& suite, const SuiteRequest& asked, const app::Context& context) {
  SuiteRequest request = asked;
  const std::size_t parts = suite.games.empty() ? 1 : request.games.size() * request.threads.size();
  Progress progress(fmt::format("bench {}", suite.name), suite.rows * parts, "rows");
  request.on_row = [&] { progress.add(1, 1); };
  const auto result = run_suite(suite.name, request);
  if (interrupted()) return app::report_interrupted();
  if (!result) return app::report(result.error());
  if (context.json) {
    Json rows = Json::array();
    for (const auto& row : result->rows) rows.push_back(row_json(row));
    Json document = {
        {"machine", machine_json()}, {"seed", value_of(request.seed)}, {"rows", std::move(rows)}};
    document.update(result->facts);
    app::print_json("bench", document);
    return app::kDone;
  }
  print_output("{}, {}, seed {}; median [slowest, fastest] of {} repetitions\n\n", cpu_name(),
               threads_text(request.threads), value_of(request.seed), request.effort.repetitions);
  if (!result->head.empty()) print_output("{}\n\n", result->head);
  for (const auto& row : result->rows) print_row(row);
  if (!result->note.empty()) print_output("{}\n", result->note);
  return app::kDone;
}

}  // namespace

}  // namespace damier::bench

int main(int argc, char** argv) {
  return damier::app::run(damier::learn::builtin_games(), argc, argv, damier::bench::run_and_print);
}
