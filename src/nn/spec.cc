#include "damier/nn/spec.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/nn/layer_type.h"
#include "damier/nn/network.h"

namespace damier::nn {

namespace {

constexpr std::int64_t kMaxValuesInAll = std::int64_t{64} << 20;
constexpr std::uint64_t kMaxWeights = std::uint64_t{64} << 20;  // of a network
constexpr int kMaxLayers = 1000;
constexpr int kMaxBoardSide = 64;

void read_shape(JsonFields& fields, std::string_view key, Shape& shape) {
  const Json* json = fields.optional_value(key);
  if (json == nullptr) return fields.fail(key, "missing");
  std::vector<int> sizes;
  bool good = json->is_array() && (json->size() == 1 || json->size() == 3);
  for (std::size_t i = 0; good && i < json->size(); ++i) {
    good = (*json)[i].is_whole_in(1, i == 0 ? kMaxFeatures : kMaxBoardSide);
    if (good) sizes.push_back((*json)[i].get<int>());
  }
  std::int64_t values = 1;
  for (const int size : sizes) values *= size;
  if (good && values > kMaxValues) {
    return fields.fail(key, fmt::format("has {} values; expected {} at most", values, kMaxValues));
  }
  if (!good) {
    return fields.fail(key, "expected [features] or [channels, rows, cols], boards up to 64x64");
  }
  shape = sizes.size() == 1 ? Shape{sizes[0]} : Shape{sizes[0], sizes[1], sizes[2], true};
}

Json shape_json(const Shape& shape) {
  return shape.board ? Json::array({shape.channels, shape.rows, shape.cols})
                     : Json::array({shape.channels});
}

Json layers_json(const std::vector<LayerSpec>& layers) {
  Json list = Json::array();
  for (const LayerSpec& layer : layers) list.push_back(to_json(layer));
  return list;
}

std::uint64_t weights_of(const std::vector<ParameterSpec>& parameters) {
  std::uint64_t count = 0;
  for (const ParameterSpec& parameter : parameters) count += parameter.count();
  return count;
}

class SpecReader {
 public:
  explicit SpecReader(std::string_view source) : source_(source) {}

  Result<NetworkSpec> read(const Json& json) {
    auto spec = TRY(read_layers_and_heads(json));
    if (const std::uint64_t weights = weights_of(parameter_specs(spec)); weights > kMaxWeights) {
      return Error{
          fmt::format("the network has {} weights; expected {} at most", weights, kMaxWeights),
          {source_}};
    }
    if (const std::int64_t values = values_of_sample(spec); values > kMaxValuesInAll) {
      return Error{fmt::format("the network has {} values a sample between its layers; expected {} "
                               "at most",
                               values, kMaxValuesInAll),
                   {source_}};
    }
    return spec;
  }

 private:
  Result<NetworkSpec> read_layers_and_heads(const Json& json) {
    JsonFields fields(json, "", source_);
    NetworkSpec spec;
    read_shape(fields, "input", spec.input);
    const Json* layers = fields.optional_value("layers");
    const Json* heads = fields.optional_value("heads");
    TRY(fields.finish());
    if (layers != nullptr) spec.layers = TRY(read_layers(*layers, "layers", spec.input));
    if (heads == nullptr) {
      spec.heads.push_back({"output", {}});
      return spec;
    }
    if (!heads->is_object() || heads->empty()) {
      return fault("heads", "expected an object of at least one named list of layers");
    }
    for (const auto& [name, head] : heads->items()) {
      auto list = TRY(read_layers(head, "heads." + name, spec.trunk_shape()));
      spec.heads.push_back({name, std::move(list)});
    }
    return spec;
  }

  Error fault(const std::string& path, const std::string& message) const {
    return Error{fmt::format("{}: {}", path, message), {source_}};
  }

  Result<std::vector<LayerSpec>> read_layers(const Json& json, const std::string& path, Shape in,
                                             bool side_by_side = false) {
    if (!json.is_array()) return fault(path, "expected a list of layers");
    std::vector<LayerSpec> list;
    for (std::size_t i = 0; i < json.size(); ++i) {
      if (++count_ > kMaxLayers) {
        return fault(path, fmt::format("expected {} layers at most", kMaxLayers));
      }
      auto layer = TRY(read_layer(json[i], fmt::format("{}[{}]", path, i), in));
      if (!side_by_side) in = layer.out;
      list.push_back(std::move(layer));
    }
    return list;
  }

  Result<LayerSpec> read_layer(const Json& json, const std::string& path, Shape in) {
    JsonFields json_fields(json, path, source_);
    const std::string name = json_fields.text("type");
    const auto types = layer_types();
    const auto type = std::ranges::find(types, name, &LayerType::name);
    if (type == types.end()) {
      if (auto status = JsonFields(json, path, source_).finish(); !json.is_object()) {
        return std::move(status).error();
      }
      std::vector<std::string> names;
      for (const LayerType* known : types) names.emplace_back(known->name);
      return fault(path + ".type", unknown_name("layer", name, names).message);
    }
    LayerSpec layer;
    layer.type = *type;
    layer.in = in;
    const std::shared_ptr<LayerFields> own = layer.type->fields(nullptr);
    SpecFields fields(json_fields, [&](const Json& list, Shape from, bool side_by_side) {
      return read_layers(list, path + ".layers", from, side_by_side);
    });
    layer.out = own->describe(fields, layer);
    if (fields.inner_error()) return *fields.inner_error();
    TRY(json_fields.finish());
    if (layer.out.size() > kMaxValues) {
      return fault(path, fmt::format("gives {} values a sample; expected {} at most",
                                     layer.out.size(), kMaxValues));
    }
    layer.fields = own;
    layer.parameters = own->parameters(layer);
    if (const std::uint64_t weights = weights_of(layer.parameters); weights > kMaxWeights) {
      return fault(path, fmt::format("has {} weights; expected {} at most", weights, kMaxWeights));
    }
    return layer;
  }

