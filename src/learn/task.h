// A task: what a data set of a game holds, and how a network that learnt from it is evaluated.
// Tasks are known by name (learn/tasks.h), and a recipe names one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/numbers/estimate.h"
#include "damier/base/numbers/random.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/result.h"
#include "damier/base/text/language.h"
#include "damier/learn/model/predictor.h"
#include "damier/learn/rows/data_set_writer.h"
#include "damier/learn/rows/numbered_rows.h"
#include "damier/learn/sources/rewards/games_in_play.h"
#include "damier/learn/sources/self_play/self_play.h"
#include "damier/nn/spec.h"

namespace damier::learn {

// What `damier generate` and a recipe's "generate" ask for.
struct GenerateOptions {
  std::uint64_t count = 0;  // rows; 0: all of them, where the task knows all
  std::string split = "class";
  double validation = 0.1;  // shares of the groups
  double test = 0.1;
  Seed seed = Seed{1};
  // What the task declares besides, by name; what is missing is as declared.
  Json more = Json::object();
};

// An option that a task declares.
struct TaskOption {
  std::string name;    // "oracle"
  Json default_value;  // its kind is the option's
  Text help;
  // A text is one of these; "net:MODEL" stands for all that begin with "net:". Empty: any text.
  std::vector<std::string> choices = {};
  // Of numbers.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// One symmetry of the game as a column sees it: out[i] = sign[i] * in[source[i]].
struct ColumnMap {
  std::string column;
  std::vector<std::uint32_t> source;
  std::vector<float> sign;
};
// A column that is not named stays as it is.
using SymmetryMaps = std::vector<ColumnMap>;

struct Model;
struct Occlusion;

class Task {
 public:
  virtual ~Task() = default;

  // What recipes and `damier generate` call it: the game's name, or one that begins with it.
  virtual std::string_view name() const = 0;
  virtual std::string_view game() const { return name(); }

  // An encoder is the way in which a network reads the board. Its name stands in data sets and
  // models; a game with rule options adds those that are not the usual ones.
  virtual std::vector<std::string> encoders() const = 0;
  virtual Status check_encoder(std::string_view encoder) const;
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
  // What GenerateOptions::split may be.
  virtual std::vector<std::string> splits() const { return {defaults().split, "none"}; }
  // What GenerateOptions::more may hold; one of them is "encoder".
  virtual std::vector<TaskOption> options() const = 0;
  // The option's value, or what it is when it is not given; the task must declare it.
  Json option(const GenerateOptions& options, std::string_view name) const;
  std::string text_option(const GenerateOptions& options, std::string_view name) const {
    return option(options, name).text();
  }
  // An error in what was asked for, in one line.
  Status check(const GenerateOptions& options) const;
  // An error in `more` alone: an option that nobody declares, a wrong kind, word or number.
  Status check_more(const Json& more) const;

  // The encoder of the rows; this and the next two are given options that have been checked.
  virtual std::string encoder_of(const GenerateOptions& options) const {
    return text_option(options, "encoder");
  }
  virtual std::vector<Column> columns(const GenerateOptions& options) const = 0;
  // Writes all rows; what it returns describes them and belongs into the metadata. A task whose
  // rows are not made by number writes them itself.
  virtual Result<Json> generate(const GenerateOptions& options, ThreadPool& pool, RowSink& sink,
                                Ranks& ranks) const;
  virtual Result<RowsWork> rows_work(const GenerateOptions& options, ThreadPool& pool) const;

  // The identity first.
  virtual std::vector<SymmetryMaps> symmetries(std::string_view encoder) const = 0;

  // The sets that a network can be evaluated on without a data set.
  virtual std::vector<std::string> evaluated_sets() const = 0;
  // The metric that says most, for progress lines and for choosing the best weights.
  virtual std::string_view main_metric() const = 0;
  // What else is kept of every epoch that is evaluated, by the names of metrics.
  virtual std::vector<std::string> curve_metrics() const { return {}; }
  // An error when the network's heads say nothing about this task.
  virtual Status check_network(const nn::NetworkSpec& spec, std::string_view encoder) const = 0;
  virtual Result<std::vector<Metric>> evaluate(Predictor& model, std::string_view encoder,
                                               std::string_view set) const = 0;
  virtual Result<std::vector<Metric>> evaluate(Predictor& model, std::string_view encoder,
                                               const DataSet& data, Split split) const = 0;

