#include "damier/app/serve/network_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/learn/tasks.h"
#include "damier/model/library.h"

namespace damier::app::serve {

namespace {

constexpr int kMaxOutputs = 64;  // of a tensor that is shown
constexpr int kMaxInputs = 64;

// A picture needs no more digits.
double rounded(double value) {
  if (!std::isfinite(value) || value == 0) return 0;
  const double unit = std::pow(10.0, 3 - std::ceil(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

Json numbers_json(std::span<const float> values) {
  Json list = Json::array();
  for (const float value : values) list.push_back(rounded(value));
  return list;
}

Json shape_json(const nn::Shape& shape) {
  if (!shape.board) return {shape.channels};
  return {shape.channels, shape.rows, shape.cols};
}

Json layer_json(const model::LayerValues& layer) {
  double sum = 0, largest = 0;
  std::size_t active = 0;
  for (const double value : layer.values) {
    sum += std::abs(value);
    largest = std::max(largest, std::abs(value));
    active += value != 0;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, layer.values.size()));
  return {{"name", layer.name},
          {"shape", shape_json(layer.shape)},
          {"mean", rounded(sum / count)},
          {"largest", rounded(largest)},
          {"active", rounded(static_cast<double>(active) / count)}};
}

Result<std::shared_ptr<const learn::Task>> task_of(const learn::Tasks& tasks,
                                                   const model::Model& model) {
  const std::string_view named = model.origin("task");
  return tasks.find(named.empty() ? model.origin("game") : named);
}

// How much less of an answer is left without each cell.
Json matters_json(std::span<const float> answers, std::size_t count, std::size_t at) {
  Json list = Json::array();
  for (std::size_t i = count + at; i < answers.size(); i += count) {
    list.push_back(rounded(answers[at] - answers[i]));
  }
  return list;
}

template <class T>
Json tensor_json(const nn::Parameter<T>& parameter) {
  const int outputs = std::min(parameter.out, kMaxOutputs);
  const int inputs = std::min(parameter.in, kMaxInputs);
  Json values = Json::array();
  for (int out = 0; out < outputs; ++out) {
    for (int in = 0; in < inputs; ++in) {
      for (int tap = 0; tap < parameter.taps; ++tap) {
        const auto at = (std::ptrdiff_t{tap} * parameter.in + in) * parameter.ld + out;
        values.push_back(rounded(parameter.value[at]));
      }
    }
  }
  return {{"name", parameter.name},
          {"shape", parameter.shape},
          {"shown", {outputs, inputs, parameter.taps}},
          {"values", std::move(values)}};
}

}  // namespace

Result<Json> network_json(const learn::Registry& registry, const games::AnyGame& game,
                          const games::Session& session, const std::string& model,
                          std::string_view layer) {
  const auto opened = TRY(model::open_named_model(model));
  if (opened.origin("game") != game.facts().name) {
    return Error{fmt::format("{} is a model of {}; expected one of {}", in_quotes(model),
                             in_quotes(opened.origin("game")), game.facts().name)};
  }
  const auto task = TRY(task_of(registry.tasks(), opened));
  const auto encoder = TRY(encoder_of(opened, task->encoders()));
  const auto found = encoder->occlude(opened, game.option_values(), session.position_text());
  if (!found) return found.error();

  Json layers = Json::array(), wanted = nullptr;
  for (const model::LayerValues& each : model::layer_values(opened, found->inputs)) {
    layers.push_back(layer_json(each));
    if (each.name != layer) continue;
    wanted = {{"name", each.name},
              {"shape", shape_json(each.shape)},
              {"values", numbers_json(each.values)}};
  }
  const std::size_t count = found->actions.size();
  Json moves = Json::array(), matters = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    moves.push_back(session.move_text(found->actions[i]));
    matters.push_back(matters_json(found->answers, count, i));
  }
  const bool knows_value = !found->values.empty();
  return Json{{"model", model},
              {"layers", std::move(layers)},
              {"layer", std::move(wanted)},
              {"moves", std::move(moves)},
              {"answers", numbers_json(std::span(found->answers).first(count))},
              {"matters", std::move(matters)},
              {"value", knows_value ? Json(rounded(found->values[0])) : Json(nullptr)},
              {"value_matters", knows_value ? matters_json(found->values, 1, 0) : Json(nullptr)}};
}

Result<Json> weights_json(const std::string& model, std::string_view name) {
  const auto opened = TRY(model::open_named_model(model));
  return opened.visit([&](const auto& network) -> Result<Json> {
    for (const auto* parameter : network.parameters()) {
      if (parameter->name == name) return tensor_json(*parameter);
    }
    return Error{fmt::format("the model has no weights {}", in_quotes(name))};
  });
}

}  // namespace damier::app::serve
