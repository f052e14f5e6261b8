// Runs programs the way a shell does, and keeps what they say.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>
#include <termios.h>

namespace damier::app {

struct Ran {
  int code = -1;  // the exit code, or 128 + the signal
  std::string out;
  std::string err;
};

using Environment = std::vector<std::pair<std::string, std::string>>;

Ran run_command(const std::vector<std::string>& command, const std::string& input = "",
                const Environment& environment = {});

// What the program says on standard error, and its exit code, when standard output is this
// descriptor.
Ran run_command_into(int output, const std::vector<std::string>& command,
                     const Environment& environment = {});

// damier with these arguments.
Ran damier(std::vector<std::string> arguments, const std::string& input = "",
           const Environment& environment = {});

// The same in so many megabytes of memory: what asks for more fails. Sanitizers need all addresses
// for themselves; with them there is no limit.
Ran damier_within(int megabytes, std::vector<std::string> arguments);

// What a file holds, which must be there.
std::string contents(const std::string& path);

// What comes before the last line break, from the line break before.
std::string last_line(const std::string& text);

// A program at work. A test waits for what it says, and acts on that; no clock decides anything.
class WatchedProgram {
 public:
  // Takes over a child, and the descriptor that its words come from.
  WatchedProgram(pid_t child, int output) : child_(child), output_(output) {}
  ~WatchedProgram();  // kills it if it is still at work
  WatchedProgram(const WatchedProgram&) = delete;
  WatchedProgram& operator=(const WatchedProgram&) = delete;

  // Reads until `text` has come after what was waited for before; false when the program ends
  // without it.
  bool wait_for(const std::string& text);
  // Reads nothing, and returns when the program catches interrupts; false when it has ended.
  bool wait_until_it_listens() const;
  // The same, when it has been at work for some time of its own, or sleeps until input comes.
  bool wait_until_it_is_busy() const;
  bool wait_until_it_sleeps() const;
  // When it has been stopped, as by Ctrl-Z.
  bool wait_until_it_is_stopped() const;
  void send(int signal) const;
  // Nobody hears it any longer; a terminal is closed.
  void close_output();
  // Reads to the end: the exit code, or 128 + the signal.
  int wait_for_end();

  const std::string& seen() const { return seen_; }
  pid_t process() const { return child_; }

 protected:
  int output() const { return output_; }

 private:
  bool is_in_state(const std::string& state) const;
  bool read_some();

  pid_t child_;
  int output_;
  std::string seen_;
  std::size_t from_ = 0;
};

// Both outputs come through one pipe of a page: a program that nobody reads stands still as soon as
// that is full. Its input is `input`.
WatchedProgram watch_command(const std::vector<std::string>& command,
                             const Environment& environment = {},
                             const std::string& input = "/dev/null");

// A program on a terminal of its own, in colour unless told otherwise.
class OnTerminal : public WatchedProgram {
 public:
  OnTerminal(const std::vector<std::string>& command, const Environment& environment,
             int columns = 120);

  void type(const std::string& text);
  void resize(int columns);
  // Whether the terminal is as the program found it.
  bool settings_unchanged() const;

 private:
  struct Begun;
  explicit OnTerminal(const Begun& begun);

  termios settings_;
};

// In a child: becomes the command, or ends.
[[noreturn]] void become(const std::vector<std::string>& command, const Environment& environment);

}  // namespace damier::app
