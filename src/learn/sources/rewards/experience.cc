#include "damier/learn/sources/rewards/experience.h"

#include <algorithm>

#include <fmt/format.h>

namespace damier::learn {

std::uint64_t ExperienceSize::bytes() const {
  const std::uint64_t place = inputs * sizeof(float) + actions + sizeof(std::int32_t) +
                              3 * sizeof(float) + sizeof(std::uint8_t);
  return place * games * times;
}

Experience::Experience(const ExperienceSize& size)
    : size_(size),
      inputs_(size.games * size.times * size.inputs),
      legal_(size.games * size.times * size.actions),
      actions_(size.games * size.times),
      rewards_(size.games * size.times),
      marks_(size.games * size.times),
      log_probabilities_(size.games * size.times),
      values_(size.games * size.times) {}

template <class T>
Status read_numbers(const nn::TensorFile& file, std::string_view name, std::span<T> to) {
  const nn::Tensor* tensor = file.find(name);
  if (tensor == nullptr) return Error{fmt::format("the tensor {} is missing", name)};
  const auto values = TRY(nn::values_of<T>(*tensor));
  if (values.size() != to.size()) {
    return Error{
        fmt::format("the tensor {} has {} numbers; expected {}", name, values.size(), to.size())};
  }
  std::copy(values.begin(), values.end(), to.begin());
  return Done{};
}

template Status read_numbers(const nn::TensorFile&, std::string_view, std::span<float>);
template Status read_numbers(const nn::TensorFile&, std::string_view, std::span<double>);
template Status read_numbers(const nn::TensorFile&, std::string_view, std::span<std::int32_t>);
template Status read_numbers(const nn::TensorFile&, std::string_view, std::span<std::uint8_t>);

void Experience::write(nn::TensorFile& file) const {
  const auto add = [&]<class T>(const char* name, const std::vector<T>& values) {
    file.tensors.push_back(nn::make_tensor<T>(fmt::format("{}{}", kPrefix, name), {values.size()},
                                              std::span<const T>(values)));
  };
  add("inputs", inputs_);
  add("legal", legal_);
  add("actions", actions_);
  add("rewards", rewards_);
  add("marks", marks_);
  add("log_probabilities", log_probabilities_);
  add("values", values_);
}

Status Experience::read(const nn::TensorFile& file, Time now) {
  Status status = Done{};
  const auto take = [&]<class T>(const char* name, std::vector<T>& values) {
    if (status) status = read_numbers<T>(file, fmt::format("{}{}", kPrefix, name), values);
  };
  take("inputs", inputs_);
  take("legal", legal_);
  take("actions", actions_);
  take("rewards", rewards_);
  take("marks", marks_);
  take("log_probabilities", log_probabilities_);
  take("values", values_);
  for (const std::int32_t action : actions_) {
    if (action >= 0 && static_cast<std::size_t>(action) < size_.actions) continue;
    if (status)
      status = Error{fmt::format("an action is {}; expected one of {}", action, size_.actions)};
  }
  now_ = now;
  return status;
}

}  // namespace damier::learn
