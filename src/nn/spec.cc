#include "damier/nn/spec.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/nn/kernels.h"

namespace damier::nn {

namespace {

constexpr std::array<std::string_view, 20> kNames = {"dense",
                                                     "conv2d",
                                                     "batch_norm",
                                                     "layer_norm",
                                                     "dropout",
                                                     "sigmoid",
                                                     "tanh",
                                                     "relu",
                                                     "leaky_relu",
                                                     "clipped_relu",
                                                     "squared_clipped_relu",
                                                     "softmax",
                                                     "residual",
                                                     "flatten",
                                                     "global_average_pool",
                                                     "attention",
                                                     "slice",
                                                     "chain",
                                                     "branches",
                                                     "sparse"};

// No network of ours comes near these; a wrong figure in a file must not take the memory.
constexpr int kMaxFeatures = 1 << 20;
constexpr std::int64_t kMaxValues = std::int64_t{4} << 20;  // of a sample between two layers
constexpr std::int64_t kMaxValuesInAll = std::int64_t{64} << 20;
constexpr std::int64_t kMaxWeights = std::int64_t{64} << 20;  // of a network
constexpr int kMaxLayers = 1000;
constexpr int kMaxBoard = 64;

std::vector<std::string> layer_names() { return {kNames.begin(), kNames.end()}; }

// Without those of the layers inside.
std::int64_t weights_of(const LayerSpec& layer) {
  const std::int64_t in = layer.in.channels, out = layer.units;
  const std::int64_t bias = layer.bias ? out : 0;
  switch (layer.kind) {
    case LayerKind::dense:
      return in * out + bias;
    case LayerKind::conv2d:
      return in * out * layer.kernel * layer.kernel + bias;
    case LayerKind::sparse:
      return std::int64_t{layer.features} * out + bias;
    case LayerKind::attention:
      return 4 * in * in + 4 * in;
    case LayerKind::batch_norm:
      return 4 * in;
    case LayerKind::layer_norm:
      return 2 * in;
    default:
      return 0;
  }
}

std::int64_t values_of(const Shape& shape) {
  return std::int64_t{padded(shape.channels)} * shape.squares();
}

// Without those of the layers inside.
std::int64_t values_of(const LayerSpec& layer) {
  const std::int64_t out = values_of(layer.out);
  if (layer.kind != LayerKind::attention) return out;
  // Queries, keys, values, what the heads say, and a weight for every pair of squares.
  const std::int64_t pairs = std::int64_t{layer.in.squares()} * layer.in.squares();
  return 5 * out + (layer.heads + 1) * pairs;
}

template <class Count>
std::int64_t sum_over(const std::vector<LayerSpec>& layers, const Count& count) {
  std::int64_t sum = 0;
  for (const LayerSpec& layer : layers) sum += count(layer) + sum_over(layer.layers, count);
  return sum;
}

template <class Count>
std::int64_t sum_over(const NetworkSpec& spec, const Count& count) {
  std::int64_t sum = sum_over(spec.layers, count);
  for (const HeadSpec& head : spec.heads) sum += sum_over(head.layers, count);
  return sum;
}

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  Result<NetworkSpec> read(const Json& json) {
    auto spec = read_layers_and_heads(json);
    if (!spec) return spec;
    const std::int64_t weights = sum_over(*spec, weights_of), values = values_of_sample(*spec);
    if (weights > kMaxWeights) {
      return Error{
          fmt::format("the network has {} weights; expected {} at most", weights, kMaxWeights),
          {source_}};
    }
    if (values > kMaxValuesInAll) {
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
    if (auto status = fields.finish(); !status) return std::move(status).error();
    if (layers != nullptr) {
      auto list = read_layers(*layers, "layers", spec.input);
      if (!list) return std::move(list).error();
      spec.layers = *std::move(list);
    }
    if (heads == nullptr) {
      spec.heads.push_back({"output", {}});
      return spec;
    }
    if (!heads->is_object() || heads->empty()) {
      return error("heads", "expected an object of at least one named list of layers");
    }
    for (const auto& [name, head] : heads->items()) {
      auto list = read_layers(head, "heads." + name, spec.trunk_shape());
      if (!list) return std::move(list).error();
      spec.heads.push_back({name, *std::move(list)});
    }
    return spec;
  }

  Error error(const std::string& path, const std::string& message) const {
    return Error{fmt::format("{}: {}", path, message), {source_}};
  }

  static void read_shape(JsonFields& fields, const char* key, Shape& shape) {
    const Json* json = fields.optional_value(key);
    if (json == nullptr) {
      fields.fail(key, "missing");
      return;
    }
    std::vector<int> sizes;
    bool good = json->is_array() && (json->size() == 1 || json->size() == 3);
    for (std::size_t i = 0; good && i < json->size(); ++i) {
      const int most = i == 0 ? kMaxFeatures : kMaxBoard;
      good = (*json)[i].is_whole_in(1, most);
      if (good) sizes.push_back((*json)[i].get<int>());
    }
    std::int64_t values = 1;
    for (const int size : sizes) values *= size;
    if (good && values > kMaxValues) {
      fields.fail(key, fmt::format("has {} values; expected {} at most", values, kMaxValues));
      return;
    }
    if (!good) {
      fields.fail(key, "expected [features] or [channels, rows, cols], boards up to 64x64");
      return;
    }
    shape = sizes.size() == 1 ? Shape{sizes[0]} : Shape{sizes[0], sizes[1], sizes[2], true};
  }

  // Each begins where the last one ends or, side by side, where all begin.
  Result<std::vector<LayerSpec>> read_layers(const Json& json, const std::string& path, Shape in,
                                             bool side_by_side = false) {
    if (!json.is_array()) return error(path, "expected a list of layers");
    std::vector<LayerSpec> list;
    for (std::size_t i = 0; i < json.size(); ++i) {
      if (++count_ > kMaxLayers) {
        return error(path, fmt::format("expected {} layers at most", kMaxLayers));
      }
      auto layer = read_layer(json[i], fmt::format("{}[{}]", path, i), in);
      if (!layer) return std::move(layer).error();
      if (!side_by_side) in = layer->out;
      list.push_back(*std::move(layer));
    }
    return list;
  }

  Result<LayerSpec> read_layer(const Json& json, const std::string& path, Shape in) {
    JsonFields fields(json, path, source_);
    const std::string type = fields.text("type");
    LayerSpec layer;
    layer.in = layer.out = in;
    const auto at = std::find(kNames.begin(), kNames.end(), type);
    if (at == kNames.end()) {
      if (auto status = JsonFields(json, path, source_).finish(); !json.is_object()) {
        return std::move(status).error();
      }
      return error(path + ".type", unknown_name("layer", type, layer_names()).message);
    }
    layer.kind = static_cast<LayerKind>(at - kNames.begin());
    std::vector<LayerSpec> inner;
    switch (layer.kind) {
      case LayerKind::dense:
        layer.units = static_cast<int>(fields.integer("units", 1, kMaxFeatures));
        layer.bias = fields.flag_or("bias", true);
        if (in.board) fields.fail("type", shape_error(in, "a flat input; put flatten before it"));
        layer.out = {layer.units};
        break;
      case LayerKind::conv2d:
        read_convolution(fields, layer);
        break;
      case LayerKind::batch_norm:
        layer.momentum = fields.number_or("momentum", 0, 1, layer.momentum);
        [[fallthrough]];
      case LayerKind::layer_norm:
        layer.epsilon = fields.number_or("epsilon", 1e-12, 1, layer.epsilon);
        break;
      case LayerKind::dropout:
        layer.rate = fields.number_or("rate", 0, 0.99, layer.rate);
        break;
      case LayerKind::softmax:
        read_groups(fields, layer);
        break;
      case LayerKind::residual:
      case LayerKind::chain:
      case LayerKind::branches:
        if (auto status = read_inner_layers(fields, path, layer); !status) {
          return std::move(status).error();
        }
        break;
      case LayerKind::slice:
        read_slice(fields, layer);
        break;
      case LayerKind::sparse:
        read_sparse(fields, layer);
        break;
      case LayerKind::flatten:
        layer.out = {in.size()};
        break;
      case LayerKind::global_average_pool:
        if (!in.board) fields.fail("type", shape_error(in, "a board"));
        layer.out = {in.channels};
        break;
      case LayerKind::attention:
        layer.heads = static_cast<int>(fields.integer_or("heads", 1, 256, 1));
        if (!in.board) fields.fail("type", shape_error(in, "a board"));
        if (in.channels % layer.heads != 0) {
          fields.fail("heads", fmt::format("is {}; expected a divisor of the {} channels",
                                           layer.heads, in.channels));
        }
        if (std::int64_t{layer.heads} * in.squares() * in.squares() > kMaxValues) {
          fields.fail("heads",
                      fmt::format("{} times {} squares squared is more than the {} expected "
                                  "at most",
                                  layer.heads, in.squares(), kMaxValues));
        }
        break;
      default:
        break;
    }
    if (auto status = fields.finish(); !status) return std::move(status).error();
    if (layer.out.size() > kMaxValues) {
      return error(path, fmt::format("gives {} values a sample; expected {} at most",
                                     layer.out.size(), kMaxValues));
    }
    if (const std::int64_t weights = weights_of(layer); weights > kMaxWeights) {
      return error(path, fmt::format("has {} weights; expected {} at most", weights, kMaxWeights));
    }
    return layer;
  }

  // Those of a residual block, a chain or branches.
  Status read_inner_layers(JsonFields& fields, const std::string& path, LayerSpec& layer) {
    const Json* list = fields.optional_value("layers");
    if (list == nullptr) {
      fields.fail("layers", "missing");
      return Done{};
    }
    const bool branches = layer.kind == LayerKind::branches;
    auto layers = read_layers(*list, path + ".layers", layer.in, branches);
    if (!layers) return std::move(layers).error();
    layer.layers = *std::move(layers);
    const Shape end = layer.layers.empty() ? layer.in : layer.layers.back().out;
    if (layer.kind == LayerKind::residual) {
      if (end == layer.in) return Done{};
      fields.fail("layers", fmt::format("lead from {} to {}; a residual block needs equal shapes",
                                        layer.in.text(), end.text()));
      return Done{};
    }
    if (layer.layers.empty()) fields.fail("layers", "is empty; expected at least one layer");
    layer.out = end;
    if (!branches) return Done{};
    layer.out = {0};
    for (const LayerSpec& branch : layer.layers) {
      if (branch.out.board) {
        fields.fail("layers", fmt::format("a branch gives {}; expected a flat output of each, to "
                                          "be put side by side",
                                          branch.out.text()));
      }
      // Every one has been checked, and so has their number: the sum fits.
      layer.out.channels += branch.out.board ? 0 : branch.out.channels;
    }
    if (layer.out.channels > kMaxFeatures) {
      fields.fail("layers", fmt::format("give {} features; expected {} at most", layer.out.channels,
                                        kMaxFeatures));
    }
    return Done{};
  }

  static void read_slice(JsonFields& fields, LayerSpec& layer) {
    layer.from = static_cast<int>(fields.integer_or("from", 0, kMaxFeatures, 0));
    read_shape(fields, "shape", layer.out);
    if (layer.in.board) fields.fail("type", shape_error(layer.in, "a flat input"));
    if (layer.from + layer.out.size() > layer.in.size()) {
      fields.fail("shape", fmt::format("{} from feature {} on; expected a part of the {} features",
                                       layer.out.text(), layer.from, layer.in.size()));
    }
  }

  static void read_sparse(JsonFields& fields, LayerSpec& layer) {
    layer.features = static_cast<int>(fields.integer("features", 1, kMaxFeatures));
    layer.units = static_cast<int>(fields.integer("units", 1, kMaxFeatures));
    layer.lists = static_cast<int>(fields.integer_or("lists", 1, 16, 1));
    layer.bias = fields.flag_or("bias", true);
    if (layer.in.board) fields.fail("type", shape_error(layer.in, "a flat input"));
    if (layer.in.channels % layer.lists != 0) {
      fields.fail("lists", fmt::format("is {}; expected a divisor of the {} inputs", layer.lists,
                                       layer.in.channels));
    }
    if (layer.units > kMaxFeatures / layer.lists) {
      fields.fail("units", fmt::format("is {}; expected {} outputs at most of all lists together",
                                       layer.units, kMaxFeatures));
      layer.units = 1;
    }
    layer.out = {layer.lists * layer.units};
  }

  static std::string shape_error(const Shape& in, std::string_view expected) {
    return fmt::format("the input is {}; expected {}", in.text(), expected);
  }

  static void read_convolution(JsonFields& fields, LayerSpec& layer) {
    layer.units = static_cast<int>(fields.integer("channels", 1, 4096));
    layer.kernel = static_cast<int>(fields.integer_or("kernel", 1, 5, 3));
    layer.bias = fields.flag_or("bias", true);
    const auto padding = fields.optional_text("padding");
    if (padding && *padding != "same" && *padding != "valid") {
      fields.fail("padding", fmt::format("is {}; expected same or valid", in_quotes(*padding)));
    }
    layer.same_padding = !padding || *padding == "same";
    if (layer.kernel % 2 == 0) {
      fields.fail("kernel", fmt::format("is {}; expected 1, 3 or 5", layer.kernel));
    }
    const int lost = layer.same_padding ? 0 : layer.kernel - 1;
    const Shape& in = layer.in;
    if (!in.board) {
      fields.fail("type", shape_error(in, "a board"));
    } else if (in.rows <= lost || in.cols <= lost) {
      fields.fail("kernel", fmt::format("leaves nothing of a {} board without padding", in.text()));
    }
    layer.out = {layer.units, in.rows - lost, in.cols - lost, true};
  }

  static void read_groups(JsonFields& fields, LayerSpec& layer) {
    if (layer.in.board) fields.fail("type", shape_error(layer.in, "a flat input"));
    const Json* groups = fields.optional_value("groups");
    if (groups == nullptr) return;
    int sum = 0;
    bool good = groups->is_array() && !groups->empty();
    for (std::size_t i = 0; good && i < groups->size(); ++i) {
      good = (*groups)[i].is_whole_in(1, kMaxFeatures);
      if (!good) break;
      layer.groups.push_back((*groups)[i].get<int>());
      sum += layer.groups.back();
      good = sum <= kMaxFeatures;
    }
    if (!good || sum != layer.in.channels) {
      fields.fail("groups", fmt::format("is {}; expected sizes that add up to {}",
                                        dump_line(*groups), layer.in.channels));
    }
  }

  std::string source_;
  int count_ = 0;
};

Json shape_json(const Shape& shape) {
  return shape.board ? Json::array({shape.channels, shape.rows, shape.cols})
                     : Json::array({shape.channels});
}

Json layers_json(const std::vector<LayerSpec>& layers) {
  Json list = Json::array();
  const LayerSpec defaults;
  for (const LayerSpec& layer : layers) {
    Json json = {{"type", name_of(layer.kind)}};
    switch (layer.kind) {
      case LayerKind::conv2d:
        json["channels"] = layer.units;
        json["kernel"] = layer.kernel;
        json["padding"] = layer.same_padding ? "same" : "valid";
        if (!layer.bias) json["bias"] = false;
        break;
      case LayerKind::dense:
        json["units"] = layer.units;
        if (!layer.bias) json["bias"] = false;
        break;
      case LayerKind::batch_norm:
        if (layer.momentum != defaults.momentum) json["momentum"] = layer.momentum;
        [[fallthrough]];
      case LayerKind::layer_norm:
        if (layer.epsilon != defaults.epsilon) json["epsilon"] = layer.epsilon;
        break;
      case LayerKind::dropout:
        json["rate"] = layer.rate;
        break;
      case LayerKind::softmax:
        if (!layer.groups.empty()) json["groups"] = layer.groups;
        break;
      case LayerKind::residual:
      case LayerKind::chain:
      case LayerKind::branches:
        json["layers"] = layers_json(layer.layers);
        break;
      case LayerKind::slice:
        if (layer.from != 0) json["from"] = layer.from;
        json["shape"] = shape_json(layer.out);
        break;
      case LayerKind::sparse:
        json["features"] = layer.features;
        json["units"] = layer.units;
        if (layer.lists != 1) json["lists"] = layer.lists;
        if (!layer.bias) json["bias"] = false;
        break;
      case LayerKind::attention:
        json["heads"] = layer.heads;
        break;
      default:
        break;
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

std::string_view name_of(LayerKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string Shape::text() const {
  return board ? fmt::format("{}x{}x{}", channels, rows, cols) : std::to_string(channels);
}

Result<NetworkSpec> parse_network(const Json& json, std::string_view source) {
  return Reader(source).read(json);
}

Result<NetworkSpec> parse_network_text(std::string_view text, std::string_view source) {
  const auto json = parse_json(text, source);
  if (!json) return json.error();
  return parse_network(*json, source);
}

std::int64_t values_of_sample(const NetworkSpec& spec) {
  return values_of(spec.input) +
         sum_over(spec, [](const LayerSpec& layer) { return values_of(layer); });
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
