// A task: what a data set of a game holds, and how a network that learnt from it is judged. Tasks
// are known by name, and a recipe names one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/estimate.h"
#include "damier/base/random.h"
#include "damier/base/result.h"
#include "damier/base/threads.h"
#include "damier/learn/data/data_set_writer.h"
#include "damier/nn/spec.h"

namespace damier::learn {

// What `damier generate` and a recipe's "generate" ask for; the task says which words it knows.
struct GenerateOptions {
  std::string oracle = "exact";
  std::string states = "all";
  std::uint64_t count = 0;  // 0: all of them
  std::string target = "all-best";
  std::string encoder = "flat";
  std::string balance = "none";
  std::string split = "class";
  double validation = 0.1;  // shares of the groups
  double test = 0.1;
  Seed seed = Seed{1};
  // What this task alone knows, by name: see Task::options().
  Json more = Json::object();
};

Json to_json(const GenerateOptions& options);

// An option that only one task has.
struct TaskOption {
  std::string name;  // "board"
  Json otherwise;    // what it is when it is not given; its kind is the option's
  std::string help;
};

// One symmetry of the game as a column sees it: out[i] = sign[i] * in[source[i]].
struct ColumnMap {
  std::string column;
  std::vector<std::uint32_t> source;
  std::vector<float> sign;
};
// A column that is not named stays as it is.
using SymmetryMaps = std::vector<ColumnMap>;

// A network as a judge sees it.
struct JudgedModel {
  const nn::NetworkSpec& spec;
  // Outputs by head, each (count, width), of inputs (count, input size).
  using Outputs = std::vector<std::vector<float>>;
  std::function<void(std::span<const float> inputs, std::size_t count, Outputs& outputs)> run;
};

class Task {
 public:
  virtual ~Task() = default;

  // What recipes and `damier generate` call it: the game's name, or one that begins with it.
  virtual std::string_view name() const = 0;
  virtual std::string_view game() const { return name(); }
  virtual std::vector<std::string> encoders() const = 0;
  virtual nn::Shape input_shape(std::string_view encoder) const = 0;
  virtual int encoder_version(std::string_view encoder) const = 0;

  // The column "input" may be a short form of what the network reads: `stored_width` numbers a row,
  // from which expand() makes the planes when a batch is put together.
  virtual bool expands(std::string_view) const { return false; }
  virtual std::uint64_t stored_width(std::string_view encoder) const {
    return static_cast<std::uint64_t>(input_shape(encoder).size());
  }
  virtual void expand(std::string_view /*encoder*/, std::span<const float> /*stored*/,
                      std::span<float> /*planes*/) const {}

  // What `damier generate` does unless it is told otherwise.
  virtual GenerateOptions defaults() const { return {}; }
  // What GenerateOptions::more may hold.
  virtual std::vector<TaskOption> options() const { return {}; }
  virtual Status check(const GenerateOptions& options) const = 0;
  // `options` have been checked.
  virtual std::vector<Column> columns(const GenerateOptions& options) const = 0;
  // Writes all rows; what it returns describes them and belongs into the metadata.
  virtual Result<Json> generate(const GenerateOptions& options, ThreadPool& pool,
                                RowSink& sink) const = 0;

  // The identity first.
  virtual std::vector<SymmetryMaps> symmetries(std::string_view encoder) const = 0;

  // The sets that a network can be judged on without a data set.
  virtual std::vector<std::string> judged_sets() const = 0;
  // The metric that says most, for progress lines and for choosing the best weights.
  virtual std::string_view main_metric() const = 0;
  // A fault when the network's heads say nothing about this task.
  virtual Status check_network(const nn::NetworkSpec& spec, std::string_view encoder) const = 0;
  virtual Result<std::vector<Metric>> judge(const JudgedModel& model, std::string_view encoder,
                                            std::string_view set) const = 0;
  virtual Result<std::vector<Metric>> judge(const JudgedModel& model, std::string_view encoder,
                                            const DataSet& data, Split split) const = 0;
};

// A fault when `more` holds an option that the task does not have, or a value of another kind.
Status check_task_options(const Task& task, const Json& more);
// The option's value in `options`, or what it is when it is not given; the task must have it.
Json task_option(const Task& task, const GenerateOptions& options, std::string_view name);

std::span<const Task* const> tasks();
Result<const Task*> find_task(std::string_view name);

// Whole data sets; `command` is kept in the metadata.
Result<DataSet> generate_in_memory(const Task& task, const GenerateOptions& options,
                                   ThreadPool& pool);
Status generate_file(const Task& task, const GenerateOptions& options, ThreadPool& pool,
                     const std::filesystem::path& path, std::string_view command);

// Which split a group belongs to: it follows from the group, the shares and the seed alone.
Split split_of(std::int64_t group, const GenerateOptions& options);

}  // namespace damier::learn
