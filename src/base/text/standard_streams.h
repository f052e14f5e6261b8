// Standard output and standard error: the one place where text leaves the program for a person.
//
// What is printed may quote files and names that hold anything, so it passes through
// terminal_text() (base/text/text.h). Nothing here throws: a message that nobody can read is
// dropped, and output that could not be written is remembered for the end of the program.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "damier/base/result.h"

namespace damier {

// To be called before any file is opened. A closed stream stays taken, so that no file gets its
// number and be written into by messages; and a reader that goes away, or a file that may not grow
// any further, is an error of the write and no longer the end of the process.
void prepare_standard_streams();

// From now on nothing is written: another process of the same run speaks.
void mute_standard_streams();

// Standard output, for results. Colours (terminal.h) are kept when it is a terminal. write_output()
// is for data that must stay as it is; what is printed for people has its long lines broken between
// words where a terminal is too narrow for them.
void write_output(std::string_view text);
void write_output_wrapped(std::string_view text);
template <class... Args>
void print_output(fmt::format_string<Args...> form, Args&&... args) {
  write_output_wrapped(fmt::vformat(form, fmt::make_format_args(args...)));
}
void flush_output();

// What kept output from being written, if anything did. Look after flush_output().
std::optional<Error> output_error();
// The reader has seen enough (`damier perft chess 5 | head -1`): that is no error. Long work is
// interrupted then.
bool output_reader_left();

// Standard error, for everything else.
void write_message(std::string_view text);
template <class... Args>
void print_message(fmt::format_string<Args...> form, Args&&... args) {
  write_message(fmt::vformat(form, fmt::make_format_args(args...)));
}

// A line on standard error that is drawn again and again, and taken away at last. It is cut where
// the terminal is too narrow for it.
void draw_live_line(std::string_view text);
// Columns that such a line may have.
int message_columns();
void wipe_live_line();

}  // namespace damier
