// Any game of two players as something to learn: positions with what a teacher says of them, games
// of a network against itself. The game's features are the input, its action indices the outputs,
// its symmetries the groups, unless the game has encoders of its own (model/encoder.h).
//
// A game that learns in its own way derives its task from this one, and learn/GAME/task.h
// specialises game_task().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/learn/rows/row_buffer.h"
#include "damier/learn/task.h"
#include "damier/learn/teacher.h"

namespace damier::learn {

// A position and what was said of it.
template <games::Game G>
struct Taught {
  typename G::State state;
  std::int64_t group = 0;
  std::optional<Lesson<G>> lesson;  // none where the teacher does not know
};
// Gives the positions of a game by its number; one for each thread.
template <games::Game G>
using TaughtByNumber = std::function<std::vector<Taught<G>>(std::uint64_t number)>;

// The move that a network chose in a position, beside what is known of it.
struct EvaluatedRow {
  float value = 0;            // what is true: the result for the side to move, -1 to 1
  int distance = 0;           // plies to the end with best play; 0 for a draw
  bool kept = false;          // the move keeps the value
  bool shortest = false;      // and wins as fast, or resists as long, as possible
  double loss = 0;            // how much of the value the move gives away
  bool named = false;         // it is the one that the teacher named
  std::optional<float> said;  // what the network thinks of the position, if it says so
};
struct Evaluation {
  // Against exact values; otherwise against a teacher's moves, of which only some are known to be
  // good: `shortest` and `loss` say nothing then.
  bool exact = true;
  std::vector<EvaluatedRow> rows;
};
// value_kept, shortest, regret, label_accuracy and, where all rows say it, value_accuracy.
std::vector<Metric> metrics_of(const Evaluation& evaluation);

// The columns of a data set:
//   input     the encoder's numbers
//   moves     1 at the action of each move that is taught
//   legal     1 at the action of each legal move
//   value     the expected result for the side to move: 1 win, 0 draw, -1 loss
//   distance  plies to the end where that is certain; otherwise 0
//   label     the action of the one move that the teacher names
//   position  its text, in bytes; zeros behind it
//   group     the same for all images of a position under the game's symmetries or, with the
//             split "game", for all positions of a game
template <games::Game G>
class GameTask : public Task {
 public:
  using State = typename G::State;
  using Move = typename G::Move;
  using Encoder = model::Encoder<G>;

  // What holds unless a game says something else. `states` are the texts of that option, the first
  // the default; "play" and "reachable" are known. The rules are options of the task.
  static TaskFacts usual_facts(std::vector<std::string> states = {"play", "reachable"});
  explicit GameTask(TaskFacts facts = usual_facts())
      : Task(model::encoders_of<G>(), std::move(facts)) {}

  std::vector<Column> columns(const GenerateOptions& options) const override;
  Result<RowsWork> rows_work(const GenerateOptions& options, ThreadPool& pool) const override;
  // Without a data set: games that are small enough to have all positions listed.
  std::vector<std::string> evaluated_sets() const override;
  Result<std::vector<Metric>> evaluate(model::Predictor& network, std::string_view encoder,
                                       std::string_view set) const override;
  Result<std::vector<Metric>> evaluate(model::Predictor& network, std::string_view encoder,
                                       const DataSet& data, Split split) const override;
  Result<Worker> self_play_worker(const SelfPlayOptions& options, const SelfPlayGames& games,
                                  const model::Predictor& network, ThreadPool& pool) const override;
  Result<Worker> self_play_match_worker(const SelfPlayOptions& options, const SelfPlayGames& games,
                                        const model::Predictor& network, const Opponent& opponent,
                                        ThreadPool& pool) const override;
  Result<std::unique_ptr<GamesInPlay>> games_in_play(
      const GamesInPlayOptions& options) const override;
  Status check_opponent(std::string_view encoder, std::string_view player) const override;

