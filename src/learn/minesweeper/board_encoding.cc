#include "damier/learn/minesweeper/board_encoding.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "damier/games/symmetry.h"

namespace damier::learn {

namespace {

constexpr std::array<int, 4> kFrames = {10, 12, 16, 32};
constexpr int kFew = 8, kMany = 64;  // scales of the safe cells that are left

}  // namespace

std::vector<std::string> board_encoders() {
  std::vector<std::string> names;
  for (const int frame : kFrames) names.push_back(fmt::format("board-{}", frame));
  return names;
}

int board_frame(std::string_view encoder) {
  constexpr std::string_view kPrefix = "board-";
  if (!encoder.starts_with(kPrefix)) return 0;
  for (const int frame : kFrames) {
    if (encoder.substr(kPrefix.size()) == std::to_string(frame)) return frame;
  }
  return 0;
}

std::uint8_t board_code(games::minesweeper::Code code) {
  if (code == games::minesweeper::Code::wall) return kWallCode;
  return is_number(code) ? static_cast<std::uint8_t>(code) : kMaskedCode;
}

template <class Code>
void expand_board(std::span<const Code> codes, int bombs, std::span<float> planes) {
  const std::size_t squares = codes.size();
  std::fill(planes.begin(), planes.end(), 0.0f);
  int masked = 0;
  for (const Code code : codes) masked += code == static_cast<Code>(kMaskedCode);
  const int safe = std::max(0, masked - bombs);
  const std::array<float, 4> everywhere = {
      1.0f, static_cast<float>(bombs) / static_cast<float>(std::max(1, masked)),
      static_cast<float>(std::min(safe, kFew)) / kFew,
      static_cast<float>(std::min(safe, kMany)) / kMany};
  for (std::size_t i = 0; i < squares; ++i) {
    const auto code = static_cast<std::size_t>(codes[i]);
    if (code >= kWallCode) continue;
    planes[code * squares + i] = 1;
    for (std::size_t k = 0; k < everywhere.size(); ++k) {
      planes[(kMaskedCode + 1 + k) * squares + i] = everywhere[k];
    }
  }
}

template void expand_board(std::span<const float>, int, std::span<float>);
template void expand_board(std::span<const std::uint8_t>, int, std::span<float>);

std::vector<std::vector<std::uint32_t>> square_images(int side) {
  std::vector<std::vector<std::uint32_t>> all;
  // The order decides which symmetry a seed draws: another one would change trainings.
  for (unsigned i = 0; i < 8; ++i) {
    const games::Symmetry symmetry{(i & 2) != 0, (i & 1) != 0, (i & 4) != 0};
    std::vector<std::uint32_t> source;
    for (int row = 0; row < side; ++row) {
      for (int col = 0; col < side; ++col) {
        const games::Cell2 from = symmetry.apply({row, col}, side, side);
        source.push_back(static_cast<std::uint32_t>(from.row * side + from.col));
      }
    }
    all.push_back(std::move(source));
  }
  return all;
}

std::vector<SymmetryMaps> board_symmetries(int frame) {
  const auto squares = static_cast<std::size_t>(frame) * static_cast<std::size_t>(frame);
  std::vector<SymmetryMaps> all;
  for (std::vector<std::uint32_t>& source : square_images(frame)) {
    source.push_back(static_cast<std::uint32_t>(squares));  // the bombs
    SymmetryMaps maps = {{"input", source, std::vector<float>(squares + 1, 1.0f)}};
    source.pop_back();
    for (const char* column : {"bomb", "masked", "win", "tried"}) {
      maps.push_back({column, source, std::vector<float>(squares, 1.0f)});
    }
    all.push_back(std::move(maps));
  }
  return all;
}

}  // namespace damier::learn
