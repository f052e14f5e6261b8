#include "damier/learn/sources/self_play/shared_games.h"

#include <utility>

#include "damier/base/files/bytes.h"
#include "damier/model/predictor.h"
#include "damier/nn/model_file.h"

namespace damier::learn {

namespace {

// The network of an order, with weights that came from another process.
template <class T>
Result<std::shared_ptr<const model::Predictor>> sent_network(const Recipe& recipe,
                                                             std::string_view weights) {
  const auto tensors = TRY(nn::parse_safetensors(weights, "weights"));
  auto network = std::make_shared<nn::Network<T>>(recipe.network, 1, nn::Use::inference);
  TRY(nn::load_weights(*network, tensors, "weights"));
  return std::shared_ptr<const model::Predictor>(
      model::predict_with<T>(std::move(network), recipe.self_play->play.games_at_once));
}

Result<std::shared_ptr<const model::Predictor>> sent_predictor(const Recipe& recipe,
                                                               std::string_view weights) {
  return recipe.doubles ? sent_network<double>(recipe, weights)
                        : sent_network<float>(recipe, weights);
}

MatchRequest match_request(const Recipe& recipe, Seed seed, std::uint64_t generation,
                           std::uint64_t games) {
  return {{recipe.self_play->encoder, seed, generation, 0, games}};
}

}  // namespace

// What others need to know; rank 0 needs the same.
struct SharedGames::Order {
  std::uint64_t generation = 0;
  const PlayingNetwork& network;
  bool match = false;
  const PlayingNetwork* opponent = nullptr;  // of a match; null: by name
  std::string name = {};
};

template <class T>
PlayingNetwork playing_network(const Recipe& recipe,
                               std::shared_ptr<const nn::Network<T>> weights) {
  return {model::predict_with<T>(weights, recipe.self_play->play.games_at_once),
          [weights] { return nn::serialize_safetensors(nn::model_tensors(*weights, {})); }};
}
template PlayingNetwork playing_network(const Recipe&, std::shared_ptr<const nn::Network<float>>);
template PlayingNetwork playing_network(const Recipe&, std::shared_ptr<const nn::Network<double>>);

Result<SharedWork> SharedGames::work_of(const Order& order, Result<Worker> worker) const {
  if (!worker) return std::move(worker).error();
  SharedWork work = {.kind = std::string(kSelfPlayWork), .worker = *std::move(worker)};
  if (ranks_.size() == 1) return work;
  ByteWriter bytes;
  bytes.text(recipe_.name).text(dump_line(recipe_.json));
  bytes.number(value_of(seed_)).number(order.generation);
  bytes.number(order.match).text(order.name);
  for (const PlayingNetwork* network : {&order.network, order.opponent}) {
    if (network == nullptr) continue;
    const auto weights = TRY(network->weights());
    bytes.text(weights);
  }
  work.order = bytes.take();
  return work;
}

Result<Worker> self_play_worker(std::string_view order, const Tasks& tasks, ThreadPool& pool) {
  ByteReader bytes(order);
  const std::string name(bytes.text());
  const auto json = TRY(parse_json(bytes.text(), name));
  const auto recipe = TRY(read_recipe(json, name, tasks));
  const Seed seed{bytes.number<std::uint64_t>()};
  const auto generation = bytes.number<std::uint64_t>();
  const bool match = bytes.number<bool>();
  const std::string opponent_name(bytes.text());
  const auto network = TRY(sent_predictor(recipe, bytes.text()));
  const SelfPlayRecipe& own = *recipe.self_play;
  // A network lives as long as the worker that asks it.
  const auto with = [](Result<Worker> worker, auto... networks) -> Result<Worker> {
    if (!worker) return worker;
    return Worker{worker->room,
                  [run = worker->run, networks...](NumberedWork& work) { return run(work); }};
  };
  if (!match) {
    const SelfPlayGames games = {own.encoder, seed, generation};
    return with(recipe.task->self_play_worker(own.play, games, *network, pool), network);
  }
  const MatchRequest request = match_request(recipe, seed, generation, 0);
  if (bytes.at_end()) {
    return with(recipe.task->self_play_match_worker(own.play, request, *network,
                                                    {nullptr, opponent_name}, pool),
                network);
  }
  const auto opponent = TRY(sent_predictor(recipe, bytes.text()));
  return with(
      recipe.task->self_play_match_worker(own.play, request, *network, {opponent.get(), ""}, pool),
      network, opponent);
}

Result<SelfPlayFigures> SharedGames::play(
    int generation, const PlayingNetwork& network, RowSink& rows,
    const std::function<void(std::uint64_t games, std::uint64_t simulations)>& tell) const {
  const SelfPlayGames games = {own_.encoder,
                               seed_,
                               static_cast<std::uint64_t>(generation),
                               0,
                               static_cast<std::uint64_t>(own_.games),
                               tell};
  auto work =
      TRY(work_of({games.generation, network},
                  recipe_.task->self_play_worker(own_.play, games, *network.predictor, pool_)));
  return collect_games(games, rows, std::move(work), ranks_);
}

Result<MatchCounts> SharedGames::match_against(int generation, const PlayingNetwork& network,
                                               const PlayingNetwork* opponent,
                                               const std::string& name, int games) const {
  const MatchRequest request = match_request(recipe_, seed_, static_cast<std::uint64_t>(generation),
                                             static_cast<std::uint64_t>(games + games % 2));
  const Opponent other = {opponent == nullptr ? nullptr : opponent->predictor.get(), name};
  auto work = TRY(work_of(
      {request.games.generation, network, true, opponent, name},
      recipe_.task->self_play_match_worker(own_.play, request, *network.predictor, other, pool_)));
  return collect_match(request, std::move(work), ranks_);
}

Result<MatchCounts> SharedGames::match(int generation, const PlayingNetwork& network,
                                       const PlayingNetwork& opponent, int games) const {
  return match_against(generation, network, &opponent, "", games);
}

Result<MatchCounts> SharedGames::match(int generation, const PlayingNetwork& network,
                                       const std::string& opponent, int games) const {
  return match_against(generation, network, nullptr, opponent, games);
}

}  // namespace damier::learn
