#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "bench/scaling.h"

namespace damier::bench {

namespace {

// A thread that plays many games at once: all of them advance together, the more the slower.
struct SimulatedThread {
  double now = 0, rounds = 0;
  std::priority_queue<double, std::vector<double>, std::greater<>> ends;  // rounds, by game
  int version = 0;  // what was planned before it changed does not happen

  double round_seconds(const ScalingModel& model) const {
    return model.pass_seconds + model.game_seconds * static_cast<double>(ends.size());
  }
  void advance(double to, const ScalingModel& model) {
    if (!ends.empty()) rounds += (to - now) / round_seconds(model);
    now = to;
    ++version;
  }
  double next_end(const ScalingModel& model) const {
    return now + std::max(0.0, ends.top() - rounds) * round_seconds(model);
  }
};

class SimulatedRanks {
 public:
  SimulatedRanks(const ScalingModel& model, int machines, std::uint64_t games)
      : model_(model),
        machines_(static_cast<std::size_t>(machines)),
        games_(games),
        threads_(machines_ * static_cast<std::size_t>(model.threads)),
        at_hand_(machines_),
        in_hand_(machines_) {}

  ScalingFigures run() {
    ScalingFigures figures;
    // The weights leave rank 0 one after the other.
    for (std::size_t machine = 0; machine < machines_; ++machine) {
      const double sent =
          static_cast<double>(machine) * model_.weight_bytes / model_.bytes_per_second;
      figures.weight_seconds = machine == 0 ? 0 : sent + model_.latency;
      plan(figures.weight_seconds, Kind::joins, machine);
    }
    double end = 0;
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (event.kind == Kind::ends && event.version != threads_[event.who].version) continue;
      end = event.time;
      happen(event);
    }
    figures.playing_seconds = end;
    figures.learning_seconds = model_.learning_seconds * static_cast<double>(games_);
    const double room = model_.games_at_once;
    const double pace = (model_.pass_seconds + model_.game_seconds * room) / room;
    figures.playing_share = work_ * pace / (end * static_cast<double>(threads_.size()));
    figures.bytes_per_second = bytes_ / end;
    figures.messages_per_second = static_cast<double>(messages_) / end;
    return figures;
  }

 private:
  enum class Kind { joins, comes, ends, taken };  // comes: numbers; taken: an answer
  struct Event {
    double time;
    Kind kind;
    std::size_t who;  // a thread that ends a game, a machine otherwise
    int version;      // of the thread; of what comes, how many
    bool operator>(const Event& other) const { return time > other.time; }
  };

  void plan(double time, Kind kind, std::size_t who, int version = 0) {
    events_.push({time, kind, who, version});
  }

  void happen(const Event& event) {
    const double now = event.time;
    switch (event.kind) {
      case Kind::joins:
        joined_.push_back(event.who);
        return fill(event.who, now);
      case Kind::comes:
        at_hand_[event.who] += event.version;
        return seat(event.who, now);
      case Kind::ends: {
        SimulatedThread& thread = threads_[event.who];
        thread.advance(now, model_);
        thread.ends.pop();
        const std::size_t machine = event.who / static_cast<std::size_t>(model_.threads);
        seat(machine, now);
        plan_end(event.who);
        return send_answer(machine, now);
      }
      case Kind::taken:
        ++answered_;
        --in_hand_[event.who];
        for (const std::size_t machine : joined_) fill(machine, now);
        return;
    }
  }

  // As base/parallel/ranks.cc does: some more than there is room for, and no more than an even part
  // of what is unanswered.
  void fill(std::size_t machine, double now) {
    const auto room = static_cast<std::uint64_t>(model_.threads * model_.games_at_once);
    const std::uint64_t part = (games_ - answered_ + machines_ - 1) / machines_;
    const std::uint64_t wanted = std::min(machine == 0 ? room : room + room / 4 + 1, part);
    int given = 0;
    for (; in_hand_[machine] < wanted && given_ < games_; ++given_, ++given) ++in_hand_[machine];
    if (given == 0) return;
    messages_ += machine != 0;
    plan(machine == 0 ? now : now + model_.latency, Kind::comes, machine, given);
  }

  // Games that are at hand begin where there is a seat, at the emptiest table.
  void seat(std::size_t machine, double now) {
    const auto first = machine * static_cast<std::size_t>(model_.threads);
    while (at_hand_[machine] > 0) {
      std::size_t best = first;
      for (std::size_t i = first; i < first + static_cast<std::size_t>(model_.threads); ++i) {
        if (threads_[i].ends.size() < threads_[best].ends.size()) best = i;
      }
      SimulatedThread& thread = threads_[best];
      if (thread.ends.size() >= static_cast<std::size_t>(model_.games_at_once)) return;
      --at_hand_[machine];
      thread.advance(now, model_);
      const double simulations = model_.simulations[begun_++ % model_.simulations.size()];
      work_ += simulations;
      thread.ends.push(thread.rounds + simulations);
      plan_end(best);
    }
  }

  void plan_end(std::size_t thread) {
    const SimulatedThread& busy = threads_[thread];
    if (!busy.ends.empty()) plan(busy.next_end(model_), Kind::ends, thread, busy.version);
  }

  // Rank 0 has one connection, and takes one game at a time.
  void send_answer(std::size_t machine, double now) {
    double time = now;
    if (machine != 0) {
      connection_free_ = std::max(connection_free_, now + model_.latency) +
                         model_.game_bytes / model_.bytes_per_second;
      time = connection_free_;
      bytes_ += model_.game_bytes;
      ++messages_;
    }
    taker_free_ = std::max(taker_free_, time) + model_.taking_seconds;
    plan(taker_free_, Kind::taken, machine);
  }

  const ScalingModel& model_;
  std::size_t machines_;
  std::uint64_t games_;
  std::vector<SimulatedThread> threads_;
  std::vector<int> at_hand_;            // numbers without a seat, by machine
  std::vector<std::uint64_t> in_hand_;  // given out and unanswered, by machine
  std::vector<std::size_t> joined_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t given_ = 0, begun_ = 0, answered_ = 0, messages_ = 0;
  double work_ = 0;  // simulations
  double bytes_ = 0, connection_free_ = 0, taker_free_ = 0;
};

}  // namespace

ScalingFigures simulate_generation(const ScalingModel& model, int machines, std::uint64_t games) {
  return SimulatedRanks(model, machines, games).run();
}

}  // namespace damier::bench
