#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/chess/fen.h"
#include "damier/games/chess/pgn.h"
#include "damier/games/chess/san.h"

namespace damier::games::chess {

namespace {

constexpr std::size_t kWidth = 79;

constexpr std::string_view kRoster[] = {"Event", "Site", "Date", "Round", "White", "Black"};
// Made from the game.
constexpr std::string_view kOwnTags[] = {"Result", "Variant", "SetUp", "FEN"};

// Whether a reader would take a line of a comment that begins so for something else.
bool misleads_at_start(std::string_view word) {
  return word.starts_with('%') || word.starts_with("[Event");
}

// Words in lines; a word that is longer than a line gets one of its own.
class Lines {
 public:
  void add(std::string_view word) {
    const bool is_full = column_ + 1 + word.size() > kWidth && !misleads_at_start(word);
    if (column_ > 0) text_ += is_full ? '\n' : ' ';
    column_ = column_ == 0 || is_full ? word.size() : column_ + 1 + word.size();
    text_ += word;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::size_t column_ = 0;
};

void add_tag(std::string& text, std::string_view name, std::string_view value) {
  text += fmt::format("[{} \"", name);
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' || c == '\r' ? ' ' : c;
  }
  text += "\"]\n";
}

std::string tags_text(const PgnGame& game, const Chess& rules) {
  std::string text;
  for (const std::string_view name : kRoster) {
    const std::string_view value = game.tag(name), unknown = name == "Date" ? "????.??.??" : "?";
    add_tag(text, name, value.empty() ? unknown : value);
  }
  add_tag(text, "Result", game.result);
  if (const std::string_view variant = game.tag("Variant"); !variant.empty()) {
    add_tag(text, "Variant", variant);
  } else if (!castles_as_in_chess(game.start)) {
    add_tag(text, "Variant", "Chess960");
  }
  if (fen_text(game.start) != fen_text(rules.initial())) {
    add_tag(text, "SetUp", "1");
    add_tag(text, "FEN", fen_text(game.start));
  }
  for (const PgnTag& tag : game.tags) {
    const bool is_written =
        std::ranges::count(kRoster, tag.name) > 0 || std::ranges::count(kOwnTags, tag.name) > 0;
    if (!is_written) add_tag(text, tag.name, tag.value);
  }
  return text;
}

std::string clock_text(double seconds) {
  const double tenths = std::round(10 * seconds);
  const auto whole = static_cast<std::int64_t>(tenths / 10);
  const auto rest = static_cast<int>(tenths - 10 * static_cast<double>(whole));
  std::string text = fmt::format("[%clk {}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return text + (rest == 0 ? "]" : fmt::format(".{}]", rest));
}

std::string eval_text(const PgnEval& eval) {
  return eval.is_mate ? fmt::format("[%eval #{}]", eval.value)
                      : fmt::format("[%eval {:.2f}]", eval.value / 100.0);
}

// A comment cannot hold the brace that ends it.
std::string braced(std::string_view text) {
  std::string comment = "{";
  for (const char c : text) {
    comment += c == '}' ? ')' : c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  return comment + "}";
}

class MoveWriter {
 public:
  explicit MoveWriter(const Chess& rules) : rules_(rules) {}

  void line(const PgnLine& plies, State state, std::string open, const std::string& close) {
    bool needs_number = true;
    for (std::size_t i = 0; i < plies.size(); ++i) {
      const PgnPly& ply = plies[i];
      if (!ply.comment_before.empty()) {
        comment(std::exchange(open, ""), ply.comment_before);
        needs_number = true;
      }
      std::string word = std::exchange(open, "");
      if (state.side == Side::first || needs_number) {
        const std::string_view dots = state.side == Side::first ? "." : "...";
        lines_.add(fmt::format("{}{}{}", std::exchange(word, ""), state.move_number, dots));
      }
      word += ply.move == kNullMove ? "--" : rules_.move_text(state, ply.move);
      const bool last = i + 1 == plies.size();
      needs_number = annotations(ply, state, std::move(word), last ? close : "");
      play_pgn_move(rules_, state, ply.move);
    }
  }

  void comment(std::string before, std::string_view text) {
    words(std::move(before) + braced(text));
  }

  void word(std::string_view text) { lines_.add(text); }
  std::string take() { return lines_.take(); }

 private:
  // Everything behind a move; whether the next black move then needs its number.
  bool annotations(const PgnPly& ply, const State& before, std::string word,
                   const std::string& close) {
    std::vector<std::string> parts = {std::move(word)};
    for (const std::uint8_t nag : ply.nags) parts.push_back(fmt::format("${}", nag));
    std::string said = ply.eval ? eval_text(*ply.eval) : "";
    if (ply.clock) append_words(said, clock_text(*ply.clock));
    append_words(said, ply.comment);
    if (ply.variations.empty() && said.empty()) parts.back() += close;
    for (const std::string& part : parts) lines_.add(part);
    if (!said.empty()) words(braced(said) + (ply.variations.empty() ? close : ""));
    for (std::size_t i = 0; i < ply.variations.size(); ++i) {
      const bool last = i + 1 == ply.variations.size();
      line(ply.variations[i], before, "(", ")" + (last ? close : ""));
    }
    return !said.empty() || !ply.variations.empty();
  }

  // A command such as "[%clk 0:01:30]" stays in one line.
  void words(std::string_view text) {
    while (!text.empty()) {
      const bool is_command = text.starts_with("[%") || text.starts_with("{[%");
      const std::size_t from = is_command ? std::min(text.find(']'), text.size()) : 0;
      const std::size_t end = std::min(text.find(' ', from), text.size());
      if (end > 0) lines_.add(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  const Chess& rules_;
  Lines lines_;
};

}  // namespace

std::string pgn_text(const PgnGame& game) {
  const Chess rules(kNoDraws);
  MoveWriter writer(rules);
  writer.line(game.line, game.start, "", "");
  const bool before_result = game.line.empty();
  if (!game.comment.empty() && before_result) writer.comment("", game.comment);
  writer.word(game.result);
  if (!game.comment.empty() && !before_result) writer.comment("", game.comment);
  return tags_text(game, rules) + "\n" + writer.take() + "\n";
}

}  // namespace damier::games::chess
