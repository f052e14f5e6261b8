#include "damier/games/pointing.h"

#include <algorithm>

namespace damier::games {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether a name may stand at that place of a text: not inside of a number and, where it is only a
// letter or a number, not inside of a word. "a" is no cell of "pass".
bool stands_alone(std::string_view text, std::size_t at, std::size_t length) {
  const std::string_view name = text.substr(at, length);
  const char before = at > 0 ? text[at - 1] : ' ';
  const char after = at + length < text.size() ? text[at + length] : ' ';
  if ((is_digit(name.front()) && is_digit(before)) || (is_digit(name.back()) && is_digit(after))) {
    return false;
  }
  const bool is_mixed = std::ranges::any_of(name, is_digit) && std::ranges::any_of(name, is_letter);
  const auto in_word = [](char c) { return is_digit(c) || is_letter(c); };
  return is_mixed || (!in_word(before) && !in_word(after));
}

}  // namespace

CellNames cell_names(const Picture& picture) {
  CellNames names;
  for (int row = 0; row < picture.rows; ++row) {
    for (int col = 0; col < picture.cols; ++col) {
      const auto label = [](const std::vector<std::string>& labels, int at) {
        return labels.empty() ? std::string() : labels[static_cast<std::size_t>(at)];
      };
      std::string name = label(picture.col_labels, col), number = label(picture.row_labels, row);
      // A label of one kind alone names a whole row or column.
      name = name.empty() || number.empty() ? picture.at(row, col).label : name + number;
      if (!name.empty()) names.emplace(std::move(name), row * picture.cols + col);
    }
  }
  return names;
}

Gesture gesture_of_text(const CellNames& names, std::string_view move) {
  std::size_t longest = 0;
  for (const auto& [name, cell] : names) longest = std::max(longest, name.size());
  std::vector<int> cells;
  for (std::size_t at = 0; at < move.size();) {
    std::size_t length = std::min(longest, move.size() - at);
    auto found = names.end();
    for (; length > 0; --length) {
      found = names.find(move.substr(at, length));
      if (found != names.end() && stands_alone(move, at, length)) break;
    }
    if (length > 0) cells.push_back(found->second);
    at += std::max<std::size_t>(1, length);
  }
  if (cells.empty()) return {};
  if (cells.front() == cells.back()) return {"place", {cells.front()}};
  return {"move", {cells.front(), cells.back()}};
}

}  // namespace damier::games
