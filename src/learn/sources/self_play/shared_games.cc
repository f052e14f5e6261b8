#include "damier/learn/sources/self_play/shared_games.h"

#include <algorithm>

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

Json figures_json(const SelfPlayFigures& figures) {
  Json json = Json::object();
  SelfPlayFigures::each(figures,
                        [&](const char* name, std::uint64_t figure) { json[name] = figure; });
  return json;
}

Result<SelfPlayFigures> read_figures(const Json& json, const std::string& source) {
  JsonFields fields(json, "figures", source);
  SelfPlayFigures figures;
  SelfPlayFigures::each(figures, [&](std::string_view name, std::uint64_t& figure) {
    figure = static_cast<std::uint64_t>(fields.integer(name, 0, std::int64_t{1} << 60));
  });
  TRY(fields.finish());
  return figures;
}

}  // namespace

std::optional<GenerationGames> kept_games(const std::filesystem::path& file, const Json& info) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  auto rows = DataSet::open(file);
  if (!rows) return std::nullopt;
  const bool same = std::ranges::all_of(info.items(), [&](const auto& item) {
    const Json* found = rows->info().find(item.first);
    return found != nullptr && *found == item.second;
  });
  const Json* figures = rows->info().find("figures");
  if (!same || figures == nullptr) return std::nullopt;
  const auto read = read_figures(*figures, rows->source());
  if (!read) return std::nullopt;
  return GenerationGames{*std::move(rows), *read};
}

Status write_games(const std::filesystem::path& file, const GenerationGames& games, Json info) {
  auto writer = TRY(DataSetWriter::create(file, games.rows.columns()));
  std::vector<std::span<const std::byte>> columns;
  for (std::size_t k = 0; k < games.rows.columns().size(); ++k) {
    const std::uint64_t bytes = games.rows.row_count() * games.rows.columns()[k].row_bytes();
    columns.emplace_back(games.rows.in_place(static_cast<int>(k), 0), bytes);
  }
  TRY(writer->append(Split::training, columns));
  info["figures"] = figures_json(games.figures);
  TRY(writer->finish(std::move(info)));
  return Done{};
}

template <class T>
PlayingNetwork playing_network(const Recipe& recipe,
                               std::shared_ptr<const nn::Network<T>> weights) {
  return {model::predict_with<T>(weights, recipe.self_play->play.games_at_once),
          [weights] { return nn::serialize_safetensors(nn::model_tensors(*weights, {})); }};
}
template PlayingNetwork playing_network(const Recipe&, std::shared_ptr<const nn::Network<float>>);
template PlayingNetwork playing_network(const Recipe&, std::shared_ptr<const nn::Network<double>>);

// What others need to know; rank 0 needs the same.
Result<SharedWork> SharedGames::work_of(
    std::uint64_t generation, Result<Worker> worker, bool match, const std::string& name,
    std::initializer_list<const PlayingNetwork*> networks) const {
  SharedWork work = {.kind = std::string(kSelfPlayWork)};
  work.worker = TRY(std::move(worker));
  if (ranks_.size() == 1) return work;
  ByteWriter bytes;
  bytes.text(recipe_.name).text(dump_line(recipe_.json));
  bytes.number(value_of(seed_)).number(generation).number(match).text(name);
  for (const PlayingNetwork* network : networks) {
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
  const SelfPlayGames games = {own.encoder, seed, generation};
  if (!match) {
    return with(recipe.task->self_play_worker(own.play, games, *network, pool), network);
  }
  if (bytes.at_end()) {
    return with(recipe.task->self_play_match_worker(own.play, games, *network,
                                                    {nullptr, opponent_name}, pool),
                network);
  }
  const auto opponent = TRY(sent_predictor(recipe, bytes.text()));
  return with(
      recipe.task->self_play_match_worker(own.play, games, *network, {opponent.get(), ""}, pool),
      network, opponent);
}

Result<SelfPlayFigures> SharedGames::play(int generation, const PlayingNetwork& network,
                                          RowSink& rows, const Tell& tell) const {
  SelfPlayGames games = games_of(generation, own_.games);
  games.tell = tell;
  auto work = TRY(work_of(
      games.generation, recipe_.task->self_play_worker(own_.play, games, *network.predictor, pool_),
      false, "", {&network}));
  return collect_games(games, rows, std::move(work), ranks_);
}

Result<MatchCounts> SharedGames::match(int generation, const PlayingNetwork& network,
                                       const PlayingNetwork* opponent, const std::string& name,
                                       int games) const {
  const SelfPlayGames played = games_of(generation, games + games % 2);
  const Opponent other = {opponent == nullptr ? nullptr : opponent->predictor.get(), name};
  auto work = TRY(work_of(
      played.generation,
      recipe_.task->self_play_match_worker(own_.play, played, *network.predictor, other, pool_),
      true, name, {&network, opponent}));
  return collect_match(played, std::move(work), ranks_);
}

}  // namespace damier::learn
