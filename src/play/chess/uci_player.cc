// Other chess engines as players, by UCI.

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "damier/base/files/interrupt.h"
#include "damier/play/chess/players.h"
#include "damier/play/players/answering_player.h"
#include "damier/search/answer.h"
#include "damier/search/chess/uci_client.h"

namespace damier::play {

namespace {

using search::chess::UciAnswer;
using search::chess::UciClient;
using search::chess::UciLimits;

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

class UciPlayer final : public ChessPlayer {
 public:
  UciPlayer(std::shared_ptr<const UciOrder> order, std::shared_ptr<IdleEngines> idle)
      : ChessPlayer(1), order_(std::move(order)), idle_(std::move(idle)) {}
  ~UciPlayer() override {
    if (engine_ != nullptr && lines_ == 1) idle_->put_back(std::move(engine_));
  }

 private:
  UciAnswer ask(const History& history, int lines, const Clocks* clocks, search::Watch*) override {
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
  if (!command) return Error{"expected the command of an engine, as in uci:stockfish"};
  order->command = *command;
  // Opened once now, so that what is wrong is told before the first game.
  auto opened = TRY(UciClient::open(order->command, order->settings, order->patience));
  auto idle = std::make_shared<IdleEngines>();
  idle->put_back(std::make_unique<UciClient>(std::move(opened)));
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
