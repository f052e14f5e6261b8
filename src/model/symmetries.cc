#include "damier/model/symmetries.h"

#include <bit>
#include <map>

namespace damier::model {

namespace {

// Where a number comes from.
struct Source {
  std::size_t column = 0;
  bool negated = false;

  auto operator<=>(const Source&) const = default;
};

// Tells columns of numbers apart; 0 and -0 are the same.
std::uint64_t signature(const FeatureRows& rows, Source source) {
  std::uint64_t hash = 1;
  const float sign = source.negated ? -1.0f : 1.0f;
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const float value = sign * rows.values[row * rows.width + source.column] + 0.0f;
    hash = mix64(hash ^ std::bit_cast<std::uint32_t>(value)) + 0x9E3779B97F4A7C15u;
  }
  return hash;
}

// The cell of a board that a symmetry brings to each cell.
std::vector<std::size_t> turned_cells(games::FeatureShape shape, games::Symmetry symmetry) {
  std::vector<std::size_t> source(static_cast<std::size_t>(shape.rows * shape.cols));
  for (int cell = 0; cell < std::ssize(source); ++cell) {
    const games::Cell2 from = {cell / shape.cols, cell % shape.cols};
    const games::Cell2 to = symmetry.apply(from, shape.rows, shape.cols);
    const bool fits = !symmetry.transpose || shape.rows == shape.cols;
    const int at = fits ? to.row * shape.cols + to.col : cell;
    source[static_cast<std::size_t>(at)] = static_cast<std::size_t>(cell);
  }
  return source;
}

}  // namespace

ColumnMap feature_map(const FeatureRows& positions, const FeatureRows& images,
                      games::FeatureShape shape, games::Symmetry symmetry) {
  std::map<std::uint64_t, std::vector<Source>> known;  // what the positions hold, by signature
  for (std::size_t i = 0; i < positions.width; ++i) {
    const std::uint64_t plain = signature(positions, {i}),
                        negated = signature(positions, {i, true});
    known[plain].push_back({i, false});
    if (negated != plain) known[negated].push_back({i, true});
  }
  const auto cells = static_cast<std::size_t>(shape.rows * shape.cols);
  const std::vector<std::size_t> turned = turned_cells(shape, symmetry);
  std::vector<std::uint64_t> wanted(positions.width);
  std::vector<std::map<Source, int>> votes(positions.width / cells);  // by plane; planes as columns
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = signature(images, {i});
    const auto& fitting = known[wanted[i]];
    if (fitting.size() == 1) ++votes[i / cells][{fitting[0].column / cells, fitting[0].negated}];
  }
  ColumnMap map{"input", {}, {}};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Source plane = {i / cells, false};
    int most = 0;
    for (const auto& [candidate, count] : votes[i / cells]) {
      if (count > most) most = count, plane = candidate;
    }
    Source source = {plane.column * cells + turned[i % cells], plane.negated};
    if (signature(positions, source) != wanted[i]) {
      if (known[wanted[i]].empty()) return {"input", {}, {}};
      source = known[wanted[i]].front();
    }
    map.source.push_back(static_cast<std::uint32_t>(source.column));
    map.sign.push_back(source.negated ? -1.0f : 1.0f);
  }
  return map;
}

bool turns(const ColumnMap& map, const FeatureRows& positions, const FeatureRows& images) {
  for (std::size_t row = 0; row < positions.count(); ++row) {
    const float* from = positions.values.data() + row * positions.width;
    const float* to = images.values.data() + row * positions.width;
    for (std::size_t i = 0; i < positions.width; ++i) {
      if (map.sign[i] * from[map.source[i]] != to[i]) return false;
    }
  }
  return true;
}

}  // namespace damier::model
