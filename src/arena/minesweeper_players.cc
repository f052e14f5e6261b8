// The solver as a player of minesweeper.

#include "damier/arena/hidden_players.h"
#include "damier/solve/minesweeper_solver.h"

namespace damier::arena::detail {

namespace {

using games::minesweeper::Minesweeper;
using solve::minesweeper::FirstCell;
using solve::minesweeper::Solver;
using solve::minesweeper::SolverOptions;

class SolverPlayer final : public Player {
 public:
  explicit SolverPlayer(const SolverOptions& options) : solver_(options) {}

  games::Action choose(const games::Session& session, RandomStream& random) override {
    const auto& history = games::history_of<Minesweeper>(session);
    const Minesweeper& game = history.game();
    const auto move = solver_.choose(game.observe(history.state()), random);
    return game.action(history.state(), move);
  }

  Solver& solver() { return solver_; }

 private:
  Solver solver_;
};

}  // namespace

std::unique_ptr<Player> HiddenPlayers<Minesweeper>::make(const Minesweeper&, PlayerText& text) {
  constexpr std::string_view kFirst[] = {"random", "corner"};
  SolverOptions options;
  if (text.word("first", kFirst) == "corner") options.first = FirstCell::corner;
  return std::make_unique<SolverPlayer>(options);
}

template <>
HiddenResult play_hidden<Minesweeper>(const games::AnyGame& game, Player& player, Seed deal,
                                      RandomStream& random) {
  const Minesweeper& rules = games::rules_of<Minesweeper>(game);
  if (auto* solver = dynamic_cast<SolverPlayer*>(&player)) {
    const auto result = solver->solver().play(rules, deal, random);
    return {result.won, static_cast<double>(result.score)};
  }
  const auto session = game.start(deal);
  while (session->outcome() == games::Outcome::ongoing) {
    session->play(player.choose(*session, random));
  }
  return {session->outcome() == games::Outcome::first_wins,
          static_cast<double>(rules.score(games::history_of<Minesweeper>(*session).state()))};
}

}  // namespace damier::arena::detail
