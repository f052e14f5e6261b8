// What happened in many games that are played side by side: at every time one move of each game.
// The newest times are kept, older ones are overwritten. It serves as the memory that moves are
// drawn from (replay.h) and as the record of the last few moves (returns.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

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

  std::uint64_t bytes() const;
};

class Experience {
 public:
  explicit Experience(const ExperienceSize& size);

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
  void write(nn::TensorFile& file) const;
  Status read(const nn::TensorFile& file, Time now);

 private:
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

// A tensor of that name must hold as many numbers as `to`.
template <class T>
Status read_numbers(const nn::TensorFile& file, std::string_view name, std::span<T> to);

}  // namespace damier::learn
