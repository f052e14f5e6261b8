#include "damier/app/terminal/prompt.h"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "damier/base/files/files.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/store/store.h"

namespace damier::app {

namespace {

constexpr std::size_t kMaxHistoryBytes = std::size_t{1} << 20;  // bytes
constexpr std::size_t kKeptLines = 500;

}  // namespace

Prompt::Prompt(std::string_view name, bool unicode, bool quiet) : quiet_(quiet) {
  if (quiet || isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) return;
  editor_ = std::make_unique<LineEditor>(unicode);
  if (!editor_->works()) editor_.reset();
  if (editor_) read_history(name);
}

// A history is a comfort: one that cannot be read or written is no error.
void Prompt::read_history(std::string_view name) {
  const auto folder = state_folder();
  if (!folder) return;
  history_file_ = *folder / fmt::format("history-{}", name);
  const auto text = read_file(history_file_, kMaxHistoryBytes);
  if (!text) return;
  for (const std::string_view line : split(*text, '\n')) {
    // What would not be printed as it stands was not typed.
    if (line.empty() || printable(line) != line) continue;
    lines_.emplace_back(line);
    editor_->remember(lines_.back());
  }
}

Prompt::~Prompt() {
  if (history_file_.empty() || !changed_) return;
  std::string text;
  const std::size_t left_out = lines_.size() - std::min(lines_.size(), kKeptLines);
  for (std::size_t i = left_out; i < lines_.size(); ++i) text += lines_[i] + "\n";
  std::error_code ignored;
  std::filesystem::create_directories(history_file_.parent_path(), ignored);
  [[maybe_unused]] const Status status = write_file_atomically(history_file_, text);
}

std::optional<std::string> Prompt::ask(const std::string& prompt,
                                       const LineEditor::Complete& complete) {
  if (!editor_) {
    if (!quiet_ && isatty(STDIN_FILENO) == 1) write_output(prompt);
    flush_output();
    return plain_.next();
  }
  auto line = editor_->next(prompt, complete);
  const std::string typed(trim(line.value_or("")));
  if (!typed.empty() && printable(typed) == typed) {
    editor_->remember(typed);
    if (lines_.empty() || lines_.back() != typed) lines_.push_back(typed);
    changed_ = true;
  }
  return line;
}

}  // namespace damier::app
