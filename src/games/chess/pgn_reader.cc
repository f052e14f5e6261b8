#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/chess/fen.h"
#include "damier/games/chess/pgn.h"
#include "damier/games/chess/san.h"

namespace damier::games::chess {

namespace {

constexpr std::size_t kMaxVariationDepth = 100;
constexpr std::size_t kMaxWordLength = 64;  // longer ones are cut, and then mean nothing
// The NAGs 1 to 6.
constexpr std::string_view kMarks[] = {"!", "?", "!!", "??", "!?", "?!"};

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool ends_token(char c) {
  return is_space(c) || c == '(' || c == ')' || c == '{' || c == '}' || c == ';' || c == '$' ||
         c == '[';
}

bool is_result(std::string_view word) {
  return word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*";
}

// Reads the text of one game. Every step either moves on in the text or fails at a place in it.
class GameParser {
 public:
  GameParser(std::string_view text, std::size_t start, const Chess& rules,
             const PgnReaderOptions& options, PgnGame& game, std::string_view letters)
      : text_(text), at_(start), rules_(rules), options_(options), game_(game), letters_(letters) {}

  std::size_t at() const { return at_; }
  // Whether reading ended at a move that cannot be played.
  bool failed_at_move() const { return failed_at_move_; }

  Status read() {
    game_.tags.clear();
    game_.line.clear();
    game_.comment.clear();
    game_.result = "*";
    game_.letters = letters_;
    TRY(read_tags());
    TRY(find_start());
    frames_.push_back({&game_.line, game_.start, game_.start, {}});
    while (!done_) {
      skip_space();
      if (at_ == text_.size()) break;
      TRY(read_item());
    }
    if (frames_.size() > 1) return error("a variation is not closed: ')' is missing");
    if (!done_) {
      // Without a result behind the moves, the tag has the last word.
      const std::string_view tag = game_.tag("Result");
      if (is_result(tag)) game_.result = tag;
    }
    game_.comment = std::move(frames_.front().waiting);
    return done_ ? read_last_comments() : Status(Done{});
  }

 private:
  struct Frame {
    PgnLine* line;
    State before;  // the last move of the line
    State now;
    std::string waiting;  // a comment before the first move of the line
  };

  Error error(std::string message) const {
    Error error{std::move(message)};
    const std::string_view before = text_.substr(0, at_);
    error.where.line = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    const auto line_start = before.rfind('\n');
    error.where.column =
        static_cast<int>(at_ - (line_start == before.npos ? 0 : line_start + 1)) + 1;
    return error;
  }

  // Steps over the character, if it is next.
  bool take(char c) {
    const bool is_next = at_ < text_.size() && text_[at_] == c;
    at_ += is_next ? 1 : 0;
    return is_next;
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  Status read_tags() {
    for (skip_space(); take('['); skip_space()) {
      skip_space();
      const std::size_t name = at_;
      while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '"') ++at_;
      PgnTag tag{std::string(text_.substr(name, at_ - name)), {}};
      skip_space();
      if (!take('"')) return error("expected a tag's value in double quotes, as [Event \"…\"]");
      for (; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_) {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        tag.value += text_[at_];
      }
      if (!take('"')) {
        return error(fmt::format("the value of the tag {} is not closed", in_quotes(tag.name)));
      }
      skip_space();
      if (!take(']')) {
        return error(fmt::format("expected ']' behind the tag {}", in_quotes(tag.name)));
      }
      game_.tags.push_back(std::move(tag));
    }
    return Done{};
  }

  Status find_start() {
    std::string variant(game_.tag("Variant"));
    std::erase_if(variant, [](unsigned char c) { return std::isalnum(c) == 0; });
    for (char& c : variant) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    constexpr std::string_view kKnown[] = {
        "", "standard", "chess", "normal", "fromposition", "chess960", "fischerandom"};
    if (std::ranges::count(kKnown, variant) == 0) {
      return error(fmt::format("the variant {} is not played here; chess and Chess960 are",
                               in_quotes(game_.tag("Variant"))));
    }
    const std::string_view fen = game_.tag("FEN");
    if (fen.empty()) {
      game_.start = rules_.initial();
      return Done{};
    }
    auto state = rules_.parse_position(fen);
    if (!state) return error(state.error().message);
    game_.start = *state;
    return Done{};
  }

  Status read_item() {
    const char c = text_[at_];
    if (c == '{' || c == ';') return read_comment();
    if (c == '(') return open_variation();
    if (c == ')') return close_variation();
    if (c == '$') return read_nag();
    if (c == '[' || c == '}' || c == '<') {
      return error(fmt::format("unexpected {} among the moves", in_quotes(text_.substr(at_, 1))));
    }
    return read_word();
  }

