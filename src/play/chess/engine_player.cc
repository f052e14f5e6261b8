#include "damier/play/chess/engine_player.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "damier/model/chess/evaluation_networks.h"
#include "damier/play/chess/chess_answer.h"
#include "damier/play/players/answering_player.h"
#include "damier/search/chess/engine.h"
#include "damier/search/chess/limited_strength.h"

namespace damier::play {

namespace {

using games::chess::Chess;
using games::chess::Move;
using search::chess::Engine;
using search::chess::EngineOptions;
using search::chess::History;
using search::chess::SearchLimits;
using search::chess::SearchReport;

struct EnginePlayerOptions {
  EngineOptions engine;
  SearchLimits limits;
  int viewed_lines = 1;
  bool has_own_limit = false;  // that holds beside a clock
};

search::chess::Milliseconds milliseconds_in(double seconds) {
  return search::chess::Milliseconds(
      std::max<std::int64_t>(static_cast<std::int64_t>(seconds * 1000), 0));
}

class ChessEnginePlayer final : public Player {
 public:
  explicit ChessEnginePlayer(const EnginePlayerOptions& options)
      : options_(options), engine_(options.engine) {}

  games::Action choose(const games::Session& session, RandomStream& random) override {
    return choose_scored(session, random, nullptr).move;
  }

  MoveAnswer choose_scored(const games::Session& session, RandomStream&,
                           const Clocks* clocks) override {
    const auto& history = games::history_of<Chess>(session);
    SearchLimits limits = options_.limits;
    if (clocks != nullptr) {
      const auto side = static_cast<std::size_t>(games::index(session.side_to_move()));
      limits.clock = {milliseconds_in(clocks->left[side]), milliseconds_in(clocks->increment)};
      if (!options_.has_own_limit) limits.nodes = 0;
    }
    const SearchReport report = search(history, limits, 1, nullptr);
    const search::chess::Line& line = report.lines.front();
    return {.move = history.game().action(history.state(), report.best()),
            .known = known_of_mate(line.mate),
            .score = line.score};
  }

  Answer answer(const games::Session& session, const Ask& ask) override {
    const auto& history = games::history_of<Chess>(session);
    const int lines = ask.lines > 0 ? ask.lines : options_.viewed_lines;
    return with_actions(history,
                        answer_of(history, search(history, options_.limits, lines, ask.watch)));
  }

 private:
  SearchReport search(const History& history, const SearchLimits& limits, int lines,
                      search::Watch* watch) {
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
    return engine_.search(history, limits, [&](const SearchReport& report) {
      if (watch == nullptr) return;
      watch->add_nodes(report.nodes - std::exchange(told, report.nodes));
      watch->set_depth(report.depth);
      watch->set_best(history.game().action(history.state(), report.best()));
    });
  }

  bool continues(const History& history) const {
    const auto moves = history.moves();
    return last_start_ == history.start() && moves.size() >= last_moves_.size() &&
           std::equal(last_moves_.begin(), last_moves_.end(), moves.begin());
  }

  static search::Answer<Move> answer_of(const History& history, const SearchReport& report) {
    search::Answer<Move> answer{
        .line = report.lines.front().moves, .nodes = report.nodes, .depth = report.depth};
    for (const auto& line : report.lines) {
      search::MoveAnswer<Move>& seen = answer.moves.emplace_back();
      seen.move = line.moves.front();
      seen.known = known_of_mate(line.mate);
      seen.value = (line.expected.win - line.expected.loss) / 1000.0;
      seen.results = {line.expected.win, line.expected.draw, line.expected.loss};
      seen.line = line.moves;
      if (!line.mate) seen.score = line.score;
    }
    add_other_moves(answer, history);
    return answer;
  }

  EnginePlayerOptions options_;
  Engine engine_;
  games::chess::State last_start_ = {};
  std::vector<Move> last_moves_;
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
  options.viewed_lines = static_cast<int>(
      text.integer("lines=L", "number of moves with a line of their own", 1, 218, 3));
  const std::string evaluation =
      text.text("eval=MODEL",
                "the network that evaluates positions; hand: the hand-written evaluation; "
                "otherwise the one that ships, if there is one",
                "");
  TRY(text.finish());
  auto network = model::chess::evaluation_network(evaluation);
  if (!network) return text.error(std::move(network).error());
  options.engine.network = *std::move(network);
  if (elo) options.engine.elo = static_cast<int>(*elo);
  options.limits.depth = static_cast<int>(depth.value_or(0));
  if (seconds) {
    options.limits.move_time = search::chess::Milliseconds(
        std::max<std::int64_t>(static_cast<std::int64_t>(*seconds * 1000), 1));
  }
  const bool ends = seconds || depth || elo;
  options.has_own_limit = nodes.has_value();
  options.limits.nodes = static_cast<std::uint64_t>(nodes.value_or(ends ? 0 : kUsualNodes));
  return PlayerFactory([options] { return std::make_unique<ChessEnginePlayer>(options); });
}

}  // namespace

PlayerKind engine_player_kind() {
  return {"engine", "the chess engine: a deep search with an evaluation of its own", open_engine};
}

}  // namespace damier::play
