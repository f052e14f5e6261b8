// How wide text is on a terminal, and how it is made to fit. Colours (\x1b[…m) take no room.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace damier {

// Columns of a descriptor that is a terminal and knows them.
std::optional<int> columns_of(int descriptor);

int visible_width(std::string_view text);

// One line, cut to `columns` columns with "…" at its end where it is longer.
std::string cut_to_width(std::string_view line, int columns);

// A text whose paragraphs are broken into lines: where a line is longer than `columns`, each
// paragraph on one line, to be broken anew. Indented lines and rows of a table stay.
std::string with_whole_paragraphs(std::string_view text, int columns);

// Breaks long lines between words. What follows stands under the second column of a table, or under
// the first word. A line may come in several pieces.
class LineWrapper {
 public:
  std::string add(std::string_view text, int columns);
  // Text that was written without being wrapped.
  void pass(std::string_view text);

 private:
  void start_line();

  int column_ = 0;         // where the next character goes
  int indent_ = 0;         // of what is broken off
  bool has_word_ = false;  // the line has one
  bool has_gap_ = false;   // and two spaces or more behind one
};

}  // namespace damier
