// A PNG file as its pixels: as much of the format as a browser's screenshots use.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace damier::app {

struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::array<std::uint8_t, 3>> pixels;  // row by row

  std::set<std::array<std::uint8_t, 3>> colours() const { return {pixels.begin(), pixels.end()}; }
};

// Throws std::runtime_error at whatever it does not know.
Picture read_png(const std::string& bytes);

}  // namespace damier::app
