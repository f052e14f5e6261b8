// Evaluating a network of whole boards by the exact probabilities.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/learn/minesweeper/board_task.h"
#include "damier/model/minesweeper/board_encoder.h"

namespace damier::learn {

namespace {

constexpr std::uint64_t kRowsAtOnce = 128;  // rows evaluated between two looks for an interrupt
constexpr double kFloor = 1e-7;  // probabilities nearer to 0 or 1 than this count as this

struct Mean {
  double sum = 0, squares = 0;
  std::int64_t n = 0;

  void add(double value) {
    sum += value;
    squares += value * value;
    ++n;
  }
  Metric metric(const char* name) const {
    return {name, mean_estimate(EstimateKind::loss, sum, squares, n)};
  }
};

double log_loss(double truth, double logit) {
  const double probability = std::clamp(1 / (1 + std::exp(-logit)), kFloor, 1 - kFloor);
  return -truth * std::log(probability) - (1 - truth) * std::log(1 - probability);
}

// The figures of all rows; means are taken over the rows, of which each is a mean over its cells.
struct Tally {
  std::int64_t certain = 0, chosen_safe = 0;
  Mean error, loss, excess, win_loss;

  void add(std::span<const float> truth, std::span<const float> masked,
           std::span<const float> logits) {
    double error_sum = 0, loss_sum = 0, least = 2;
    std::size_t cells = 0, chosen = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (masked[i] == 0) continue;
      const auto logit = static_cast<double>(logits[i]),
                 probability = static_cast<double>(truth[i]);
      error_sum += std::abs(1 / (1 + std::exp(-logit)) - probability);
      loss_sum += log_loss(probability, logit);
      least = std::min(least, probability);
      if (cells == 0 || logits[i] < logits[chosen]) chosen = i;
      ++cells;
    }
    if (cells == 0) return;
    error.add(error_sum / static_cast<double>(cells));
    loss.add(loss_sum / static_cast<double>(cells));
    if (least > 0) return excess.add(static_cast<double>(truth[chosen]) - least);
    ++certain;
    chosen_safe += truth[chosen] == 0;
  }

  void add_wins(std::span<const float> truth, std::span<const float> tried,
                std::span<const float> logits) {
    double sum = 0;
    int cells = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (tried[i] == 0) continue;
      sum += log_loss(static_cast<double>(truth[i]) / kWinParts, static_cast<double>(logits[i]));
      ++cells;
    }
    if (cells > 0) win_loss.add(sum / cells);
  }
};

}  // namespace

Result<std::vector<Metric>> evaluate_boards(model::Predictor& network, std::string_view encoder,
                                            const DataSet& data, Split split) {
  const auto reader = TRY(model::minesweeper_board_encoders().find(encoder));
  const auto squares = static_cast<std::size_t>(reader->shape().squares());
  const std::size_t planes = reader->width();
  int bomb_head = -1, win_head = -1;
  for (std::size_t i = 0; i < network.spec().heads.size(); ++i) {
    if (network.spec().heads[i].name == "bomb") bomb_head = static_cast<int>(i);
    if (network.spec().heads[i].name == "win") win_head = static_cast<int>(i);
  }
  if (bomb_head < 0) return Error{"the network has no head 'bomb'"};
  Tally tally;
  std::vector<float> inputs;
  const RowRange all = data.rows(split);
  for (std::uint64_t done = 0; done < all.count; done += kRowsAtOnce) {
    if (interrupted()) return interruption();
    const RowRange range = {all.first + done, std::min(kRowsAtOnce, all.count - done)};
    const auto count = static_cast<std::size_t>(range.count);
    const auto stored = TRY(column_of<float>(data, "input", squares + 1, range));
    const auto bomb = TRY(column_of<float>(data, "bomb", squares, range));
    const auto masked = TRY(column_of<float>(data, "masked", squares, range));
    inputs.resize(count * planes);
    for (std::size_t row = 0; row < count; ++row) {
      reader->expand(std::span(stored).subspan(row * (squares + 1), squares + 1),
                     std::span(inputs).subspan(row * planes, planes));
    }
    network.run(inputs, count);
    const auto part = [&](const std::vector<float>& values, std::size_t row) {
      return std::span(values).subspan(row * squares, squares);
    };
    for (std::size_t row = 0; row < count; ++row) {
      tally.add(part(bomb, row), part(masked, row),
                network.output(static_cast<std::size_t>(bomb_head), row));
    }
    if (win_head < 0) continue;
    const auto win = TRY(column_of<float>(data, "win", squares, range));
    const auto tried = TRY(column_of<float>(data, "tried", squares, range));
    for (std::size_t row = 0; row < count; ++row) {
      tally.add_wins(part(win, row), part(tried, row),
                     network.output(static_cast<std::size_t>(win_head), row));
    }
  }
  std::vector<Metric> metrics = {{"safe_choice", share_estimate(tally.chosen_safe, tally.certain)},
                                 tally.excess.metric("guess_excess"),
                                 tally.error.metric("bomb_error"),
                                 tally.loss.metric("bomb_loss")};
  if (win_head >= 0) metrics.push_back(tally.win_loss.metric("win_loss"));
  return metrics;
}

}  // namespace damier::learn
