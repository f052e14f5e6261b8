// A network whose answers a test makes up.
#pragma once

#include <functional>
#include <utility>

#include "damier/model/predictor.h"

namespace damier::model {

class FakePredictor final : public Predictor {
 public:
  // Fills the outputs by head, each (count, width).
  using Answer = std::function<void(std::span<const float> inputs, std::size_t count,
                                    std::vector<std::vector<float>>& outputs)>;

  explicit FakePredictor(nn::NetworkSpec spec, Answer answer = {})
      : spec_(std::move(spec)), answer_(std::move(answer)) {}

  const nn::NetworkSpec& spec() const override { return spec_; }
  std::unique_ptr<Predictor> clone() const override {
    return std::make_unique<FakePredictor>(spec_, answer_);
  }
  void run(std::span<const float> inputs, std::size_t count) override {
    count_ = count;
    answer_(inputs, count, outputs_);
  }

 private:
  nn::NetworkSpec spec_;
  Answer answer_;
};

}  // namespace damier::model