  // What a network makes of a position, and which cells matter to it (learn/occlusion.h). A task
  // whose networks do not read whole boards says so.
  virtual Result<Occlusion> occlude(const Model& model, const games::OptionValues& rules,
                                    std::string_view position) const;

  // All rows as text: one line each below a header, unless the task has a form of its own.
  virtual Status write_text(const DataSet& data, const std::filesystem::path& path) const;
  // What a network reads of a position, which a text names as the game writes it.
  virtual Result<std::vector<float>> encode_text(std::string_view encoder,
                                                 std::string_view position) const;

  // A recipe for those who have none, as JSON, for data of that encoder (empty: the usual one);
  // null where the task has no such thing.
  virtual Json recipe(std::string_view /*encoder*/) const { return nullptr; }

  // Learning from games of a network against itself. A task that has none says so.
  virtual Json self_play_recipe(std::string_view /*encoder*/) const { return nullptr; }
  virtual Result<std::vector<Column>> self_play_columns(std::string_view encoder) const;
  // Plays games by number, each answered as collect_games() and collect_match() read it
  // (learn/sources/self_play/self_play.h). Networks must outlive the worker.
  virtual Result<Worker> self_play_worker(const SelfPlayOptions& options,
                                          const SelfPlayGames& games, const Predictor& network,
                                          ThreadPool& pool) const;
  virtual Result<Worker> self_play_match_worker(const SelfPlayOptions& options,
                                                const MatchRequest& request,
                                                const Predictor& network, const Opponent& opponent,
                                                ThreadPool& pool) const;
  // Plays the games and writes a row for each of their positions, game by game.
  Result<SelfPlayFigures> self_play(const SelfPlayOptions& options, const SelfPlayGames& games,
                                    const Predictor& network, ThreadPool& pool,
                                    RowSink& sink) const;
  Result<MatchCounts> self_play_match(const SelfPlayOptions& options, const MatchRequest& request,
                                      const Predictor& network, const Opponent& opponent,
                                      ThreadPool& pool) const;

  // Learning by reward, for a method of kReinforcementMethods.
  virtual Json reinforcement_recipe(std::string_view /*encoder*/,
                                    std::string_view /*method*/) const {
    return nullptr;
  }
  // What a position may be said to be worth before the game is over
  // (learn/sources/rewards/options.h).
  virtual std::vector<std::string> potentials() const { return {}; }
  virtual Result<std::unique_ptr<GamesInPlay>> games_in_play(
      const GamesInPlayOptions& options) const;

 private:
  Error no_self_play() const;
  // What no single option tells.
  virtual Status check_together(const GenerateOptions& options) const = 0;
};

// All that decides the rows: the declared options, those of GenerateOptions among them.
Json to_json(const Task& task, const GenerateOptions& options);

// Whole data sets; `command` is kept in the metadata, which generate_file() returns.
Result<DataSet> generate_in_memory(const Task& task, const GenerateOptions& options,
                                   ThreadPool& pool, Ranks& ranks = no_other_ranks());
Result<Json> generate_file(const Task& task, const GenerateOptions& options, ThreadPool& pool,
                           const std::filesystem::path& path, std::string_view command,
                           Ranks& ranks = no_other_ranks());

// Which split a group belongs to: it follows from the group, the shares and the seed alone.
Split split_of(std::int64_t group, const GenerateOptions& options);

// An error when the network does not read what the encoder gives.
Status check_input(const Task& task, const nn::NetworkSpec& spec, std::string_view encoder);

// A column of some rows; an error when the data set has none of that width.
template <class T>
Result<std::vector<T>> column_of(const DataSet& data, std::string_view name, std::uint64_t width,
                                 RowRange range);

}  // namespace damier::learn
