// One thin type-erased layer over the concepts, for everybody who knows a game only by its name:
// the program, the server, the web page. Moves are named by their action index here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/result.h"
#include "damier/games/game.h"
#include "damier/games/picture.h"

namespace damier::games {

struct PerftReport {
  std::uint64_t nodes = 0;
  std::vector<std::pair<std::string, std::uint64_t>> moves;  // in the order of generation
};

// A game being played: its start, its moves so far, its position now.
class Session {
 public:
  virtual ~Session() = default;
  virtual std::unique_ptr<Session> clone() const = 0;

  virtual Side side_to_move() const = 0;
  virtual Outcome outcome() const = 0;  // draws by repetition and length included
  virtual Text ending() const = 0;
  virtual std::vector<Figure> figures() const = 0;

  // Empty when the game is over.
  virtual std::vector<Action> legal_actions() const = 0;
  // Of those, the ones that uncover something; all of them where nothing is hidden.
  virtual std::vector<Action> playing_actions() const = 0;
  virtual Result<Action> parse_move(std::string_view text) const = 0;
  virtual std::string move_text(Action action) const = 0;  // of a legal action
  virtual void play(Action action) = 0;                    // of a legal action
  virtual bool undo() = 0;                                 // false at the start

  virtual int plies() const = 0;
  virtual std::vector<std::string> move_texts() const = 0;
  virtual std::string start_text() const = 0;
  virtual std::string position_text() const = 0;
  virtual std::uint64_t hash() const = 0;
  virtual Picture picture() const = 0;
  virtual Gesture gesture(Action action) const = 0;  // of a legal action

  // Perft of the position now. `on_done(done, of, nodes)` hears of every part that is done, from
  // any thread but one at a time, and once before the first. Ends early, with a void report, after
  // an interrupt.
  using PerftProgress = std::function<void(std::size_t, std::size_t, std::uint64_t)>;
  virtual Result<PerftReport> perft(int depth, ThreadPool& pool,
                                    const PerftProgress& on_done) const = 0;
};

// A game under chosen rule options.
class AnyGame {
 public:
  virtual ~AnyGame() = default;
  virtual const Facts& facts() const = 0;
  virtual OptionValues option_values() const = 0;
  virtual int action_count() const = 0;
  virtual FeatureShape feature_shape() const = 0;

  // From the start; `seed` decides what is hidden, if anything is.
  virtual std::unique_ptr<Session> start(Seed seed) const = 0;
  virtual Result<std::unique_ptr<Session>> start_from(std::string_view position) const = 0;

  // Boards put together by hand (games/picture.h). No pieces: the game has no such boards.
  virtual std::vector<Token> pieces() const = 0;
  virtual void put(Placement& placement, int cell, const Token& piece) const = 0;
  virtual std::string text_of(const Placement& placement) const = 0;
};

template <PlayableGame G>
class History;

// Back to the game's own type, which must be G, for those who know it.
template <class G>
const G& rules_of(const AnyGame& game);
template <class G>
const History<G>& history_of(const Session& session);

// What the registry keeps of a game before its options are chosen.
struct GameEntry {
  const Facts& facts;
  std::span<const Option> options;
  std::span<const Preset> presets;
  std::function<Result<std::shared_ptr<const AnyGame>>(const OptionValues&)> make;
};

// The layer's view of a game that models Game or HiddenGame. The templates above and this one are
// defined in games/any_game_impl.h; those of a game that ships are compiled once.
template <PlayableGame G>
GameEntry game_entry();

}  // namespace damier::games
