// Lines typed on a terminal: editing, history and completion by libedit, which only line_editor.cc
// knows. Ctrl-C and closed terminals end the line as they end any other wait.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace damier::app {

class LineEditor {
 public:
  // What may stand for the last word of a line, given what stands before the cursor.
  using Complete = std::function<std::vector<std::string>(std::string_view line)>;

  // Standard input and output must be terminals.
  explicit LineEditor(bool unicode);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Or the system has no room for it.
  bool works() const;

  // Older lines first.
  void remember(const std::string& line);
  // The next line without its line break; nothing at the end of the input or after an interrupt.
  // `prompt` may have colours.
  std::optional<std::string> next(const std::string& prompt, const Complete& complete);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace damier::app
