#include "damier/games/coordinates.h"

#include <array>

#include <fmt/format.h>

#include "damier/base/numbers/bits.h"
#include "damier/base/text/text.h"

namespace damier::games {

std::string column_name(int col) {
  std::string name(1, static_cast<char>('a' + col % 26));
  if (col >= 26) name.insert(name.begin(), static_cast<char>('a' + col / 26 - 1));
  return name;
}

std::string cell_name(Cell2 cell) { return column_name(cell.col) + std::to_string(cell.row + 1); }

std::optional<Cell2> parse_cell(std::string_view text, int rows, int cols) {
  int col = 0;
  std::size_t letters = 0;
  while (letters < text.size() && text[letters] >= 'a' && text[letters] <= 'z') {
    if (++letters > 2) return std::nullopt;
    col = 26 * col + (text[letters - 1] - 'a' + 1);
  }
  const std::string_view digits = text.substr(letters);
  if (letters == 0 || col > cols || digits.empty() || digits[0] < '1' || digits[0] > '9') {
    return std::nullopt;
  }
  const auto row = parse_integer(digits, 1, rows, "row");
  if (!row) return std::nullopt;
  return Cell2{static_cast<int>(*row) - 1, col - 1};
}

Result<BoardSize> parse_board_size(std::string_view text, bool with_third) {
  const auto parts = split(text, 'x');
  const std::string_view form = with_third ? "ROWSxCOLSxBOMBS, as 16x30x99" : "ROWSxCOLS, as 8x8";
  const Error error{fmt::format("board {} is not of the form {}", in_quotes(text), form)};
  if (parts.size() != (with_third ? 3u : 2u)) return error;
  std::array<int, 3> numbers = {};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = parse_integer(parts[i], 0, 1000000, "board");
    if (!number) return error;
    numbers[i] = static_cast<int>(*number);
  }
  return BoardSize{numbers[0], numbers[1], numbers[2]};
}

Error position_error(std::string_view text, std::string_view message) {
  return Error{fmt::format("position {}: {}", in_quotes(text), message)};
}

Result<BoardText> parse_board(std::string_view text, int rows, int cols, const BoardForm& form) {
  text = trim(text);
  const auto side = text.empty() ? text.npos : form.sides.find(text.back());
  if (text.size() < 2 || text[text.size() - 2] != ' ' || side == text.npos) {
    return position_error(
        text, fmt::format("expected rows of {}, separated by /, a space and the side to move, "
                          "{} or {}",
                          form.all, form.sides[0], form.sides[1]));
  }
  const auto lines = split(text.substr(0, text.size() - 2), '/');
  if (std::ssize(lines) != rows) {
    return position_error(text, fmt::format("has {}; expected {} (the board is {}x{})",
                                            counted(lines.size(), "row"), rows, rows, cols));
  }
  BoardText board{.to_move = side == 0 ? Side::first : Side::second};
  for (std::size_t row = 0; row < lines.size(); ++row) {
    const std::string_view line = lines[row];
    if (std::ssize(line) != cols) {
      return position_error(text, fmt::format("row {} has {}; expected {}", row + 1,
                                              counted(line.size(), "cell"), cols));
    }
    if (const auto col = line.find_first_not_of(form.cells); col != line.npos) {
      return position_error(text, fmt::format("row {}, column {} is {}; expected {}", row + 1,
                                              col + 1, in_quotes(line.substr(col, 1)), form.any));
    }
    board.cells += line;
  }
  return board;
}

std::string board_text(const BoardText& board, int cols, const BoardForm& form) {
  std::string text = board.cells;
  for (std::size_t end = at(cols); end < text.size(); end += at(cols) + 1) text.insert(end, "/");
  return text + ' ' + form.sides[at(index(board.to_move))];
}

}  // namespace damier::games
