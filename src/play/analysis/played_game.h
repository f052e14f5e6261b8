// A game that was played, move by move: what each was worth, and what was better.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/parallel/threads.h"
#include "damier/games/known.h"
#include "damier/games/saved_game.h"
#include "damier/play/players/players.h"

namespace damier::play {

// What a move is called that gives away at least so much of the expected result, from -1 to 1; the
// worst first.
struct Grade {
  double least;
  std::string_view name;
};
inline constexpr std::array<Grade, 3> kGrades = {
    {{0.3, "blunder"}, {0.2, "mistake"}, {0.1, "inaccuracy"}}};
// Its place among them; none where a move gives away less.
std::optional<std::size_t> grade_of(double loss);

// What a position or a move is worth to the side to move.
struct Worth {
  double value = 0;
  games::Known known = {};
  std::optional<int> score = {};  // hundredths of the heuristic's unit
};

// What a game says itself of a move, where players have no values.
struct Judgement {
  std::string words;  // "bomb 12.3 %"
  std::string best;   // a better move; empty: none
  double loss = 0;    // of the expected result, from -1 to 1
};

struct PlayedMove {
  games::Side side = games::Side::first;
  std::string move;
  std::string position;  // where it was played
  std::string best;      // another move that was better; empty: none
  std::string words;     // of a game that judges its moves itself
  std::optional<Worth> worth, best_worth;
  std::optional<double> loss;
};

// How a side did over all its moves.
struct SideSummary {
  int moves = 0;
  int best = 0;  // where nothing was better
  std::array<int, kGrades.size()> grades = {};
  double loss = 0;

  // What is left of a win, a move: 100 % where nothing was given away.
  double accuracy() const { return 100 - 50 * loss / moves; }
};

class PlayedGame {
 public:
  using OnMove = std::function<void(std::size_t)>;  // called for every move, in order

  // The moves from number `from` on are judged.
  explicit PlayedGame(const games::SavedGame& game, std::size_t from = 0);

  // Both end early after an interrupt.
  void judge(const Toolkit& toolkit, const PlayerFactory& make, Seed seed, ThreadPool& pool,
             const OnMove& on_move);
  // By what the game says itself.
  void judge(
      const std::function<std::optional<Judgement>(const games::Session&, games::Action)>& own,
      const OnMove& on_move);

  const games::Facts& facts() const { return game_.game->facts(); }
  const std::vector<PlayedMove>& moves() const { return moves_; }
  // Those from `begin` to before `end` are judged so far.
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }
  SideSummary summary_of(games::Side side) const;
  // The line that should have been played instead of a move, as text; empty where none was better.
  std::vector<std::string> better_line(std::size_t i) const;

 private:
  void think_of(const Toolkit& toolkit, Player& player, Seed seed, std::size_t i);
  void compare(std::size_t i);

  const games::SavedGame& game_;
  std::size_t begin_, end_;
  std::vector<std::unique_ptr<games::Session>> positions_;  // before each move, and the last one
  std::vector<Answer> answers_;                             // to each position
  // After the best move, where another one was played.
  std::vector<std::unique_ptr<games::Session>> after_best_;
  std::vector<Answer> best_answers_;
  std::vector<PlayedMove> moves_;
};

}  // namespace damier::play
