#include "bench/peer_process.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace damier::bench {

std::unique_ptr<PeerProcess> PeerProcess::start(const std::vector<const char*>& arguments) {
  signal(SIGPIPE, SIG_IGN);  // a peer that dies is noticed by its silence
  std::array<int, 2> in = {}, out = {};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) return nullptr;
  std::vector<char*> argv;
  for (const char* argument : arguments) argv.push_back(const_cast<char*>(argument));
  argv.push_back(nullptr);
  std::unique_ptr<PeerProcess> peer(new PeerProcess());
  peer->child_ = fork();
  if (peer->child_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    // One thread, as ours: the matrix libraries below Python have pools of their own.
    for (const char* name : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"}) {
      setenv(name, "1", 1);
    }
    execvp(argv.front(), argv.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  peer->to_ = fdopen(in[1], "w");
  peer->from_ = fdopen(out[0], "r");
  peer->greeting_ = peer->read_line();
  return peer;
}

Result<std::unique_ptr<PeerProcess>> PeerProcess::python(const char* script,
                                                         const std::string& module,
                                                         const std::string& package) {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    auto peer = start({python, "-u", "-c", script});
    constexpr std::string_view kReady = "ready ";
    if (peer == nullptr || !peer->greeting_.starts_with(kReady)) continue;
    peer->greeting_.erase(0, kReady.size());
    return peer;
  }
  return Error{
      fmt::format("no Python with the module {} was found; on Debian it is in {}", module, package),
      {"--peer"}};
}

Result<std::unique_ptr<PeerProcess>> PeerProcess::program(std::span<const char* const> places,
                                                          const std::string& package) {
  for (const char* place : places) {
    auto peer = start({place});
    if (peer != nullptr && !peer->greeting_.empty()) return peer;
  }
  return Error{
      fmt::format("{} was not found; on Debian it is in the package {}", places.front(), package),
      {"--peer"}};
}

PeerProcess::~PeerProcess() {
  if (to_ != nullptr) std::fclose(to_);
  if (from_ != nullptr) std::fclose(from_);
  if (child_ > 0) {
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
  }
}

std::string PeerProcess::read_line() {
  std::string line;
  for (int c = std::fgetc(from_); c != EOF && c != '\n'; c = std::fgetc(from_)) {
    line += static_cast<char>(c);
  }
  return line;
}

std::string PeerProcess::ask_until(const std::string& line, std::string_view prefix) {
  std::fputs((line + "\n").c_str(), to_);
  std::fflush(to_);
  while (std::feof(from_) == 0) {
    const std::string answer = read_line();
    if (answer.starts_with(prefix)) return answer.substr(prefix.size());
  }
  return {};
}

double PeerProcess::ask(const std::string& line) {
  std::fputs((line + "\n").c_str(), to_);
  std::fflush(to_);
  return std::strtod(read_line().c_str(), nullptr);
}

}  // namespace damier::bench
