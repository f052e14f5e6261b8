// Labelled rows as a source: an epoch meets all rows of the training split once.
#pragma once

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/learn/sources/row_lessons.h"
#include "damier/learn/sources/source.h"
#include "damier/learn/train/fit.h"

namespace damier::learn {

template <class T>
class LabelledRows final : public Source<T> {
 public:
  // The validation rows of `judge` say how well it goes; both data sets must outlive the source.
  LabelledRows(Learner<T>& learner, const DataSet& data, const DataSet& judge)
      : learner_(learner),
        data_(data),
        judge_(judge),
        encoder_(encoder_of(data)),
        lessons_(learner, data.columns(), encoder_),
        windows_(data, data.rows(Split::training), lessons_.columns(),
                 learner.recipe().memory_mb << 20, learner.seed(), !learner.recipe().stored_order) {
    const Recipe& recipe = learner.recipe();
    learner.schedule_by_step(windows_.batches(recipe.batch) * recipe.epochs);
  }

  std::string_view encoder() const override { return encoder_; }

  Json place() const override {
    return {{"window", window_}, {"batch", batch_}, {"data", data_.checksum()}};
  }
  Status set_place(JsonFields& fields) override {
    window_ = static_cast<std::size_t>(fields.integer("window", 0, kMaxPlaces));
    batch_ = static_cast<std::size_t>(fields.integer("batch", 0, kMaxPlaces));
    if (fields.text("data") == data_.checksum()) return Done{};
    return Error{fmt::format("{}: the numbers have changed since the run began", data_.source())};
  }

  Status fill(int epoch, const EpochWeights<T>&, const std::function<void()>&) override {
    epoch_ = epoch;
    return window_ < windows_.count() ? windows_.load(epoch_, window_) : Status(Done{});
  }

  Result<std::optional<Learnt>> learn() override {
    if (window_ >= windows_.count()) return std::optional<Learnt>();
    const auto batch = static_cast<std::size_t>(learner_.recipe().batch);
    const auto order = windows_.order();
    const std::size_t at = std::min(batch_ * batch, order.size());
    const auto rows = order.subspan(at, std::min(batch, order.size() - at));
    const Learnt learnt = {lessons_.learn(windows_.bytes(), rows), rows.size()};
    ++batch_;
    if (at + batch < order.size()) return std::optional(learnt);
    ++window_;
    batch_ = 0;
    if (window_ < windows_.count()) TRY(windows_.load(epoch_, window_));
    return std::optional(learnt);
  }

  void end_epoch() override { window_ = batch_ = 0; }

  double share(std::uint64_t samples) const override {
    return static_cast<double>(samples) / static_cast<double>(data_.rows(Split::training).count);
  }
  double loading_share() const override { return lessons_.loading_share(); }

  Result<std::optional<double>> validation_loss() override {
    const RowRange all = judge_.rows(Split::validation);
    if (all.count == 0) return std::optional<double>();
    nn::Network<T>& network = learner_.measured();
    if (!judged_) judged_.emplace(learner_.recipe(), judge_.columns(), encoder_, network.batch());
    double sum = 0;
    const auto use = [&](RowRange range) -> Status {
      sum += TRY(loss_on(range, network));
      return Done{};
    };
    TRY(for_each_block(all, kMeasuredRows, use));
    return std::optional(sum / static_cast<double>(all.count));
  }

 private:
  // The sum over some rows of the judge.
  Result<double> loss_on(RowRange range, nn::Network<T>& network) {
    const std::vector<int>& columns = judged_->columns();
    std::vector<std::vector<std::byte>> bytes(columns.size());
    std::vector<const std::byte*> places;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      bytes[k].resize(static_cast<std::size_t>(range.count * judged_->column(k).row_bytes()));
      TRY(judge_.read(columns[k], range, bytes[k]));
      places.push_back(bytes[k].data());
    }
    const auto step = static_cast<std::uint64_t>(learner_.optimiser().steps());
    const auto batch = static_cast<std::uint64_t>(network.batch());
    double sum = 0;
    std::vector<std::uint32_t> rows;
    for (std::uint64_t at = 0; at < range.count; at += batch) {
      if (interrupted()) return interruption();
      rows.clear();
      for (std::uint64_t i = at; i < std::min(range.count, at + batch); ++i) {
        rows.push_back(static_cast<std::uint32_t>(i));
      }
      judged_->read(places, rows);
      sum += judged_->loss(network, false, step);
    }
    return sum;
  }

  static constexpr std::uint64_t kMeasuredRows = 4096;  // read at a time
  static constexpr std::int64_t kMaxPlaces = std::int64_t{1} << 40;

  Learner<T>& learner_;
  const DataSet& data_;
  const DataSet& judge_;
  std::string encoder_;
  RowLessons<T> lessons_;
  Windows windows_;
  std::optional<RowReader<T>> judged_;
  int epoch_ = 0;
  std::size_t window_ = 0, batch_ = 0;  // the next batch of the epoch
};

}  // namespace damier::learn
