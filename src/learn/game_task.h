// Any game of two players as something to learn: positions with what a teacher says of them. The
// game's features are the input, its action indices the outputs, its symmetries the groups.
//
// A game that learns in its own way derives from GameTask and overrides what it does differently
// (learn/fanorona/task.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/games/game.h"
#include "damier/learn/evaluation.h"
#include "damier/learn/rows/row_buffer.h"
#include "damier/learn/task.h"

namespace damier::learn {

template <games::Game G>
struct Lesson;  // learn/teacher.h
template <games::Game G>
class SelfPlayGame;  // learn/sources/self_play/game_in_play.h

// Which heads of a network say what; -1 where none does.
struct MoveHeads {
  int moves = -1;      // an output for each action; the value must do where there is none
  bool logits = true;  // otherwise they are probabilities
  int value = -1;      // the expected result for the side to move
  int own = -1;        // one that only the game's own task reads
};
// A head that ends in a softmax gives probabilities.
bool gives_logits(const nn::NetworkSpec& spec, std::size_t head);

// What the plain recipe of a game depends on.
struct PlainTask {
  std::string_view task;
  nn::Shape input;
  int actions = 0;
  std::string_view teacher;       // of a game that is too large for an exact one
  std::vector<std::string> sets;  // of a game whose positions are all known
};
// A small network of dense layers that says moves and value.
Json plain_recipe(const PlainTask& plain);
// The same network, learning from its own games.
Json plain_self_play_recipe(const PlainTask& plain);
// The same, by reward; without a value where the method needs none.
Json plain_reinforcement_recipe(const PlainTask& plain, std::string_view method);

// What is the same for every game, so that it is compiled once. The options of a task whose game
// has these rules:
std::vector<TaskOption> usual_options(std::string_view oracle, std::vector<std::string> oracles,
                                      std::vector<std::string> states,
                                      std::vector<std::string> encoders,
                                      std::span<const games::Option> rules);
// The rules that the options name.
games::OptionValues rules_in(const GenerateOptions& options, std::span<const games::Option> rules);
// An encoder's name under rules, those left out that are usual.
std::string encoder_under(std::string encoder, games::OptionValues rules,
                          const games::OptionValues& usual);
// All columns of a data set, below.
std::vector<Column> columns_around(Column input, std::vector<Column> policy, int outputs,
                                   std::vector<Column> place);

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

  std::string_view name() const override { return G::facts().name; }
  std::vector<std::string> encoders() const override { return {"features"}; }
  Status check_encoder(std::string_view encoder) const override;
  nn::Shape input_shape(std::string_view encoder) const override;
  int encoder_version(std::string_view) const override { return 1; }
  std::vector<std::string> splits() const override { return {"class", "game", "none"}; }
  // The rule options of the game are options of the task.
  std::vector<TaskOption> options() const override;
  std::string encoder_of(const GenerateOptions& options) const override;
  std::vector<Column> columns(const GenerateOptions& options) const override;
  Result<RowsWork> rows_work(const GenerateOptions& options, ThreadPool& pool) const override;
  // Those that hold in every position; found out by looking at positions from play.
  std::vector<SymmetryMaps> symmetries(std::string_view encoder) const override;
  std::vector<std::string> evaluated_sets() const override;
  std::string_view main_metric() const override { return "value_kept"; }
  Status check_network(const nn::NetworkSpec& spec, std::string_view encoder) const override;
  Result<Occlusion> occlude(const Model& model, const games::OptionValues& rules,
                            std::string_view position) const override;
  Result<std::vector<Metric>> evaluate(Predictor& model, std::string_view encoder,
                                       std::string_view set) const override;
  Result<std::vector<Metric>> evaluate(Predictor& model, std::string_view encoder,
                                       const DataSet& data, Split split) const override;
  Result<std::vector<float>> encode_text(std::string_view encoder,
                                         std::string_view position) const override;
  // A small network of dense layers.
  Json recipe(std::string_view encoder) const override;

  Json self_play_recipe(std::string_view encoder) const override;
  Result<std::vector<Column>> self_play_columns(std::string_view encoder) const override;
  Result<Worker> self_play_worker(const SelfPlayOptions& options, const SelfPlayGames& games,
                                  const Predictor& network, ThreadPool& pool) const override;
  Result<Worker> self_play_match_worker(const SelfPlayOptions& options, const MatchRequest& request,
                                        const Predictor& network, const Opponent& opponent,
                                        ThreadPool& pool) const override;
  Json reinforcement_recipe(std::string_view encoder, std::string_view method) const override;
  Result<std::unique_ptr<GamesInPlay>> games_in_play(
      const GamesInPlayOptions& options) const override;

  // The rows behind the metrics. The exact values decide where the game is small enough to have
  // them all, otherwise the teacher that made the data.
  Result<Evaluation> evaluate_rows(Predictor& model, std::string_view encoder, const DataSet& data,
                                   Split split) const;
  // Positions that are not over; `labels` are the actions that count as named.
  Result<Evaluation> evaluate_states(Predictor& model, std::string_view encoder,
                                     std::span<const State> states,
                                     std::span<const int> labels) const;

  // What an encoder's name means: "features board=6x6" is "features" under these rules.
  struct Reading {
    G game;
    std::string encoder;
  };
  Result<Reading> reading(std::string_view encoder) const;

