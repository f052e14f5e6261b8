// The numbers that a network sees of fanoron-telo, and how symmetries move them about.

#include <algorithm>
#include <cassert>

#include "damier/learn/fanorona/task.h"

namespace damier::learn {

using namespace games::fanorona;

namespace {

constexpr std::size_t kContents = 5;  // -2, -1, 0, 1, 2
constexpr std::size_t kFlat = 46;
constexpr std::size_t kPlanes = 54;

std::size_t content_of(const State& state, int point) {
  const unsigned bit = point_bit(point);
  const std::size_t step = (state.moved & bit) ? 2 : 1;
  if (state.pieces[0] & bit) return 2 + step;
  return (state.pieces[1] & bit) ? 2 - step : 2;
}

// Where the number of a point's content stands.
std::size_t place_of(bool planes, std::size_t point, std::size_t content) {
  return planes ? content * kPoints + point : kContents * point + content;
}

ColumnMap input_map(bool planes, const std::array<std::size_t, kPoints>& to, bool swap) {
  const std::size_t size = planes ? kPlanes : kFlat;
  ColumnMap map{"input", std::vector<std::uint32_t>(size), std::vector<float>(size, 1.0f)};
  for (std::size_t point = 0; point < kPoints; ++point) {
    for (std::size_t content = 0; content < kContents; ++content) {
      const std::size_t other = swap ? kContents - 1 - content : content;
      map.source[place_of(planes, to[point], other)] =
          static_cast<std::uint32_t>(place_of(planes, point, content));
    }
  }
  for (std::size_t i = kContents * kPoints; i < size; ++i) {  // the player
    map.source[i] = static_cast<std::uint32_t>(i);
    map.sign[i] = swap ? -1.0f : 1.0f;
  }
  return map;
}

}  // namespace

void encode_fanorona(std::string_view encoder, const State& state, std::span<float> out) {
  if (encoder == "flat") {
    Fanorona().write_features(state, out);
    return;
  }
  assert(encoder == "planes" && out.size() == kPlanes);
  std::fill(out.begin(), out.end(), 0.0f);
  for (int point = 0; point < kPoints; ++point) {
    out[place_of(true, static_cast<std::size_t>(point), content_of(state, point))] = 1.0f;
  }
  const float player = state.side == games::Side::first ? 1.0f : -1.0f;
  std::fill(out.begin() + kContents * kPoints, out.end(), player);
}

std::vector<SymmetryMaps> fanorona_symmetries(std::string_view encoder) {
  const Fanorona game;
  std::vector<SymmetryMaps> all;
  for (const games::Symmetry symmetry : game.symmetries(game.initial())) {
    std::array<std::size_t, kPoints> to = {};
    for (int point = 0; point < kPoints; ++point) {
      to[static_cast<std::size_t>(point)] =
          static_cast<std::size_t>(from_of(game.transformed(make_move(point, point), symmetry)));
    }
    SymmetryMaps maps = {input_map(encoder == "planes", to, symmetry.swap_sides)};
    ColumnMap policy{"policy", std::vector<std::uint32_t>(18), std::vector<float>(18, 1.0f)};
    ColumnMap moves{"moves", std::vector<std::uint32_t>(81), std::vector<float>(81, 1.0f)};
    for (std::size_t point = 0; point < kPoints; ++point) {
      policy.source[to[point]] = static_cast<std::uint32_t>(point);
      policy.source[kPoints + to[point]] = static_cast<std::uint32_t>(kPoints + point);
      for (std::size_t other = 0; other < kPoints; ++other) {
        moves.source[kPoints * to[point] + to[other]] =
            static_cast<std::uint32_t>(kPoints * point + other);
      }
    }
    ColumnMap legal = moves;
    legal.column = "legal";
    maps.push_back(std::move(policy));
    maps.push_back(std::move(moves));
    maps.push_back(std::move(legal));
    all.push_back(std::move(maps));
  }
  return all;
}

std::int64_t fanorona_group(const State& state) {
  const Fanorona game;
  const auto key = [](const State& s) {
    return std::uint64_t{s.pieces[0]} | std::uint64_t{s.pieces[1]} << 16 |
           std::uint64_t{s.moved} << 32 | static_cast<std::uint64_t>(games::index(s.side)) << 48;
  };
  std::uint64_t smallest = ~std::uint64_t{0};
  for (const games::Symmetry symmetry : game.symmetries(state)) {
    smallest = std::min(smallest, key(game.transformed(state, symmetry)));
  }
  return static_cast<std::int64_t>(mix64(smallest + 1));
}

}  // namespace damier::learn
