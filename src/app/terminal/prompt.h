// Where a person is asked for a line: with editing, history and completion on a terminal, and plain
// lines otherwise.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/app/terminal/line_editor.h"
#include "damier/app/terminal/line_reader.h"

namespace damier::app {

class Prompt {
 public:
  // The lines of earlier sessions are those of the same `name`. Nothing but lines is written where
  // `quiet`.
  Prompt(std::string_view name, bool unicode, bool quiet);
  ~Prompt();  // keeps the lines
  Prompt(const Prompt&) = delete;
  Prompt& operator=(const Prompt&) = delete;

  // Lines are edited by a person: there is somebody to ask.
  bool is_edited() const { return editor_ != nullptr; }
  // Nothing at the end of the input or after an interrupt.
  std::optional<std::string> ask(const std::string& prompt, const LineEditor::Complete& complete);

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