  Status read_comment() {
    const bool braces = text_[at_] == '{';
    std::size_t end = text_.find(braces ? '}' : '\n', at_);
    if (end == text_.npos) {
      if (braces) return error("a comment is not closed: '}' is missing");
      end = text_.size();
    }
    if (options_.comments) keep_comment(text_.substr(at_ + 1, end - at_ - 1));
    at_ = std::min(end + 1, text_.size());
    return Done{};
  }

  void keep_comment(std::string_view raw) {
    Frame& frame = frames_.back();
    std::string text;
    for (const char c : trim(raw)) text += c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
    std::string& place = frame.line->empty() ? frame.waiting : frame.line->back().comment;
    if (!frame.line->empty()) take_comment_commands(text, frame.line->back());
    append_words(place, text);
  }

  // "1-0 {White resigns}": said of the game, not of its last move.
  Status read_last_comments() {
    PgnLine nothing;
    frames_.front().line = &nothing;
    frames_.front().waiting.clear();
    for (skip_space(); at_ < text_.size() && (text_[at_] == '{' || text_[at_] == ';');
         skip_space()) {
      TRY(read_comment());
    }
    append_words(game_.comment, frames_.front().waiting);
    return Done{};
  }

  Status open_variation() {
    Frame& frame = frames_.back();
    if (!options_.variations) return pass_over_variation();
    if (frame.line->empty()) return error("a variation before the first move of its line");
    if (frames_.size() > kMaxVariationDepth) return error("variations are nested too deep");
    ++at_;
    PgnLine& line = frame.line->back().variations.emplace_back();
    const State before = frame.before;
    frames_.push_back({&line, before, before, {}});
    return Done{};
  }

  Status pass_over_variation() {
    int depth = 0;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == '{') {
        i = std::min(text_.find('}', i), text_.size() - 1);
      } else if (text_[i] == ';') {
        i = std::min(text_.find('\n', i), text_.size() - 1);
      } else if (text_[i] == '(') {
        ++depth;
      } else if (text_[i] == ')' && --depth == 0) {
        at_ = i + 1;
        return Done{};
      }
    }
    return error("a variation is not closed: ')' is missing");
  }

  Status close_variation() {
    if (frames_.size() == 1) return error("')' without a variation that it could close");
    Frame closed = std::move(frames_.back());
    frames_.pop_back();
    if (closed.line->empty()) {
      // A remark in the form of a variation without moves: kept as a comment.
      PgnPly& ply = frames_.back().line->back();
      ply.variations.pop_back();
      append_words(ply.comment, closed.waiting);
    }
    ++at_;
    return Done{};
  }

  Status read_nag() {
    const std::size_t begin = ++at_;
    int value = 0;
    while (at_ < text_.size() && is_digit(text_[at_]) && value <= 255) {
      value = 10 * value + (text_[at_++] - '0');
    }
    if (at_ == begin || value > 255) return error("expected a number from 0 to 255 behind '$'");
    if (!frames_.back().line->empty()) add_nag(static_cast<std::uint8_t>(value));
    return Done{};
  }

  void add_nag(std::uint8_t nag) { frames_.back().line->back().nags.push_back(nag); }

  Status read_word() {
    std::size_t end = at_ + 1;
    const std::size_t limit = std::min(text_.size(), at_ + kMaxWordLength);
    while (end < limit && !ends_token(text_[end])) ++end;
    std::string_view word = text_.substr(at_, end - at_);
    if (is_result(word)) {
      at_ = end;
      if (frames_.size() > 1) return Done{};  // some programs end their variations with a result
      game_.result = word;
      done_ = true;
      return Done{};
    }
    if (is_digit(word[0]) && !word.starts_with("0-0")) {
      // A move number, perhaps with the move glued to it: "12.Nf3".
      std::size_t digits = 0;
      while (digits < word.size() && is_digit(word[digits])) ++digits;
      if (digits < word.size() && word[digits] != '.') {
        return error(fmt::format("{} is neither a move nor a move number", in_quotes(word)));
      }
      at_ += digits;
      return Done{};
    }
    if (word[0] == '.' || word == "e.p.") {
      at_ = word[0] == '.' ? at_ + 1 : end;
      return Done{};
    }
    if (word[0] == '!' || word[0] == '?') return read_marks(word, end);
    return read_move(word, end);
  }

