#include "damier/app/serve/jobs.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"

extern char** environ;

namespace damier::app::serve {

namespace {

constexpr std::size_t kMaxRunning = 4;
constexpr std::size_t kMaxKeptJobs = 16;
constexpr off_t kMaxTailBytes = 16 << 10;

// The end of a file.
std::string tail_of(int file) {
  struct stat facts = {};
  if (fstat(file, &facts) != 0) return {};
  const off_t begin = std::max<off_t>(0, facts.st_size - kMaxTailBytes);
  std::string text(static_cast<std::size_t>(facts.st_size - begin), '\0');
  const ssize_t got = pread(file, text.data(), text.size(), begin);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

}  // namespace

Jobs::~Jobs() {
  const std::lock_guard lock(mutex_);
  for (const Job& job : jobs_) {
    if (job.running) kill(job.process, SIGINT);
  }
  for (Job& job : jobs_) {
    if (job.running) waitpid(job.process, nullptr, 0);
    forget(job);
  }
}

void Jobs::forget(Job& job) {
  close(job.output);
  close(job.messages);
}

Result<std::int64_t> Jobs::start(std::vector<std::string> words) {
  const std::lock_guard lock(mutex_);
  look_after();
  const auto running =
      std::count_if(jobs_.begin(), jobs_.end(), [](const Job& job) { return job.running; });
  if (static_cast<std::size_t>(running) >= kMaxRunning) {
    return Error{fmt::format("{} jobs are at work already; stop one first", running)};
  }
  Job job;
  std::string arguments;
  for (const std::string& word : words) arguments += " " + shell_word(word);
  job.command = "damier" + arguments;
  job.output = memfd_create("output", MFD_CLOEXEC);
  job.messages = memfd_create("messages", MFD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, job.output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, job.messages, STDERR_FILENO);
  // A group of its own: Ctrl-C at the terminal reaches it once, by way of this object.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  words.insert(words.begin(), "damier");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int error = job.output < 0 || job.messages < 0
                        ? errno
                        : posix_spawn(&job.process, "/proc/self/exe", &actions, &attributes,
                                      argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    forget(job);
    return Error{fmt::format("cannot start {}: {}", job.command, std::strerror(error)),
                 {},
                 ErrorKind::failure};
  }
  job.number = ++last_;
  jobs_.push_back(job);
  if (jobs_.size() > kMaxKeptJobs) {
    const auto oldest =
        std::find_if(jobs_.begin(), jobs_.end(), [](const Job& kept) { return !kept.running; });
    if (oldest != jobs_.end()) {
      forget(*oldest);
      jobs_.erase(oldest);
    }
  }
  return job.number;
}

Status Jobs::stop(std::int64_t number) {
  const std::lock_guard lock(mutex_);
  look_after();
  for (const Job& job : jobs_) {
    if (job.number != number) continue;
    if (job.running) kill(job.process, SIGINT);
    return Done{};
  }
  return Error{fmt::format("there is no job {}", number)};
}

void Jobs::look_after() {
  for (Job& job : jobs_) {
    int status = 0;
    if (!job.running || waitpid(job.process, &status, WNOHANG) != job.process) continue;
    job.running = false;
    job.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ended_ = true;
  }
}

bool Jobs::something_ended() {
  const std::lock_guard lock(mutex_);
  look_after();
  return std::exchange(ended_, false);
}

Json Jobs::job_json(const Job& job) const {
  constexpr int kStopped = 130;
  return {{"job", job.number},
          {"command", job.command},
          {"status", job.running            ? "running"
                     : job.code == 0        ? "done"
                     : job.code == kStopped ? "stopped"
                                            : "failed"},
          {"code", job.running ? Json(nullptr) : Json(job.code)},
          {"output", tail_of(job.output)},
          {"messages", tail_of(job.messages)}};
}

Json Jobs::list() {
  const std::lock_guard lock(mutex_);
  look_after();
  Json list = Json::array();
  for (auto job = jobs_.rbegin(); job != jobs_.rend(); ++job) list.push_back(job_json(*job));
  return {{"jobs", std::move(list)}};
}

}  // namespace damier::app::serve