  std::string source_;
  int count_ = 0;
};

}  // namespace

void SpecFields::required(std::string_view key, int& value, int low, int high) {
  if (from_ != nullptr) value = static_cast<int>(from_->integer(key, low, high));
  if (to_ != nullptr) (*to_)[key] = value;
}

void SpecFields::required(std::string_view key, Shape& value) {
  if (from_ != nullptr) read_shape(*from_, key, value);
  if (to_ != nullptr) (*to_)[key] = shape_json(value);
}

void SpecFields::with_default(std::string_view key, int& value, int low, int high) {
  if (from_ != nullptr) value = static_cast<int>(from_->integer_or(key, low, high, value));
  if (to_ != nullptr) (*to_)[key] = value;
}

void SpecFields::with_default(std::string_view key, double& value, double low, double high) {
  if (from_ != nullptr) value = from_->number_or(key, low, high, value);
  if (to_ != nullptr) (*to_)[key] = value;
}

void SpecFields::with_default(std::string_view key, bool& is_first, std::string_view first,
                              std::string_view second) {
  if (to_ != nullptr) (*to_)[key] = is_first ? first : second;
  if (from_ == nullptr) return;
  const auto word = from_->optional_text(key);
  if (word && *word != first && *word != second) {
    from_->fail(key, fmt::format("is {}; expected {} or {}", in_quotes(*word), first, second));
  }
  if (word) is_first = *word == first;
}

void SpecFields::optional(std::string_view key, int& value, int low, int high, int missing) {
  if (from_ != nullptr || value != missing) with_default(key, value, low, high);
}

void SpecFields::optional(std::string_view key, double& value, double low, double high,
                          double missing) {
  if (from_ != nullptr || value != missing) with_default(key, value, low, high);
}

void SpecFields::optional(std::string_view key, bool& value, bool missing) {
  if (from_ != nullptr) value = from_->flag_or(key, missing);
  if (to_ != nullptr && value != missing) (*to_)[key] = value;
}

void SpecFields::optional_sizes(std::string_view key, std::vector<int>& sizes, int sum) {
  if (to_ != nullptr && !sizes.empty()) (*to_)[key] = sizes;
  const Json* json = from_ == nullptr ? nullptr : from_->optional_value(key);
  if (json == nullptr) return;
  std::int64_t found = 0;
  bool good = json->is_array() && !json->empty();
  for (std::size_t i = 0; good && i < json->size(); ++i) {
    good = (*json)[i].is_whole_in(1, kMaxFeatures);
    if (!good) break;
    sizes.push_back((*json)[i].get<int>());
    found += sizes.back();
  }
  if (!good || found != sum) {
    fail(key, fmt::format("is {}; expected sizes that add up to {}", dump_line(*json), sum));
  }
}

void SpecFields::inner_layers(LayerSpec& layer, bool side_by_side) {
  if (to_ != nullptr) (*to_)["layers"] = layers_json(layer.layers);
  if (from_ == nullptr) return;
  const Json* list = from_->optional_value("layers");
  if (list == nullptr) return fail("layers", "missing");
  auto layers = read_layers_(*list, layer.in, side_by_side);
  if (layers) {
    layer.layers = *std::move(layers);
  } else {
    inner_error_ = std::move(layers).error();
  }
}

void SpecFields::fail(std::string_view key, std::string message) {
  if (from_ != nullptr) from_->fail(key, std::move(message));
}

void SpecFields::expect_shape(bool fits, const Shape& in, std::string_view expected) {
  if (!fits) fail("type", fmt::format("the input is {}; expected {}", in.text(), expected));
}

void SpecFields::expect_flat(const Shape& in, std::string_view advice) {
  expect_shape(!in.board, in, fmt::format("a flat input{}", advice));
}

void SpecFields::expect_board(const Shape& in) { expect_shape(in.board, in, "a board"); }

std::uint64_t ParameterSpec::count() const {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : shape) count *= extent;
  return count;
}

std::string_view LayerSpec::name() const { return type->name; }

bool LayerSpec::operator==(const LayerSpec& other) const {
  return in == other.in && to_json(*this) == to_json(other);
}

const LayerSpec* NetworkSpec::last_layer(std::size_t head) const {
  const auto& list = heads[head].layers.empty() ? layers : heads[head].layers;
  return list.empty() ? nullptr : &list.back();
}

std::string Shape::text() const {
  return board ? fmt::format("{}x{}x{}", channels, rows, cols) : std::to_string(channels);
}

Result<NetworkSpec> parse_network(const Json& json, std::string_view source) {
  return SpecReader(source).read(json);
}

Result<NetworkSpec> parse_network_text(std::string_view text, std::string_view source) {
  const auto json = TRY(parse_json(text, source));
  return parse_network(json, source);
}

Json to_json(const LayerSpec& layer) {
  Json json = {{"type", layer.name()}};
  SpecFields fields(json);
  LayerSpec copy = layer;
  layer.type->fields(layer.fields.get())->describe(fields, copy);
  return json;
}

Json to_json(const NetworkSpec& spec) {
  Json json = Json::object();
  json["input"] = shape_json(spec.input);
  json["layers"] = layers_json(spec.layers);
  const bool plain =
      spec.heads.size() == 1 && spec.heads[0].name == "output" && spec.heads[0].layers.empty();
  if (!plain) {
    for (const HeadSpec& head : spec.heads) json["heads"][head.name] = layers_json(head.layers);
  }
  return json;
}

}  // namespace damier::nn
