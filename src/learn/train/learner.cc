#include "damier/learn/train/learner.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/nn/initialise.h"
#include "damier/nn/network_size.h"

namespace damier::learn {

namespace {

constexpr int kMeasuredBatch = 256;
constexpr std::uint64_t kMeasuredRows = 4096;  // read at a time
constexpr std::int64_t kTimedEvery = 16;       // steps

Status check_column(std::span<const Column> columns, const std::string& source,
                    const std::string& head, const std::string& column, int width) {
  const auto at = std::find_if(columns.begin(), columns.end(),
                               [&](const Column& one) { return one.name == column; });
  if (at == columns.end()) {
    std::vector<std::string> names;
    for (const Column& one : columns) names.push_back(one.name);
    return Error{fmt::format("head {}: {}", head, unknown_name("column", column, names).message),
                 {source}};
  }
  if (at->width == static_cast<std::uint64_t>(width)) return Done{};
  return Error{fmt::format("head {}: the column '{}' has {} numbers a row; expected {}, the head's "
                           "outputs",
                           head, column, at->width, width),
               {source}};
}

}  // namespace

std::string encoder_of(const DataSet& data) { return text_in(data.info(), "encoder"); }

namespace {

Status check_name(const Recipe& recipe, const DataSet& data) {
  if (text_in(data.info(), "task") == recipe.task->name()) return Done{};
  return Error{fmt::format("is no data set of {}", recipe.task->name()), {data.source()}};
}

// Whether the data are of the recipe's task, and the network reads what its encoder gives.
Status check_task(const Recipe& recipe, const DataSet& data) {
  if (auto status = check_name(recipe, data); !status) return status;
  const std::string encoder = encoder_of(data);
  if (auto status = recipe.task->check_encoder(encoder); !status) {
    return std::move(status).error().in(data.source());
  }
  if (auto status = recipe.task->check_network(recipe.network, encoder); !status) {
    return std::move(status).error().in(recipe.name);
  }
  return Done{};
}

}  // namespace

Status check_columns(const Recipe& recipe, std::string_view encoder,
                     std::span<const Column> columns, const std::string& source) {
  int stored = recipe.network.input.size();
  if (recipe.task != nullptr) stored = static_cast<int>(recipe.task->stored_width(encoder));
  if (auto status = check_column(columns, source, "input", "input", stored); !status) return status;
  for (std::size_t i = 0; i < recipe.heads.size(); ++i) {
    const HeadRecipe& head = recipe.heads[i];
    const int width = recipe.network.head_shape(i).size();
    for (const std::string& column : {head.target, head.mask, head.mixed}) {
      if (column.empty()) continue;
      auto status = check_column(columns, source, head.name, column, width);
      if (!status) return status;
    }
  }
  return Done{};
}

Status check_fit(const Recipe& recipe, const DataSet& data) {
  if (recipe.task != nullptr) {
    if (auto status = check_task(recipe, data); !status) return status;
  }
  const std::string encoder = recipe.task != nullptr ? encoder_of(data) : "";
  auto status = check_columns(recipe, encoder, data.columns(), data.source());
  if (!status) return status;
  if (data.rows(Split::training).count == 0) {
    return Error{"has no rows in its training split", {data.source()}};
  }
  return Done{};
}

Status check_judge(const Recipe& recipe, const DataSet& data) {
  if (auto status = check_name(recipe, data); !status) return status;
  if (const std::string& own = recipe.play()->encoder; encoder_of(data) != own) {
    return Error{fmt::format("has positions of the encoder {}; expected {}, as the recipe's",
                             in_quotes(encoder_of(data)), in_quotes(own)),
                 {data.source()}};
  }
  for (const std::string& set : recipe.evaluated) {
    const auto split = split_named(set);
    if (!split || data.rows(*split).count > 0) continue;
    return Error{fmt::format("has no rows in its {} split", set), {data.source()}};
  }
  return Done{};
}

template <class T>
std::size_t Learner<T>::place_of(const std::string& column) {
  const int index = data_.column_index(column);
  const auto at = std::find(columns_.begin(), columns_.end(), index);
  if (at != columns_.end()) return static_cast<std::size_t>(at - columns_.begin());
  columns_.push_back(index);
  return columns_.size() - 1;
}

template <class T>
std::vector<int> Learner<T>::columns_of(const Recipe& recipe) {
  place_of("input");
  for (const HeadRecipe& head : recipe.heads) {
    HeadColumns columns;
    columns.target = place_of(head.target);
    if (!head.mask.empty()) columns.mask = static_cast<int>(place_of(head.mask));
    if (!head.mixed.empty()) columns.mixed = static_cast<int>(place_of(head.mixed));
    columns.how.scale = static_cast<float>(head.scale);
    const Column& target = data_.columns()[static_cast<std::size_t>(columns_[columns.target])];
    // Marks are no distribution yet.
    columns.how.share_out =
        head.loss.kind == nn::LossKind::cross_entropy && target.dtype == nn::DType::u8;
    heads_.push_back(columns);
  }
  return columns_;
}

template <class T>
typename Learner<T>::Buffers Learner<T>::make_buffers(int batch) const {
  const auto rows = static_cast<std::size_t>(batch);
  Buffers buffers;
  const auto inputs = rows * static_cast<std::size_t>(recipe_.network.input.size());
  buffers.inputs.resize(inputs);
  if (expands_) {
    buffers.stored.resize(rows * static_cast<std::size_t>(recipe_.task->stored_width(encoder_)));
    buffers.planes.resize(inputs);
  }
  for (std::size_t head = 0; head < recipe_.heads.size(); ++head) {
    const auto width = static_cast<std::size_t>(recipe_.network.head_shape(head).size());
    buffers.targets.emplace_back(rows * width);
    buffers.masks.emplace_back(recipe_.heads[head].mask.empty() ? 0 : rows * width);
    buffers.mixed.emplace_back(recipe_.heads[head].mixed.empty() ? 0 : rows * width);
  }
  return buffers;
}

template <class T>
nn::OptimiserOptions Learner<T>::optimiser_options() {
  const std::int64_t epoch = windows_.batches(recipe_.batch);
  steps_in_all_ = epoch * recipe_.epochs;
  const auto steps = [&](double epochs) {
    return static_cast<std::int64_t>(std::llround(epochs * static_cast<double>(epoch)));
  };
  const ScheduleRecipe& from = recipe_.schedule;
  nn::OptimiserOptions options = recipe_.optimiser;
  options.schedule.kind = from.kind;
  options.schedule.warm_up = steps(from.warm_up);
  options.schedule.steps = from.kind == nn::ScheduleKind::step
                               ? std::max<std::int64_t>(1, steps(from.every))
                               : steps_in_all_;
  options.schedule.factor = from.factor;
  options.schedule.lowest = from.lowest;
  return options;
}

template <class T>
Learner<T>::Learner(const Recipe& recipe, const DataSet& data, Seed seed, ThreadPool* pool)
    : recipe_(recipe),
      data_(data),
      encoder_(encoder_of(data)),
      expands_(recipe.task != nullptr && recipe.task->expands(encoder_)),
      seed_(seed),
      windows_(data, data.rows(Split::training), columns_of(recipe), recipe.memory_mb << 20, seed,
               !recipe.stored_order),
      // One sample is too little to share out among threads.
      network_(recipe.network, recipe.batch, nn::Use::training, recipe.batch > 1 ? pool : nullptr),
      optimiser_(optimiser_options(), network_),
      measured_(recipe.network,
                nn::affordable_batch(recipe.network, kMeasuredBatch, nn::Use::training, sizeof(T)),
                nn::Use::training, pool),
      evaluated_(predict_with(measured_)) {
  learning_buffers_ = make_buffers(recipe.batch);
  measuring_buffers_ = make_buffers(measured_.batch());
  nn::initialise(network_, recipe.initialisation, seed);
  network_.set_dropout_seed(seed);
  if (recipe.begins_with_model()) network_.keep_norms();
  if (recipe.rule == LearningRule::local) local_rule_.emplace(network_);
  if (!recipe.augment) return;
  maps_ = recipe.task->symmetries(encoder_);
  for (const SymmetryMaps& maps : maps_) {
    std::vector<const ColumnMap*> by_column;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const auto at = std::find_if(maps.begin(), maps.end(), [&](const ColumnMap& map) {
        return map.column == windows_.column(k).name;
      });
      by_column.push_back(at == maps.end() ? nullptr : &*at);
    }
    symmetries_.push_back(std::move(by_column));
  }
  chosen_.resize(columns_.size());
}

