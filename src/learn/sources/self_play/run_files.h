// The files of a run that learns by play, and the place where it goes on: what a generation needs
// of those before it, and nothing else.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "damier/learn/rows/data_set.h"
#include "damier/nn/safetensors.h"

namespace damier::learn {

// Where a run stands between two generations.
struct SelfPlayPlace {
  int generation = 0;  // the next one
  nn::TensorFile checkpoint;
  nn::TensorFile playing;   // the weights that play the next generation
  nn::TensorFile measured;  // those that were measured last
};

class SelfPlayFiles {
 public:
  // An empty folder's name: nothing is kept.
  explicit SelfPlayFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  bool are_kept() const { return !folder_.empty(); }
  bool has_place() const;
  std::filesystem::path checkpoint() const;
  std::filesystem::path games(int generation) const { return file("games", generation); }
  std::filesystem::path playing(int generation) const { return file("playing", generation); }
  std::filesystem::path measured(int generation) const { return file("measured", generation); }

  Result<SelfPlayPlace> read(int generations) const;
  // The games of the last generations before this one, the oldest first.
  Result<std::vector<DataSet>> read_games(int generation, int window) const;
  // After a whole generation: what follows needs nothing of it but these files. Games that no
  // window holds any more go.
  Status write(SelfPlayPlace place, int window) const;

 private:
  std::filesystem::path file(std::string_view name, int generation) const;

  std::filesystem::path folder_;
};

// A file of that name in a run's folder is of no use once its model is written.
bool is_self_play_file(std::string_view name);

}  // namespace damier::learn
