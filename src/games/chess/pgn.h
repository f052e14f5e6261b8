// A game of chess as Portable Game Notation keeps it: tags, the line that was played, and what was
// said about it; reading and writing such games.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/files/files.h"
#include "damier/games/chess/chess.h"

namespace damier::games::chess {

struct PgnTag {
  std::string name;
  std::string value;

  bool operator==(const PgnTag&) const = default;
};

// From White's point of view, as "[%eval 0.35]" and "[%eval #-3]" say it.
struct PgnEval {
  bool is_mate = false;
  int value = 0;  // hundredths of a pawn, or moves to mate; negative for Black

  bool operator==(const PgnEval&) const = default;
};

// Nobody moves, "--" or "Z0": what the other side threatens. Only variations have it.
inline constexpr Move kNullMove = {};

struct PgnPly;
using PgnLine = std::vector<PgnPly>;

struct PgnPly {
  Move move = {};
  std::vector<std::uint8_t> nags = {};  // "$1", or "!" behind the move
  std::string comment_before = {};      // only where a line begins with a comment
  std::string comment = {};             // what follows, without the clock and the evaluation
  std::optional<PgnEval> eval = {};
  std::optional<double> clock = {};      // seconds left, "[%clk 0:01:30.5]"
  std::vector<PgnLine> variations = {};  // what could have been played instead

  bool operator==(const PgnPly&) const = default;
};

struct PgnGame {
  std::vector<PgnTag> tags;
  State start;
  PgnLine line;
  std::string comment;       // of a game without moves, or behind its result
  std::string result = "*";  // "1-0", "0-1", "1/2-1/2"; "*" when not known
  // How its pieces are written, in the order of KQRBN, where that is not English: "KDTLS".
  std::string letters = {};
  std::int64_t at_line = 0;  // where it stands in its file, counted from 1

  // Empty when there is no such tag.
  std::string_view tag(std::string_view name) const {
    for (const PgnTag& tag : tags) {
      if (tag.name == name) return tag.value;
    }
    return {};
  }
};

// With a space between them, if there are some already.
inline void append_words(std::string& text, std::string_view words) {
  if (!text.empty() && !words.empty()) text += ' ';
  text += words;
}

// Also where nobody moves; the side to move must not be in check then.
inline void play_pgn_move(const Chess& rules, State& state, Move move) {
  if (move != kNullMove) return rules.play(state, move);
  if (state.side == Side::second) ++state.move_number;
  state.side = opponent(state.side);
  state.en_passant = Square::none;
  state.hash = zobrist_hash(state);
}

// The game in Portable Game Notation: the seven tags of the roster first, moves in lines of less
// than 80 columns. Tags of the roster that the game lacks get their "?"; Result, SetUp, FEN and,
// for starts of Chess960, Variant are made from the game itself.
std::string pgn_text(const PgnGame& game);

// Games are read one after the other; a file of gigabytes needs the memory of its largest game. A
// broken game is an error with its place, and the reader continues with the next one. A game whose
// moves make no sense in English letters is tried in those of other languages.

// A PGN file cut into pieces of one game each, read as they are asked for.
//
// The cut is made by lines alone, so that one broken game cannot swallow the next. A new piece
// begins with a tag after moves, when the tag is Event or follows an empty line.
class PgnChunks {
 public:
  // A game of more than this is cut.
  static constexpr std::size_t kMaxBytes = StreamLines::kMaxLength;

  explicit PgnChunks(std::istream& in) : lines_(in) {}

  // False at the end of the file.
  bool next();
  // Without what "%" at the beginning of a line hides. Valid until the next call.
  std::string_view text() const { return text_; }
  std::int64_t first_line() const { return first_line_; }
  bool is_cut() const { return is_cut_; }

 private:
  StreamLines lines_;
  bool has_line_ = false;  // a line that was read but belongs to the next piece
  std::string text_;
  std::int64_t first_line_ = 0;
  bool is_cut_ = false;
};

struct PgnReaderOptions {
  bool variations = true;  // or pass over them, unread
  bool comments = true;
};

class PgnReader {
 public:
  // `source` names the file in errors. `in` must outlive the reader.
  PgnReader(std::istream& in, std::string source, PgnReaderOptions options = {});

  // True: `game` is the next one. False: the end. An error: the next game is broken; call again for
  // the one after it. `game`'s room is used again.
  Result<bool> next(PgnGame& game);

 private:
  PgnChunks chunks_;
  std::string source_;
  PgnReaderOptions options_;
  Chess rules_;           // what is played was legal, whatever draws were not claimed
  std::size_t used_ = 0;  // of the chunk: several games without tags may share one
  bool has_chunk_ = false;
  std::size_t counted_ = 0;  // of the chunk, line ends
  std::int64_t line_ = 0;    // where that is in the file
};

struct PgnTotals {
  std::int64_t games = 0;
  std::int64_t broken = 0;
};

PgnTotals read_pgn(std::istream& in, const std::string& source, PgnReaderOptions options,
                   const std::function<void(PgnGame&)>& on_game,
                   const std::function<void(const Error&)>& on_broken);

// What a comment says in commands: takes "[%clk …]" and "[%eval …]" out of the text.
void take_comment_commands(std::string& comment, PgnPly& ply);

}  // namespace damier::games::chess
