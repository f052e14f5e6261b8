#include "damier/model/predictor.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "damier/nn/network.h"

namespace damier::model {

namespace {

template <class T>
class NetworkPredictor final : public Predictor {
 public:
  explicit NetworkPredictor(nn::Network<T>& network) : network_(network) {}
  NetworkPredictor(std::shared_ptr<const nn::Network<T>> weights, int batch)
      : weights_(std::move(weights)),
        own_(network_copy(*weights_, weights_->spec(), batch)),
        network_(*own_) {
    own_->freeze();
  }

  const nn::NetworkSpec& spec() const override { return network_.spec(); }

  std::unique_ptr<Predictor> clone() const override {
    if (weights_) return std::make_unique<NetworkPredictor>(weights_, network_.batch());
    return std::make_unique<NetworkPredictor>(network_copy(network_, network_.spec(), 1),
                                              network_.batch());
  }

  void run(std::span<const float> inputs, std::size_t count) override {
    const auto width = static_cast<std::size_t>(spec().input.size());
    const auto batch = static_cast<std::size_t>(network_.batch());
    assert(inputs.size() == count * width);
    count_ = count;
    outputs_.resize(network_.output_count());
    for (std::size_t head = 0; head < outputs_.size(); ++head) {
      outputs_[head].resize(count * static_cast<std::size_t>(network_.output(head).cols));
    }
    for (std::size_t at = 0; at < count; at += batch) {
      const std::size_t rows = std::min(batch, count - at);
      set_inputs(inputs.subspan(at * width, rows * width), static_cast<int>(rows));
      network_.forward(false);
      for (std::size_t head = 0; head < outputs_.size(); ++head) {
        const auto view = network_.output(head);
        const auto cols = static_cast<std::size_t>(view.cols);
        float* to = outputs_[head].data() + at * cols;
        for (std::size_t row = 0; row < rows; ++row, to += cols) {
          const T* from = view.value + row * static_cast<std::size_t>(view.ld);
          std::transform(from, from + cols, to, [](T value) { return static_cast<float>(value); });
        }
      }
    }
  }

 private:
  void set_inputs(std::span<const float> inputs, int rows) {
    if constexpr (std::is_same_v<T, float>) {
      network_.set_inputs(inputs, rows);
    } else {
      inputs_.assign(inputs.begin(), inputs.end());
      network_.set_inputs(inputs_, rows);
    }
  }

  std::shared_ptr<const nn::Network<T>> weights_;  // null: a network that may change
  std::unique_ptr<nn::Network<T>> own_;            // null: the same
  nn::Network<T>& network_;
  std::vector<T> inputs_;
};

}  // namespace

void softmax(std::span<float> scores) {
  const float most = *std::ranges::max_element(scores);
  float sum = 0;
  for (float& score : scores) sum += score = std::exp(score - most);
  for (float& score : scores) score /= sum;
}

template <class T>
std::unique_ptr<Predictor> predict_with(nn::Network<T>& network) {
  return std::make_unique<NetworkPredictor<T>>(network);
}

template <class T>
std::unique_ptr<Predictor> predict_with(std::shared_ptr<const nn::Network<T>> weights, int batch) {
  return std::make_unique<NetworkPredictor<T>>(std::move(weights), batch);
}

template <class T>
void copy_weights(const nn::Network<T>& from, nn::Network<T>& to) {
  const auto source = from.parameters();
  const auto target = to.parameters();
  assert(source.size() == target.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    std::copy_n(source[i]->value, source[i]->count(), target[i]->value);
  }
}

template <class T>
std::unique_ptr<nn::Network<T>> network_copy(const nn::Network<T>& from,
                                             const nn::NetworkSpec& spec, int batch) {
  const int affordable = nn::affordable_batch(spec, batch, nn::Use::inference, sizeof(T));
  auto copy = std::make_unique<nn::Network<T>>(spec, affordable, nn::Use::inference);
  copy_weights(from, *copy);
  return copy;
}

template std::unique_ptr<Predictor> predict_with(nn::Network<float>&);
template std::unique_ptr<Predictor> predict_with(nn::Network<double>&);
template std::unique_ptr<Predictor> predict_with(std::shared_ptr<const nn::Network<float>>, int);
template std::unique_ptr<Predictor> predict_with(std::shared_ptr<const nn::Network<double>>, int);
template void copy_weights(const nn::Network<float>&, nn::Network<float>&);
template void copy_weights(const nn::Network<double>&, nn::Network<double>&);
template std::unique_ptr<nn::Network<float>> network_copy(const nn::Network<float>&,
                                                          const nn::NetworkSpec&, int);
template std::unique_ptr<nn::Network<double>> network_copy(const nn::Network<double>&,
                                                           const nn::NetworkSpec&, int);

}  // namespace damier::model
