#include "damier/learn/train/fit.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/model/library.h"

namespace damier::learn {

namespace {

Status check_column(std::span<const Column> columns, const std::string& source,
                    const std::string& head, const std::string& column, int width) {
  const auto at = std::ranges::find(columns, column, &Column::name);
  if (at == columns.end()) {
    std::vector<std::string> names;
    for (const Column& one : columns) names.push_back(one.name);
    return Error{fmt::format("head {}: {}", head, unknown_name("column", column, names).message),
                 {source}};
  }
  if (at->width == static_cast<std::uint64_t>(width)) return Done{};
  return Error{fmt::format("head {}: the column '{}' has {} numbers a row; expected {}, the head's "
                           "outputs",
                           head, column, at->width, width),
               {source}};
}

Status check_name(const Recipe& recipe, const DataSet& data) {
  if (text_in(data.info(), "task") == recipe.task->name()) return Done{};
  return Error{fmt::format("is no data set of {}", recipe.task->name()), {data.source()}};
}

// Whether the data are of the recipe's task, and the network reads what its encoder gives.
Status check_task(const Recipe& recipe, const DataSet& data) {
  TRY(check_name(recipe, data));
  const auto encoder = TRY(recipe.task->encoder(encoder_of(data)).in(data.source()));
  TRY(encoder->check_network(recipe.network).in(recipe.name));
  return Done{};
}

}  // namespace

std::string encoder_of(const DataSet& data) { return text_in(data.info(), "encoder"); }

Status check_columns(const Recipe& recipe, std::string_view encoder,
                     std::span<const Column> columns, const std::string& source) {
  int stored = recipe.network.input.size();
  if (recipe.task != nullptr) {
    stored = static_cast<int>(recipe.task->encoder(encoder).value()->stored_width());
  }
  TRY(check_column(columns, source, "input", "input", stored));
  for (std::size_t i = 0; i < recipe.heads.size(); ++i) {
    const HeadRecipe& head = recipe.heads[i];
    const int width = recipe.network.head_shape(i).size();
    for (const std::string& column : {head.target, head.mask, head.mixed}) {
      if (column.empty()) continue;
      TRY(check_column(columns, source, head.name, column, width));
    }
  }
  return Done{};
}

Status check_fit(const Recipe& recipe, const DataSet& data) {
  if (recipe.task != nullptr) TRY(check_task(recipe, data));
  const std::string encoder = recipe.task != nullptr ? encoder_of(data) : "";
  TRY(check_columns(recipe, encoder, data.columns(), data.source()));
  if (data.rows(Split::training).count == 0) {
    return Error{"has no rows in its training split", {data.source()}};
  }
  return Done{};
}

Status check_judge(const Recipe& recipe, std::string_view encoder, const DataSet& judge) {
  TRY(check_name(recipe, judge));
  if (encoder_of(judge) != encoder) {
    return Error{
        fmt::format("has positions of the encoder {}; expected {}, as {}",
                    in_quotes(encoder_of(judge)), in_quotes(encoder),
                    recipe.play() != nullptr ? "the recipe's" : "the rows that are learnt from"),
        {judge.source()}};
  }
  for (const std::string& set : recipe.evaluated) {
    const auto split = split_named(set);
    if (!split || *split == Split::training || judge.rows(*split).count > 0) continue;
    return Error{fmt::format("has no rows in its {} split", set), {judge.source()}};
  }
  // Their loss is measured, too.
  if (recipe.play() != nullptr) return Done{};
  return check_columns(recipe, encoder, judge.columns(), judge.source());
}

Status check_start(const Recipe& recipe, std::string_view encoder) {
  if (recipe.start.empty()) return Done{};
  const auto model = TRY(model::open_named_model(recipe.start));
  TRY(encoder_of(model, recipe.task->encoders()));
  if (model.origin("encoder") == encoder && model.spec() == recipe.network) return Done{};
  return Error{
      "start: is another network than the recipe's; expected the same layers, encoder and rules",
      {recipe.start}};
}

template <class T>
Status load_start(const Recipe& recipe, std::string_view encoder, nn::Network<T>& network) {
  if (recipe.start.empty()) return Done{};
  TRY(check_start(recipe, encoder));
  const auto path = TRY(model::model_path(recipe.start));
  const auto tensors = TRY(nn::read_safetensors(path));
  return nn::load_weights(network, tensors, path);
}

template Status load_start(const Recipe&, std::string_view, nn::Network<float>&);
template Status load_start(const Recipe&, std::string_view, nn::Network<double>&);

}  // namespace damier::learn
