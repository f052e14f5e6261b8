// A network in training: the network, its optimiser and the rows that it learns from, put together
// as a recipe says. When to stop and what to keep is training_run.h's business.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "damier/base/parallel/threads.h"
#include "damier/learn/rows/batches.h"
#include "damier/learn/train/recipe.h"
#include "damier/nn/local_rule.h"
#include "damier/nn/network.h"
#include "damier/nn/optimiser.h"

namespace damier::learn {

// An error when the data set lacks a column that the recipe's heads ask for, or is of another task
// or encoder than the network.
Status check_fit(const Recipe& recipe, const DataSet& data);
// Whether the data can judge a recipe that learns by play.
Status check_judge(const Recipe& recipe, const DataSet& data);
// The columns alone; `source` names them in errors.
Status check_columns(const Recipe& recipe, std::string_view encoder,
                     std::span<const Column> columns, const std::string& source);

// The encoder that the data's input columns come from.
std::string encoder_of(const DataSet& data);

template <class T>
class Learner {
 public:
  // The recipe must fit the data; all must outlive the learner. `pool` may be null.
  Learner(const Recipe& recipe, const DataSet& data, Seed seed, ThreadPool* pool);
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  nn::Network<T>& network() { return network_; }
  nn::Optimiser<T>& optimiser() { return optimiser_; }
  Windows& windows() { return windows_; }
  std::int64_t steps_in_all() const { return steps_in_all_; }

  // One step on rows of the current window; the sum of their losses before it.
  double learn(std::span<const std::uint32_t> rows);

  // The share of the steps' time that went into making batches of the rows: turning, gathering and
  // expanding them. Some steps are timed for it.
  double loading_share() const { return step_time_ > 0 ? loading_time_ / step_time_ : 0; }

  // The mean loss on a split, without learning; 0 of no rows.
  Result<double> loss_on(Split split);

  // The weights as they are now, for a task to evaluate.
  Predictor& evaluated();

 private:
  // Where a head's numbers come from: places in `columns_`.
  struct HeadColumns {
    std::size_t target = 0;
    int mask = -1;
    int mixed = -1;
    Gathering how = {};
  };
  struct Buffers {
    std::vector<float> stored;  // of inputs that the task expands: the rows as they are kept
    std::vector<float> planes;
    std::vector<T> inputs;
    std::vector<std::vector<T>> targets, masks, mixed;
  };

  std::size_t place_of(const std::string& column);
  std::vector<int> columns_of(const Recipe& recipe);
  Buffers make_buffers(int batch) const;
  nn::OptimiserOptions optimiser_options();
  // The network's inputs from bytes(0), expanded where the task keeps them short.
  template <class Bytes>
  void read_inputs(Buffers& buffers, const Bytes& bytes, std::span<const std::uint32_t> rows,
                   bool learning);
  // Fills the buffers from bytes(k), the columns' numbers.
  template <class Bytes>
  void read(Buffers& buffers, const Bytes& bytes, std::span<const std::uint32_t> rows,
            bool learning);
  void mix_targets(const HeadRecipe& head, std::size_t rows, std::vector<T>& targets,
                   const std::vector<T>& mixed) const;
  // The loss on the rows in the buffers.
  double pass(nn::Network<T>& network, const Buffers& buffers, std::size_t rows, bool learning);
  // One row of the buffers after the other; their loss before each step.
  double learn_locally(std::size_t rows);
  void choose_symmetries(std::size_t rows);
  std::span<const ColumnMap* const> maps_of(std::size_t column) const;

  const Recipe& recipe_;
  const DataSet& data_;
  std::string encoder_;
  bool expands_;
  Seed seed_;
  std::vector<int> columns_;  // of the data; the first is the input
  std::vector<HeadColumns> heads_;
  Windows windows_;
  std::int64_t steps_in_all_ = 0;
  nn::Network<T> network_;
  nn::Optimiser<T> optimiser_;
  std::optional<nn::LocalRule<T>> local_rule_;
  nn::Network<T> measured_;  // the same weights, for larger batches
  std::unique_ptr<Predictor> evaluated_;
  Buffers learning_buffers_, measuring_buffers_;
  std::vector<std::vector<const ColumnMap*>> symmetries_;  // by symmetry, then by column
  std::vector<SymmetryMaps> maps_;
  std::vector<std::vector<const ColumnMap*>> chosen_;  // by column: for each row of the batch
  double loading_time_ = 0, step_time_ = 0;            // seconds, of the steps that were timed
};

}  // namespace damier::learn
