#include "bench/suite.h"

#include <cassert>
#include <utility>

namespace damier::bench {

Result<SuiteReport> run_suite(std::string_view name, const SuiteRequest& request) {
  using Run = Result<SuiteReport> (*)(const SuiteRequest&);
  constexpr std::pair<std::string_view, Run> kRuns[] = {
      {"games", bench_games},
      {"search", bench_search},
      {"chess", bench_chess_engine},
      {"chess-rules", bench_chess_rules},
      {"nn", bench_nn},
      {"self-play", bench_self_play},
      {"scaling", bench_scaling},
  };
  static_assert(std::size(kRuns) == std::size(kSuites));
  for (const auto& [known, run] : kRuns) {
    if (known == name) return run(request);
  }
  assert(false);
  return SuiteReport{};
}

}  // namespace damier::bench
