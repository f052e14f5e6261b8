// Self-play as a task offers it: games of a network against itself, in which a tree search is the
// teacher, and games that measure a network.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/base/parallel/ranks.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/result.h"
#include "damier/games/game.h"
#include "damier/learn/rows/row_buffer.h"
#include "damier/learn/sources/self_play/root_search.h"
#include "damier/play/ratings/statistics.h"
#include "damier/store/store.h"

namespace damier::model {
class Predictor;
}

namespace damier::learn {

// How games are played.
struct SelfPlayOptions {
  RootOptions root;
  double c = 1.5;        // exploration below the root (PUCT)
  int random_plies = 0;  // games begin with up to so many random moves, to see more of the game
  double search_value = 0.5;  // the share of the search's value in the target; the rest: the result
  double resign = 0;          // a side gives up when it expects less than minus this; 0: never
  double resign_checked = 0.1;  // the share of games that are played on, to see how often that errs
  int games_at_once = 64;       // by one thread: their leaves are evaluated together
  bool cache = true;            // of evaluations; the same games with and without
};

// Which games: they follow from the seed, the generation, their numbers and the network alone.
struct SelfPlayGames {
  std::string encoder;
  Seed seed = Seed{1};
  std::uint64_t generation = 0;
  std::uint64_t first = 0;  // numbers
  std::uint64_t count = 0;
  int opening_plies = 2;  // of a match
  // Hears how many games are over, with how many simulations, by one thread at a time; may be
  // empty.
  std::function<void(std::uint64_t games, std::uint64_t simulations)> tell = {};
};

// What games tell.
struct SelfPlayFigures {
  std::uint64_t games = 0, positions = 0;
  std::uint64_t first_wins = 0, second_wins = 0, draws = 0;
  std::uint64_t simulations = 0;
  // What they found, and what was found out of each position before them: answers of the network,
  // of the cache, and results that are certain. The sum is that of simulations and positions.
  std::uint64_t evaluations = 0, cached = 0, certain = 0;
  std::uint64_t passes = 0;  // of the network, each with many of its evaluations
  std::uint64_t resigned = 0;
  // Of the games that were played on after a side would have resigned.
  std::uint64_t resignations_checked = 0, resignations_wrong = 0;

  // All of them, by name.
  static void each(auto& figures, const auto& see) {
    see("games", figures.games);
    see("positions", figures.positions);
    see("first_wins", figures.first_wins);
    see("second_wins", figures.second_wins);
    see("draws", figures.draws);
    see("simulations", figures.simulations);
    see("evaluations", figures.evaluations);
    see("cached", figures.cached);
    see("certain", figures.certain);
    see("passes", figures.passes);
    see("resigned", figures.resigned);
    see("resignations_checked", figures.resignations_checked);
    see("resignations_wrong", figures.resignations_wrong);
  }
};

// Adds figures that each() lists.
template <class Figures>
void add_figures(Figures& sum, const Figures& more) {
  std::vector<std::uint64_t> numbers;
  Figures::each(more, [&](std::string_view, std::uint64_t figure) { numbers.push_back(figure); });
  auto next = numbers.begin();
  Figures::each(sum, [&](std::string_view, std::uint64_t& figure) { figure += *next++; });
}

// The opponent of a network in a match, whose games come in pairs that share an opening of random
// moves and swap the sides: another network, or a player by its text.
struct Opponent {
  const model::Predictor* network = nullptr;
  std::string name = {};
};
struct MatchedGame {
  bool network_first = true;
  games::Outcome outcome = games::Outcome::draw;
  std::vector<std::string> moves;
};
// As the network saw them.
struct MatchCounts : play::Record {
  std::vector<MatchedGame> played = {};  // by number
};

// The games of a match as a run keeps them, numbered after those that are there. `epoch` counts the
// epochs before.
void add_match_rows(const MatchCounts& match, const std::string& network,
                    const std::string& opponent, int epoch, std::vector<GameRow>& rows);

// The columns of self-play's rows:
//   input  the encoder's numbers
//   moves  what the search thinks of each action, with sum 1
//   legal  1 at the action of each legal move
//   value  the result for the side to move, mixed with what the search expected
//   group  the number of the game
std::vector<Column> self_play_columns(std::uint64_t inputs, std::uint64_t actions);

// What is found out about a game by whoever plays it, for whoever collects the games.
std::string packed_game(const SelfPlayFigures& figures, const RowBuffer& rows);
SelfPlayFigures unpacked_figures(std::string_view packed_game);
std::string packed_match_game(const MatchedGame& game);

// Has games played by whoever shares the work, of which kind, order and worker are given, and
// writes their rows game by game.
Result<SelfPlayFigures> collect_games(const SelfPlayGames& games, RowSink& sink, SharedWork work,
                                      Ranks& ranks);
Result<MatchCounts> collect_match(const SelfPlayGames& games, SharedWork work, Ranks& ranks);

}  // namespace damier::learn
