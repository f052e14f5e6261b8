#include "damier/base/text/columns.h"

#include <algorithm>

#include <sys/ioctl.h>

#include "damier/base/text/text.h"

namespace damier {

namespace {

// Ranges of characters that take two columns (East Asian scripts, pictures), and none.
int columns_of_character(char32_t c) {
  const auto in = [c](char32_t low, char32_t high) { return c >= low && c <= high; };
  if (in(0x0300, 0x036F) || in(0x200B, 0x200D) || in(0xFE00, 0xFE0F)) return 0;
  const bool wide = in(0x1100, 0x115F) || in(0x2E80, 0x303E) || in(0x3041, 0xA4CF) ||
                    in(0xAC00, 0xD7A3) || in(0xF900, 0xFAFF) || in(0xFE30, 0xFE6F) ||
                    in(0xFF00, 0xFF60) || in(0xFFE0, 0xFFE6) || in(0x1F300, 0x1F64F) ||
                    in(0x1F900, 0x1F9FF) || in(0x20000, 0x3FFFD);
  return wide ? 2 : 1;
}

// The first character of a text, or a colour as a whole.
struct Piece {
  std::size_t bytes = 1;
  int columns = 1;
};

Piece first_piece(std::string_view text) {
  if (text.starts_with("\x1b[")) {
    const auto end = text.find('m');
    return {end == text.npos ? text.size() : end + 1, 0};
  }
  const std::size_t length = utf8_length(text);
  if (length == 0) return {};
  return {length, columns_of_character(utf8_code_point(text.substr(0, length)))};
}

}  // namespace

std::optional<int> columns_of(int descriptor) {
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

int visible_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Piece piece = first_piece(text);
    width += piece.columns;
    text.remove_prefix(piece.bytes);
  }
  return width;
}

std::string cut_to_width(std::string_view line, int columns) {
  if (visible_width(line) <= columns) return std::string(line);
  std::string cut;
  for (int left = columns - 1; !line.empty();) {
    const Piece piece = first_piece(line);
    left -= piece.columns;
    if (left < 0) break;
    cut += line.substr(0, piece.bytes);
    line.remove_prefix(piece.bytes);
  }
  return columns > 0 ? cut + "…" : "";
}

std::string with_whole_paragraphs(std::string_view text, int columns) {
  const auto lines = split(text, '\n');
  const auto fits = [&](std::string_view line) { return visible_width(line) <= columns; };
  if (std::ranges::all_of(lines, fits)) return std::string(text);
  constexpr int kBroken = 60;  // a shorter line ends its paragraph
  const auto is_prose = [](std::string_view line) {
    return !line.empty() && line.front() != ' ' && line.find("  ") == line.npos;
  };
  std::string whole;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    whole += lines[i];
    if (i + 1 == lines.size()) break;
    const bool goes_on =
        is_prose(lines[i]) && visible_width(lines[i]) >= kBroken && is_prose(lines[i + 1]);
    whole += goes_on ? ' ' : '\n';
  }
  return whole;
}

void LineWrapper::start_line() {
  column_ = indent_ = 0;
  has_word_ = has_gap_ = false;
}

void LineWrapper::pass(std::string_view text) {
  const auto end = text.rfind('\n');
  if (end != text.npos) {
    start_line();
    text.remove_prefix(end + 1);
  }
  column_ += visible_width(text);
  has_word_ = has_word_ || !text.empty();
}

namespace {

// Where a word that is too long for a line is cut: behind the last comma that leaves it in `room`,
// or in a new line, or nowhere.
std::size_t cut_of(std::string_view word, int room, int new_line) {
  std::size_t cut = word.size();
  for (auto comma = word.find(','); comma != word.npos; comma = word.find(',', comma + 1)) {
    const bool is_first = cut == word.size();
    if (visible_width(word.substr(0, comma + 1)) > (is_first ? std::max(room, new_line) : room))
      break;
    cut = comma + 1;
  }
  return cut;
}

}  // namespace

std::string LineWrapper::add(std::string_view text, int columns) {
  std::string out;
  while (!text.empty()) {
    if (text.front() == '\n') {
      out += '\n';
      text.remove_prefix(1);
      start_line();
      continue;
    }
    const auto spaces = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(spaces);
    const auto gap = static_cast<int>(spaces);
    std::string_view word = text.substr(0, std::min(text.find_first_of(" \n"), text.size()));
    if (!has_word_) {
      indent_ = column_ + gap;
    } else if (!has_gap_ && gap >= 2 && !word.empty()) {
      has_gap_ = true;
      // A second column far to the right would leave no room below it.
      if (column_ + gap <= columns / 2) indent_ = column_ + gap;
    }
    const int room = columns - column_ - gap;
    if (visible_width(word) > columns - indent_) {
      word = word.substr(0, cut_of(word, room, columns - indent_));
    }
    const int width = visible_width(word);
    if (width > 0 && width > room && has_word_ && column_ > indent_ && width <= columns - indent_) {
      out += '\n' + std::string(static_cast<std::size_t>(indent_), ' ');
      column_ = indent_;
    } else {
      // Nobody sees spaces beyond the edge but as an empty line.
      const int seen = word.empty() ? std::clamp(columns - column_, 0, gap) : gap;
      out.append(static_cast<std::size_t>(seen), ' ');
      column_ += seen;
    }
    out += word;
    column_ += width;
    has_word_ = has_word_ || width > 0;
    text.remove_prefix(word.size());
  }
  return out;
}

}  // namespace damier
