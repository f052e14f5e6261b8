#include "damier/learn/sources/self_play/generation_games.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace damier::learn {

namespace {

Json figures_json(const SelfPlayFigures& figures) {
  return {{"games", figures.games},
          {"positions", figures.positions},
          {"first_wins", figures.first_wins},
          {"second_wins", figures.second_wins},
          {"draws", figures.draws},
          {"simulations", figures.simulations},
          {"evaluations", figures.evaluations},
          {"resigned", figures.resigned},
          {"resignations_checked", figures.resignations_checked},
          {"resignations_wrong", figures.resignations_wrong}};
}

Result<SelfPlayFigures> read_figures(const Json& json, const std::string& source) {
  JsonFields fields(json, "figures", source);
  const auto count = [&](std::string_view key) {
    return static_cast<std::uint64_t>(fields.integer(key, 0, std::int64_t{1} << 60));
  };
  SelfPlayFigures figures;
  figures.games = count("games");
  figures.positions = count("positions");
  figures.first_wins = count("first_wins");
  figures.second_wins = count("second_wins");
  figures.draws = count("draws");
  figures.simulations = count("simulations");
  figures.evaluations = count("evaluations");
  figures.resigned = count("resigned");
  figures.resignations_checked = count("resignations_checked");
  figures.resignations_wrong = count("resignations_wrong");
  if (auto status = fields.finish(); !status) return std::move(status).error();
  return figures;
}

// The games of a file, if they are those of this generation and whole; a run that was killed while
// it wrote them plays them again.
std::optional<GenerationGames> kept_games(const std::filesystem::path& file, const Json& info) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  auto rows = DataSet::open(file);
  if (!rows) return std::nullopt;
  const bool same = std::all_of(info.items().begin(), info.items().end(), [&](const auto& item) {
    const Json* found = rows->info().find(item.first);
    return found != nullptr && *found == item.second;
  });
  const Json* figures = rows->info().find("figures");
  if (!same || figures == nullptr) return std::nullopt;
  const auto read = read_figures(*figures, rows->source());
  if (!read) return std::nullopt;
  return GenerationGames{*std::move(rows), *read, true};
}

}  // namespace

Json generation_info(const Recipe& recipe, Seed seed, int generation) {
  return {{"task", std::string(recipe.task->name())},
          {"game", std::string(recipe.task->game())},
          {"encoder", recipe.self_play->encoder},
          {"generation", generation},
          {"recipe", recipe.hash()},
          {"seed", std::to_string(value_of(seed))}};
}

Result<GenerationGames> generation_games(
    const SharedGames& games, int generation, const PlayingNetwork& network,
    const std::filesystem::path& file,
    const std::function<void(std::uint64_t games, std::uint64_t simulations)>& tell) {
  const Recipe& recipe = games.recipe();
  Json info = generation_info(recipe, games.seed(), generation);
  if (!file.empty()) {
    if (auto kept = kept_games(file, info)) return *std::move(kept);
  }
  const auto columns = recipe.task->self_play_columns(recipe.self_play->encoder);
  if (!columns) return columns.error();
  if (file.empty()) {
    MemoryRows rows(*columns);
    const auto figures = games.play(generation, network, rows, tell);
    if (!figures) return figures.error();
    return GenerationGames{rows.finish(std::move(info)), *figures};
  }
  auto rows = DataSetWriter::create(file, *columns);
  if (!rows) return std::move(rows).error();
  const auto figures = games.play(generation, network, **rows, tell);
  if (!figures) return figures.error();
  info["figures"] = figures_json(*figures);
  if (auto written = (*rows)->finish(std::move(info)); !written) {
    return std::move(written).error();
  }
  auto set = DataSet::open(file);
  if (!set) return std::move(set).error();
  return GenerationGames{*std::move(set), *figures};
}

}  // namespace damier::learn
