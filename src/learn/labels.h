// What the rows of a game of two players hold, and who labels them: positions from play, listed or
// read from a file, with what a teacher says of them.
//
// A game that has something of its own specialises Labels in learn/GAME/task.h:
//   template <> struct Labels<MyGame> : GenericLabels<MyGame> { … };
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/games/game.h"
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
struct GenericLabels {
  using State = typename G::State;
  using Move = typename G::Move;
  using Encoder = model::Encoder<G>;

  static GenerateOptions defaults() { return {}; }
  // The rule options of the game are options of the task.
  static std::vector<TaskOption> options();
  // Words for the option "states"; the first is the default, "play" and "reachable" are known.
  static std::vector<std::string> state_words() { return {"play", "reachable"}; }
  static Status check_together(const Task& task, const GenerateOptions& options);
  static std::vector<Column> columns(const Task& task, const GenerateOptions& options);
  static Result<RowsWork> rows_work(const Task& task, const GenerateOptions& options,
                                    ThreadPool& pool);
  static Status write_text(const DataSet& data, const std::filesystem::path& path);

  // All positions that a word of state_words() stands for, those that are over left out.
  static Result<std::vector<State>> listed(const G& game, std::string_view which);
  // Those that become rows, in their order.
  static std::vector<State> drawn(const Task& task, std::vector<State> states,
                                  const GenerateOptions& options);
  // Makes games of the task's own, for a word of state_words() that stands for them; otherwise
  // null.
  static std::function<TaughtByNumber<G>()> own_games(const Task&, const G&,
                                                      const GenerateOptions&) {
    return {};
  }
  // A file of positions with exact answers (games/judged_line.h) that become rows, in the place of
  // any that a teacher has to look at; empty: none.
  static std::string judged_file(const Task&, const GenerateOptions&) { return {}; }
  // Columns behind "input", and columns from which states_in() finds the positions again.
  static std::vector<Column> policy_columns(const Encoder&) { return {}; }
  static std::vector<Column> place_columns(const G& game);
  static void write_more(const Encoder& encoder, const State& state, const Lesson<G>& lesson,
                         RowBuffer& rows);
  static Result<std::vector<State>> states_in(const G& game, const DataSet& data, Split split);
  static std::int64_t group_of(const G& game, const State& state);

  // With the rules of the options; a error when it cannot read such boards.
  static Result<std::shared_ptr<const Encoder>> encoder_in(const Task& task,
                                                           const GenerateOptions& options);
  // The column "input" of the last row.
  static void write_input(const Encoder& encoder, const State& state, RowBuffer& rows);

 private:
  struct Teaching;
  static Result<std::vector<Taught<G>>> judged(const G& game, const std::string& file);
  static RowsWork listed_rows(std::shared_ptr<const Teaching> teaching,
                              std::vector<Taught<G>> positions, ThreadPool& pool);
  static RowsWork played_rows(std::shared_ptr<const Teaching> teaching,
                              std::function<TaughtByNumber<G>()> own, ThreadPool& pool);
  static std::vector<Taught<G>> play_game(const Teaching& teaching, std::uint64_t number);
  static void add_row(const Teaching& teaching, const Taught<G>& taught, RowBuffer& rows);
};

template <games::Game G>
struct Labels : GenericLabels<G> {};

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
