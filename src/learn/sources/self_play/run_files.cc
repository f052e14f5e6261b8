#include "damier/learn/sources/self_play/run_files.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "damier/base/json/json.h"
#include "damier/learn/train/training_run.h"

namespace damier::learn {

namespace {

constexpr std::string_view kPlaceKey = "damier.self_play";
constexpr std::string_view kSelfPlayFiles[] = {"games-", "playing-", "measured-"};

}  // namespace

bool is_self_play_file(std::string_view name) {
  return std::any_of(std::begin(kSelfPlayFiles), std::end(kSelfPlayFiles),
                     [&](std::string_view kind) { return name.starts_with(kind); });
}

std::filesystem::path SelfPlayFiles::checkpoint() const { return folder_ / kCheckpointFile; }

std::filesystem::path SelfPlayFiles::file(std::string_view name, int generation) const {
  return folder_ / fmt::format("{}-{}.safetensors", name, generation);
}

bool SelfPlayFiles::has_place() const {
  return are_kept() && std::filesystem::exists(checkpoint());
}

Result<SelfPlayPlace> SelfPlayFiles::read(int generations) const {
  SelfPlayPlace place;
  auto tensors = nn::read_safetensors(checkpoint());
  if (!tensors) return std::move(tensors).error();
  place.checkpoint = *std::move(tensors);
  std::string text;
  for (const auto& [key, value] : place.checkpoint.metadata) {
    if (key == kPlaceKey) text = value;
  }
  const std::string source = checkpoint().string();
  const auto json = parse_json(text, source);
  if (!json) return json.error();
  JsonFields fields(*json, "", source);
  place.generation = static_cast<int>(fields.integer("generation", 1, generations));
  if (auto status = fields.finish(); !status) return std::move(status).error();
  auto playing = nn::read_safetensors(this->playing(place.generation));
  if (!playing) return std::move(playing).error();
  place.playing = *std::move(playing);
  auto measured = nn::read_safetensors(this->measured(place.generation));
  if (!measured) return std::move(measured).error();
  place.measured = *std::move(measured);
  return place;
}

Result<std::vector<DataSet>> SelfPlayFiles::read_games(int generation, int window) const {
  std::vector<DataSet> all;
  for (int one = std::max(0, generation - window + 1); one < generation; ++one) {
    auto set = DataSet::open(games(one));
    if (!set) return std::move(set).error();
    all.push_back(*std::move(set));
  }
  return all;
}

Status SelfPlayFiles::write(SelfPlayPlace place, int window) const {
  const int generation = place.generation;
  if (auto status = nn::write_safetensors(playing(generation), place.playing); !status) {
    return status;
  }
  if (auto status = nn::write_safetensors(measured(generation), place.measured); !status) {
    return status;
  }
  const Json json = {{"generation", generation}};
  place.checkpoint.metadata.emplace_back(kPlaceKey, dump_line(json));
  if (auto status = nn::write_safetensors(checkpoint(), place.checkpoint); !status) return status;
  std::error_code ignored;
  std::filesystem::remove(games(generation - window), ignored);
  std::filesystem::remove(playing(generation - 1), ignored);
  std::filesystem::remove(measured(generation - 1), ignored);
  return Done{};
}

}  // namespace damier::learn
