#include "damier/app/terminal/prompt.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cwchar>

#include <fcntl.h>
#include <fmt/format.h>
#include <histedit.h>
#include <signal.h>
#include <unistd.h>

#include "damier/app/terminal/terminal.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/store/store.h"

namespace damier::app {

namespace {

constexpr std::size_t kMaxHistoryBytes = std::size_t{1} << 20;
constexpr int kKeptLines = 500;

// Signals that change the terminal while a line is typed. libedit could catch them, but together
// with those that end the program, and it would send those to the whole process group again.
constexpr std::array<int, 3> kTerminalSignals = {SIGWINCH, SIGTSTP, SIGCONT};

int g_terminal_pipe[2] = {-1, -1};  // a handler can reach nothing else

extern "C" void on_terminal_signal(int signal) {
  const int before = errno;
  const auto byte = static_cast<char>(signal);
  [[maybe_unused]] const ssize_t written = write(g_terminal_pipe[1], &byte, 1);
  errno = before;
}

// Catches them as long as it lives.
class TerminalSignals {
 public:
  TerminalSignals() {
    struct sigaction action = {};
    action.sa_handler = on_terminal_signal;
    for (std::size_t i = 0; i < kTerminalSignals.size(); ++i) {
      sigaction(kTerminalSignals[i], &action, &before_[i]);
    }
  }
  ~TerminalSignals() {
    for (std::size_t i = 0; i < kTerminalSignals.size(); ++i) {
      sigaction(kTerminalSignals[i], &before_[i], nullptr);
    }
  }
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;

