#include "damier/model/minesweeper/patch.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "damier/base/numbers/estimate.h"
#include "damier/base/numbers/random.h"
#include "damier/base/text/text.h"
#include "damier/model/minesweeper/board_encoder.h"

namespace damier::model {

std::uint64_t hash_of(const Patch& patch) {
  std::uint64_t hash = static_cast<std::uint64_t>(patch.diameter);
  const auto codes = patch.seen();
  for (std::size_t i = 0; i < codes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, codes.data() + i, std::min<std::size_t>(8, codes.size() - i));
    hash = mix64((hash + 0x9E3779B97F4A7C15u) ^ word);
  }
  return hash;
}

namespace {

const std::vector<std::string> kPatchEncoders = {"patch-3", "patch-5", "patch-7", "patch-9"};

class PatchEncoder final : public AnyEncoder {
 public:
  explicit PatchEncoder(std::string_view name)
      : AnyEncoder(std::string(name), nn::Shape{cells_of(name)},
                   static_cast<std::uint64_t>(cells_of(name))) {}

  // One byte a cell instead of four.
  void expand(std::span<const float> stored, std::span<float> inputs) const override {
    std::transform(stored.begin(), stored.end(), inputs.begin(),
                   [](float code) { return code - static_cast<float>(kStoredShift); });
  }

  // The eight of the square.
  std::vector<SymmetryMaps> symmetries() const override {
    std::vector<SymmetryMaps> all;
    for (std::vector<std::uint32_t>& source : square_images(patch_diameter(name()))) {
      std::vector<float> signs(source.size(), 1.0f);
      all.push_back({{"input", std::move(source), std::move(signs)}});
    }
    return all;
  }

  Status check_network(const nn::NetworkSpec& spec) const override {
    if (spec.input.size() != shape().size()) return check_input(spec);
    TRY(PatchHead::find(spec));
    return Done{};
  }

 private:
  static int cells_of(std::string_view name) { return patch_diameter(name) * patch_diameter(name); }
};

}  // namespace

int patch_diameter(std::string_view encoder) {
  constexpr std::string_view kPrefix = "patch-";
  const auto at = std::find(kPatchEncoders.begin(), kPatchEncoders.end(), encoder);
  return at == kPatchEncoders.end() ? 0 : encoder[kPrefix.size()] - '0';
}

Result<PatchHead> PatchHead::find(const nn::NetworkSpec& spec) {
  for (std::size_t i = 0; i < spec.heads.size(); ++i) {
    if (spec.head_shape(i).size() != 1) continue;
    if (spec.heads[i].name != "bomb" && spec.heads.size() > 1) continue;
    const nn::LayerSpec* last = spec.last_layer(i);
    return PatchHead{i, last == nullptr || !last->is("sigmoid")};
  }
  return Error{"the network has no head 'bomb' of 1 output"};
}

float PatchHead::probability(float output) const {
  return sound_probability(is_logit ? 1.0f / (1.0f + std::exp(-output)) : output);
}

Encoders minesweeper_patch_encoders() {
  return {"minesweeper-patch", "minesweeper", kPatchEncoders,
          [](std::string_view name) -> Result<std::shared_ptr<const AnyEncoder>> {
            if (patch_diameter(name) == 0) return unknown_name("encoder", name, kPatchEncoders);
            return std::shared_ptr<const AnyEncoder>(std::make_shared<PatchEncoder>(name));
          }};
}

}  // namespace damier::model
