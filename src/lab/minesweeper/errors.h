// How far a network of patches is off, in the words of the report: mean errors, their shares by
// size, and against the number of open cells.
//
// An error is the distance of the predicted probability from what is under the centre, 0 or 1; ten
// masks of one patch are alike, and the intervals know it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "damier/base/json/described.h"
#include "damier/base/numbers/estimate.h"
#include "damier/learn/minesweeper/patch_task.h"
#include "damier/learn/rows/data_set.h"

namespace damier::lab {

inline constexpr std::size_t kErrorBins = 10;  // of a tenth each, as the report has them
inline constexpr std::size_t kMaxUncovered = 25;

struct PatchErrors {
  struct Point {
    int uncovered = 0;  // safe cells that are open
    double error = 0;
  };

  Estimate absolute, squared;                                      // means
  Estimate below_01, from_01_to_02, above_02, above_06, above_09;  // shares
  std::array<std::int64_t, kErrorBins> bins = {};
  std::array<double, 3> quartiles = {};
  // By open cells: how many patches, and the mean error of those.
  std::array<std::int64_t, kMaxUncovered> count = {};
  std::array<double, kMaxUncovered> mean = {};
  std::vector<Point> sample;  // some of them, for drawings
};
void describe(auto& fields, Is<PatchErrors::Point> auto& point) {
  fields("uncovered", point.uncovered);
  fields("error", point.error);
}
void describe(auto& fields, Is<PatchErrors> auto& errors) {
  fields("absolute", errors.absolute);
  fields("squared", errors.squared);
  fields("below_01", errors.below_01);
  fields("from_01_to_02", errors.from_01_to_02);
  fields("above_02", errors.above_02);
  fields("above_06", errors.above_06);
  fields("above_09", errors.above_09);
  fields("bins", errors.bins);
  fields("quartiles", errors.quartiles);
  fields("count", errors.count);
  fields("mean", errors.mean);
  fields("sample", errors.sample);
}

PatchErrors errors_of(std::vector<learn::EvaluatedPatch> patches);

// The report's test sets: `fresh` masked patches, the same with flags, or the rows that a training
// kept apart.
enum class PatchTest : std::uint8_t { fresh, fresh_flags, held_out };
// Of the network in a model file; `data` are the rows that it was trained with, where they are
// asked.
Result<PatchErrors> evaluate_patches(const std::string& model, const learn::DataSet* data,
                                     PatchTest test, std::uint64_t fresh);

// Of that many patches by the report's generator, the share that an earlier one equals.
double duplicate_share(bool bomb, std::uint64_t patches, Seed seed);

}  // namespace damier::lab
