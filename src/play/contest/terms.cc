#include "damier/play/contest/terms.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::play {

namespace {

constexpr double kMaxTime = 1e6;
constexpr int kMateScore = 1'000'000;

std::optional<double> parse_seconds(std::string_view text) {
  const auto seconds = parse_number<double>(text);
  if (!seconds || !(*seconds >= 0 && *seconds <= kMaxTime)) return std::nullopt;
  return seconds;
}

// "4/700" after the name; what is left out is as usual.
std::optional<Adjudication::Rule> parse_rule(std::string_view text, const Adjudication::Rule& usual,
                                             std::size_t most) {
  Adjudication::Rule rule = usual;
  if (text.empty()) return rule;
  const auto parts = split(text, '/');
  if (parts.size() > most) return std::nullopt;
  int* const values[] = {&rule.moves, &rule.score, &rule.from};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = parse_number<int>(parts[i]);
    if (!number || *number < (i == 0 ? 1 : 0) || *number > 100'000) return std::nullopt;
    *values[i] = *number;
  }
  return rule;
}

std::optional<int> score_in(const MoveNote& note) {
  if (note.mate) return *note.mate > 0 ? kMateScore : -kMateScore;
  return note.score;
}

// Whether the last moves of both sides all say so: seen by the side to move next, then the other.
template <class Says>
bool agreed(const std::vector<MoveNote>& notes, int moves, const Says& says) {
  const auto count = 2 * static_cast<std::size_t>(moves);
  if (notes.size() < count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto score = score_in(notes[notes.size() - 1 - i]);
    if (!score || !says(i % 2 == 1 ? *score : -*score)) return false;
  }
  return true;
}

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

Result<TimeControl> TimeControl::parse(std::string_view text) {
  const auto plus = text.find('+');
  const auto base = parse_seconds(text.substr(0, plus));
  const auto increment =
      plus == text.npos ? std::optional(0.0) : parse_seconds(text.substr(plus + 1));
  if (!base || !increment || *base + *increment <= 0) {
    return Error{fmt::format("{} is no time control; expected BASE+INCREMENT in seconds, as 10+0.1",
                             in_quotes(text))};
  }
  return TimeControl{*base, *increment};
}

std::string TimeControl::text() const { return fmt::format("{}+{}", base, increment); }

Result<Adjudication> Adjudication::parse(std::string_view text) {
  Adjudication adjudication;
  for (const std::string_view part : split(text, ',')) {
    const auto equals = part.find('=');
    const std::string_view name = trim(part.substr(0, equals));
    const std::string_view value = equals == part.npos ? "" : trim(part.substr(equals + 1));
    std::optional<Adjudication::Rule> rule;
    const bool is_draw = name == "draw";
    if (is_draw || name == "resign") {
      rule = parse_rule(value, is_draw ? kUsualDraw : kUsualResign, is_draw ? 3 : 2);
    }
    if (!rule || (equals != part.npos && value.empty())) {
      return Error{fmt::format(
          "{} calls no game; expected resign, draw, resign=MOVES/SCORE or draw=MOVES/SCORE/FROM",
          in_quotes(part))};
    }
    (is_draw ? adjudication.draw : adjudication.resign) = *rule;
  }
  return adjudication;
}

std::string Adjudication::text() const {
  std::vector<std::string> parts;
  if (resign.moves > 0) parts.push_back(fmt::format("resign={}/{}", resign.moves, resign.score));
  if (draw.moves > 0) {
    parts.push_back(fmt::format("draw={}/{}/{}", draw.moves, draw.score, draw.from));
  }
  return join(parts, ",");
}

games::Outcome adjudicated(const Adjudication& adjudication, const std::vector<MoveNote>& notes,
                           games::Side to_move) {
  const auto& resign = adjudication.resign;
  const auto& draw = adjudication.draw;
  if (resign.moves > 0) {
    if (agreed(notes, resign.moves, [&](int score) { return score >= resign.score; })) {
      return games::win_of(to_move);
    }
    if (agreed(notes, resign.moves, [&](int score) { return score <= -resign.score; })) {
      return games::win_of(games::opponent(to_move));
    }
  }
  if (draw.moves > 0 && static_cast<int>(notes.size()) >= 2 * draw.from &&
      agreed(notes, draw.moves, [&](int score) { return std::abs(score) <= draw.score; })) {
    return games::Outcome::draw;
  }
  return games::Outcome::ongoing;
}

}  // namespace damier::play
