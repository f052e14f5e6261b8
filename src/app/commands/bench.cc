// `damier bench`: the benchmarks, as ratios against the built-in reference of each.

#include <algorithm>
#include <memory>
#include <optional>

#include "bench/suite.h"
#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/isa.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/base/text/version.h"

namespace damier::app {

namespace {

Json machine_json() {
  return {{"processor", cpu_name()},        {"cores", available_threads()},
          {"pdep", can_run(Isa::bmi2)},     {"avx2", can_run(Isa::avx2)},
          {"avx512", can_run(Isa::avx512)}, {"damier", version()},
          {"compiler", build_compiler()}};
}

Json row_json(const bench::Row& row) {
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

void print_row(const bench::Row& row) {
  const auto line = [&](const std::string& who, const bench::Rate& rate) {
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

struct BenchArguments {
  std::optional<std::string> name;
  std::optional<std::string> peer;
  std::optional<std::string> game;
  std::vector<std::string> settings;
  bool quick = false;
};

std::vector<std::string> suite_names() {
  std::vector<std::string> names;
  for (const auto& suite : bench::suites()) names.emplace_back(suite.name);
  return names;
}

// "nn has 'pytorch', …"
std::string peers_text() {
  std::vector<std::string> peers;
  for (const auto& suite : bench::suites()) {
    if (!suite.peer.empty()) peers.push_back(fmt::format("{}: {}", suite.name, suite.peer));
  }
  return join(peers, ", ");
}

// The games, threads and recipes that a suite measures; an error where it has none of them.
Status choose_games(const BenchArguments& arguments, const bench::Suite& suite,
                    const Context& context, bench::SuiteRequest& request) {
  if (suite.games.empty()) {
    const char* given = arguments.game                ? "--game"
                        : context.threads > 0         ? "--threads"
                        : !arguments.settings.empty() ? "--set"
                                                      : nullptr;
    if (given == nullptr) return Done{};
    return Error{fmt::format("{} does not go with {}: it measures one thread, all of its rows",
                             given, suite.name)};
  }
  const std::vector<std::string> known(suite.games.begin(), suite.games.end());
  request.games = known;
  if (arguments.game) {
    if (std::find(known.begin(), known.end(), *arguments.game) == known.end()) {
      return unknown_name("game", *arguments.game, known);
    }
    request.games = {*arguments.game};
  }
  request.threads = {context.thread_count()};
  if (context.threads == 0 && request.threads.front() > 1)
    request.threads.insert(request.threads.begin(), 1);
  request.settings = arguments.settings;
  return Done{};
}

// "one thread", "1 and 8 threads"
std::string threads_text(const std::vector<int>& threads) {
  if (threads.empty()) return "one thread";
  if (threads.size() == 1) return counted(threads.front(), "thread");
  return fmt::format("{} threads", fmt::join(threads, " and "));
}

int run_bench(const BenchArguments& arguments, const Context& context) {
  const std::string name = arguments.name.value_or(suite_names().front());
  const auto all = bench::suites();
  const auto suite = std::find_if(all.begin(), all.end(),
                                  [&](const bench::Suite& each) { return each.name == name; });
  if (suite == all.end()) return report(unknown_name("benchmark", name, suite_names()));
  if (arguments.peer && suite->peer.empty()) {
    return report(Error{fmt::format("--peer does not go with {}: {}", name, peers_text())});
  }
  if (arguments.peer && *arguments.peer != suite->peer) {
    const std::vector<std::string> known = {std::string(suite->peer)};
    return report(unknown_name("peer", *arguments.peer, known));
  }
  bench::SuiteRequest request;
  request.seed = Seed{context.seed_option.value_or(1)};
  if (arguments.quick) request.effort = {1, 0.02};
  request.beside_peer = arguments.peer.has_value();
  if (auto status = choose_games(arguments, *suite, context, request); !status) {
    return report(status.error());
  }
  const std::size_t parts =
      suite->games.empty() ? 1 : request.games.size() * request.threads.size();
  Progress progress("bench " + name, suite->rows * parts, "rows");
  request.on_row = [&] { progress.add(1, 1); };
  const auto result = suite->run(request);
  if (interrupted()) return report_interrupted();
  if (!result) return report(result.error());
  if (context.json) {
    Json rows = Json::array();
    for (const auto& row : result->rows) rows.push_back(row_json(row));
    Json document = {
        {"machine", machine_json()}, {"seed", value_of(request.seed)}, {"rows", std::move(rows)}};
    document.update(result->facts);
    print_json("bench", document);
    return kDone;
  }
  print_output("{}, {}, seed {}; median [slowest, fastest] of {} repetitions\n\n", cpu_name(),
               threads_text(request.threads), value_of(request.seed), request.effort.repetitions);
  if (!result->head.empty()) print_output("{}\n\n", result->head);
  for (const auto& row : result->rows) print_row(row);
  if (!result->note.empty()) print_output("{}\n", result->note);
  return kDone;
}

}  // namespace

std::function<int()> setup_bench(CommandLine line, Context& context) {
  auto arguments = std::make_shared<BenchArguments>();
  line.add_option("NAME", arguments->name,
                  Text::of("which benchmark: {} (default: the first)", join(suite_names(), ", ")));
  line.add_option("--peer", arguments->peer,
                  Text::of("compare with another program: {}", peers_text()))
      .type_name("PEER");
  line.add_option("--game", arguments->game, "self-play: one game alone").type_name("GAME");
  line.add_option("--set", arguments->settings,
                  "self-play: a change of the recipes, as simulations=64; may be repeated")
      .type_name("KEY=VALUE")
      .one_at_a_time();
  line.add_flag("--quick", arguments->quick, "one short repetition, for rougher figures");
  add_json_option(line, context);
  add_seed_option(line, context);
  add_threads_option(line, context);
  return [arguments, &context] { return run_bench(*arguments, context); };
}

}  // namespace damier::app
