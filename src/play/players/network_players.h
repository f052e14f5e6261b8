// Networks as players of any game of two, alone or inside a tree search.
#pragma once

#include "damier/model/library.h"
#include "damier/model/network_evaluator.h"
#include "damier/play/players/players.h"
#include "damier/play/players/search_players.h"

namespace damier::play {

// How much a tree search explores that a network leads, unless it is told.
inline constexpr double kNetworkExploration = 1.5;

namespace detail {

// The network alone: the move of the greatest prior, the first of several, or with a temperature
// one drawn by lot. Without a head that says moves their priors follow from what it expects after
// each of them.
template <games::Game G>
class NetworkPlayer final : public Player {
 public:
  using Network = model::NetworkEvaluator<G>;
  explicit NetworkPlayer(Network network, double temperature = 0)
      : network_(std::move(network)), temperature_(temperature) {}

  games::Action choose(const games::Session& session, RandomStream& random) override {
    const auto moves = asked(games::history_of<G>(session), random);
    return moves[temperature_ > 0 ? drawn_by_prior(moves, temperature_, random) : 0].move;
  }

  Answer answer(const games::Session& session, const Ask& ask) override {
    const auto& history = games::history_of<G>(session);
    Answer answer;
    answer.moves = asked(history, *ask.random);
    answer.line = {answer.best().move};
    answer.nodes = 1;
    if (!network_.knows_value()) return answer;
    for (MoveAnswer& seen : answer.moves) {
      const auto move = history.game().move(history.state(), seen.move);
      seen.value = value_after(history, *move, *ask.random);
      ++answer.nodes;
    }
    return answer;
  }

 private:
  // All moves with their priors, the greatest first.
  std::vector<MoveAnswer> asked(const games::History<G>& history, RandomStream& random) {
    const auto legal = history.game().legal_moves(history.state());
    priors_.assign(legal.size(), 0.0f);
    if (network_.knows_moves()) {
      search::ask(network_, history.game(), history.state(), {legal.begin(), legal.end()}, priors_,
                  random);
    } else {
      for (std::size_t i = 0; i < legal.size(); ++i) {
        priors_[i] = kSharpness * static_cast<float>(value_after(history, legal[i], random));
      }
      model::softmax(priors_);
    }
    std::vector<MoveAnswer> moves(legal.size());
    for (std::size_t i = 0; i < legal.size(); ++i) {
      moves[i].move = history.game().action(history.state(), legal[i]);
      moves[i].prior = priors_[i];
    }
    put_likely_first(moves);
    return moves;
  }

  // What the network thinks of the position after a move, for the side that makes it.
  double value_after(const games::History<G>& history, typename G::Move move,
                     RandomStream& random) {
    auto after = history;
    after.play(move);
    if (after.outcome() != games::Outcome::ongoing) {
      return games::value_of(
          games::verdict_of(after.outcome(), history.game().side_to_move(history.state())));
    }
    return -static_cast<double>(
        search::ask(network_, after.game(), after.state(), {}, {}, random).value);
  }

  // By how much the logarithms of two priors differ whose moves differ by 1 in value.
  static constexpr float kSharpness = 20;

  Network network_;
  double temperature_;
  std::vector<float> priors_;
};

// Every player has a copy; those of a network in training share the weights of this moment.
template <games::Game G>
PlayerFactory network_players(const model::NetworkEvaluator<G>& network, double temperature = 0) {
  using Network = model::NetworkEvaluator<G>;
  return [shared = std::make_shared<const Network>(network), temperature] {
    return std::make_unique<NetworkPlayer<G>>(Network(*shared), temperature);
  };
}

// `net`, `net:MODEL`, `net:MODEL,mcts=N`, `net:MODEL,temperature=T`.
template <games::Game G>
Result<PlayerFactory> open_network(const G& game, PlayerText& text) {
  const auto name = text.text(kNetworkModel, kNetworkModelHelp);
  const auto settings =
      read_tree_settings(text, "mcts=N", search::Formula::puct, kNetworkExploration);
  const double temperature = text.number(
      "temperature=T",
      "without a search: temperature of the softmax that moves are drawn from; 0: the best move", 0,
      1e6, 0);
  TRY(text.finish());
  const bool searches = text.has("mcts") || text.has("seconds");
  if (temperature > 0 && searches) {
    return Error{"temperature: is for the network alone; expected no mcts or seconds"};
  }
  const auto path = TRY(name ? model::model_path(*name) : model::best_model_path(G::facts().name));
  const auto model = TRY(model::open_model(path));
  auto network = TRY(model::NetworkEvaluator<G>::open(game, model));
  return searches ? tree_players(game, settings, std::move(network))
                  : network_players(network, temperature);
}

}  // namespace detail

// A network that is at hand as a player, for instance one in training: with the weights that it has
// now, alone or inside a tree search of `simulations` a move.
template <games::Game G>
OpenedPlayer network_player(std::string name, const G& game,
                            const model::NetworkEvaluator<G>& network,
                            std::uint64_t simulations = 0) {
  if (simulations == 0) return {std::move(name), detail::network_players(network)};
  const detail::TreeSettings settings = {
      {.formula = search::Formula::puct, .c = kNetworkExploration}, {.nodes = simulations}};
  return {std::move(name), detail::tree_players(game, settings, network)};
}

}  // namespace damier::play