template <class T>
void Learner<T>::choose_symmetries(std::size_t rows) {
  if (symmetries_.empty()) return;
  RandomStream stream(seed_, "train.symmetry", static_cast<std::uint64_t>(optimiser_.steps()));
  for (auto& chosen : chosen_) chosen.clear();
  for (std::size_t row = 0; row < rows; ++row) {
    const auto& symmetry = symmetries_[static_cast<std::size_t>(stream.below(symmetries_.size()))];
    for (std::size_t k = 0; k < symmetry.size(); ++k) chosen_[k].push_back(symmetry[k]);
  }
}

template <class T>
std::span<const ColumnMap* const> Learner<T>::maps_of(std::size_t column) const {
  if (chosen_.empty()) return {};
  return chosen_[column];
}

template <class T>
template <class Bytes>
void Learner<T>::read_inputs(Buffers& buffers, const Bytes& bytes,
                             std::span<const std::uint32_t> rows, bool learning) {
  const auto maps = learning ? maps_of(0) : std::span<const ColumnMap* const>();
  if (!expands_) {
    return gather<T>(windows_.column(0), bytes(0), rows, maps, {}, buffers.inputs.data());
  }
  const auto width = static_cast<std::size_t>(recipe_.network.input.size());
  gather<float>(windows_.column(0), bytes(0), rows, maps, {}, buffers.stored.data());
  const auto stored = static_cast<std::size_t>(windows_.column(0).width);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    recipe_.task->expand(encoder_, std::span(buffers.stored).subspan(row * stored, stored),
                         std::span(buffers.planes).subspan(row * width, width));
  }
  std::copy_n(buffers.planes.data(), rows.size() * width, buffers.inputs.data());
}

