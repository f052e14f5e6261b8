#include "damier/app/terminal/line_editor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cwchar>

#include <fcntl.h>
#include <histedit.h>
#include <signal.h>
#include <unistd.h>

#include "damier/app/terminal/terminal.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

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

struct LineEditor::State {
  EditLine* editor = nullptr;
  History* history = nullptr;
  std::FILE* nowhere = nullptr;
  std::string prompt;
  const Complete* complete = nullptr;

  static State& of(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<State*>(data);
  }

  static char* prompt_of(EditLine* editor) { return of(editor).prompt.data(); }

  // The signals that came: the line is drawn again where that is needed.
  void handle_signals() const {
    char signal = 0;
    while (read(g_terminal_pipe[0], &signal, 1) == 1) {
      if (signal == SIGWINCH) {
        el_resize(editor);
      } else {
        // Another user of the terminal finds it as it was, and may have changed it.
        el_set(editor, EL_PREP_TERM, 0);
        if (signal == SIGTSTP) raise(SIGSTOP);
        el_set(editor, EL_PREP_TERM, 1);
      }
      std::fputc('\r', stdout);  // where the cursor is now, as libedit takes it
      el_set(editor, EL_REFRESH);
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
    const State& state = of(editor);
    const LineInfo* line = el_line(editor);
    const std::string_view before(line->buffer,
                                  static_cast<std::size_t>(line->cursor - line->buffer));
    const std::string_view word = before.substr(before.rfind(' ') + 1);
    std::vector<std::string> words = (*state.complete)(before);
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
};

LineEditor::LineEditor(bool unicode) : state_(std::make_unique<State>()) {
  std::setlocale(LC_CTYPE, unicode ? "C.UTF-8" : "C");
  if (g_terminal_pipe[0] < 0 && pipe2(g_terminal_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;
  // libedit complains of terminals that it does not know; it works with them anyway.
  state_->nowhere = fdopen(open("/dev/null", O_WRONLY | O_CLOEXEC), "w");
  if (state_->nowhere == nullptr) return;
  state_->editor = el_init("damier", stdin, stdout, state_->nowhere);
  if (state_->editor == nullptr) return;
  EditLine* editor = state_->editor;
  el_set(editor, EL_CLIENTDATA, state_.get());
  el_set(editor, EL_PROMPT_ESC, &State::prompt_of, kUnseen);
  el_set(editor, EL_GETCFN, &State::read_character);
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  // With wide text, because el_set keeps copies of narrow text that nobody frees.
  el_wset(editor, EL_ADDFN, L"complete-word", L"complete the word", &State::complete_word);
  el_source(editor, nullptr);  // ~/.editrc
  el_set(editor, EL_BIND, "^I", "complete-word", nullptr);
  state_->history = history_init();
  if (state_->history == nullptr) return;
  HistEvent event;
  constexpr int kLines = 500;
  history(state_->history, &event, H_SETSIZE, kLines);
  history(state_->history, &event, H_SETUNIQUE, 1);
  el_set(editor, EL_HIST, &history, state_->history);
}

LineEditor::~LineEditor() {
  if (state_->history != nullptr) history_end(state_->history);
  if (state_->editor != nullptr) el_end(state_->editor);
  if (state_->nowhere != nullptr) std::fclose(state_->nowhere);
}

bool LineEditor::works() const { return state_->editor != nullptr; }

void LineEditor::remember(const std::string& line) {
  HistEvent event;
  if (state_->history != nullptr) history(state_->history, &event, H_ENTER, line.c_str());
}

std::optional<std::string> LineEditor::next(const std::string& prompt, const Complete& complete) {
  if (state_->editor == nullptr) return std::nullopt;
  state_->prompt = with_unseen_marked(prompt);
  state_->complete = &complete;
  const TerminalSignals signals;
  // Before the prompt is seen: what is typed from then on belongs to the editor.
  el_set(state_->editor, EL_PREP_TERM, 1);
  int length = 0;
  const char* line = el_gets(state_->editor, &length);
  if (line == nullptr || length <= 0 || interrupted()) return std::nullopt;
  std::string text(line, static_cast<std::size_t>(length));
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace damier::app
