// How long players think: the processor time of their moves, so that it does not depend on what
// else the machine does.
#pragma once

#include <atomic>
#include <ctime>

#include "damier/play/players/players.h"

namespace damier::play {

class ThinkingTime {
 public:
  void add(double seconds) {
    nanoseconds_ += static_cast<std::int64_t>(seconds * 1e9);
    ++moves_;
  }
  std::int64_t moves() const { return moves_; }
  // The mean of a move; 0 where there was none.
  double seconds() const {
    return moves_ == 0 ? 0 : 1e-9 * static_cast<double>(nanoseconds_) / static_cast<double>(moves_);
  }

 private:
  std::atomic<std::int64_t> nanoseconds_{0};
  std::atomic<std::int64_t> moves_{0};
};

class TimedPlayer final : public Player {
 public:
  TimedPlayer(std::unique_ptr<Player> player, std::shared_ptr<ThinkingTime> time)
      : player_(std::move(player)), time_(std::move(time)) {}

  games::Action choose(const games::Session& session, RandomStream& random) override {
    const double begin = thread_seconds();
    const games::Action action = player_->choose(session, random);
    time_->add(thread_seconds() - begin);
    return action;
  }
  Answer answer(const games::Session& session, const Ask& ask) override {
    return player_->answer(session, ask);
  }

 private:
  static double thread_seconds() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  std::unique_ptr<Player> player_;
  std::shared_ptr<ThinkingTime> time_;
};

// Players of the same kind whose moves are timed from now on.
inline std::shared_ptr<const ThinkingTime> keep_time(OpenedPlayer& player) {
  auto time = std::make_shared<ThinkingTime>();
  player.make = [make = std::move(player.make), time] {
    return std::make_unique<TimedPlayer>(make(), time);
  };
  return time;
}

}  // namespace damier::play
