// Which moves of an experience are learnt from: drawn evenly, or those more often that were
// judged most wrongly the last time (Schaul et al., 2016).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/learn/sources/rewards/experience.h"

namespace damier::learn {

// Numbered weights with their sum, from which a number is drawn in proportion. Every sum is that of
// its two parts, so it does not depend on the order in which the weights were set.
class SumTree {
 public:
  explicit SumTree(std::size_t count);

  void set(std::size_t i, double weight);
  double weight(std::size_t i) const { return sums_[leaves_ + i]; }
  double sum() const { return sums_[1]; }
  // The number at which the sum of the weights up to it exceeds `mass`, which is below sum().
  std::size_t find(double mass) const;

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
  Replay(const ExperienceSize& size, int look_ahead, double exponent);

  // After experience.advance().
  void advance(const Experience& experience);
  std::size_t drawable(const Experience& experience) const;
  // There must be some; `correction` is the exponent of the weights. Moves whose worth is still
  // open are passed over.
  void draw(const Experience& experience, double correction, RandomStream& random,
            std::span<DrawnMove> out) const;
  // How wrongly a move was judged that has been drawn.
  void set_error(const Experience& experience, const DrawnMove& move, double error);

  // As tensors, as Experience does it; nothing where all moves are drawn evenly.
  void write(nn::TensorFile& file) const;
  Status read(const nn::TensorFile& file);

 private:
  bool prioritised() const { return exponent_ > 0; }
  Time last_drawable_end(const Experience& experience) const;
  DrawnMove draw_one(const Experience& experience, std::size_t count, double correction,
                     RandomStream& random) const;

  ExperienceSize size_;
  Time look_ahead_;
  double exponent_;
  SumTree priorities_;   // by place; 0 of those that cannot be drawn
  double greatest_ = 1;  // priority so far: that of a move that was never learnt from
};

}  // namespace damier::learn
