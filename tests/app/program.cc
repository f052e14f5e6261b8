#include "tests/app/program.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tests/base/temporary_folder.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "damier/base/files/files.h"

namespace damier::app {

namespace {

pid_t forked() {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  return child;
}

int code_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

void become(const std::vector<std::string>& command, const Environment& environment) {
  unsetenv("DAMIER_STATE");  // of whoever runs the tests
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && std::string_view(value).starts_with("fr")) unsetenv(name);
  }
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  // Started as by somebody who has it on the PATH.
  const bool is_damier = command[0] == DAMIER_PROGRAM;
  std::string typed = "damier";
  if (is_damier) arguments[0] = typed.data();
  execvp(command[0].c_str(), arguments.data());
  _exit(127);
}

Ran run_command_into(int output, const std::vector<std::string>& command,
                     const Environment& environment) {
  const TemporaryFolder folder;
  const std::string err = folder.path() / "err";
  const pid_t child = forked();
  if (child == 0) {
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    become(command, environment);
  }
  const int code = code_of(child);
  return {code, "", contents(err)};
}

Ran run_command(const std::vector<std::string>& command, const std::string& input,
                const Environment& environment) {
  const TemporaryFolder folder;
  const std::string in = folder.path() / "in", out = folder.path() / "out",
                    err = folder.path() / "err";
  if (!write_file_atomically(in, input)) throw std::runtime_error("cannot write " + in);
  const pid_t child = forked();
  if (child == 0) {
    dup2(open(in.c_str(), O_RDONLY), STDIN_FILENO);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    become(command, environment);
  }
  const int code = code_of(child);
  return {code, contents(out), contents(err)};
}

Ran damier(std::vector<std::string> arguments, const std::string& input,
           const Environment& environment) {
  arguments.insert(arguments.begin(), DAMIER_PROGRAM);
  return run_command(arguments, input, environment);
}

std::string contents(const std::string& path) {
  return read_file(path, std::size_t{1} << 30).value();
}

Ran damier_within([[maybe_unused]] int megabytes, std::vector<std::string> arguments) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  const std::string limit;
#else
  const std::string limit = "ulimit -v " + std::to_string(1024 * megabytes) + "; ";
#endif
  const std::vector<std::string> shell = {"sh", "-c", limit + "exec \"$@\"", "sh", DAMIER_PROGRAM};
  arguments.insert(arguments.begin(), shell.begin(), shell.end());
  return run_command(arguments);
}

std::string last_line(const std::string& text) {
  const std::string body = text.substr(0, text.find_last_not_of('\n') + 1);
  const auto start = body.rfind('\n');
  return start == std::string::npos ? body : body.substr(start + 1);
}

WatchedProgram::~WatchedProgram() {
  if (output_ >= 0) close(output_);
  if (child_ <= 0) return;
  send(SIGKILL);
  code_of(child_);
}

bool WatchedProgram::wait_for(const std::string& text) {
  while (seen_.find(text, from_) == std::string::npos) {
    if (!read_some()) return false;
  }
  from_ = seen_.find(text, from_) + text.size();
  return true;
}

