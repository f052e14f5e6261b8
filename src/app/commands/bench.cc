// `damier bench`: what is to be measured. The benchmarks themselves are in damier_bench (bench/),
// which the program becomes.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "bench/suites.h"
#include <fmt/format.h>
#include <unistd.h>

#include "damier/app/commands/commands.h"
#include "damier/base/text/names.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

struct BenchArguments {
  std::optional<std::string> name;
  std::optional<std::string> peer;
  std::optional<std::string> game;
  std::vector<std::string> settings;
  bool quick = false;
};

std::vector<std::string> suite_names() { return listed_names(bench::kSuites, &bench::Suite::name); }

// "nn has 'pytorch', …"
std::string peers_text() {
  std::vector<std::string> peers;
  for (const auto& suite : bench::kSuites) {
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
    if (std::ranges::find(known, *arguments.game) == known.end()) {
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

// With the same words. Only returns when it is not there.
Result<int> become_benchmarks(const Context& context) {
  std::error_code ignored;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", ignored);
  flush_output();
  ::execv((own.parent_path() / "damier_bench").c_str(), context.words);
  return Error{
      "the benchmarks are in damier_bench, which is not beside this program; the launcher of a "
      "clone builds it"};
}

Result<int> run_bench(const BenchArguments& arguments, const Context& context) {
  const std::string name = arguments.name.value_or(suite_names().front());
  const auto* const end = std::end(bench::kSuites);
  const auto* const suite = std::find_if(
      std::begin(bench::kSuites), end, [&](const bench::Suite& each) { return each.name == name; });
  if (suite == end) return unknown_name("benchmark", name, suite_names());
  if (arguments.peer && suite->peer.empty()) {
    return Error{fmt::format("--peer does not go with {}: {}", name, peers_text())};
  }
  if (arguments.peer && *arguments.peer != suite->peer) {
    const std::vector<std::string> known = {std::string(suite->peer)};
    return unknown_name("peer", *arguments.peer, known);
  }
  bench::SuiteRequest request;
  request.seed = Seed{context.seed_option.value_or(1)};
  if (arguments.quick) request.effort = {1, 0.02};
  request.beside_peer = arguments.peer.has_value();
  TRY(choose_games(arguments, *suite, context, request));
  return context.run_benchmarks ? context.run_benchmarks(*suite, request, context)
                                : become_benchmarks(context);
}

}  // namespace

Action setup_bench(CommandLine line, Context& context) {
  auto arguments = std::make_shared<BenchArguments>();
  line.add_option("NAME", arguments->name,
                  Text::of("which benchmark: {} (default: the first)", join(suite_names(), ", ")));
  line.add_option("--peer", arguments->peer, "PEER",
                  Text::of("compare with another program: {}", peers_text()));
  line.add_option("--game", arguments->game, "GAME", "self-play: one game alone");
  line.add_option("--set", arguments->settings, "KEY=VALUE",
                  "self-play: a change of the recipes, as simulations=64; may be repeated")
      .one_at_a_time();
  line.add_flag("--quick", arguments->quick, "one short repetition, for rougher figures");
  add_shared_options(line, context, {"--json", "--seed", "--threads"});
  return [arguments, &context] { return run_bench(*arguments, context); };
}

}  // namespace damier::app
