#include "damier/learn/sources/rewards/replay.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

namespace damier::learn {

namespace {

constexpr double kMinError = 1e-3;  // a move that is judged rightly may be drawn again
constexpr int kMaxDraws = 32;
constexpr std::string_view kPriorities = "experience.priorities";

}  // namespace

SumTree::SumTree(std::size_t count)
    : leaves_(std::bit_ceil(std::max<std::size_t>(1, count))), sums_(2 * leaves_) {}

void SumTree::set(std::size_t i, double weight) {
  std::size_t at = leaves_ + i;
  sums_[at] = weight;
  for (at /= 2; at >= 1; at /= 2) sums_[at] = sums_[2 * at] + sums_[2 * at + 1];
}

std::size_t SumTree::find(double mass) const {
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

Replay::Replay(const ExperienceSize& size, int look_ahead, double exponent)
    : size_(size),
      look_ahead_(static_cast<Time>(look_ahead)),
      exponent_(exponent),
      priorities_(exponent > 0 ? size.games * size.times : 1) {}

Time Replay::last_drawable_end(const Experience& experience) const {
  return experience.now() < look_ahead_ ? 0 : experience.now() - look_ahead_ + 1;
}

void Replay::advance(const Experience& experience) {
  if (!prioritised()) return;
  const Time end = last_drawable_end(experience);
  for (std::size_t game = 0; game < size_.games; ++game) {
    // What is seen now stands where the oldest moves stood.
    priorities_.set(experience.place(experience.now(), game), 0);
    if (end > experience.oldest()) priorities_.set(experience.place(end - 1, game), greatest_);
  }
}

std::size_t Replay::drawable(const Experience& experience) const {
  const Time end = last_drawable_end(experience);
  return end <= experience.oldest()
             ? 0
             : static_cast<std::size_t>(end - experience.oldest()) * size_.games;
}

DrawnMove Replay::draw_one(const Experience& experience, std::size_t count, double correction,
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

void Replay::draw(const Experience& experience, double correction, RandomStream& random,
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

void Replay::set_error(const Experience& experience, const DrawnMove& move, double error) {
  if (!prioritised()) return;
  const double priority = std::pow(std::abs(error) + kMinError, exponent_);
  greatest_ = std::max(greatest_, priority);
  priorities_.set(experience.place(move.time, move.game), priority);
}

void Replay::write(nn::TensorFile& file) const {
  if (!prioritised()) return;
  std::vector<double> numbers = {greatest_};
  for (std::size_t i = 0; i < size_.games * size_.times; ++i) {
    numbers.push_back(priorities_.weight(i));
  }
  file.tensors.push_back(nn::make_tensor<double>(std::string(kPriorities), {numbers.size()},
                                                 std::span<const double>(numbers)));
}

Status Replay::read(const nn::TensorFile& file) {
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

}  // namespace damier::learn
