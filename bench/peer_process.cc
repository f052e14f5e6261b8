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

Result<std::unique_ptr<PeerProcess>> PeerProcess::python(const char* script,
                                                         const std::string& module,
                                                         const std::string& package) {
  signal(SIGPIPE, SIG_IGN);  // a peer that dies is noticed by its silence
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    std::array<int, 2> in = {}, out = {};
    if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) break;
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
      execlp(python, python, "-u", "-c", script, nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    peer->to_ = fdopen(in[1], "w");
    peer->from_ = fdopen(out[0], "r");
    const std::string line = peer->read_line();
    constexpr std::string_view kReady = "ready ";
    if (!line.starts_with(kReady)) continue;
    peer->greeting_ = line.substr(kReady.size());
    return peer;
  }
  return Error{
      fmt::format("no Python with the module {} was found; on Debian it is in {}", module, package),
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

double PeerProcess::ask(const std::string& line) {
  std::fputs((line + "\n").c_str(), to_);
  std::fflush(to_);
  return std::strtod(read_line().c_str(), nullptr);
}

}  // namespace damier::bench
