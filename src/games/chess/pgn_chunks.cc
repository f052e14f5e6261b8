#include "damier/games/chess/pgn_chunks.h"

#include <cctype>

#include "damier/base/text/text.h"

namespace damier::games::chess {

namespace {

// "[Event " and the like; not "[%clk".
bool is_tag(std::string_view line) {
  return line.size() > 1 && line[0] == '[' && std::isalpha(static_cast<unsigned char>(line[1])) &&
         line.find('"') != line.npos;
}

bool ends_with_result(std::string_view line) {
  for (const std::string_view result : {"1-0", "0-1", "1/2-1/2", "*"}) {
    if (line.ends_with(result)) return true;
  }
  return false;
}

}  // namespace

bool PgnChunks::next() {
  text_.clear();
  is_cut_ = false;
  bool has_tags = false, has_moves = false, after_empty = false, after_result = false;
  while (has_line_ || lines_.next()) {
    has_line_ = false;
    const std::string_view line = lines_.line(), trimmed = trim(line);
    if (trimmed.empty() && text_.empty()) continue;
    // A game without tags ends with its result and an empty line.
    if (trimmed.empty() && after_result && !has_tags) return true;
    if (has_moves && is_tag(trimmed) && (after_empty || trimmed.starts_with("[Event "))) {
      has_line_ = true;
      return true;
    }
    if (text_.empty()) first_line_ = lines_.number();
    after_empty = trimmed.empty();
    after_result = ends_with_result(trimmed);
    if (!has_moves && is_tag(trimmed)) {
      has_tags = true;
    } else if (!trimmed.empty() && trimmed[0] != '%') {
      has_moves = true;
    }
    if (text_.size() + line.size() > kMaxBytes) {
      is_cut_ = true;
    } else {
      if (!line.starts_with('%')) text_ += line;
      text_ += '\n';
    }
  }
  return !text_.empty() || is_cut_;
}

}  // namespace damier::games::chess
