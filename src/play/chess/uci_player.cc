#include "damier/play/chess/uci_player.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "damier/base/files/interrupt.h"
#include "damier/play/chess/chess_answer.h"
#include "damier/play/players/answering_player.h"
#include "damier/search/chess/uci_client.h"
#include "damier/search/score.h"

namespace damier::play {

namespace {

using games::chess::Chess;
using games::chess::Move;
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

search::MoveAnswer<Move> seen_move(const UciLine& line) {
  search::MoveAnswer<Move> seen{.move = line.moves.front(), .known = known_of_mate(line.mate)};
  seen.line = line.moves;
  if (seen.known.is_certain()) {
    seen.value = value_of(seen.known.verdict);
  } else if (line.score) {
    seen.score = line.score;
    seen.value = search::expected_result(
        std::clamp(*line.score, -games::kHeuristicLimit, games::kHeuristicLimit));
  }
  if (line.expected) {
    seen.results = {line.expected->win, line.expected->draw, line.expected->loss};
    if (!seen.known.is_certain()) {
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
    return choose_scored(session, random, nullptr).move;
  }

  MoveAnswer choose_scored(const games::Session& session, RandomStream&,
                           const Clocks* clocks) override {
    const auto& history = games::history_of<Chess>(session);
    const UciAnswer answer = asked(history, 1, clocks);
    MoveAnswer choice{history.game().action(history.state(), answer.best)};
    if (!answer.lines.empty() && answer.lines.front().moves.front() == answer.best) {
      choice.score = answer.lines.front().score;
      choice.known = known_of_mate(answer.lines.front().mate);
    }
    return choice;
  }

  Answer answer(const games::Session& session, const Ask& ask) override {
    const auto& history = games::history_of<Chess>(session);
    const UciAnswer found = asked(history, std::max(ask.lines, 1), nullptr);
    search::Answer<Move> answer{.nodes = found.nodes, .depth = found.depth};
    for (const UciLine& line : found.lines) answer.moves.push_back(seen_move(line));
    add_other_moves(answer, history);
    // An engine that plays below its strength does not play the first of its lines.
    const auto chosen = std::find_if(answer.moves.begin(), answer.moves.end(),
                                     [&](const auto& move) { return move.move == found.best; });
    std::rotate(answer.moves.begin(), chosen, chosen + 1);
    answer.line = answer.best().line;
    if (answer.line.empty()) answer.line = {found.best};
    return with_actions(history, std::move(answer));
  }

 private:
  UciAnswer asked(const games::History<Chess>& history, int lines, const Clocks* clocks) {
    if (engine_ == nullptr) begin();
    // What was found in one game must not change the next.
    if (last_start_ && !(*last_start_ == history.start())) checked(engine_->new_game());
    last_start_ = history.start();
    if (lines_ != lines) {
      checked(engine_->set("MultiPV", std::to_string(lines)));
      lines_ = lines;
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
    lines_ = 1;
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
    lines_ = 1;
    throw PlayerError(status.error());
  }

  std::shared_ptr<const UciOrder> order_;
  std::shared_ptr<IdleEngines> idle_;
  std::unique_ptr<UciClient> engine_;
  std::optional<games::chess::State> last_start_;
  int lines_ = 1;  // that the engine was told
};

Result<PlayerFactory> open_uci(PlayerText& text) {
  auto order = std::make_shared<UciOrder>();
  const auto command = text.text(":COMMAND", "the program to run, with its arguments");
  order->limits.nodes = static_cast<std::uint64_t>(
      text.integer("nodes=N", "positions per move", 1, std::int64_t{1} << 50).value_or(0));
  order->limits.depth =
      static_cast<int>(text.integer("depth=D", "plies to look ahead", 1, 1000).value_or(0));
  order->limits.move_time = milliseconds_of(
      text.number("seconds=S", "time for a move (default 0.1 without a limit or clock)", 0.001, 1e6)
          .value_or(0));
  order->patience =
      milliseconds_of(text.number("patience=S", "seconds to wait for an answer", 0.001, 1e6, 10));
  order->settings = text.others("OPTION=VALUE", "any option of the engine, by its own name");
  TRY(text.finish());
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
