// Which moves of an experience are learnt from: drawn evenly, or those more often that were
// judged most wrongly the last time (Schaul et al., 2016).
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "damier/base/numbers/random.h"
#include "damier/learn/sources/rewards/experience.h"

namespace damier::learn {

// Numbered weights with their sum, from which a number is drawn in proportion. Every sum is that of
// its two parts, so it does not depend on the order in which the weights were set.
class SumTree {
 public:
  explicit SumTree(std::size_t count)
      : leaves_(std::bit_ceil(std::max<std::size_t>(1, count))), sums_(2 * leaves_) {}

  void set(std::size_t i, double weight) {
    std::size_t at = leaves_ + i;
    sums_[at] = weight;
    for (at /= 2; at >= 1; at /= 2) sums_[at] = sums_[2 * at] + sums_[2 * at + 1];
  }

  double weight(std::size_t i) const { return sums_[leaves_ + i]; }
  double sum() const { return sums_[1]; }
  // The number at which the sum of the weights up to it exceeds `mass`, which is below sum().
  std::size_t find(double mass) const {
    std::size_t at = 1;
    while (at < leaves_) {
      at *= 2;
      // Where rounding leaves too much mass, the last one that has any weight is meant.
      if (mass < sums_[at] || sums_[at + 1] == 0) continue;
      mass -= sums_[at];
      ++at;
    }
    return at - leaves_;
  }

 private:
  std::size_t leaves_;  // a power of 2
  std::vector<double> sums_;
};

struct DrawnMove {
  Time time = 0;
  std::size_t game = 0;
  float weight = 1;  // of its loss, which makes up for how often it is drawn
};

class Replay {
 public:
  // A move can be drawn once `look_ahead` moves of its game, itself among them, are known.
  // `exponent` is 0 where all are drawn evenly, and 1 in proportion to their errors.
  Replay(const ExperienceSize& size, int look_ahead, double exponent)
      : size_(size),
        look_ahead_(static_cast<Time>(look_ahead)),
        exponent_(exponent),
        priorities_(exponent > 0 ? size.games * size.times : 1) {}

  // After experience.advance().
  void advance(const Experience& experience) {
    if (!prioritised()) return;
    const Time end = last_drawable_end(experience);
    for (std::size_t game = 0; game < size_.games; ++game) {
      // What is seen now stands where the oldest moves stood.
      priorities_.set(experience.place(experience.now(), game), 0);
      if (end > experience.oldest()) priorities_.set(experience.place(end - 1, game), greatest_);
    }
  }

  std::size_t drawable(const Experience& experience) const {
    const Time end = last_drawable_end(experience);
    return end <= experience.oldest()
               ? 0
               : static_cast<std::size_t>(end - experience.oldest()) * size_.games;
  }

  // There must be some; `correction` is the exponent of the weights. Moves whose worth is still
  // open are passed over.
  void draw(const Experience& experience, double correction, RandomStream& random,
            std::span<DrawnMove> out) const {
    const std::size_t count = drawable(experience);
    assert(count > 0);
    float greatest = 0;
    for (DrawnMove& move : out) {
      const auto is_open = [&] { return experience.open(experience.place(move.time, move.game)); };
      move = draw_one(experience, count, correction, random);
      for (int i = 0; i < kMaxDraws && is_open(); ++i) {
        move = draw_one(experience, count, correction, random);
      }
      // Where nearly all are open there is nothing to learn yet.
      if (is_open()) move.weight = 0;
      greatest = std::max(greatest, move.weight);
    }
    if (!prioritised() || greatest == 0) return;
    for (DrawnMove& move : out) move.weight /= greatest;
  }

  // How wrongly a move was judged that has been drawn.
  void set_error(const Experience& experience, const DrawnMove& move, double error) {
    if (!prioritised()) return;
    const double priority = std::pow(std::abs(error) + kMinError, exponent_);
    greatest_ = std::max(greatest_, priority);
    priorities_.set(experience.place(move.time, move.game), priority);
  }

  // As tensors, as Experience does it; nothing where all moves are drawn evenly.
  void write(nn::TensorFile& file) const {
    if (!prioritised()) return;
    std::vector<double> numbers = {greatest_};
    for (std::size_t i = 0; i < size_.games * size_.times; ++i) {
      numbers.push_back(priorities_.weight(i));
    }
    write_numbers(file, kPriorities, numbers);
  }

  Status read(const nn::TensorFile& file) {
    if (!prioritised()) return Done{};
    std::vector<double> numbers(size_.games * size_.times + 1);
    TRY(read_numbers<double>(file, kPriorities, numbers));
    for (const double number : numbers) {
      if (std::isfinite(number) && number >= 0) continue;
      return Error{
          fmt::format("the tensor {} holds {}; expected numbers from 0 on", kPriorities, number)};
    }
    greatest_ = numbers.front();
    for (std::size_t i = 1; i < numbers.size(); ++i) priorities_.set(i - 1, numbers[i]);
    return Done{};
  }

 private:
  static constexpr double kMinError = 1e-3;  // a move that is judged rightly may be drawn again
  static constexpr int kMaxDraws = 32;
  static constexpr std::string_view kPriorities = "experience.priorities";

  bool prioritised() const { return exponent_ > 0; }
  Time last_drawable_end(const Experience& experience) const {
    return experience.now() < look_ahead_ ? 0 : experience.now() - look_ahead_ + 1;
  }

  DrawnMove draw_one(const Experience& experience, std::size_t count, double correction,
                     RandomStream& random) const {
    if (!prioritised()) {
      const std::uint64_t i = random.below(count);
      return {experience.oldest() + i / size_.games, static_cast<std::size_t>(i % size_.games), 1};
    }
    const std::size_t place = priorities_.find(random.uniform() * priorities_.sum());
    // The last time before now() that stands there.
    const Time slot = place / size_.games;
    const Time behind = (experience.now() + size_.times - slot) % size_.times;
    const double share = priorities_.weight(place) / priorities_.sum();
    return {experience.now() - behind, place % size_.games,
            static_cast<float>(std::pow(static_cast<double>(count) * share, -correction))};
  }

  ExperienceSize size_;
  Time look_ahead_;
  double exponent_;
  SumTree priorities_;   // by place; 0 of those that cannot be drawn
  double greatest_ = 1;  // priority so far: that of a move that was never learnt from
};

}  // namespace damier::learn
