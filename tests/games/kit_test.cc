// The generic test kit on every game that ships, under the rule options that change its shape.

#include "damier/testing/kit.h"

#include <memory>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "damier/games/any_game_impl.h"
#include "damier/games/builtin.h"
#include "damier/games/defaults.h"

namespace damier::games {
namespace {

template <class List>
struct TypesOf;
template <class... G>
struct TypesOf<GameList<G...>> {
  using Types = testing::Types<G...>;
};

// Every game that ships, as it is played without options.
template <class G>
class EveryGame : public testing::Test {};

struct NameOfGame {
  template <class G>
  static std::string GetName(int) {
    return std::string(G::facts().name);
  }
};

TYPED_TEST_SUITE(EveryGame, TypesOf<BuiltinGames>::Types, NameOfGame);

TYPED_TEST(EveryGame, KeepsTheLaws) {
  const TypeParam game;
  kit::check_random_games(game, 2, 30);
  if constexpr (Game<TypeParam>) kit::check_perft(game, game.initial(), 2);
}

// Counts to any number, in a state whose copies share their memory.
struct SharedCounter {
  using Move = int;
  struct State {
    std::shared_ptr<int> sum = std::make_shared<int>(0);
    bool operator==(const State& other) const { return *sum == *other.sum; }
  };
  std::vector<Move> legal_moves(const State&) const { return {1}; }
  void play(State& state, Move move) const { *state.sum += move; }
  int hash(const State& state) const { return *state.sum; }
  std::string position_text(const State& state) const { return std::to_string(*state.sum); }
  std::string move_text(const State&, Move) const { return "one"; }
};

TEST(Kit, FindsStatesThatShareTheirMemory) {
  EXPECT_FATAL_FAILURE(kit::check_play(SharedCounter(), SharedCounter::State(), 1),
                       "playing on a copy has changed the state");
}

// One move, by which the first player wins: the least that is a game. What it shows can be wrong.
struct Sound {
  using Words = std::array<std::string_view, 2>;
  static constexpr Words kSides = {"left", "right"};
  static constexpr int kPointedAt = 1;
};
struct Beside : Sound {
  static constexpr int kPointedAt = 2;
};
struct SameNames : Sound {
  static constexpr Words kSides = {"left", "left"};
};
struct ReservedName : Sound {
  static constexpr Words kSides = {"left", "both"};
};
template <class Shown>
struct OneMove : GameDefaults<OneMove<Shown>> {
  enum class Move : std::uint8_t {};
  struct State {
    bool over = false;
    bool operator==(const State&) const = default;
  };
  using MoveList = InlineList<Move, 1>;

