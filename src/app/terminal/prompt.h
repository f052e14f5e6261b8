// Lines from standard input: as they come, or typed on a terminal with editing, history and
// completion by libedit, which only prompt.cc knows. Ctrl-C and closed terminals end the line as
// they end any other wait.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace damier::app {

class LineReader {
 public:
  // The next line without its line break; nothing at the end of the input or after an interrupt.
  std::optional<std::string> next();

 private:
  std::string buffer_;  // read but not yet given out
  bool ended_ = false;
  const bool terminal_ = isatty(STDIN_FILENO) == 1;
};

class LineEditor;

// Where a person is asked for a line: with editing on a terminal, and plain lines otherwise.
class Prompt {
 public:
  // What may stand for the last word of a line, given what stands before the cursor.
  using Complete = std::function<std::vector<std::string>(std::string_view line)>;

  // The lines of earlier sessions are those of the same `name`. Nothing but lines is written where
  // `quiet`.
  Prompt(std::string_view name, bool unicode, bool quiet);
  ~Prompt();  // keeps the lines
  Prompt(const Prompt&) = delete;
  Prompt& operator=(const Prompt&) = delete;

  // Lines are edited by a person: there is somebody to ask.
  bool is_edited() const { return editor_ != nullptr; }
  // Nothing at the end of the input or after an interrupt.
  std::optional<std::string> ask(const std::string& prompt, const Complete& complete);

 private:
  void read_history(std::string_view name);

  std::unique_ptr<LineEditor> editor_;  // none: `plain_` reads
  LineReader plain_;
  bool quiet_;
  std::filesystem::path history_file_;  // empty: there is no place for one
  std::vector<std::string> lines_;
  bool changed_ = false;
};

}  // namespace damier::app