namespace {

// The words of a file of the kernel's about a process; empty when that has ended.
std::string about_process(pid_t process, const char* file) {
  std::ifstream stream("/proc/" + std::to_string(process) + "/" + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Asks until it is so; false when the process has ended.
template <class IsSo>
bool wait_until(pid_t process, const IsSo& is_so) {
  while (!is_so()) {
    siginfo_t ended = {};
    waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid != 0) return false;
    sched_yield();
  }
  return true;
}

// The words of /proc/PID/stat from the third on: the state comes first, the time of the process's
// own twelfth.
std::vector<std::string> words_of_stat(pid_t process) {
  const std::string text = about_process(process, "stat");
  std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  return {std::istream_iterator<std::string>(rest), {}};
}

}  // namespace

bool WatchedProgram::wait_until_it_listens() const {
  return wait_until(child_, [&] {
    const std::string status = about_process(child_, "status");
    const auto at = status.find("SigCgt:");
    if (at == std::string::npos) return false;
    const auto caught = std::stoull(status.substr(at + 7), nullptr, 16);
    return (caught >> (SIGINT - 1) & 1) != 0;
  });
}

bool WatchedProgram::wait_until_it_is_busy() const {
  if (!wait_until_it_listens()) return false;
  constexpr long kTicks = 10;  // a tenth of a second of the processor's time
  const auto used = [&] {
    const auto words = words_of_stat(child_);
    return words.size() > 11 ? std::stol(words[11]) : 0;
  };
  const long before = used();
  return wait_until(child_, [&] { return used() >= before + kTicks; });
}

bool WatchedProgram::is_in_state(const std::string& state) const {
  const auto words = words_of_stat(child_);
  return !words.empty() && words[0] == state;
}

bool WatchedProgram::wait_until_it_sleeps() const {
  return wait_until_it_listens() && wait_until(child_, [&] { return is_in_state("S"); });
}

bool WatchedProgram::wait_until_it_is_stopped() const {
  return wait_until(child_, [&] { return is_in_state("T"); });
}

void WatchedProgram::send(int signal) const { kill(child_, signal); }

void WatchedProgram::close_output() { close(std::exchange(output_, -1)); }

int WatchedProgram::wait_for_end() {
  while (read_some()) {
  }
  const int code = code_of(child_);
  child_ = -1;
  return code;
}

bool WatchedProgram::read_some() {
  char block[4096];
  const ssize_t count = read(output_, block, sizeof(block));
  if (count <= 0) return false;
  seen_.append(block, static_cast<std::size_t>(count));
  return true;
}

namespace {

winsize window(int columns) { return {40, static_cast<unsigned short>(columns), 0, 0}; }

}  // namespace

struct OnTerminal::Begun {
  Begun(const std::vector<std::string>& command, const Environment& environment, int columns) {
    const winsize size = window(columns);
    int inner = -1;
    if (openpty(&terminal, &inner, nullptr, nullptr, &size) != 0 ||
        tcgetattr(inner, &settings) != 0) {  // read before the program can change them
      throw std::runtime_error("cannot make a terminal");
    }
    child = forked();
    if (child == 0) {
      close(terminal);
      if (login_tty(inner) != 0) _exit(127);
      unsetenv("NO_COLOR");
      become(command, environment);
    }
    close(inner);
  }
  pid_t child = -1;
  int terminal = -1;
  termios settings = {};
};

OnTerminal::OnTerminal(const std::vector<std::string>& command, const Environment& environment,
                       int columns)
    : OnTerminal(Begun(command, environment, columns)) {}

OnTerminal::OnTerminal(const Begun& begun)
    : WatchedProgram(begun.child, begun.terminal), settings_(begun.settings) {}

void OnTerminal::type(const std::string& text) {
  ASSERT_EQ(write(output(), text.data(), text.size()), std::ssize(text));
}

void OnTerminal::resize(int columns) {
  const winsize size = window(columns);
  ASSERT_EQ(ioctl(output(), TIOCSWINSZ, &size), 0);
}

bool OnTerminal::settings_unchanged() const {
  termios now = {};
  tcgetattr(output(), &now);
  return now.c_lflag == settings_.c_lflag && now.c_iflag == settings_.c_iflag &&
         now.c_oflag == settings_.c_oflag;
}

WatchedProgram watch_command(const std::vector<std::string>& command,
                             const Environment& environment, const std::string& input) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  constexpr int kPage = 4096;
  if (fcntl(ends[1], F_SETPIPE_SZ, kPage) < 0) throw std::runtime_error("no pipe of a page");
  const pid_t child = forked();
  if (child == 0) {
    dup2(open(input.c_str(), O_RDWR), STDIN_FILENO);  // a pipe that is open to write never ends
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    become(command, environment);
  }
  close(ends[1]);
  return {child, ends[0]};
}

}  // namespace damier::app
