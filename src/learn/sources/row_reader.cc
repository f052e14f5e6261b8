#include "damier/learn/sources/row_reader.h"

#include <algorithm>

#include "damier/nn/loss.h"

namespace damier::learn {

template <class T>
RowReader<T>::RowReader(const Recipe& recipe, std::span<const Column> columns,
                        const std::string& encoder, int batch)
    : recipe_(recipe),
      encoder_(recipe.task == nullptr ? nullptr : recipe.task->encoder(encoder).value()),
      expands_(encoder_ != nullptr && encoder_->expands()) {
  const auto rows = static_cast<std::size_t>(batch);
  inputs_.resize(rows * static_cast<std::size_t>(recipe.network.input.size()));
  if (expands_) {
    stored_.resize(rows * static_cast<std::size_t>(encoder_->stored_width()));
    planes_.resize(inputs_.size());
  }
  place_of(columns, "input");
  for (std::size_t i = 0; i < recipe.heads.size(); ++i) {
    const HeadRecipe& from = recipe.heads[i];
    Head& head = heads_.emplace_back();
    head.width = recipe.network.head_shape(i).size();
    const auto size = rows * static_cast<std::size_t>(head.width);
    head.target = place_of(columns, from.target);
    head.targets.resize(size);
    if (!from.mask.empty()) {
      head.mask = static_cast<int>(place_of(columns, from.mask));
      head.masks.resize(size);
    }
    if (!from.mixed.empty()) {
      head.mixed = static_cast<int>(place_of(columns, from.mixed));
      head.mixed_targets.resize(size);
    }
    head.how.scale = static_cast<float>(from.scale);
    // Marks are no distribution yet.
    head.how.share_out = from.loss.kind == nn::LossKind::cross_entropy &&
                         columns_[head.target].dtype == nn::DType::u8;
  }
}

template <class T>
std::size_t RowReader<T>::place_of(std::span<const Column> columns, const std::string& name) {
  const auto column = std::find_if(columns.begin(), columns.end(),
                                   [&](const Column& one) { return one.name == name; });
  const auto index = static_cast<int>(column - columns.begin());
  const auto at = std::find(indices_.begin(), indices_.end(), index);
  if (at != indices_.end()) return static_cast<std::size_t>(at - indices_.begin());
  indices_.push_back(index);
  columns_.push_back(*column);
  return indices_.size() - 1;
}

template <class T>
void RowReader<T>::read_inputs(Bytes bytes, std::span<const std::uint32_t> rows, Maps maps) {
  const auto own = maps.empty() ? std::span<const model::ColumnMap* const>() : std::span(maps[0]);
  if (!expands_) return gather<T>(columns_[0], bytes[0], rows, own, {}, inputs_.data());
  gather<float>(columns_[0], bytes[0], rows, own, {}, stored_.data());
  const auto stored = static_cast<std::size_t>(columns_[0].width);
  const auto width = static_cast<std::size_t>(recipe_.network.input.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    encoder_->expand(std::span(stored_).subspan(row * stored, stored),
                     std::span(planes_).subspan(row * width, width));
  }
  std::copy_n(planes_.data(), rows.size() * width, inputs_.data());
}

// Scores become expected results, and the mixed column takes its share.
template <class T>
void RowReader<T>::mix_targets(const HeadRecipe& recipe, Head& head) const {
  const std::size_t count = rows_ * static_cast<std::size_t>(head.width);
  T* const targets = head.targets.data();
  if (recipe.squash > 0) {
    const T unit = static_cast<T>(1 / recipe.squash);
    for (std::size_t i = 0; i < count; ++i) targets[i] *= unit;
    nn::best_kernels<T>().curve(nn::Curve::sigmoid, targets, targets, count);
  }
  if (head.mixed < 0) return;
  const T share = static_cast<T>(recipe.mixed_share);
  for (std::size_t i = 0; i < count; ++i)
    targets[i] += share * (head.mixed_targets[i] - targets[i]);
}

template <class T>
void RowReader<T>::read(Bytes bytes, std::span<const std::uint32_t> rows, Maps maps) {
  rows_ = rows.size();
  read_inputs(bytes, rows, maps);
  const auto take = [&](std::size_t k, const Gathering& how, std::vector<T>& into) {
    const auto own = maps.empty() ? std::span<const model::ColumnMap* const>() : std::span(maps[k]);
    gather<T>(columns_[k], bytes[k], rows, own, how, into.data());
  };
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    Head& head = heads_[i];
    take(head.target, head.how, head.targets);
    if (head.mixed >= 0) take(static_cast<std::size_t>(head.mixed), {}, head.mixed_targets);
    mix_targets(recipe_.heads[i], head);
    if (head.mask >= 0) take(static_cast<std::size_t>(head.mask), {}, head.masks);
  }
}

template <class T>
double RowReader<T>::loss(nn::Network<T>& network, bool training, std::uint64_t step) const {
  const int count = static_cast<int>(rows_);
  const auto filled = [&](const std::vector<T>& numbers, int width) {
    return std::span(numbers).first(rows_ * static_cast<std::size_t>(width));
  };
  network.set_inputs(filled(inputs_, recipe_.network.input.size()), count);
  network.forward(training, step);
  double loss = 0;
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    const Head& head = heads_[i];
    const auto mask = head.mask < 0 ? std::span<const T>() : filled(head.masks, head.width);
    loss += nn::apply_loss<T>(recipe_.heads[i].loss, network.kernels(), network.output(i), count,
                              filled(head.targets, head.width), mask);
  }
  return loss * count;
}

template class RowReader<float>;
template class RowReader<double>;

}  // namespace damier::learn
