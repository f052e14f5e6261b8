#include "damier/nn/trainer.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace damier::nn {

template <class T>
Trainer<T>::Trainer(Network<T>& network, Optimiser<T>& optimiser, std::vector<Loss> losses,
                    TrainerOptions options)
    : network_(network), optimiser_(optimiser), losses_(std::move(losses)), options_(options) {
  assert(losses_.size() == network_.output_count());
  const auto batch = static_cast<std::size_t>(network.batch());
  inputs_.resize(batch * static_cast<std::size_t>(network.spec().input.size()));
  for (std::size_t head = 0; head < network.output_count(); ++head) {
    const auto outputs = static_cast<std::size_t>(network.output(head).cols);
    targets_.emplace_back(batch * outputs);
    masks_.emplace_back(batch * outputs);
  }
  network_.set_dropout_seed(options.seed);
}

namespace {

// Rows of `from`, each of `width` values, one after the other.
template <class T>
std::span<const T> gather(const std::vector<T>& from, std::size_t width,
                          std::span<const std::size_t> rows, std::vector<T>& to) {
  if (from.empty()) return {};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(from.data() + rows[i] * width, width, to.data() + i * width);
  }
  return {to.data(), rows.size() * width};
}

}  // namespace

template <class T>
double Trainer<T>::run_batch(const Samples<T>& samples, std::span<const std::size_t> rows,
                             bool learn) {
  const int count = static_cast<int>(rows.size());
  const auto width = static_cast<std::size_t>(network_.spec().input.size());
  network_.set_inputs(gather(samples.inputs, width, rows, inputs_), count);
  network_.forward(learn, static_cast<std::uint64_t>(optimiser_.steps()));
  double loss = 0;
  for (std::size_t head = 0; head < losses_.size(); ++head) {
    const OutputView<T> output = network_.output(head);
    const auto outputs = static_cast<std::size_t>(output.cols);
    const auto targets = gather(samples.targets[head], outputs, rows, targets_[head]);
    const auto mask = samples.masks.empty()
                          ? std::span<const T>()
                          : gather(samples.masks[head], outputs, rows, masks_[head]);
    loss += apply_loss<T>(losses_[head], network_.kernels(), output, count, targets, mask);
  }
  if (learn) optimiser_.backward_and_step();
  return loss * count;
}

template <class T>
double Trainer<T>::evaluate(const Samples<T>& samples, std::span<const std::size_t> rows) {
  double sum = 0;
  const auto batch = static_cast<std::size_t>(network_.batch());
  for (std::size_t at = 0; at < rows.size(); at += batch) {
    sum += run_batch(samples, rows.subspan(at, std::min(batch, rows.size() - at)), false);
  }
  return rows.empty() ? 0 : sum / static_cast<double>(rows.size());
}

template <class T>
std::vector<EpochReport> Trainer<T>::run(const Samples<T>& samples, const OnEpoch& on_epoch) {
  std::vector<std::size_t> rows(samples.count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  RandomStream(options_.seed, "trainer.split").shuffle(std::span(rows));
  const auto held_out =
      static_cast<std::size_t>(options_.validation_share * static_cast<double>(samples.count));
  const std::vector<std::size_t> validation(rows.end() - static_cast<std::ptrdiff_t>(held_out),
                                            rows.end());
  rows.resize(rows.size() - held_out);
  const std::vector<std::size_t> training = rows;

  std::vector<EpochReport> reports;
  double best = std::numeric_limits<double>::infinity();
  int since_best = 0;
  const auto batch = static_cast<std::size_t>(network_.batch());
  for (int epoch = 0; epoch < options_.epochs; ++epoch) {
    rows = training;
    RandomStream(options_.seed, "trainer.order", static_cast<std::uint64_t>(epoch))
        .shuffle(std::span(rows));
    EpochReport report{epoch};
    for (std::size_t at = 0; at < rows.size(); at += batch) {
      const auto part = std::span(rows).subspan(at, std::min(batch, rows.size() - at));
      report.training_loss += run_batch(samples, part, true);
    }
    report.training_loss /= std::max<double>(1, static_cast<double>(rows.size()));
    report.validation_loss = evaluate(samples, validation);
    report.steps = optimiser_.steps();
    reports.push_back(report);
    if (on_epoch && !on_epoch(report)) break;
    since_best = report.validation_loss < best ? 0 : since_best + 1;
    best = std::min(best, report.validation_loss);
    if (options_.patience > 0 && held_out > 0 && since_best >= options_.patience) break;
  }
  return reports;
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace damier::nn
