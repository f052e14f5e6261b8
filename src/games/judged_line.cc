#include "damier/games/judged_line.h"

#include <optional>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::games {

namespace {

constexpr int kMaxPlies = 10'000;

std::optional<Verdict> named_verdict(std::string_view word) {
  for (const Verdict verdict : {Verdict::win, Verdict::draw, Verdict::loss}) {
    if (word == verdict_text(verdict)) return verdict;
  }
  return std::nullopt;
}

// "win 21".
Result<Known> read_value(std::string_view text) {
  const auto space = text.find(' ');
  const auto verdict = named_verdict(text.substr(0, space));
  if (!verdict || (*verdict == Verdict::draw && space != text.npos)) {
    return Error{
        fmt::format("the value {}; expected win, draw or loss, and behind a win or loss "
                    "its plies, if they are known",
                    in_quotes(text))};
  }
  if (space == text.npos) return Known{*verdict};
  const auto plies = TRY(parse_integer(trim(text.substr(space)), 1, kMaxPlies, "the plies"));
  return Known{*verdict, static_cast<int>(plies)};
}

bool is_mark(std::string_view word) {
  return word == "=" || word.starts_with('+') || word.starts_with('-');
}

// "+21", "=", "-20": what the moves behind it are worth.
Result<Known> read_mark(std::string_view mark) {
  if (mark == "=") return Known{Verdict::draw};
  const auto plies = TRY(parse_integer(mark.substr(1), 1, kMaxPlies,
                                       fmt::format("the plies of the mark {}", in_quotes(mark))));
  return Known{mark.front() == '+' ? Verdict::win : Verdict::loss, static_cast<int>(plies)};
}

}  // namespace

Result<JudgedLine> read_judged_line(std::string_view line) {
  const auto parts = split(line, ';');
  if (parts.size() != 3) {
    return Error{fmt::format("{} has {} parts; expected POSITION;win|draw|loss;MOVES",
                             in_quotes(line), parts.size())};
  }
  JudgedLine read;
  read.position = trim(parts[0]);
  read.known = TRY(read_value(trim(parts[1])));
  // Without a mark a move is one of those that keep the value.
  JudgedMove mark{{}, {read.known.verdict}};
  for (const std::string_view word : split(trim(parts[2]), ' ')) {
    if (!is_mark(word)) {
      mark.text = word;
      read.moves.push_back(mark);
      continue;
    }
    if (!read.has_marks && !read.moves.empty()) {
      return Error{
          fmt::format("no mark before the move {}; expected one before the first move or "
                      "none at all",
                      in_quotes(read.moves.front().text))};
    }
    mark.known = TRY(read_mark(word));
    read.has_marks = true;
  }
  if (read.moves.empty()) return Error{"no moves; expected those that keep the value"};
  const JudgedMove& best = read.moves.front();
  if (read.has_marks && best.known != read.known) {
    return Error{
        fmt::format("the value {} is not that of the first move {}; expected the best "
                    "moves first",
                    in_quotes(trim(parts[1])), in_quotes(best.text))};
  }
  return read;
}

}  // namespace damier::games