  static const Facts& facts() {
    static const Facts facts = {"one-move",  "One move",    "one move",
                                "One move.", "m",           2,
                                false,       Shown::kSides, {Colour::green, Colour::red}};
    return facts;
  }
  State initial() const { return {}; }
  Side side_to_move(const State& state) const { return state.over ? Side::second : Side::first; }
  MoveList legal_moves(const State& state) const {
    MoveList moves;
    if (!state.over) moves.push_back(Move{});
    return moves;
  }
  void play(State& state, Move) const { state.over = true; }
  Outcome outcome(const State& state) const {
    return state.over ? Outcome::first_wins : Outcome::ongoing;
  }
  std::uint64_t hash(const State& state) const { return state.over; }
  std::string position_text(const State& state) const { return state.over ? "over" : "start"; }
  Result<State> parse_position(std::string_view text) const { return State{text == "over"}; }
  std::string move_text(const State&, Move) const { return "m"; }
  int action_count() const { return 1; }
  Action action(const State&, Move) const { return action_at(0); }
  std::span<const Symmetry> symmetries(const State&) const {
    static constexpr std::array<Symmetry, 1> kNone = {};
    return kNone;
  }
  State transformed(const State& state, Symmetry) const { return state; }
  Move transformed(Move move, Symmetry) const { return move; }
  FeatureShape feature_shape() const { return {1, 1, 1}; }
  void write_features(const State& state, std::span<float> out) const { out[0] = state.over; }
  Picture picture(const State&, std::span<const Move>) const {
    Picture picture{.rows = 1, .cols = 2};
    for (const Side side : {Side::first, Side::second}) {
      picture.cells.push_back({{{"disc", side}}});
    }
    return picture;
  }
  Gesture gesture(const State&, Move) const { return {"place", {Shown::kPointedAt}}; }
};

using SoundGame = OneMove<Sound>;

TEST(Kit, AcceptsTheLeastThatIsAGame) { kit::check_random_games(SoundGame(), 1, 2); }

TEST(Kit, FindsMovesThatPointBesideTheBoard) {
  EXPECT_FATAL_FAILURE(kit::check_picture<OneMove<Beside>>({}, {}, {}), "Expected: (cell) <");
}

TEST(Kit, FindsSidesThatCannotBeToldApart) {
  EXPECT_FATAL_FAILURE(kit::check_facts<OneMove<SameNames>>(), "both sides have the same name");
  EXPECT_FATAL_FAILURE(kit::check_facts<OneMove<ReservedName>>(), "a side's name: both");
}

TEST(Session, SidesHaveTheColoursThatTheirGameChooses) {
  const auto game = game_entry<SoundGame>().make({}).value();
  const Picture picture = game->start(Seed{0})->picture();
  EXPECT_EQ(picture.colours, (std::array{Colour::green, Colour::red}));
}

// The concept refuses what searches could not treat, before they are compiled.
static_assert(Game<SoundGame>);
struct ListOnTheHeap : SoundGame {
  using MoveList = std::vector<Move>;
  MoveList legal_moves(const State&) const { return {}; }
};
static_assert(!Game<ListOnTheHeap>);
struct ListOfOthers : SoundGame {
  using MoveList = InlineList<int, 1>;
  MoveList legal_moves(const State&) const { return {}; }
};
static_assert(!Game<ListOfOthers>);
struct StateOnTheHeap : SoundGame {
  using State = std::string;
};
static_assert(!Game<StateOnTheHeap>);

TEST(Kit, Fanorona) {
  const fanorona::Fanorona game;
  kit::check_random_games(game, 30, 60);
  kit::check_perft(game, game.initial(), 7);
}

TEST(Kit, Bremen) {
  for (const bool option : {false, true}) {
    const bremen::Bremen game({.rooster_wins = option, .only_carried_bind = option});
    kit::check_random_games(game, 12, 120);
    kit::check_perft(game, game.initial(), 3);
    kit::check_perft(game, *game.parse_position("a1b1c1d1/a5b5c5d5 b"), 4);
  }
}

TEST(Kit, Domineering) {
  for (const auto& [rows, cols] : {std::pair{8, 8}, {3, 5}, {1, 64}, {64, 1}, {1, 1}, {2, 32}}) {
    const domineering::Domineering game(rows, cols);
    kit::check_random_games(game, 8, 64);
    kit::check_perft(game, game.initial(), 3);
  }
}

TEST(Kit, Minesweeper) {
  using minesweeper::FirstClick;
  for (const FirstClick first : {FirstClick::safe, FirstClick::opening, FirstClick::any}) {
    kit::check_random_games(minesweeper::Minesweeper(5, 5, 4, first), 10, 30);
    kit::check_random_games(minesweeper::Minesweeper(4, 7, 3, first), 10, 30);
  }
  kit::check_random_games(minesweeper::Minesweeper(1, 9, 2), 5, 20);
  kit::check_random_games(minesweeper::Minesweeper(20, 64, 200), 1, 3);
}

TEST(SlowKit, ManyMoreGames) {
  kit::check_random_games(fanorona::Fanorona(), 500, 200);
  kit::check_random_games(bremen::Bremen(), 150, 400);
  kit::check_random_games(domineering::Domineering(), 150, 64);
  kit::check_random_games(domineering::Domineering(7, 9), 150, 64);
  kit::check_random_games(minesweeper::Minesweeper(8, 8, 10), 150, 60);
  kit::check_random_games(minesweeper::Minesweeper(64, 64, 700), 2, 5);
}

}  // namespace
}  // namespace damier::games
