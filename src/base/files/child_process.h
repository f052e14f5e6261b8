// Other programs: how one is started, and one with which this program talks in lines. That one
// never outlives its object, never stays behind as a zombie, and a program that has gone is an
// answer, not a signal.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "damier/base/result.h"

namespace damier {

// A command's words: apart by spaces, which quotes ('…' or "…") keep together. An error if a quote
// is left open.
Result<std::vector<std::string>> command_words(std::string_view command);

// Where a program lies: as it is written when it has a slash, otherwise in the folders of PATH,
// then in those of games, which Debian leaves out of PATH for some users.
std::optional<std::string> find_program(const std::string& name);

// What a started program has as its standard input, output and error; -1: nothing.
struct StandardFiles {
  int input = -1;
  int output = -1;
  int messages = -1;
};
enum class Outlives { starter, nobody };

// Starts a program, whose process this is, with nothing of this one's but those files: no socket,
// no file and no ignored signal crosses. It has a group of its own, so that Ctrl-C at the terminal
// is for this program. One that outlives nobody is this program again (/proc/self/exe), and is
// interrupted when the thread that started it ends, however that comes about.
Result<pid_t> spawn(const std::string& program, std::vector<std::string> words,
                    const StandardFiles& files, Outlives outlives = Outlives::starter);
// The other side of it: what this program does first.
void end_with_starter();

class ChildProcess {
 public:
  using Deadline = std::chrono::steady_clock::time_point;
  // A line that is longer ends the talk.
  static constexpr std::size_t kMaxLineLength = std::size_t{1} << 16;

  // Starts the program that the first word names. What it writes to standard error is dropped.
  static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string>& words);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // closes its input, gives it a moment to end, and kills it

  // False when it has gone or no longer reads.
  bool write(std::string_view text);

  enum class Read { line, timeout, ended, too_long, interrupted };
  // The next line, without its line break. An interrupt is only told where `heeds_interrupts`.
  Read read_line(std::string& line, Deadline deadline, bool heeds_interrupts = true);

  // How it ended, once it has: "ended with code 1", "was killed by signal 11".
  std::string ending();

 private:
  ChildProcess() = default;
  void wait_or_kill(Deadline deadline);

  pid_t process_ = -1;
  int input_ = -1;  // a socket, so that writing to a program that has gone raises no signal
  int output_ = -1;
  std::string buffer_;       // read but not yet given out
  std::size_t scanned_ = 0;  // of it, without a line break
  std::optional<int> status_;
};

}  // namespace damier
