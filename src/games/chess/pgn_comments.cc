// What programs write into PGN comments: clocks and evaluations.

#include <algorithm>
#include <cmath>

#include "damier/base/text/parse_number.h"
#include "damier/base/text/text.h"
#include "damier/games/chess/pgn_reader.h"

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
  if (name == "clk") {
    const auto clock = parse_clock(value);
    if (clock) ply.clock = clock;
    return clock.has_value();
  }
  if (name == "eval") {
    const auto eval = parse_eval(value);
    if (eval) ply.eval = eval;
    return eval.has_value();
  }
  return false;
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

}  // namespace damier::games::chess
