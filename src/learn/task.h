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
#include "damier/learn/rows/data_set_writer.h"
#include "damier/learn/rows/numbered_rows.h"
#include "damier/learn/sources/rewards/games_in_play.h"
#include "damier/learn/sources/self_play/self_play.h"
#include "damier/model/encoder.h"
#include "damier/model/predictor.h"
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
  bool is_rule = false;  // of the game
  // What files call it, where that is another name; it is accepted everywhere.
  std::string kept_as = {};

  bool is_called(std::string_view text) const {
    return text == name || (!kept_as.empty() && text == kept_as);
  }
  const std::string& name_in_files() const { return kept_as.empty() ? name : kept_as; }
};

// One whose value is a number from `low` to `high`.
inline TaskOption number_option(std::string name, Json default_value, double low, double high,
                                Text help) {
  return {std::move(name), std::move(default_value), std::move(help), {}, low, high};
}

// The plain recipes of a task: from rows, from games of its own, and by the methods of reward.
inline constexpr std::string_view kPlainKinds[] = {"rows", "self-play", "q", "a2c", "ppo"};

// What is known of a task without asking it anything.
struct TaskFacts {
  // What `damier generate` does unless it is told otherwise, and what it may be told: what
  // GenerateOptions::split may be, and what ::more may hold; one of these is "encoder".
  GenerateOptions defaults = {};
  std::vector<std::string> splits = {};
  std::vector<TaskOption> options = {};
  // The metric that says most, for progress lines and for choosing the best weights; and what else
  // is kept of every epoch that is evaluated.
  std::string main_metric;
  std::vector<std::string> curve_metrics = {};
  // What a position may be said to be worth before the game is over
  // (learn/sources/rewards/options.h).
  std::vector<std::string> potentials = {};
  // Who labels in the recipe for those who have none; empty: the task has no such recipe.
  std::string plain_teacher = {};
};

// A task in four parts: how its networks read the board, what its rows hold and who labels them,
// how a network is judged, and how it acts. Each has a form for any game of two players, and a game
// may have its own (learn/game_task.h).
class Task {
 public:
  Task(model::Encoders encoders, TaskFacts facts)
      : encoders_(std::move(encoders)), facts_(std::move(facts)) {}
  virtual ~Task() = default;

  // What recipes and `damier generate` call it: the game's name, or one that begins with it.
  std::string_view name() const { return encoders_.task; }
  std::string_view game() const { return encoders_.game; }

  // Reading: an encoder's name stands in data sets and models; a game with rule options adds those
  // that are not the usual ones.
  const model::Encoders& encoders() const { return encoders_; }
  Result<std::shared_ptr<const model::AnyEncoder>> encoder(std::string_view name) const {
    return encoders_.find(name);
  }

  // Labels.
  const GenerateOptions& defaults() const { return facts_.defaults; }
  const std::vector<std::string>& splits() const { return facts_.splits; }
  const std::vector<TaskOption>& options() const { return facts_.options; }
  // The option's value, or what it is when it is not given; the task must declare it.
  Json option(const GenerateOptions& options, std::string_view name) const;
  std::string text_option(const GenerateOptions& options, std::string_view name) const {
    return option(options, name).text();
  }
  // The option of that name, also as files call it; null where the task has none.
  const TaskOption* declared(std::string_view name) const;
  // An error in what was asked for, in one line.
  Status check(const GenerateOptions& options) const;
  // An error in `more` alone: an option that nobody declares, a wrong kind, word or number.
  Status check_more(const Json& more) const;
  // The encoder of the rows; this and the next are given options that have been checked.
  std::string encoder_of(const GenerateOptions& options) const;
  virtual std::vector<Column> columns(const GenerateOptions& options) const = 0;
  // Writes all rows; what it returns describes them and belongs into the metadata. A task whose
  // rows are not made by number writes them itself.
  virtual Result<Json> generate(const GenerateOptions& options, ThreadPool& pool, RowSink& sink,
                                Ranks& ranks) const;
  virtual Result<RowsWork> rows_work(const GenerateOptions& options, ThreadPool& pool) const;
  // All rows as text: one line each below a header, unless the task has a form of its own.
  virtual Status write_text(const DataSet& data, const std::filesystem::path& path) const;

  // Judging: the sets that a network can be evaluated on without a data set.
  virtual std::vector<std::string> evaluated_sets() const = 0;
  virtual Result<std::vector<Metric>> evaluate(model::Predictor& network, std::string_view encoder,
                                               std::string_view set) const = 0;
  virtual Result<std::vector<Metric>> evaluate(model::Predictor& network, std::string_view encoder,
                                               const DataSet& data, Split split) const = 0;
  const std::string& main_metric() const { return facts_.main_metric; }
  const std::vector<std::string>& curve_metrics() const { return facts_.curve_metrics; }

  // Acting: games of a network against itself. A task that has none says so. They are played by
  // number, each answered as collect_games() and collect_match() read it
  // (learn/sources/self_play/self_play.h). Networks must outlive the worker.
  virtual Result<Worker> self_play_worker(const SelfPlayOptions& options,
                                          const SelfPlayGames& games,
                                          const model::Predictor& network, ThreadPool& pool) const;
  virtual Result<Worker> self_play_match_worker(const SelfPlayOptions& options,
                                                const SelfPlayGames& games,
                                                const model::Predictor& network,
                                                const Opponent& opponent, ThreadPool& pool) const;
  virtual Result<std::unique_ptr<GamesInPlay>> games_in_play(
      const GamesInPlayOptions& options) const;
  // An error where the game has no such player, under the rules of that encoder.
  virtual Status check_opponent(std::string_view encoder, std::string_view player) const;
  const std::vector<std::string>& potentials() const { return facts_.potentials; }
  Result<std::vector<Column>> self_play_columns(std::string_view encoder) const;
  // Plays the games and writes a row for each of their positions, game by game.
  Result<SelfPlayFigures> self_play(const SelfPlayOptions& options, const SelfPlayGames& games,
                                    const model::Predictor& network, ThreadPool& pool,
                                    RowSink& sink) const;
  Result<MatchCounts> self_play_match(const SelfPlayOptions& options, const SelfPlayGames& games,
                                      const model::Predictor& network, const Opponent& opponent,
                                      ThreadPool& pool) const;

  // A recipe for those who have none, as JSON, for data of that encoder (empty: the usual one);
  // null where the task has no such thing. The kind is one of kPlainKinds.
  Json recipe(std::string_view encoder, std::string_view kind = "rows") const;

 private:
  Error no_self_play() const;
  // What no single option tells.
  virtual Status check_together(const GenerateOptions& options) const = 0;

  model::Encoders encoders_;
  TaskFacts facts_;
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

// The inputs of rows that a data set may keep in a short form.
void expand_rows(const model::AnyEncoder& encoder, std::span<const float> stored,
                 std::span<float> inputs);

// A loss over rows, which adds up to its mean.
struct MeanLoss {
  double sum = 0, squares = 0;
  std::int64_t n = 0;

  void add(double value) {
    sum += value;
    squares += value * value;
    ++n;
  }
  Metric metric(std::string_view name) const {
    return {std::string(name), mean_estimate(EstimateKind::loss, sum, squares, n)};
  }
};

// A column of some rows; an error when the data set has none of that width.
template <class T>
Result<std::vector<T>> column_of(const DataSet& data, std::string_view name, std::uint64_t width,
                                 RowRange range);

}  // namespace damier::learn
