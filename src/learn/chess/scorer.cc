#include "damier/learn/chess/scorer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text.h"

namespace damier::learn::chess {

namespace {

constexpr std::string_view kOurs = "engine:";
constexpr std::int64_t kMostNodes = 1'000'000'000;
// Searches of some thousand nodes need no more, and it is cleared for each of them.
constexpr std::size_t kScorerTable = std::size_t{1} << 20;

int within_most(int score) { return std::clamp(score, -kMostCentipawns, kMostCentipawns); }
int score_of_mate(int moves) { return moves > 0 ? kMostCentipawns : -kMostCentipawns; }

class OurScorer final : public Scorer {
 public:
  explicit OurScorer(std::uint64_t nodes) : nodes_(nodes), engine_({.table_bytes = kScorerTable}) {}

  Result<Scored> score(const History& history) override {
    engine_.new_game();  // what it says must not depend on what it was asked before
    const auto report = engine_.search(history, {.nodes = nodes_});
    if (report.lines.empty()) return Error{"the game is over", {}, ErrorKind::failure};
    const auto& line = report.lines.front();
    return Scored{report.best(), line.mate ? score_of_mate(*line.mate) : within_most(line.score)};
  }

 private:
  std::uint64_t nodes_;
  search::chess::Engine engine_;
};

}  // namespace

Result<ScorerName> ScorerName::parse(std::string_view text, std::string_view what) {
  if (!text.starts_with(kOurs)) {
    return Error{
        fmt::format("{} {}: expected engine:NODES, as engine:2000", what, in_quotes(text))};
  }
  const auto nodes = parse_integer(text.substr(kOurs.size()), 1, kMostNodes, "the nodes");
  if (!nodes) return Error{fmt::format("{} {}: {}", what, in_quotes(text), nodes.error().message)};
  return ScorerName{static_cast<std::uint64_t>(*nodes)};
}

Result<std::unique_ptr<Scorer>> make_scorer(const ScorerName& name) {
  return std::unique_ptr<Scorer>(std::make_unique<OurScorer>(name.nodes));
}

}  // namespace damier::learn::chess
