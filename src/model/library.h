// The models that ship, and how a model is named: by its file, its folder, or its name.
//
// A model that ships is a folder of its name, with the weights
// (model.safetensors) and the card that tells of them (card.md). The best model of a game has the
// game's name.
#pragma once

#include <filesystem>

#include "damier/model/model.h"
#include "damier/store/store.h"

namespace damier::model {

// Where the models that ship are: the folder that DAMIER_MODELS names; otherwise
// share/damier/models in the nearest folder above the running program that has one; otherwise where
// the library was installed. Need not exist.
std::filesystem::path models_folder();

struct ShippedModel {
  std::string name;  // the folder's
  std::filesystem::path weights;
  std::filesystem::path card;
  std::string title;  // the card's first line
};

// By name.
std::vector<ShippedModel> shipped_models();

// The file of a model that is named by its file, by a folder that holds it, or by the name of one
// that ships.
Result<std::string> model_path(const std::string& name);

// The same, open.
Result<Model> open_named_model(const std::string& name);

// The file of the best model of a game: the one that ships under its name; otherwise the one that
// was trained here last.
Result<std::string> best_model_path(std::string_view game);

// A model of a training run that is done and still where the run put it.
struct TrainedModel {
  std::string run;
  std::string game;
  std::string recipe;
  std::string path;
};
// The newest first. Looking makes no store. Runs that cannot be read are left out and named.
Result<std::vector<TrainedModel>> trained_models(DamagedRows* damaged = nullptr);

}  // namespace damier::model