  // What a game may do in its own way; `encoder` is one of encoders().
  virtual nn::Shape shape_of(const G& game, std::string_view encoder) const;
  virtual void encode(const G& game, std::string_view encoder, const State& state,
                      std::span<float> out) const;
  // The numbers that a row keeps, from which expand() makes those of encode(); the same where
  // expands() is false.
  virtual void store(const G& game, std::string_view encoder, const State& state,
                     std::span<float> out) const {
    encode(game, encoder, state, out);
  }
  // How many outputs say moves, and which one says a move: its action, unless a game knows better.
  virtual int output_count(const G& game, std::string_view encoder) const;
  virtual int output_of(const G& game, std::string_view encoder, const State& state,
                        Move move) const;
  // The outputs [first, second) that say moves of the kind that a position asks for: all of them,
  // unless a game has moves of several kinds.
  virtual std::pair<int, int> outputs_asked(const G& game, std::string_view encoder,
                                            const State&) const {
    return {0, output_count(game, encoder)};
  }
  // Makes the numbers of encode() as if nothing were known of a cell of the picture.
  virtual void forget_cell(const G& game, std::string_view encoder, const State& state, int cell,
                           std::span<float> inputs) const;
  std::vector<std::string> potentials() const override;
  // One of potentials(), for the side to move.
  virtual double potential(const G& game, std::string_view name, const State& state) const;
  // An error when a network that reads the board as `reading` says cannot play under other rules.
  virtual Status check_rules(const Reading& reading, const G& game) const;
  // An error when the network says nothing of the moves, nor of the value.
  virtual Result<MoveHeads> heads_of(const Reading& reading, const nn::NetworkSpec& spec) const;
  // Scores of moves from row `row` of what the network said; their differences are those of
  // logarithms of probabilities.
  virtual void score(const MoveHeads& heads, const Predictor& model, std::size_t row,
                     const Reading& reading, const State& state, std::span<const Move> moves,
                     std::span<float> out) const;
  // The expected result for the side to move in `state`, from row `row` of what the network said.
  virtual float value_said(const MoveHeads& heads, const Predictor& model, std::size_t row,
                           const State& state) const;
  // Whether the network names the action `label`; `chosen` is the legal move of the best score.
  virtual bool names_label(const MoveHeads& heads, const Predictor& model, std::size_t row,
                           int label, games::Action chosen) const;
  virtual std::int64_t group_of(const G& game, const State& state) const;

 protected:
  // Positions that show what a network may see, for the comparison with their images.
  virtual std::vector<State> probed_states(const G& game) const;
  // Words for the option "states"; the first is the default, "play" and "reachable" are known.
  virtual std::vector<std::string> state_words() const { return {"play", "reachable"}; }
  // All positions that such a word stands for, those that are over left out.
  virtual Result<std::vector<State>> listed(const G& game, std::string_view which) const;
  // A position and what was said of it.
  struct Taught;
  // Gives the positions of a game by its number; one for each thread.
  using Games = std::function<std::vector<Taught>(std::uint64_t number)>;
  // Makes them for a word of state_words() that stands for games of the task's own; otherwise null.
  virtual std::function<Games()> own_games(const G&, const GenerateOptions&) const { return {}; }
  // A file of positions with exact answers (games/judged_line.h) that become rows, in the place of
  // any that a teacher has to look at; empty: none.
  virtual std::string judged_file(const GenerateOptions&) const { return {}; }
  // Those that become rows, in their order.
  virtual std::vector<State> drawn(std::vector<State> states, const GenerateOptions& options) const;
  // Columns behind "input", and columns from which states_in() finds the positions again.
  virtual std::vector<Column> policy_columns(const G&, std::string_view /*encoder*/) const {
    return {};
  }
  virtual std::vector<Column> place_columns(const G& game) const;
  virtual void write_more(const Reading& reading, const State& state, const Lesson<G>& lesson,
                          RowBuffer& rows) const;
  virtual Result<std::vector<State>> states_in(const G& game, const DataSet& data,
                                               Split split) const;
  Status check_together(const GenerateOptions& options) const override;

 private:
  struct Teaching;
  struct Truths;

  std::optional<PlainTask> plain_task(std::string_view encoder) const;
  Result<G> game_of(const GenerateOptions& options) const;
  Result<RowsWork> listed_rows(std::shared_ptr<const Teaching> teaching, ThreadPool& pool) const;
  Result<std::vector<Taught>> judged(const G& game, const std::string& file) const;
  Result<RowsWork> judged_rows(std::shared_ptr<const Teaching> teaching, const std::string& file,
                               ThreadPool& pool) const;
  RowsWork played_rows(std::shared_ptr<const Teaching> teaching, std::function<Games()> own,
                       ThreadPool& pool) const;
  std::vector<Taught> play_game(const Teaching& teaching, std::uint64_t number) const;
  void add_row(const Teaching& teaching, const Taught& taught, RowBuffer& rows) const;
  void add_self_play_rows(const Reading& reading, std::uint64_t number, SelfPlayGame<G>& played,
                          RowBuffer& rows) const;
  Result<Evaluation> evaluated(Predictor& model, std::string_view encoder,
                               std::span<const State> states, const Truths& truths) const;
};

// The task of a game. Those of the games that ship are compiled once, and never inlined, so that
// everybody finds them; for others include learn/game_task_impl.h (play/add_game.h does).
template <games::Game G>
[[gnu::noinline]] const GameTask<G>& game_task();

// Adds it; nothing for a game of one player, which has tasks of its own if any.
class Tasks;
template <class G>
void add_game_task(Tasks& tasks);

}  // namespace damier::learn
