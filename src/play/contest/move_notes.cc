#include "damier/play/contest/move_notes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/parse_number.h"
#include "damier/base/text/text.h"

namespace damier::play {

namespace {

constexpr std::string_view kNothingNoted = "-";

std::string note_word(const MoveNote& note) {
  std::string word;
  if (note.mate) {
    word = fmt::format("#{}", *note.mate);
  } else if (note.score) {
    word = fmt::format("{}", *note.score);
  }
  if (note.clock) word += fmt::format("@{:.3f}", *note.clock);
  return word.empty() ? std::string(kNothingNoted) : word;
}

std::optional<MoveNote> parse_note(std::string_view word) {
  MoveNote note;
  if (word == kNothingNoted) return note;
  const auto at = word.find('@');
  if (at != word.npos) {
    note.clock = parse_number<double>(word.substr(at + 1));
    if (!note.clock || !std::isfinite(*note.clock)) return std::nullopt;
    word = word.substr(0, at);
    if (word.empty()) return note;
  }
  const bool is_mate = word.starts_with('#');
  const auto number = parse_number<int>(word.substr(is_mate ? 1 : 0));
  if (!number) return std::nullopt;
  (is_mate ? note.mate : note.score) = number;
  return note;
}

}  // namespace

std::optional<int> mate_of(const games::Known& known) {
  if (!known.plies) return std::nullopt;
  if (known.verdict == games::Verdict::win) return (*known.plies + 1) / 2;
  if (known.verdict == games::Verdict::loss) return -*known.plies / 2;
  return std::nullopt;
}

std::string notes_text(std::span<const MoveNote> notes) {
  const auto says_nothing = [](const MoveNote& note) { return note == MoveNote{}; };
  if (std::all_of(notes.begin(), notes.end(), says_nothing)) return {};
  std::vector<std::string> words;
  for (const MoveNote& note : notes) words.push_back(note_word(note));
  return join(words, " ");
}

Result<std::vector<MoveNote>> parse_notes(std::string_view text) {
  std::vector<MoveNote> notes;
  if (text.empty()) return notes;
  for (const std::string_view word : split(text, ' ')) {
    const auto note = parse_note(word);
    if (!note) {
      return Error{fmt::format("{} is no note of a move; expected a score and a clock, as 35@9.8",
                               in_quotes(word))};
    }
    notes.push_back(*note);
  }
  return notes;
}

}  // namespace damier::play
