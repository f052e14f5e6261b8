#include "damier/app/serve/jobs.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "damier/app/serve/players.h"
#include "damier/base/files/child_process.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/lab/experiment.h"
#include "damier/learn/train/recipe.h"

namespace damier::app::serve {

namespace {

constexpr std::size_t kMaxRunning = 4;
constexpr std::size_t kMaxKeptJobs = 16;
constexpr off_t kMaxTailBytes = 16 << 10;
// A training writes its checkpoint first.
constexpr std::chrono::seconds kTimeToEnd{10};

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

// A page starts no program: data labelled by another engine would.
Status check_setting(std::string_view setting) {
  const std::string_view key = setting.substr(0, setting.find('='));
  for (const std::string_view rows : {"data", "judge"}) {
    const bool closed = key == rows || key == fmt::format("{}.generate", rows) ||
                        key == fmt::format("{}.generate.engine", rows);
    if (!closed) continue;
    return Error{fmt::format("set: {} is not for pages; expected another key of the recipe", key)};
  }
  return Done{};
}

}  // namespace

Result<std::vector<std::string>> job_words(const learn::Registry& registry, const Json& body) {
  constexpr std::int64_t kMaxJobGames = 100'000;
  JsonFields fields(body, "", "request");
  const std::vector<std::string> kinds = {"train", "resume", "match", "tournament", "reproduce"};
  const std::string kind = kinds[fields.word_or("kind", kinds, "train")];
  const auto text = [&](std::string_view key) { return fields.optional_text(key).value_or(""); };
  const std::string recipe = text("recipe"), run = text("run");
  const std::string game = text("game"), experiment = text("experiment");
  const bool quick = fields.flag_or("quick", false);
  const auto settings = fields.optional_texts("set", 32);
  const auto players = fields.optional_texts("players", 16);
  const auto seed = fields.optional_unsigned("seed");
  const std::int64_t games = fields.integer_or("games", 1, kMaxJobGames, 100);
  TRY(fields.finish());
  std::vector<std::string> words;
  if (kind == "train") {
    const auto known = learn::recipe_names(registry.tasks());
    if (std::ranges::find(known, recipe) == known.end()) {
      return unknown_name("recipe", recipe, known);
    }
    words = {"train", recipe};
    for (const std::string& setting : settings) {
      TRY(check_setting(setting));
      words.push_back("--set=" + setting);
    }
  } else if (kind == "resume") {
    const bool is_name = !run.empty() && std::ranges::all_of(run, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    });
    if (!is_name) return Error{fmt::format("run: {} is no run's name", in_quotes(run))};
    return std::vector<std::string>{"train", "--resume", run};
  } else if (kind == "reproduce") {
    TRY(lab::find_experiment(experiment));
    words = {"reproduce", experiment, "--json", "--output=/dev/null"};  // its folder keeps it
    if (quick) words.emplace_back("--quick");
    return words;
  } else {
    TRY(registry.find(game));
    if (players.size() < 2 || (kind == "match" && players.size() > 2)) {
      return Error{fmt::format("players: {} were given; expected two{}", players.size(),
                               kind == "match" ? "" : " or more")};
    }
    words = {kind, game};
    for (const std::string& player : players) {
      if (player.starts_with('-')) return Error{"players: a name begins with a letter"};
      TRY(check_player(player, false));
      words.push_back(player);
    }
    words.push_back(fmt::format("--games={}", games));
    words.emplace_back("--json");
  }
  if (seed) words.push_back(fmt::format("--seed={}", *seed));
  return words;
}

Jobs::~Jobs() {
  const std::lock_guard lock(mutex_);
  for (Job& job : jobs_) tell_to_stop(job);
  const auto deadline = std::chrono::steady_clock::now() + kTimeToEnd;
  const auto at_work = [this] {
    look_after();
    return std::ranges::count(jobs_, true, &Job::running) > 0;
  };
  while (at_work() && std::chrono::steady_clock::now() < deadline) poll(nullptr, 0, 10);
  for (Job& job : jobs_) {
    if (job.running) {
      kill(job.process, SIGKILL);
      waitpid(job.process, nullptr, 0);
    }
    forget(job);
  }
}

// Once: a second Ctrl-C would end it without a checkpoint. One that stands still goes on to hear
// it.
void Jobs::tell_to_stop(Job& job) {
  if (!job.running || std::exchange(job.told_to_stop, true)) return;
  kill(job.process, SIGINT);
  kill(job.process, SIGCONT);
}

void Jobs::forget(Job& job) {
  close(job.output);
  close(job.messages);
}

Result<std::int64_t> Jobs::start(std::vector<std::string> words) {
  const std::lock_guard lock(mutex_);
  look_after();
  const auto running = std::ranges::count(jobs_, true, &Job::running);
  if (static_cast<std::size_t>(running) >= kMaxRunning) {
    return Error{fmt::format("{} jobs are at work already; stop one first", running)};
  }
  Job job;
  std::string arguments;
  for (const std::string& word : words) arguments += " " + shell_word(word);
  job.command = "damier" + arguments;
  job.output = memfd_create("output", MFD_CLOEXEC);
  job.messages = memfd_create("messages", MFD_CLOEXEC);
  words.insert(words.begin(), "damier");
  auto process = job.output < 0 || job.messages < 0
                     ? Result<pid_t>(Error{std::strerror(errno), {}, ErrorKind::failure})
                     : spawn("/proc/self/exe", std::move(words), {-1, job.output, job.messages},
                             Outlives::nobody);
  if (!process) {
    forget(job);
    return Error{
        fmt::format("{}: {}", job.command, process.error().message), {}, ErrorKind::failure};
  }
  job.process = *process;
  job.number = ++last_;
  jobs_.push_back(job);
  if (jobs_.size() > kMaxKeptJobs) {
    const auto oldest = std::ranges::find(jobs_, false, &Job::running);
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
  for (Job& job : jobs_) {
    if (job.number != number) continue;
    tell_to_stop(job);
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