  // The rows behind the metrics. The exact values decide where the game is small enough to have
  // them all, otherwise the teacher that made the data.
  Result<Evaluation> evaluate_rows(model::Predictor& network, std::string_view encoder,
                                   const DataSet& data, Split split) const;
  // Positions that are not over; `labels` are the actions that count as named.
  Result<Evaluation> evaluate_states(model::Predictor& network, std::string_view encoder,
                                     std::span<const State> states,
                                     std::span<const int> labels) const;

  // All positions that a text of the option "states" stands for, those that are over left out.
  virtual Result<std::vector<State>> listed(const G& game, std::string_view which) const;
  virtual std::int64_t group_of(const G& game, const State& state) const;
  // A figure of potentials(), for the side to move.
  virtual double potential(const G& game, std::string_view name, const State& state) const;

 protected:
  // The encoder with the rules of the options.
  Result<std::shared_ptr<const Encoder>> encoder_in(const GenerateOptions& options) const;
  // The column "input" of the last row.
  static void write_input(const Encoder& encoder, const State& state, RowBuffer& rows);

  Status check_together(const GenerateOptions& options) const override;
  // Those that become rows, in their order.
  virtual std::vector<State> drawn(std::vector<State> states, const GenerateOptions& options) const;
  // Makes games of the task's own, where "states" stands for them; otherwise null.
  virtual std::function<TaughtByNumber<G>()> own_games(const G&, const GenerateOptions&) const {
    return {};
  }
  // A file of positions with exact answers (games/judged_line.h) that become rows, in the place of
  // any that a teacher has to look at; empty: none.
  virtual std::string judged_file(const GenerateOptions&) const { return {}; }
  // Columns behind "input", and columns from which states_in() finds the positions again.
  virtual std::vector<Column> policy_columns(const Encoder&) const { return {}; }
  virtual std::vector<Column> place_columns(const G& game) const;
  virtual void write_more(const Encoder& encoder, const State& state, const Lesson<G>& lesson,
                          RowBuffer& rows) const;
  virtual Result<std::vector<State>> states_in(const G& game, const DataSet& data,
                                               Split split) const;
  // Whether the network names the action `label`; `chosen` is the legal move of the best score.
  virtual bool names_label(const model::MoveHeads&, const model::Predictor&, std::size_t /*row*/,
                           int label, games::Action chosen) const {
    return index(chosen) == label;
  }

 private:
  struct Teaching;
  struct Truths;
  Result<std::vector<Taught<G>>> judged(const G& game, const std::string& file) const;
  RowsWork listed_rows(std::shared_ptr<const Teaching> teaching, std::vector<Taught<G>> positions,
                       ThreadPool& pool) const;
  RowsWork played_rows(std::shared_ptr<const Teaching> teaching,
                       std::function<TaughtByNumber<G>()> own, ThreadPool& pool) const;
  std::vector<Taught<G>> play_game(const Teaching& teaching, std::uint64_t number) const;
  void add_row(const Teaching& teaching, const Taught<G>& taught, RowBuffer& rows) const;
  Result<Evaluation> evaluated(model::Predictor& network, std::string_view encoder,
                               std::span<const State> states, const Truths& truths) const;
};

// The task of a game. Those of the games that ship are compiled once, and never inlined, so that
// everybody finds them; for others include learn/game_task_impl.h (learn/add_game.h does).
template <games::Game G>
[[gnu::noinline]] const GameTask<G>& game_task();

// Adds it; nothing for a game of one player, which has tasks of its own if any.
class Tasks;
template <class G>
void add_game_task(Tasks& tasks);

// What is the same for every game, so that it is compiled once. The options of a task whose game
// has these rules:
std::vector<TaskOption> usual_options(std::string_view teacher, std::vector<std::string> states,
                                      std::vector<std::string> encoders,
                                      std::span<const games::Option> rules);
// The rules that the options name.
games::OptionValues rules_in(const GenerateOptions& options, std::span<const games::Option> rules);
// All columns of a data set, above.
std::vector<Column> columns_around(Column input, std::vector<Column> policy, int outputs,
                                   std::vector<Column> place);

}  // namespace damier::learn
