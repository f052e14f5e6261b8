#include "damier/base/files/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"

extern char** environ;

namespace damier {

namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr std::array<std::string_view, 2> kGamesFolders = {"/usr/games", "/usr/local/games"};
// How often a wait for words looks for an interrupt.
constexpr Milliseconds kBetweenLooks{50};
// A program that was told to go has so long.
constexpr Milliseconds kTimeToEnd{500};

void close_descriptor(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

bool is_program(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

Error cannot_start(std::string_view program, int error) {
  return {fmt::format("cannot start {}: {}", in_quotes(program), std::strerror(error)),
          {},
          ErrorKind::failure};
}

// Where a started program finds the process that it does not outlive.
constexpr const char* kStarter = "DAMIER_STARTER";

int milliseconds_until(ChildProcess::Deadline deadline) {
  const auto left = std::chrono::ceil<Milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kBetweenLooks.count()));
}

}  // namespace

Result<std::vector<std::string>> command_words(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char letter = command[i];
    if (letter == ' ' || letter == '\t') {
      in_word = false;
      continue;
    }
    if (!std::exchange(in_word, true)) words.emplace_back();
    if (letter != '\'' && letter != '"') {
      words.back() += letter;
      continue;
    }
    const auto end = command.find(letter, i + 1);
    if (end == command.npos) {
      return Error{fmt::format("{} has a quote that is not closed", in_quotes(command))};
    }
    words.back() += command.substr(i + 1, end - i - 1);
    i = end;
  }
  if (words.empty() || words.front().empty()) return Error{"expected a program to run"};
  return words;
}

std::optional<std::string> find_program(const std::string& name) {
  if (name.find('/') != name.npos) return is_program(name) ? std::optional(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::vector<std::string_view> folders;
  if (path != nullptr) folders = split(path, ':');
  folders.insert(folders.end(), kGamesFolders.begin(), kGamesFolders.end());
  for (const std::string_view folder : folders) {
    std::string found = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
    if (is_program(found)) return found;
  }
  return std::nullopt;
}

Result<pid_t> spawn(const std::string& program, std::vector<std::string> words,
                    const StandardFiles& files, Outlives outlives) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::array<int, 3> standard = {files.input, files.output, files.messages};
  for (int i = 0; i < 3; ++i) {
    const int file = standard[static_cast<std::size_t>(i)];
    if (file >= 0) {
      posix_spawn_file_actions_adddup2(&actions, file, i);
    } else {
      posix_spawn_file_actions_addopen(&actions, i, "/dev/null", i == 0 ? O_RDONLY : O_WRONLY, 0);
    }
  }
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);  // without it: all that is O_CLOEXEC
#endif
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> argv, environment;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.push_back(*variable);
  }
  std::string starter = fmt::format("{}={}", kStarter, getpid());
  if (outlives == Outlives::nobody) environment.push_back(starter.data());
  environment.push_back(nullptr);
  pid_t process = -1;
  const int error = posix_spawn(&process, program.c_str(), &actions, &attributes, argv.data(),
                                environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return cannot_start(program, error);
  return process;
}

void end_with_starter() {
  const char* const starter = std::getenv(kStarter);
  if (starter == nullptr) return;
  const auto process = parse_number<pid_t>(starter);
  unsetenv(kStarter);                       // it is not for those that this one starts
  prctl(PR_SET_PDEATHSIG, SIGHUP);          // it comes once for each thread of the starter
  if (getppid() != process) raise(SIGHUP);  // it has gone meanwhile
}

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::vector<std::string>& words) {
  const auto program = find_program(words.front());
  if (!program) {
    return Error{fmt::format("there is no program {}{}", in_quotes(words.front()),
                             words.front().find('/') == std::string::npos
                                 ? " on PATH or in /usr/games"
                                 : " that can be run")};
  }
  std::unique_ptr<ChildProcess> child(new ChildProcess);
  std::array<int, 2> input = {-1, -1}, output = {-1, -1};
  const bool opened = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) == 0 &&
                      pipe2(output.data(), O_CLOEXEC) == 0;
  child->input_ = input[0];
  child->output_ = output[0];
  auto process = opened ? spawn(*program, words, {input[1], output[1], -1})
                        : Result<pid_t>(cannot_start(*program, errno));
  close_descriptor(input[1]);
  close_descriptor(output[1]);
  child->process_ = TRY(std::move(process));
  return child;
}

ChildProcess::~ChildProcess() {
  close_descriptor(input_);
  if (process_ >= 0 && !status_) wait_or_kill(std::chrono::steady_clock::now() + kTimeToEnd);
  close_descriptor(output_);
}

// Its output ends just before it does; one that closes it and stays is killed.
void ChildProcess::wait_or_kill(Deadline deadline) {
  std::string ignored;
  while (read_line(ignored, deadline, false) == Read::line) {
  }
  int status = 0;
  bool has_ended = waitpid(process_, &status, WNOHANG) == process_;
  while (!has_ended && std::chrono::steady_clock::now() < deadline) {
    poll(nullptr, 0, 1);
    has_ended = waitpid(process_, &status, WNOHANG) == process_;
  }
  if (!has_ended) {
    kill(process_, SIGKILL);
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  status_ = status;
}

bool ChildProcess::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = send(input_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

ChildProcess::Read ChildProcess::read_line(std::string& line, Deadline deadline,
                                           bool heeds_interrupts) {
  while (true) {
    const auto end = buffer_.find('\n', scanned_);
    if (end != std::string::npos) {
      line.assign(buffer_, 0, end);
      if (line.ends_with('\r')) line.pop_back();
      buffer_.erase(0, end + 1);
      scanned_ = 0;
      return Read::line;
    }
    scanned_ = buffer_.size();
    if (buffer_.size() > kMaxLineLength) return Read::too_long;
    if (heeds_interrupts && interrupted()) return Read::interrupted;
    pollfd waiting = {output_, POLLIN, 0};
    const int ready = poll(&waiting, 1, milliseconds_until(deadline));
    if (ready == 0 && std::chrono::steady_clock::now() >= deadline) return Read::timeout;
    if (ready <= 0) continue;
    std::array<char, 4096> block;
    const ssize_t count = read(output_, block.data(), block.size());
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) return Read::ended;
    if (count > 0) buffer_.append(block.data(), static_cast<std::size_t>(count));
  }
}

std::string ChildProcess::ending() {
  close_descriptor(input_);
  if (!status_) wait_or_kill(std::chrono::steady_clock::now() + kTimeToEnd);
  if (WIFSIGNALED(*status_)) return fmt::format("was killed by signal {}", WTERMSIG(*status_));
  return fmt::format("ended with code {}", WEXITSTATUS(*status_));
}

}  // namespace damier
