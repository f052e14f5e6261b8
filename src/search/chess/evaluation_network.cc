#include "damier/search/chess/evaluation_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/chess/encoders.h"
#include "damier/games/game.h"
#include "damier/nn/model_file.h"
#include "damier/search/chess/network_kernels_body.h"

namespace damier::search::chess {

using namespace games::chess;

namespace {

constexpr int kMaxUnits = 2048;
constexpr std::int64_t kOutputScale =
    std::int64_t{kOutputOne} * kActivationOne * kActivationOne;  // of the sum in whole numbers
constexpr std::string_view kScaleKey = "squash";
constexpr double kMaxScale = 10'000;

std::int64_t nearest(double x) { return std::llround(x); }

// Of the first layer, which gives them for each side's view.
int units_of(const nn::NetworkSpec& spec) {
  return spec.layers.empty() ? 0 : spec.layers[0].out.channels / 2;
}

Result<double> scale_in(const nn::TensorMetadata& metadata) {
  for (const auto& [key, value] : metadata) {
    if (key != kScaleKey) continue;
    const auto scale = parse_number<double>(value);
    if (scale && *scale >= 1 && *scale <= kMaxScale) return *scale;
    return Error{fmt::format("its {} is {}; expected a number from 1 to {}", kScaleKey,
                             in_quotes(value), kMaxScale)};
  }
  return Error{
      fmt::format("does not say what its output is in pawns; expected the key {} in its "
                  "metadata",
                  kScaleKey)};
}

Result<std::vector<float>> floats_of(const nn::TensorFile& file, const std::string& name) {
  const nn::Tensor& tensor = *file.find(name);
  if (tensor.dtype == nn::DType::f32) return nn::finite_values<float, float>(tensor);
  const auto doubles = TRY(nn::finite_values<float, double>(tensor));
  return std::vector<float>(doubles.begin(), doubles.end());
}

constexpr CompiledFor<const NetworkKernels*> kCompiledNetworkKernels = {
    .plain = &k_network_plain,
#if defined(__x86_64__)
    .sse42 = &k_network_sse42,
    .avx2 = &k_network_avx2,
    .avx512 = &k_network_avx512,
#endif
};

}  // namespace

const NetworkKernels k_network_plain = {"plain", update_sums, output_sum};

const NetworkKernels* network_kernels_of(Isa isa) { return kCompiledNetworkKernels.of(isa); }

const NetworkKernels& best_network_kernels() { return *kCompiledNetworkKernels.best(); }

AlignedNumbers::AlignedNumbers(std::size_t count) : lines_((count + 31) / 32) {}

Status check_evaluation_spec(const nn::NetworkSpec& spec) {
  const int units = units_of(spec);
  const Json expected = {
      {"input", Json::array({2 * kMaxPieces})},
      {"layers",
       Json::array(
           {{{"type", "sparse"}, {"features", kPieceFeatures}, {"units", units}, {"lists", 2}},
            {{"type", "squared_clipped_relu"}}})},
      {"heads",
       {{"value", Json::array({{{"type", "dense"}, {"units", 1}}, {{"type", "sigmoid"}}})}}}};
  if (to_json(spec) != expected) {
    return Error{fmt::format(
        "is no evaluation network; expected {} inputs, a sparse layer of {} features in 2 lists, "
        "squared_clipped_relu, and one head 'value' of a dense unit and a sigmoid",
        2 * kMaxPieces, kPieceFeatures)};
  }
  if (units % kUnitStep != 0 || units > kMaxUnits) {
    return Error{fmt::format("has {} units; expected a multiple of {}, {} at most", units,
                             kUnitStep, kMaxUnits)};
  }
  return Done{};
}

Result<std::shared_ptr<const EvaluationNetwork>> EvaluationNetwork::load(
    const std::filesystem::path& path) {
  const std::string source = path.string();
  const auto check = [&](const nn::TensorHeader& header) -> Status {
    const auto spec = TRY(nn::model_spec(header.metadata, source));
    TRY(check_evaluation_spec(spec).in(source));
    return nn::check_tensors(spec, header, source);
  };
  const auto file = TRY(nn::read_safetensors(path, check));
  return from(file, source);
}

Result<std::shared_ptr<const EvaluationNetwork>> EvaluationNetwork::from(const nn::TensorFile& file,
                                                                         std::string_view source) {
  const std::string place(source);
  const auto spec = TRY(nn::model_spec(file.metadata, source));
  TRY(check_evaluation_spec(spec).in(place));
  TRY(nn::check_tensors(spec, header_of(file), source));
  const double scale = TRY(scale_in(file.metadata).in(place));
  const auto features = TRY(floats_of(file, "layers.0.weight").in(place));
  const auto bias = TRY(floats_of(file, "layers.0.bias").in(place));
  const auto output = TRY(floats_of(file, "heads.value.0.weight").in(place));
  const auto output_bias = TRY(floats_of(file, "heads.value.0.bias").in(place));
  const std::shared_ptr<EvaluationNetwork> network(new EvaluationNetwork);
  network->units_ = units_of(spec);
  network->scale_ = static_cast<int>(nearest(scale));
  TRY(network->quantise(features, bias, output, output_bias[0]).in(place));
  return std::shared_ptr<const EvaluationNetwork>(network);
}

Status EvaluationNetwork::quantise(std::span<const float> features, std::span<const float> bias,
                                   std::span<const float> output, float output_bias) {
  const auto units = static_cast<std::size_t>(units_);
  constexpr auto kFeatures = static_cast<std::size_t>(kPieceFeatures);
  rows_ = AlignedNumbers(units * kFeatures);
  bias_ = AlignedNumbers(units);
  output_ = AlignedNumbers(2 * units);
  bool fits = true;
  const auto whole = [&](float number, double one, double most) {
    const double scaled = static_cast<double>(number) * one;
    fits = fits && std::abs(scaled) < most + 0.5;
    return fits ? static_cast<std::int16_t>(nearest(scaled)) : std::int16_t{0};
  };
  constexpr double kMax = std::numeric_limits<std::int16_t>::max();
  for (std::size_t unit = 0; unit < units; ++unit) {
    for (std::size_t feature = 0; feature < kFeatures; ++feature) {  // the file has (out, in)
      rows_.data()[feature * units + unit] =
          whole(features[unit * kFeatures + feature], kActivationOne, kMax);
    }
    bias_.data()[unit] = whole(bias[unit], kActivationOne, kMax);
  }
  if (!fits) {
    return Error{
        fmt::format("a weight of its features does not fit into 16 bits; expected {} at "
                    "most (optimiser.clip_weights)",
                    static_cast<int>(kMax) / kActivationOne)};
  }
  for (std::size_t i = 0; i < 2 * units; ++i) {
    output_.data()[i] = whole(output[i], kOutputOne, kMaxOutputWeight);
  }
  if (!fits) {
    return Error{
        fmt::format("a weight of its output does not fit into 8 bits; expected {:.2f} at "
                    "most (optimiser.clip_weights)",
                    static_cast<double>(kMaxOutputWeight) / kOutputOne)};
  }
  const double shift = static_cast<double>(output_bias) * static_cast<double>(kOutputScale);
  if (!(std::abs(shift) < std::numeric_limits<std::int32_t>::max())) {
    return Error{"the bias of its output does not fit into 32 bits"};
  }
  output_bias_ = static_cast<std::int32_t>(nearest(shift));
  return check_sums();
}

// A square holds one piece at most, and a legal position kMaxPieces: the worst is the sum of the
// that many largest of the squares' worst.
Status EvaluationNetwork::check_sums() const {
  for (int unit = 0; unit < units_; ++unit) {
    for (const int sign : {1, -1}) {
      int worst[kSquares] = {};
      for (int feature = 0; feature < kPieceFeatures; ++feature) {
        int& at = worst[feature % kSquares];
        at = std::max(at, sign * row(feature)[unit]);
      }
      std::partial_sort(worst, worst + kMaxPieces, worst + kSquares, std::greater<>());
      int sum = sign * bias_.data()[unit];
      for (int i = 0; i < kMaxPieces; ++i) sum += worst[i];
      if (sum > std::numeric_limits<std::int16_t>::max()) {
        return Error{
            fmt::format("the sum of unit {} may not fit into 16 bits; expected smaller "
                        "weights (optimiser.clip_weights)",
                        unit)};
      }
    }
  }
  for (const int sign : {1, -1}) {
    std::int64_t sum = std::max<std::int64_t>(0, std::int64_t{sign} * output_bias_);
    for (int i = 0; i < 2 * units_; ++i) {
      sum += std::max(0, sign * output_.data()[i]) * std::int64_t{kActivationOne} * kActivationOne;
    }
    if (sum > std::numeric_limits<std::int32_t>::max()) {
      return Error{
          "the sum of its output may not fit into 32 bits; expected smaller weights "
          "(optimiser.clip_weights)"};
    }
  }
  return Done{};
}

int EvaluationNetwork::score(const std::int16_t* own, const std::int16_t* other) const {
  const std::int32_t sum = output_bias_ + kernels_->output(own, output_.data(), units_) +
                           kernels_->output(other, output_.data() + units_, units_);
  const std::int64_t score = std::int64_t{sum} * scale_ / kOutputScale;
  constexpr std::int64_t kLimit = games::kHeuristicLimit;
  return static_cast<int>(std::clamp(score, -kLimit, kLimit));
}

int EvaluationNetwork::score(const State& state) const {
  AlignedNumbers sums(2 * static_cast<std::size_t>(units_));
  for (const int other : {0, 1}) {
    const games::Side viewer = other == 0 ? state.side : games::opponent(state.side);
    const auto features = piece_features(state, viewer);
    RowChanges changes;
    for (int i = 0; i < features.count; ++i) {
      changes.added[changes.added_count++] = row(features.numbers[static_cast<std::size_t>(i)]);
    }
    kernels_->update(bias(), changes, sums.data() + other * units_, units_);
  }
  return score(sums.data(), sums.data() + units_);
}

}  // namespace damier::search::chess