// Scores become expected results, and the mixed column takes its share.
template <class T>
void Learner<T>::mix_targets(const HeadRecipe& head, std::size_t rows, std::vector<T>& targets,
                             const std::vector<T>& mixed) const {
  if (head.squash <= 0 && mixed.empty()) return;
  const std::size_t index = static_cast<std::size_t>(&head - recipe_.heads.data());
  const auto count = rows * static_cast<std::size_t>(recipe_.network.head_shape(index).size());
  if (head.squash > 0) {
    const T unit = static_cast<T>(1 / head.squash);
    for (std::size_t i = 0; i < count; ++i) targets[i] *= unit;
    network_.kernels().curve(nn::Curve::sigmoid, targets.data(), targets.data(), count);
  }
  if (mixed.empty()) return;
  const T share = static_cast<T>(head.mixed_share);
  for (std::size_t i = 0; i < count; ++i) targets[i] += share * (mixed[i] - targets[i]);
}

template <class T>
template <class Bytes>
void Learner<T>::read(Buffers& buffers, const Bytes& bytes, std::span<const std::uint32_t> rows,
                      bool learning) {
  const auto take = [&](std::size_t k, const Gathering& how, std::vector<T>& into) {
    gather<T>(windows_.column(k), bytes(k), rows,
              learning ? maps_of(k) : std::span<const ColumnMap* const>(), how, into.data());
  };
  read_inputs(buffers, bytes, rows, learning);
  for (std::size_t head = 0; head < heads_.size(); ++head) {
    const HeadColumns& columns = heads_[head];
    take(columns.target, columns.how, buffers.targets[head]);
    if (columns.mixed >= 0) {
      take(static_cast<std::size_t>(columns.mixed), {}, buffers.mixed[head]);
    }
    mix_targets(recipe_.heads[head], rows.size(), buffers.targets[head], buffers.mixed[head]);
    if (columns.mask >= 0) {
      take(static_cast<std::size_t>(columns.mask), {}, buffers.masks[head]);
    }
  }
}

