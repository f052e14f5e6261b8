// Whether a recipe and what it learns from fit each other: rows, those that judge it, and the model
// that it starts from.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "damier/learn/rows/data_set.h"
#include "damier/learn/train/recipe.h"
#include "damier/nn/network.h"

namespace damier::learn {

// The encoder that the data's input columns come from.
std::string encoder_of(const DataSet& data);

// An error when the data set lacks a column that the recipe's heads ask for, is of another task or
// encoder than the network, or has nothing to learn from.
Status check_fit(const Recipe& recipe, const DataSet& data);
// Whether the rows of `judge` can measure the network; `encoder` is that of what it learns from.
Status check_judge(const Recipe& recipe, std::string_view encoder, const DataSet& judge);
// The columns alone; `source` names them in errors.
Status check_columns(const Recipe& recipe, std::string_view encoder,
                     std::span<const Column> columns, const std::string& source);

// An error unless the model that the recipe starts from, if any, is the recipe's network for this
// encoder.
Status check_start(const Recipe& recipe, std::string_view encoder);
// Its weights, where the recipe starts from a model; otherwise nothing happens.
template <class T>
Status load_start(const Recipe& recipe, std::string_view encoder, nn::Network<T>& network);

}  // namespace damier::learn
