#include "damier/play/players/thinking_time.h"

#include <ctime>
#include <utility>

namespace damier::play {

namespace {

double thread_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

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
  std::unique_ptr<Player> player_;
  std::shared_ptr<ThinkingTime> time_;
};

}  // namespace

std::shared_ptr<const ThinkingTime> keep_time(OpenedPlayer& player) {
  auto time = std::make_shared<ThinkingTime>();
  player.make = [make = std::move(player.make), time]() -> std::unique_ptr<Player> {
    return std::make_unique<TimedPlayer>(make(), time);
  };
  return time;
}

}  // namespace damier::play
