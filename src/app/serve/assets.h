// The page: its files, compressed and part of the program.
#pragma once

#include <cstddef>
#include <string_view>

namespace damier::app::serve {

struct Asset {
  std::string_view path;  // "/index.html"
  std::string_view type;  // "text/html; charset=utf-8"
  const unsigned char* bytes = nullptr;
  std::size_t size = 0;

  std::string_view gzip() const { return {reinterpret_cast<const char*>(bytes), size}; }
};

// Null where there is none.
const Asset* find_asset(std::string_view path);

}  // namespace damier::app::serve
