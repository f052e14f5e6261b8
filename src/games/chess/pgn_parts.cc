// What PGN is cut into before it is read, and what programs write into its comments: clocks and
// evaluations.

#include <algorithm>
#include <cctype>
#include <cmath>

#include "damier/base/text/text.h"
#include "damier/games/chess/pgn.h"

namespace damier::games::chess {

namespace {

// "1:02:03.4" -> seconds.
std::optional<double> parse_clock(std::string_view text) {
  double seconds = 0;
  for (const std::string_view part : split(text, ':')) {
    const auto number = parse_number<double>(part);
    if (!number || !(*number >= 0 && *number < 1e6)) return std::nullopt;
    seconds = 60 * seconds + *number;
  }
  return seconds;
}

// "0.35", "#-3"; a depth may follow behind a comma.
std::optional<PgnEval> parse_eval(std::string_view text) {
  text = text.substr(0, text.find(','));
  if (text.starts_with('#')) {
    const auto moves = parse_number<int>(text.substr(1));
    if (!moves || std::abs(*moves) > 10'000) return std::nullopt;
    return PgnEval{true, *moves};
  }
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto pawns = parse_number<double>(text);
  if (!pawns || !(std::abs(*pawns) < 10'000)) return std::nullopt;
  return PgnEval{false, static_cast<int>(std::lround(100 * *pawns))};
}

// "[%clk 0:01:30]"; false when it is neither a clock nor an evaluation.
bool take_command(std::string_view command, PgnPly& ply) {
  if (command.size() < 3 || !command.ends_with(']')) return false;
  const std::string_view inside = command.substr(2, command.size() - 3);
  const std::string_view name = inside.substr(0, inside.find(' '));
  const std::string_view value = trim(inside.substr(name.size()));
  const auto keep = [](const auto& found, auto& place) {
    if (found) place = found;
    return found.has_value();
  };
  if (name == "clk") return keep(parse_clock(value), ply.clock);
  return name == "eval" && keep(parse_eval(value), ply.eval);
}

// "[Event " and the like; not "[%clk".
bool is_tag(std::string_view line) {
  return line.size() > 1 && line[0] == '[' && std::isalpha(static_cast<unsigned char>(line[1])) &&
         line.find('"') != line.npos;
}

bool ends_with_result(std::string_view line) {
  return line.ends_with("1-0") || line.ends_with("0-1") || line.ends_with("1/2-1/2") ||
         line.ends_with("*");
}

}  // namespace

void take_comment_commands(std::string& comment, PgnPly& ply) {
  if (comment.find("[%") == comment.npos) return;
  const std::string_view text = comment;
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find("[%", at), text.size());
    const std::size_t end = std::min(text.find(']', begin), text.size() - 1) + 1;
    kept += text.substr(at, begin - at);
    if (begin == text.size()) break;
    const std::string_view command = text.substr(begin, end - begin);
    if (!take_command(command, ply)) kept += command;  // somebody else's: left as it is
    at = end;
  }
  comment = std::string(trim(kept));
}

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
