#include "damier/play/chess/uci_player.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "damier/base/files/interrupt.h"
#include "damier/games/any_game_impl.h"
#include "damier/search/chess/uci_client.h"
#include "damier/search/report.h"

namespace damier::play {

namespace {

using games::chess::Chess;
using search::chess::UciAnswer;
using search::chess::UciClient;
using search::chess::UciLimits;
using search::chess::UciLine;

struct UciOrder {
  std::string command;
  search::chess::UciSettings settings;
  UciLimits limits;
  std::chrono::milliseconds patience;
};

// Engines that wait for a game: to start one takes up to a second.
class IdleEngines {
 public:
  std::unique_ptr<UciClient> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    auto engine = std::move(idle_.back());
    idle_.pop_back();
    return engine;
  }
  void put_back(std::unique_ptr<UciClient> engine) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(engine));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<UciClient>> idle_;  // guarded by mutex_
};

search::chess::Milliseconds milliseconds_of(double seconds) {
  return search::chess::Milliseconds(static_cast<std::int64_t>(std::floor(1000 * seconds)));
}

MoveView seen_move(const games::History<Chess>& history, const UciLine& line) {
  const Chess& game = history.game();
  auto state = history.state();
  MoveView seen;
  for (const auto move : line.moves) {
    seen.line.push_back(game.action(state, move));
    game.play(state, move);
  }
  seen.action = seen.line.front();
  if (line.mate && *line.mate != 0) {
    seen.exact = *line.mate > 0 ? Verdict::win : Verdict::loss;
    seen.distance = *line.mate > 0 ? 2 * *line.mate - 1 : -2 * *line.mate;
    seen.value = search::value_of(seen.exact);
  } else if (line.score) {
    seen.score = line.score;
    seen.value = search::expected_result(
        std::clamp(*line.score, -games::kHeuristicLimit, games::kHeuristicLimit));
  }
  if (line.expected) {
    seen.results = {line.expected->win, line.expected->draw, line.expected->loss};
    if (seen.exact == Verdict::unknown) {
      seen.value = (line.expected->win - line.expected->loss) / 1000.0;
    }
  }
  return seen;
}

class UciPlayer final : public Player {
 public:
  UciPlayer(std::shared_ptr<const UciOrder> order, std::shared_ptr<IdleEngines> idle)
      : order_(std::move(order)), idle_(std::move(idle)) {}
  ~UciPlayer() override {
    if (engine_ != nullptr && lines_ == 1) idle_->put_back(std::move(engine_));
  }

  games::Action choose(const games::Session& session, RandomStream& random) override {
    return choose_scored(session, random, nullptr).action;
  }

  Choice choose_scored(const games::Session& session, RandomStream&,
                       const Clocks* clocks) override {
    const auto& history = games::history_of<Chess>(session);
    const UciAnswer answer = ask(history, clocks);
    Choice choice{history.game().action(history.state(), answer.best)};
    if (!answer.lines.empty() && answer.lines.front().moves.front() == answer.best) {
      choice.score = answer.lines.front().score;
      choice.mate = answer.lines.front().mate;
    }
    return choice;
  }

  void show_lines(int lines) override { lines_ = lines; }

  View view(const games::Session& session, RandomStream&, search::Watch*) override {
    const auto& history = games::history_of<Chess>(session);
    const UciAnswer answer = ask(history, nullptr);
    View view;
    view.nodes = answer.nodes;
    for (const UciLine& line : answer.lines) view.moves.push_back(seen_move(history, line));
    const games::Action best = history.game().action(history.state(), answer.best);
    for (const games::Action action : session.legal_actions()) {
      const bool is_seen = std::any_of(view.moves.begin(), view.moves.end(),
                                       [&](const MoveView& move) { return move.action == action; });
      if (!is_seen) view.moves.emplace_back().action = action;
    }
    // An engine that plays below its strength does not play the first of its lines.
    const auto chosen = std::find_if(view.moves.begin(), view.moves.end(),
                                     [&](const MoveView& move) { return move.action == best; });
    std::rotate(view.moves.begin(), chosen, chosen + 1);
    view.line = view.moves.front().line;
    if (view.line.empty()) view.line = {best};
    return view;
  }

 private:
  UciAnswer ask(const games::History<Chess>& history, const Clocks* clocks) {
    if (engine_ == nullptr) begin();
    if (lines_ != told_lines_) {
      checked(engine_->set("MultiPV", std::to_string(lines_)));
      told_lines_ = lines_;
    }
    UciLimits limits = order_->limits;
    if (clocks != nullptr) {
      const auto increment = milliseconds_of(clocks->increment);
      limits.clocks = {{milliseconds_of(clocks->left[0]), increment},
                       {milliseconds_of(clocks->left[1]), increment}};
    }
    auto answer = engine_->search(history, limits);
    if (answer) return *std::move(answer);
    engine_.reset();
    if (interrupted()) {  // nobody waits for the move any longer
      UciAnswer any;
      any.best = history.game().legal_moves(history.state())[0];
      return any;
    }
    throw PlayerError(answer.error());
  }

  void begin() {
    engine_ = idle_->take();
    if (engine_ == nullptr) {
      auto opened = UciClient::open(order_->command, order_->settings, order_->patience);
      if (!opened) throw PlayerError(opened.error());
      engine_ = std::make_unique<UciClient>(*std::move(opened));
    }
    checked(engine_->new_game());
  }

  void checked(const Status& status) {
    if (status) return;
    engine_.reset();
    throw PlayerError(status.error());
  }

  std::shared_ptr<const UciOrder> order_;
  std::shared_ptr<IdleEngines> idle_;
  std::unique_ptr<UciClient> engine_;
  int lines_ = 1, told_lines_ = 1;
};

Result<PlayerFactory> open_uci(PlayerText& text) {
  auto order = std::make_shared<UciOrder>();
  const auto command = text.text(":COMMAND", "the program to run, with its words");
  order->limits.nodes = static_cast<std::uint64_t>(
      text.integer("nodes=N", "positions a move", 1, std::int64_t{1} << 50).value_or(0));
  order->limits.depth =
      static_cast<int>(text.integer("depth=D", "plies to look ahead", 1, 1000).value_or(0));
  order->limits.move_time = milliseconds_of(
      text.number("seconds=S", "time for a move (default 0.1 without a limit or clock)", 0.001, 1e6)
          .value_or(0));
  order->patience = milliseconds_of(
      text.number("patience=S", "seconds after which an answer no longer comes", 0.001, 1e6, 10));
  order->settings = text.others("OPTION=VALUE", "any option of the engine, by its own name");
  if (auto status = text.finish(); !status) return std::move(status).error();
  if (!command) {
    return text.error(Error{"expected the command of an engine, as in uci:stockfish"});
  }
  order->command = *command;
  // Opened once now, so that what is wrong is told before the first game.
  auto opened = UciClient::open(order->command, order->settings, order->patience);
  if (!opened) return text.error(std::move(opened).error());
  auto idle = std::make_shared<IdleEngines>();
  idle->put_back(std::make_unique<UciClient>(*std::move(opened)));
  return PlayerFactory(
      [order = std::shared_ptr<const UciOrder>(std::move(order)), idle = std::move(idle)] {
        return std::make_unique<UciPlayer>(order, idle);
      });
}

}  // namespace

PlayerKind uci_player_kind() {
  return {"uci", "another chess engine, a program that speaks UCI", open_uci};
}

}  // namespace damier::play
