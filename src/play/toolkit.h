// What can be done with a game beyond its rules, for those who know it by name only: players that
// search, exact answers. Search and solvers are templates over the game's type; a toolkit hides it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/parallel/ranks.h"
#include "damier/base/parallel/threads.h"
#include "damier/exact/exact.h"
#include "damier/games/any_game.h"
#include "damier/play/players/player_kind.h"

namespace damier::play {

using exact::SpaceFigure;

// How a player of a game of one player did.
struct Evaluation {
  std::uint64_t games = 0;
  std::uint64_t wins = 0;
  std::vector<double> scores;  // one a game
};

class Toolkit {
 public:
  virtual ~Toolkit() = default;
  virtual const games::AnyGame& game() const = 0;

  // The players that the game can have beside those that every game has (play/players/players.h).
  virtual std::vector<PlayerKind> player_kinds() const = 0;
  // The player whose hints are worth most.
  virtual std::string strongest_player() const = 0;

  // Gives exact answers for positions of the game, as far as the limits allow; what it found out
  // helps with the next ones. For one thread; the toolkit must outlive it.
  using Solver = std::function<Result<Answer>(const games::Session& session, const Ask& ask)>;
  virtual Solver solver() const = 0;
  // One answer.
  Result<Answer> solve(const games::Session& session, const Ask& ask) const {
    return solver()(session, ask);
  }
  // Whether positions have exact answers, from a table or from a solver of the game's own.
  virtual bool is_solved() const = 0;
  // Exact answers cost nothing: they are all in a table.
  virtual bool knows_every_state() const = 0;
  // The same for one position, and for those that its moves lead to.
  virtual bool knows(const games::Session& session) const = 0;
  // Counts over all states, where the game is small enough to have all of them.
  virtual Result<std::vector<SpaceFigure>> state_space() const = 0;

  // Games of one player only: plays game i with what the seed hides under number i. `on_done` hears
  // of every few games, from any thread but one at a time. Nothing is told after an interrupt.
  Result<Evaluation> evaluate(const std::string& player, std::uint64_t games, Seed seed,
                              ThreadPool& pool, const std::function<void(std::uint64_t)>& on_done,
                              Ranks& ranks = no_other_ranks()) const;
  // Plays these games in chunks of kEvaluationChunk; whether each was won, and its score.
  virtual Result<Worker> evaluation_worker(const std::string& player, std::uint64_t games,
                                           Seed seed, ThreadPool& pool) const = 0;
};

// For those who know the game's type. Those of the games that ship are compiled once; for others
// include play/add_game.h.
template <class G>
[[gnu::noinline]] std::shared_ptr<const Toolkit> toolkit_of(const G& game);

inline constexpr std::uint64_t kEvaluationChunk = 64;

// The kind of work, for Ranks::serve().
class Registry;
inline constexpr std::string_view kEvaluationWork = "evaluation";
Result<Worker> evaluation_worker(std::string_view order, const Registry& registry,
                                 ThreadPool& pool);

}  // namespace damier::play