  Status read_marks(std::string_view word, std::size_t end) {
    const auto* mark = std::ranges::find(kMarks, word);
    if (mark == std::end(kMarks) || frames_.back().line->empty()) {
      return error(fmt::format("{} is no mark of a move", in_quotes(word)));
    }
    add_nag(static_cast<std::uint8_t>(mark - kMarks + 1));
    at_ = end;
    return Done{};
  }

  Status read_move(std::string_view word, std::size_t end) {
    const std::size_t marks = std::min(word.find_first_of("!?"), word.size());
    const std::string_view san = word.substr(0, marks);
    Frame& frame = frames_.back();
    const auto move = find_move(frame.now, san);
    if (!move) {
      return error(fmt::format("move {}: {}", frame.now.move_number, move.error().message));
    }
    frame.before = frame.now;
    play_pgn_move(rules_, frame.now, *move);
    PgnPly& ply = frame.line->emplace_back();
    ply.move = *move;
    ply.comment_before = std::exchange(frame.waiting, {});
    at_ += san.size();
    return marks < word.size() ? read_marks(word.substr(marks), end) : Status(Done{});
  }

  Result<Move> find_move(const State& state, std::string_view san) {
    if (san == "--" || san == "Z0") {
      if (frames_.size() == 1) return Error{"a null move was played; variations may have one"};
      if (rules_.in_check(state)) return Error{"a null move leaves the king in check"};
      return kNullMove;
    }
    std::string translated;
    if (!letters_.empty()) {
      auto english = san_from_letters(san, letters_);
      failed_at_move_ = !english;
      if (!english) return Error{fmt::format("{} has other letters", in_quotes(san))};
      translated = *std::move(english);
      san = translated;
    }
    if (const auto move = find_san(rules_.generator(), state, san)) return *move;
    auto parsed = rules_.parse_move(state, san);
    failed_at_move_ = !parsed;
    return parsed;
  }

  std::string_view text_;
  std::size_t at_;
  const Chess& rules_;
  const PgnReaderOptions& options_;
  PgnGame& game_;
  std::vector<Frame> frames_;  // the line that is being read, and those around it
  std::string_view letters_;   // of the pieces; empty: English
  bool done_ = false;
  bool failed_at_move_ = false;
};

}  // namespace

PgnReader::PgnReader(std::istream& in, std::string source, PgnReaderOptions options)
    : chunks_(in), source_(std::move(source)), options_(options), rules_(kNoDraws) {}

Result<bool> PgnReader::next(PgnGame& game) {
  while (true) {
    if (has_chunk_) {
      while (used_ < chunks_.text().size() && is_space(chunks_.text()[used_])) ++used_;
      has_chunk_ = used_ < chunks_.text().size();
    }
    if (has_chunk_) break;
    if (!chunks_.next()) return false;
    has_chunk_ = true;
    used_ = counted_ = 0;
    line_ = chunks_.first_line();
  }
  const auto placed = [&](Error error) {
    error.where.source = source_;
    error.where.line += static_cast<int>(chunks_.first_line());
    has_chunk_ = false;
    return error;
  };
  if (chunks_.is_cut()) {
    return placed(Error{fmt::format("a game of more than {} bytes", PgnChunks::kMaxBytes)});
  }
  const std::string_view passed = chunks_.text().substr(counted_, used_ - counted_);
  line_ += std::count(passed.begin(), passed.end(), '\n');
  counted_ = used_;
  game.at_line = line_;
  std::optional<Error> wrong;  // in English letters, which come first
  for (const std::string_view letters : kPieceLetters) {
    GameParser parser(chunks_.text(), used_, rules_, options_, game, letters);
    if (auto status = parser.read()) {
      used_ = parser.at();
      return true;
    } else if (!wrong) {
      wrong = std::move(status).error();
      if (!parser.failed_at_move()) break;
    }
  }
  return placed(*std::move(wrong));
}

PgnTotals read_pgn(std::istream& in, const std::string& source, PgnReaderOptions options,
                   const std::function<void(PgnGame&)>& on_game,
                   const std::function<void(const Error&)>& on_broken) {
  PgnReader reader(in, source, options);
  PgnTotals totals;
  PgnGame game;
  while (true) {
    const auto more = reader.next(game);
    if (!more) {
      ++totals.broken;
      if (on_broken) on_broken(more.error());
    } else if (*more) {
      ++totals.games;
      if (on_game) on_game(game);
    } else {
      return totals;
    }
  }
}

}  // namespace damier::games::chess
