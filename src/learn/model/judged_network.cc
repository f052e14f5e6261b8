#include "damier/learn/model/judged_network.h"

#include <algorithm>

namespace damier::learn {

template <class T>
JudgedModel judged_network(nn::Network<T>& network) {
  return {network.spec(), [&network](std::span<const float> inputs, std::size_t count,
                                     JudgedModel::Outputs& outputs) {
            const auto width = static_cast<std::size_t>(network.spec().input.size());
            const auto batch = static_cast<std::size_t>(network.batch());
            std::vector<T> rows_in(batch * width);
            outputs.resize(network.output_count());
            for (auto& output : outputs) output.clear();
            for (std::size_t at = 0; at < count; at += batch) {
              const std::size_t rows = std::min(batch, count - at);
              std::copy_n(inputs.data() + at * width, rows * width, rows_in.data());
              network.set_inputs(std::span<const T>(rows_in.data(), rows * width),
                                 static_cast<int>(rows));
              network.forward(false);
              for (std::size_t head = 0; head < outputs.size(); ++head) {
                const auto view = network.output(head);
                for (std::size_t row = 0; row < rows; ++row) {
                  const T* from = view.value + row * static_cast<std::size_t>(view.ld);
                  for (int k = 0; k < view.cols; ++k) {
                    outputs[head].push_back(static_cast<float>(from[k]));
                  }
                }
              }
            }
          }};
}

template JudgedModel judged_network(nn::Network<float>&);
template JudgedModel judged_network(nn::Network<double>&);

}  // namespace damier::learn
