// Matches from code: players by name, a player of one's own, and a network that was never a file.

#include "damier/play/contest/match.h"

#include <cstdio>
#include <memory>

#include "damier/learn/fanorona/task.h"
#include "damier/learn/train/training_run.h"
#include "damier/nn/model_file.h"
#include "damier/play/players/network_players.h"

using namespace damier;

namespace {

void print(const char* who, const play::MatchResult& match) {
  std::printf("%s: %.1f %% [%.1f, %.1f], Elo %s\n", who, 100 * match.score.value,
              100 * match.score.interval.low, 100 * match.score.interval.high,
              play::elo_text(match.elo).c_str());
}

int print(const Error& error) { return std::puts(error.text().c_str()), 2; }

// Plays the move after which the opponent has the fewest.
class Stifler : public play::Player {
 public:
  games::Action choose(const games::Session& session, RandomStream&) override {
    games::Action best = {};
    std::size_t fewest = SIZE_MAX;
    for (const games::Action action : session.legal_actions()) {
      const auto after = session.clone();
      after->play(action);
      const std::size_t replies = after->legal_actions().size();
      if (replies < fewest) best = action, fewest = replies;
    }
    return best;
  }
};

int match_by_name(const play::Registry& registry) {
  const auto match = play::play_match(registry, "domineering", "uct:200", "flat:10",
                                      {.games = 40, .rules = {{"board", "6x6"}}});
  if (!match) return print(match.error());
  print("uct:200 against flat:10", *match);
  return 0;
}

int match_of_ones_own(const play::Registry& registry) {
  const play::OpenedPlayer stifler = {"stifler", [] { return std::make_unique<Stifler>(); }};
  const auto match = play::play_match(registry, "domineering", stifler, "random");
  if (!match) return print(match.error());
  print("stifler against random", *match);
  return 0;
}

int match_of_a_network(const play::Registry& registry) {
  // Train, and keep the weights in memory.
  ThreadPool pool;
  const auto recipe = learn::find_recipe("fanorona-quick");
  if (!recipe) return print(recipe.error());
  const auto data = learn::open_data(*recipe, pool);
  if (!data) return print(data.error());
  const auto trained = learn::train(*recipe, *data, Seed{1}, pool);
  if (!trained) return print(trained.error());
  nn::Network<float> network(recipe->network, 1, nn::Use::inference);
  const auto loaded = nn::load_weights(network, trained->model, "fanorona-quick");
  if (!loaded) return print(loaded.error());

  // The network evaluates positions, and the evaluator plays: alone, or inside a tree search.
  using games::fanorona::Fanorona;
  const Fanorona game;
  const auto evaluator =
      model::NetworkEvaluator<Fanorona>::make(game, "flat", model::predict_with(network));
  if (!evaluator) return print(evaluator.error());
  const auto alone = play::network_player("network", game, *evaluator);
  const auto searching = play::network_player("network with search", game, *evaluator, 50);
  for (const auto& player : {alone, searching}) {
    const auto match = play::play_match(registry, "fanorona", player, "random");
    if (!match) return print(match.error());
    print((player.name + " against random").c_str(), *match);
  }
  return 0;
}

}  // namespace

int main() {
  const play::Registry registry = play::builtin_games();
  for (const auto example : {match_by_name, match_of_ones_own, match_of_a_network}) {
    if (const int code = example(registry); code != 0) return code;
  }
}
