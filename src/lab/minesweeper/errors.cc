#include "damier/lab/minesweeper/errors.h"

#include <algorithm>
#include <unordered_set>

#include "damier/learn/minesweeper/patches.h"
#include "damier/model/model.h"

namespace damier::lab {

namespace {

using learn::EvaluatedPatch;

constexpr int kEvaluatedBatch = 512;
constexpr std::size_t kSample = 800;
constexpr const char* kEncoder = "patch-5";

// The share of the patches for which it holds. A patch that is "right" counts as one whose bomb was
// found, so that the evaluation of patches, which knows of groups, gives the interval.
template <class Holds>
Estimate share_where(const std::vector<EvaluatedPatch>& patches, const Holds& holds) {
  std::vector<EvaluatedPatch> marked = patches;
  for (EvaluatedPatch& patch : marked) {
    patch.probability = holds(patch.error()) ? 1.0f : 0.0f;
    patch.bomb = true;
  }
  return *find_metric(learn::patch_metrics(std::move(marked)), "accuracy");
}

std::size_t bin_of(double error) {
  const auto bin = static_cast<std::size_t>(error * static_cast<double>(kErrorBins));
  return std::min(bin, kErrorBins - 1);
}

}  // namespace

PatchErrors errors_of(std::vector<EvaluatedPatch> patches) {
  PatchErrors found;
  if (patches.empty()) return found;
  std::vector<double> sorted;
  for (const EvaluatedPatch& patch : patches) {
    const double error = patch.error();
    sorted.push_back(error);
    ++found.bins[bin_of(error)];
    const std::size_t open = std::min<std::size_t>(patch.uncovered, kMaxUncovered - 1);
    ++found.count[open];
    found.mean[open] += error;
  }
  for (std::size_t open = 0; open < kMaxUncovered; ++open) {
    if (found.count[open] > 0) found.mean[open] /= static_cast<double>(found.count[open]);
  }
  const std::size_t shown = std::min(kSample, patches.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const EvaluatedPatch& patch = patches[i * patches.size() / shown];
    found.sample.push_back({patch.uncovered, patch.error()});
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < found.quartiles.size(); ++i) {
    found.quartiles[i] = sorted[(i + 1) * (sorted.size() - 1) / 4];
  }
  found.below_01 = share_where(patches, [](double error) { return error < 0.1; });
  found.from_01_to_02 =
      share_where(patches, [](double error) { return error >= 0.1 && error <= 0.2; });
  found.above_02 = share_where(patches, [](double error) { return error > 0.2; });
  found.above_06 = share_where(patches, [](double error) { return error > 0.6; });
  found.above_09 = share_where(patches, [](double error) { return error > 0.9; });
  const auto metrics = learn::patch_metrics(std::move(patches));
  found.absolute = *find_metric(metrics, "mean_absolute_error");
  found.squared = *find_metric(metrics, "mean_squared_error");
  return found;
}

Result<PatchErrors> evaluate_patches(const std::string& path, const learn::DataSet* data,
                                     PatchTest test, std::uint64_t fresh) {
  const auto model = TRY(model::open_model(path));
  const auto evaluated = predict_with(model, kEvaluatedBatch);
  if (test == PatchTest::held_out) {
    auto patches = TRY(learn::evaluate_patches(*evaluated, kEncoder, *data, learn::Split::test));
    return errors_of(std::move(patches));
  }
  ThreadPool alone(1);
  auto options = learn::fresh_patches(kEncoder, test == PatchTest::fresh_flags);
  options.count = fresh;
  const auto rows = TRY(learn::generate_in_memory(learn::minesweeper_patch_task(), options, alone));
  auto patches = TRY(learn::evaluate_patches(*evaluated, kEncoder, rows, learn::Split::training));
  return errors_of(std::move(patches));
}

double duplicate_share(bool bomb, std::uint64_t patches, Seed seed) {
  constexpr int kSide = 10, kBombs = 10;
  const learn::PatchMaker maker(model::patch_diameter(kEncoder), kSide, kSide, kBombs);
  std::unordered_set<std::uint64_t> seen;
  RandomStream random(seed, bomb ? "experiment.duplicates.bomb" : "experiment.duplicates.safe");
  learn::Patch patch;
  for (std::uint64_t i = 0; i < patches; ++i) {
    maker.make(bomb ? learn::Centre::bomb : learn::Centre::safe, random, patch);
    seen.insert(model::hash_of(patch));
  }
  return patches == 0 ? 0 : 1 - static_cast<double>(seen.size()) / static_cast<double>(patches);
}

}  // namespace damier::lab