template <class T>
double Learner<T>::pass(nn::Network<T>& network, const Buffers& buffers, std::size_t rows,
                        bool learning) {
  const int count = static_cast<int>(rows);
  const auto filled = [&](const std::vector<T>& numbers, int width) {
    return std::span(numbers).first(rows * static_cast<std::size_t>(width));
  };
  network.set_inputs(filled(buffers.inputs, recipe_.network.input.size()), count);
  network.forward(learning, static_cast<std::uint64_t>(optimiser_.steps()));
  double loss = 0;
  for (std::size_t head = 0; head < heads_.size(); ++head) {
    const int width = recipe_.network.head_shape(head).size();
    const auto mask =
        heads_[head].mask < 0 ? std::span<const T>() : filled(buffers.masks[head], width);
    loss += nn::apply_loss<T>(recipe_.heads[head].loss, network.kernels(), network.output(head),
                              count, filled(buffers.targets[head], width), mask);
  }
  return loss * count;
}

template <class T>
double Learner<T>::learn_locally(std::size_t rows) {
  const auto inputs = static_cast<std::size_t>(recipe_.network.input.size());
  const auto outputs = static_cast<std::size_t>(recipe_.network.head_shape(0).size());
  const std::span<const T> all_inputs = learning_buffers_.inputs;
  const std::span<const T> all_targets = learning_buffers_.targets[0];
  const double rate = optimiser_.rate();
  double error = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    error += local_rule_->learn(all_inputs.subspan(row * inputs, inputs),
                                all_targets.subspan(row * outputs, outputs), rate);
  }
  optimiser_.set_steps(optimiser_.steps() + 1);
  return error / static_cast<double>(outputs);
}

template <class T>
double Learner<T>::learn(std::span<const std::uint32_t> rows) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  const bool timed = optimiser_.steps() % kTimedEvery == 0;
  const auto begin = timed ? Clock::now() : Clock::time_point();
  choose_symmetries(rows.size());
  read(
      learning_buffers_, [&](std::size_t k) { return windows_.bytes(k); }, rows, true);
  if (timed) loading_time_ += since(begin);
  double loss = 0;
  if (local_rule_) {
    loss = learn_locally(rows.size());
  } else {
    loss = pass(network_, learning_buffers_, rows.size(), true);
    optimiser_.backward_and_step();
  }
  if (timed) step_time_ += since(begin);
  return loss;
}

template <class T>
Result<double> Learner<T>::loss_on(Split split) {
  copy_weights(network_, measured_);
  const RowRange all = data_.rows(split);
  double sum = 0;
  std::vector<std::vector<std::byte>> bytes(columns_.size());
  std::vector<std::uint32_t> rows;
  for (std::uint64_t done = 0; done < all.count; done += kMeasuredRows) {
    const RowRange range = {all.first + done, std::min(kMeasuredRows, all.count - done)};
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      bytes[k].resize(static_cast<std::size_t>(range.count * windows_.column(k).row_bytes()));
      if (auto status = data_.read(columns_[k], range, bytes[k]); !status) {
        return std::move(status).error();
      }
    }
    const auto batch = static_cast<std::uint64_t>(measured_.batch());
    for (std::uint64_t at = 0; at < range.count; at += batch) {
      if (interrupted()) return interruption();
      rows.clear();
      for (std::uint64_t i = at; i < std::min(range.count, at + batch); ++i) {
        rows.push_back(static_cast<std::uint32_t>(i));
      }
      read(
          measuring_buffers_, [&](std::size_t k) { return bytes[k].data(); }, rows, false);
      sum += pass(measured_, measuring_buffers_, rows.size(), false);
    }
  }
  return all.count == 0 ? 0 : sum / static_cast<double>(all.count);
}

template <class T>
Predictor& Learner<T>::evaluated() {
  copy_weights(network_, measured_);
  return *evaluated_;
}

template class Learner<float>;
template class Learner<double>;

}  // namespace damier::learn
