// The evaluation network of the engine: (768 -> units) x 2 -> 1 with squared clipped ReLU, as
// `damier train chess` makes it, in whole numbers.
//
// The file holds the weights as they were learnt. Loading rounds them (feature weights to 16 bits,
// the output's to 8) and proves that no sum can overflow in any legal position.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "damier/base/result.h"
#include "damier/games/chess/state.h"
#include "damier/nn/safetensors.h"
#include "damier/nn/spec.h"
#include "damier/search/chess/network_kernels.h"

namespace damier::search::chess {

// Numbers at an address that vectors like.
class AlignedNumbers {
 public:
  AlignedNumbers() = default;
  explicit AlignedNumbers(std::size_t count);
  std::int16_t* data() { return reinterpret_cast<std::int16_t*>(lines_.data()); }
  const std::int16_t* data() const { return reinterpret_cast<const std::int16_t*>(lines_.data()); }

 private:
  struct alignas(64) Line {
    std::int16_t numbers[32];
  };
  std::vector<Line> lines_;
};

// An error when the network is of another form.
Status check_evaluation_spec(const nn::NetworkSpec& spec);

class EvaluationNetwork {
 public:
  static Result<std::shared_ptr<const EvaluationNetwork>> load(const std::filesystem::path& path);
  // `source` names the file in errors.
  static Result<std::shared_ptr<const EvaluationNetwork>> from(const nn::TensorFile& file,
                                                               std::string_view source);

  int units() const { return units_; }
  // Of one feature, and of none.
  const std::int16_t* row(int feature) const {
    return rows_.data() + static_cast<std::ptrdiff_t>(feature) * units_;
  }
  const std::int16_t* bias() const { return bias_.data(); }
  const NetworkKernels& kernels() const { return *kernels_; }
  void use(const NetworkKernels& kernels) { kernels_ = &kernels; }

  // Hundredths of a pawn for the side to move, from the sums of what both sides see.
  int score(const std::int16_t* own, const std::int16_t* other) const;
  // The same from nothing.
  int score(const games::chess::State& state) const;

 private:
  EvaluationNetwork() = default;
  Status quantise(std::span<const float> features, std::span<const float> bias,
                  std::span<const float> output, float output_bias);
  Status check_sums() const;

  int units_ = 0;
  int scale_ = 0;  // hundredths of a pawn where the network's output is 1
  AlignedNumbers rows_;
  AlignedNumbers bias_;
  AlignedNumbers output_;  // own units, then the other side's
  std::int32_t output_bias_ = 0;
  const NetworkKernels* kernels_ = &best_network_kernels();
};

}  // namespace damier::search::chess