 private:
  std::array<struct sigaction, kTerminalSignals.size()> before_ = {};
};

// libedit counts every character of a prompt as one that is seen, but for what stands between two
// of these.
constexpr char kUnseen = '\1';

std::string with_unseen_marked(std::string_view prompt) {
  std::string marked;
  while (!prompt.empty()) {
    const auto end = prompt.front() == '\x1b' ? prompt.find('m') : prompt.npos;
    if (end == prompt.npos) {
      marked += prompt.front();
      prompt.remove_prefix(1);
      continue;
    }
    marked += kUnseen + std::string(prompt.substr(0, end + 1)) + kUnseen;
    prompt.remove_prefix(end + 1);
  }
  return marked;
}

std::string shared_beginning(std::span<const std::string> words) {
  std::string shared = words.front();
  for (const std::string& word : words) {
    const auto [end, other] = std::mismatch(shared.begin(), shared.end(), word.begin(), word.end());
    shared.erase(end, shared.end());
  }
  return shared;
}

}  // namespace

// Standard input and output must be terminals.
class LineEditor {
 public:
  explicit LineEditor(bool unicode) {
    std::setlocale(LC_CTYPE, unicode ? "C.UTF-8" : "C");
    if (g_terminal_pipe[0] < 0 && pipe2(g_terminal_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;
    // libedit complains of terminals that it does not know; it works with them anyway.
    nowhere_ = fdopen(open("/dev/null", O_WRONLY | O_CLOEXEC), "w");
    if (nowhere_ == nullptr) return;
    editor_ = el_init("damier", stdin, stdout, nowhere_);
    if (editor_ == nullptr) return;
    el_set(editor_, EL_CLIENTDATA, this);
    el_set(editor_, EL_PROMPT_ESC, &prompt_of, kUnseen);
    el_set(editor_, EL_GETCFN, &read_character);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    // With wide text, because el_set keeps copies of narrow text that nobody frees.
    el_wset(editor_, EL_ADDFN, L"complete-word", L"complete the word", &complete_word);
    el_source(editor_, nullptr);  // ~/.editrc
    el_set(editor_, EL_BIND, "^I", "complete-word", nullptr);
    history_ = history_init();
    if (history_ == nullptr) return;
    HistEvent event;
    history(history_, &event, H_SETSIZE, int{kKeptLines});
    history(history_, &event, H_SETUNIQUE, 1);
    el_set(editor_, EL_HIST, &history, history_);
  }
  ~LineEditor() {
    if (history_ != nullptr) history_end(history_);
    if (editor_ != nullptr) el_end(editor_);
    if (nowhere_ != nullptr) std::fclose(nowhere_);
  }
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Or the system has no room for it.
  bool works() const { return editor_ != nullptr; }

  // Older lines first.
  void remember(const std::string& line) {
    HistEvent event;
    if (history_ != nullptr) history(history_, &event, H_ENTER, line.c_str());
  }

  // The next line without its line break; nothing at the end of the input or after an interrupt.
  // `prompt` may have colours.
  std::optional<std::string> next(const std::string& prompt, const Prompt::Complete& complete) {
    prompt_ = with_unseen_marked(prompt);
    complete_ = &complete;
    const TerminalSignals signals;
    // Before the prompt is seen: what is typed from then on belongs to the editor.
    el_set(editor_, EL_PREP_TERM, 1);
    int length = 0;
    const char* line = el_gets(editor_, &length);
    if (line == nullptr || length <= 0 || interrupted()) return std::nullopt;
    std::string text(line, static_cast<std::size_t>(length));
    if (text.ends_with('\n')) text.pop_back();
    return text;
  }

 private:
  static LineEditor& of(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<LineEditor*>(data);
  }

  static char* prompt_of(EditLine* editor) { return of(editor).prompt_.data(); }

  // The signals that came: the line is drawn again where that is needed.
  void handle_signals() const {
    char signal = 0;
    while (read(g_terminal_pipe[0], &signal, 1) == 1) {
      if (signal == SIGWINCH) {
        el_resize(editor_);
      } else {
        // Another user of the terminal finds it as it was, and may have changed it.
        el_set(editor_, EL_PREP_TERM, 0);
        if (signal == SIGTSTP) raise(SIGSTOP);
        el_set(editor_, EL_PREP_TERM, 1);
      }
      std::fputc('\r', stdout);  // where the cursor is now, as libedit takes it
      el_set(editor_, EL_REFRESH);
    }
  }

  // The next character that is typed: 1; 0 at the end of the input or after an interrupt.
  static int read_character(EditLine* editor, wchar_t* character) {
    std::mbstate_t so_far = {};
    while (true) {
      const auto ready = wait_readable_of(STDIN_FILENO, g_terminal_pipe[0]);
      if (!ready) return 0;
      if (*ready != STDIN_FILENO) {
        of(editor).handle_signals();
        continue;
      }
      char byte = 0;
      const ssize_t count = read(STDIN_FILENO, &byte, 1);
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (count <= 0) {
        // A terminal that was closed ends the input before its signal comes.
        if (isatty(STDIN_FILENO) == 0) interrupt();
        return 0;
      }
      constexpr auto kIncomplete = static_cast<std::size_t>(-2);
      std::size_t length = std::mbrtowc(character, &byte, 1, &so_far);
      if (length > 1 && length != kIncomplete) {
        // What came before was no character, and is passed over.
        so_far = {};
        length = std::mbrtowc(character, &byte, 1, &so_far);
      }
      if (length <= 1) return 1;
      if (length != kIncomplete) so_far = {};
    }
  }

  static unsigned char complete_word(EditLine* editor, wint_t) {
    const LineInfo* line = el_line(editor);
    const std::string_view before(line->buffer,
                                  static_cast<std::size_t>(line->cursor - line->buffer));
    const std::string_view word = before.substr(before.rfind(' ') + 1);
    std::vector<std::string> words = (*of(editor).complete_)(before);
    std::erase_if(words, [&](const std::string& other) { return !other.starts_with(word); });
    if (words.empty()) return CC_REFRESH_BEEP;
    std::string rest = shared_beginning(words).substr(word.size());
    if (words.size() == 1 && !words.front().ends_with('/')) rest += ' ';
    if (!rest.empty()) {
      el_insertstr(editor, rest.c_str());
      return CC_REFRESH;
    }
    write_output("\n");
    for (const std::string& row : filled_lines(words, terminal_columns())) {
      write_output(row + "\n");
    }
    return CC_REDISPLAY;
  }

  EditLine* editor_ = nullptr;
  History* history_ = nullptr;
  std::FILE* nowhere_ = nullptr;
  std::string prompt_;
  const Prompt::Complete* complete_ = nullptr;
};

std::optional<std::string> LineReader::next() {
  // Nobody types a longer line; a file that has one is cut there.
  constexpr std::size_t kMaxLength = 1 << 16;
  while (true) {
    if (interrupted()) return std::nullopt;
    const auto end = buffer_.find('\n');
    if (end != std::string::npos || buffer_.size() > kMaxLength || (ended_ && !buffer_.empty())) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end == std::string::npos ? end : end + 1);
      return line;
    }
    if (ended_ || !wait_readable(STDIN_FILENO)) return std::nullopt;
    std::array<char, 4096> block;
    const ssize_t count = read(STDIN_FILENO, block.data(), block.size());
    ended_ = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
    // A terminal that was closed ends the input before its signal comes.
    if (ended_ && terminal_ && isatty(STDIN_FILENO) == 0) interrupt();
    if (count > 0) buffer_.append(block.data(), static_cast<std::size_t>(count));
  }
}

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
  const auto left_out = std::max<std::ptrdiff_t>(0, std::ssize(lines_) - kKeptLines);
  for (const auto& line : std::span(lines_).subspan(static_cast<std::size_t>(left_out))) {
    text += line + "\n";
  }
  std::error_code ignored;
  std::filesystem::create_directories(history_file_.parent_path(), ignored);
  [[maybe_unused]] const Status status = write_file_atomically(history_file_, text);
}

std::optional<std::string> Prompt::ask(const std::string& prompt, const Complete& complete) {
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
