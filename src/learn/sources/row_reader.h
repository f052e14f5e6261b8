// Rows of a data set as a network in training takes them: inputs, and the targets of its heads.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "damier/learn/rows/batches.h"
#include "damier/learn/train/recipe.h"
#include "damier/nn/network.h"
#include "damier/nn/training.h"

namespace damier::learn {

template <class T>
class RowReader {
 public:
  // For rows with these columns, at most `batch` at a time. They must fit the recipe, which must
  // outlive this.
  RowReader(const Recipe& recipe, std::span<const Column> columns, const std::string& encoder,
            int batch)
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

  // The columns that are read, as indices into those of the rows; the first is the input.
  const std::vector<int>& columns() const { return indices_; }
  const Column& column(std::size_t k) const { return columns_[k]; }

  // The bytes of each of these columns, (rows, width).
  using Bytes = std::span<const std::byte* const>;
  // For each of these columns the map that turns each of the rows, or nullptr; or nothing.
  using Maps = std::span<const std::vector<const model::ColumnMap*>>;
  void read(Bytes bytes, std::span<const std::uint32_t> rows, Maps maps = {}) {
    rows_ = rows.size();
    read_inputs(bytes, rows, maps);
    const auto take = [&](std::size_t k, const Gathering& how, std::vector<T>& into) {
      const auto own =
          maps.empty() ? std::span<const model::ColumnMap* const>() : std::span(maps[k]);
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

  // The sum of the losses of the rows that were read. In training the gradients are ready for a
  // step, and `step` decides what dropout drops.
  double loss(nn::Network<T>& network, bool training, std::uint64_t step) const {
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

  // Of the rows that were read, (rows, width).
  std::span<const T> inputs() const { return inputs_; }
  std::span<const T> targets(std::size_t head) const { return heads_[head].targets; }
  std::size_t rows() const { return rows_; }

 private:
  // Where a head's numbers come from, as places in `columns_`, and what they are.
  struct Head {
    std::size_t target = 0;
    int mask = -1;
    int mixed = -1;
    Gathering how = {};
    int width = 0;
    std::vector<T> targets, masks, mixed_targets;
  };

  std::size_t place_of(std::span<const Column> columns, const std::string& name) {
    const auto column = std::ranges::find(columns, name, &Column::name);
    const auto index = static_cast<int>(column - columns.begin());
    const auto at = std::ranges::find(indices_, index);
    if (at != indices_.end()) return static_cast<std::size_t>(at - indices_.begin());
    indices_.push_back(index);
    columns_.push_back(*column);
    return indices_.size() - 1;
  }
  void read_inputs(Bytes bytes, std::span<const std::uint32_t> rows, Maps maps) {
    const auto own = maps.empty() ? std::span<const model::ColumnMap* const>() : std::span(maps[0]);
    if (!expands_) return gather<T>(columns_[0], bytes[0], rows, own, {}, inputs_.data());
    gather<float>(columns_[0], bytes[0], rows, own, {}, stored_.data());
    const auto stored = static_cast<std::size_t>(columns_[0].width);
    expand_rows(*encoder_, std::span(stored_).first(rows.size() * stored), planes_);
    std::copy_n(planes_.data(), rows.size() * encoder_->width(), inputs_.data());
  }
  // Scores become expected results, and the mixed column takes its share.
  void mix_targets(const HeadRecipe& recipe, Head& head) const {
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

  const Recipe& recipe_;
  std::shared_ptr<const model::AnyEncoder> encoder_;  // null where the rows are of no task
  bool expands_;
  std::vector<int> indices_;
  std::vector<Column> columns_;
  std::vector<Head> heads_;
  std::size_t rows_ = 0;
  std::vector<float> stored_;  // of inputs that the task expands: the rows as they are kept
  std::vector<float> planes_;
  std::vector<T> inputs_;
};

}  // namespace damier::learn
