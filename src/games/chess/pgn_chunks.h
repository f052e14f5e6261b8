// A PGN file cut into pieces of one game each, read as they are asked for.
//
// The cut is made by lines alone, so that one broken game cannot swallow the next. A new piece
// begins with a tag after moves, when the tag is Event or follows an empty line.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>

#include "damier/base/files/stream_lines.h"

namespace damier::games::chess {

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

}  // namespace damier::games::chess
