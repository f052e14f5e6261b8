// What happened in many games that are played side by side: at every time one move of each game.
// The newest times are kept, older ones are overwritten. It serves as the memory that moves are
// drawn from (replay.h) and as the record of the last few moves (returns.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "damier/base/result.h"
#include "damier/learn/sources/rewards/games_in_play.h"
#include "damier/nn/safetensors.h"

namespace damier::learn {

using Time = std::uint64_t;  // moves that every game has made before

// The extents of an experience.
struct ExperienceSize {
  std::size_t games = 1;
  std::size_t inputs = 1;   // numbers that a position is seen as
  std::size_t actions = 1;  // legal or not
  std::size_t times = 2;    // that are kept; at the last one only the position is known

  std::uint64_t bytes() const {
    const std::uint64_t place = inputs * sizeof(float) + actions + sizeof(std::int32_t) +
                                3 * sizeof(float) + sizeof(std::uint8_t);
    return place * games * times;
  }
};

// A list of numbers as a tensor of that name, and back: it must hold as many as `to`.
template <class T>
void write_numbers(nn::TensorFile& file, std::string_view name, const std::vector<T>& numbers) {
  file.tensors.push_back(
      nn::make_tensor<T>(std::string(name), {numbers.size()}, std::span<const T>(numbers)));
}
template <class T>
Status read_numbers(const nn::TensorFile& file, std::string_view name, std::span<T> to) {
  const nn::Tensor* tensor = file.find(name);
  if (tensor == nullptr) return Error{fmt::format("the tensor {} is missing", name)};
  const auto values = TRY(nn::values_of<T>(*tensor));
  if (values.size() != to.size()) {
    return Error{
        fmt::format("the tensor {} has {} numbers; expected {}", name, values.size(), to.size())};
  }
  std::ranges::copy(values, to.begin());
  return Done{};
}

class Experience {
 public:
  explicit Experience(const ExperienceSize& size)
      : size_(size),
        inputs_(size.games * size.times * size.inputs),
        legal_(size.games * size.times * size.actions),
        actions_(size.games * size.times),
        rewards_(size.games * size.times),
        marks_(size.games * size.times),
        log_probabilities_(size.games * size.times),
        values_(size.games * size.times) {}

  const ExperienceSize& size() const { return size_; }
  // The positions at now() wait for their moves. Moves are known from oldest() until before now().
  Time now() const { return now_; }
  Time oldest() const { return now_ < size_.times ? 0 : now_ - size_.times + 1; }
  void advance() { ++now_; }

  // Where the numbers of a game at a time stand; the same for times that lie size().times apart.
  std::size_t place(Time time, std::size_t game) const {
    return static_cast<std::size_t>(time % size_.times) * size_.games + game;
  }
  std::span<float> input(std::size_t place) {
    return std::span(inputs_).subspan(place * size_.inputs, size_.inputs);
  }
  std::span<const float> input(std::size_t place) const {
    return std::span(inputs_).subspan(place * size_.inputs, size_.inputs);
  }
  std::span<std::uint8_t> legal(std::size_t place) {
    return std::span(legal_).subspan(place * size_.actions, size_.actions);
  }
  std::span<const std::uint8_t> legal(std::size_t place) const {
    return std::span(legal_).subspan(place * size_.actions, size_.actions);
  }

  // The move that was chosen there, and what came of it. What is `open` cannot be learnt from until
  // close() says what it was worth; then nothing else counts.
  void set_move(std::size_t place, int action, const MoveMade& made, bool open = false) {
    actions_[place] = action;
    rewards_[place] = made.reward;
    marks_[place] =
        static_cast<std::uint8_t>((made.over ? kOver : 0) | (made.turned ? kTurned : 0) |
                                  (open ? kOpen : 0) | (made.illegal || open ? kAlone : 0));
  }
  bool open(std::size_t place) const { return (marks_[place] & kOpen) != 0; }
  void close(std::size_t place, float reward) {
    rewards_[place] = reward;
    marks_[place] = static_cast<std::uint8_t>(marks_[place] & ~kOpen);
  }
  int action(std::size_t place) const { return actions_[place]; }
  float reward(std::size_t place) const { return rewards_[place]; }
  bool over(std::size_t place) const { return (marks_[place] & kOver) != 0; }
  // What the value of the next position is multiplied by, seen from this one: it is the
  // opponent's where the sides have changed, and there is none after the end.
  float sign(std::size_t place) const {
    if ((marks_[place] & (kOver | kAlone)) != 0) return 0.0f;
    return turned(place) ? -1.0f : 1.0f;
  }
  bool turned(std::size_t place) const { return (marks_[place] & kTurned) != 0; }

  // What the chooser thought of it: the logarithm of the action's probability, and the value of
  // the position. The value may be set at now(), too.
  void set_thought(std::size_t place, float log_probability, float value) {
    log_probabilities_[place] = log_probability;
    values_[place] = value;
  }
  float log_probability(std::size_t place) const { return log_probabilities_[place]; }
  float value(std::size_t place) const { return values_[place]; }

  // All of it as tensors whose names begin with kPrefix, and back. The time is kept elsewhere.
  static constexpr std::string_view kPrefix = "experience.";
  void write(nn::TensorFile& file) const {
    each(*this, [&](std::string_view name, const auto& values) {
      write_numbers(file, fmt::format("{}{}", kPrefix, name), values);
    });
  }

  Status read(const nn::TensorFile& file, Time now) {
    Status status = Done{};
    each(*this, [&]<class T>(std::string_view name, std::vector<T>& values) {
      if (status) status = read_numbers<T>(file, fmt::format("{}{}", kPrefix, name), values);
    });
    for (const std::int32_t action : actions_) {
      if (!status || (action >= 0 && static_cast<std::size_t>(action) < size_.actions)) continue;
      status = Error{fmt::format("an action is {}; expected one of {}", action, size_.actions)};
    }
    now_ = now;
    return status;
  }

 private:
  // All that is kept, by name.
  static void each(auto& experience, const auto& see) {
    see("inputs", experience.inputs_);
    see("legal", experience.legal_);
    see("actions", experience.actions_);
    see("rewards", experience.rewards_);
    see("marks", experience.marks_);
    see("log_probabilities", experience.log_probabilities_);
    see("values", experience.values_);
  }

  static constexpr std::uint8_t kOver = 1, kTurned = 2;
  static constexpr std::uint8_t kAlone = 4;  // what follows says nothing of it
  static constexpr std::uint8_t kOpen = 8;

  ExperienceSize size_;
  Time now_ = 0;
  std::vector<float> inputs_;
  std::vector<std::uint8_t> legal_;
  std::vector<std::int32_t> actions_;
  std::vector<float> rewards_;
  std::vector<std::uint8_t> marks_;
  std::vector<float> log_probabilities_, values_;
};

}  // namespace damier::learn
