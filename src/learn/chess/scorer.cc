#include "damier/learn/chess/scorer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/search/chess/uci_client.h"

namespace damier::learn::chess {

namespace {

constexpr std::string_view kOurs = "engine:";
constexpr std::int64_t kMaxNodes = 1'000'000'000;
// Games of searches of some thousand nodes need no more, and it is cleared for each of them.
constexpr std::size_t kScorerTable = std::size_t{1} << 20;

int within_most(int score) { return std::clamp(score, -kMaxCentipawns, kMaxCentipawns); }
int score_of_mate(int moves) { return moves > 0 ? kMaxCentipawns : -kMaxCentipawns; }

class OurScorer final : public Scorer {
 public:
  OurScorer(std::uint64_t nodes, std::shared_ptr<const search::chess::EvaluationNetwork> network)
      : nodes_(nodes), engine_({.table_bytes = kScorerTable, .network = std::move(network)}) {}

  Status new_game() override {
    engine_.new_game();
    return Done{};
  }

  Result<Scored> score(const History& history) override {
    const auto report = engine_.search(history, {.nodes = nodes_});
    if (report.lines.empty()) return Error{"the game is over", {}, ErrorKind::failure};
    const auto& line = report.lines.front();
    return Scored{report.best(), line.mate ? score_of_mate(*line.mate) : within_most(line.score)};
  }

 private:
  std::uint64_t nodes_;
  search::chess::Engine engine_;
};

class OtherScorer final : public Scorer {
 public:
  OtherScorer(std::uint64_t nodes, search::chess::UciClient client)
      : nodes_(nodes), client_(std::move(client)) {}

  Status new_game() override { return client_.new_game(); }

  Result<Scored> score(const History& history) override {
    const auto answer = client_.search(history, {.nodes = nodes_});
    if (!answer) return answer.error();
    // An engine that plays below its strength does not play the first of its lines.
    for (const auto& line : answer->lines) {
      if (line.moves.empty() || line.moves.front() != answer->best) continue;
      if (line.mate) return Scored{answer->best, score_of_mate(*line.mate)};
      if (line.score) return Scored{answer->best, within_most(*line.score)};
    }
    return Error{fmt::format("{} says no score of the move that it plays", client_.name()),
                 {},
                 ErrorKind::failure};
  }

 private:
  std::uint64_t nodes_;
  search::chess::UciClient client_;
};

}  // namespace

Result<ScorerName> ScorerName::parse(std::string_view text, std::string_view what) {
  if (!text.starts_with(kOurs)) {
    return Error{
        fmt::format("{} {}: expected engine:NODES, as engine:2000", what, in_quotes(text))};
  }
  const auto nodes = parse_integer(text.substr(kOurs.size()), 1, kMaxNodes, "the nodes");
  if (!nodes) return Error{fmt::format("{} {}: {}", what, in_quotes(text), nodes.error().message)};
  ScorerName name;
  name.nodes = static_cast<std::uint64_t>(*nodes);
  return name;
}

Result<std::unique_ptr<Scorer>> make_scorer(const ScorerName& name) {
  std::unique_ptr<Scorer> scorer;
  if (name.command.empty()) {
    scorer = std::make_unique<OurScorer>(name.nodes, name.network);
    return scorer;
  }
  auto client = search::chess::UciClient::open(name.command);
  if (!client) return Error(client.error()).in("engine");
  scorer = std::make_unique<OtherScorer>(name.nodes, *std::move(client));
  return scorer;
}

}  // namespace damier::learn::chess
