// The chess engine as a player.

#include <algorithm>
#include <memory>
#include <utility>

#include "damier/model/chess/encoders.h"
#include "damier/play/chess/players.h"
#include "damier/search/chess/engine.h"
#include "damier/search/chess/limits.h"

namespace damier::play {

namespace {

using search::chess::EngineOptions;
using search::chess::SearchLimits;
using search::chess::SearchReport;

struct EnginePlayerOptions {
  EngineOptions engine;
  SearchLimits limits;
  bool has_own_limit = false;  // that holds beside a clock
};

class ChessEnginePlayer final : public ChessPlayer {
 public:
  ChessEnginePlayer(const EnginePlayerOptions& options, int usual_lines)
      : ChessPlayer(usual_lines), options_(options), engine_(options.engine) {}

 private:
  search::chess::UciAnswer ask(const History& history, int lines, const Clocks* clocks,
                               search::Watch* watch) override {
    SearchLimits limits = options_.limits;
    if (clocks != nullptr) {
      const int side = games::index(history.game().side_to_move(history.state()));
      limits.clock = {milliseconds_of(clocks->left[static_cast<std::size_t>(side)]),
                      milliseconds_of(clocks->increment)};
      if (!options_.has_own_limit) limits.nodes = 0;
    }
    // What was found in one game must not change the next.
    if (!continues(history)) engine_.new_game();
    last_start_ = history.start();
    last_moves_.assign(history.moves().begin(), history.moves().end());
    if (engine_.options().lines != lines) {
      EngineOptions options = options_.engine;
      options.lines = lines;
      engine_.configure(options);
    }
    std::uint64_t told = 0;
    const auto found = engine_.search(history, limits, [&](const SearchReport& report) {
      if (watch == nullptr) return;
      watch->add_nodes(report.nodes - std::exchange(told, report.nodes));
      watch->set_depth(report.depth);
      watch->set_best(history.game().action(history.state(), report.best()));
    });
    search::chess::UciAnswer answer{found.best(), {}, found.depth, found.nodes};
    for (const auto& line : found.lines) {
      answer.lines.push_back({line.mate ? std::nullopt : std::optional(line.score), line.mate,
                              line.bound, line.expected, line.moves});
    }
    return answer;
  }

  bool continues(const History& history) const {
    const auto moves = history.moves();
    return last_start_ == history.start() && moves.size() >= last_moves_.size() &&
           std::ranges::equal(last_moves_, moves.first(last_moves_.size()));
  }

  EnginePlayerOptions options_;
  search::chess::Engine engine_;
  games::chess::State last_start_ = {};
  std::vector<games::chess::Move> last_moves_;
};

Result<PlayerFactory> open_engine(PlayerText& text) {
  constexpr std::int64_t kUsualNodes = 200'000;
  EnginePlayerOptions options;
  const auto nodes = text.integer("nodes=N", "positions per move, 200000 without another limit", 1,
                                  std::int64_t{1} << 50);
  const auto seconds = text.number("seconds=S", "time for a move", 0.001, 1e6);
  const auto depth = text.integer("depth=D", "plies to look ahead", 1, 100);
  const auto elo = text.integer("elo=E", "plays at about this strength, on purpose",
                                search::chess::kMinElo, search::chess::kMaxElo);
  options.engine.threads =
      static_cast<int>(text.integer("threads=T", "number of search threads", 1, 256, 1));
  options.engine.table_bytes = static_cast<std::size_t>(text.integer(
                                   "hash=M", "memory for positions in MiB", 1, 1 << 16, 16))
                               << 20;
  if (text.use() != PlayerUse::games && !text.has("hash")) {
    options.engine.table_bytes = std::size_t{1} << 20;
  }
  const auto lines = static_cast<int>(
      text.integer("lines=L", "number of moves with a line of their own", 1, 218, 3));
  const std::string evaluation =
      text.text("eval=MODEL",
                "the network that evaluates positions; hand: the hand-written evaluation; "
                "otherwise the one that ships, if there is one",
                "");
  TRY(text.finish());
  options.engine.network = TRY(model::chess::evaluation_network(evaluation));
  if (elo) options.engine.elo = static_cast<int>(*elo);
  options.limits.depth = static_cast<int>(depth.value_or(0));
  options.limits.move_time = milliseconds_of(seconds.value_or(0));
  const bool ends = seconds || depth || elo;
  options.has_own_limit = nodes.has_value();
  options.limits.nodes = static_cast<std::uint64_t>(nodes.value_or(ends ? 0 : kUsualNodes));
  return PlayerFactory([=] { return std::make_unique<ChessEnginePlayer>(options, lines); });
}

}  // namespace

PlayerKind engine_player_kind() {
  return {"engine", "the chess engine: a deep search with an evaluation of its own", open_engine};
}

}  // namespace damier::play
