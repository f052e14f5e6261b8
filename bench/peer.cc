#include "bench/peer.h"

#include <chrono>

#include <fmt/format.h>

namespace damier::bench {

extern const char* const kPytorchPeer;

std::string Peer::hear(std::string_view prefix) {
  std::string line;
  do {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
    if (process_->read_line(line, deadline) != ChildProcess::Read::line) return {};
  } while (!line.starts_with(prefix));
  return line.substr(prefix.size());
}

std::string Peer::ask(std::string_view text, std::string_view prefix) {
  if (!process_->write(fmt::format("{}\n", text))) return {};
  return hear(prefix);
}

Result<Peer> Peer::start(const std::vector<std::string>& words, std::string_view prefix) {
  auto process = TRY(ChildProcess::start(words));
  Peer peer(std::move(process));
  peer.name_ = peer.hear(prefix);
  if (peer.name_.empty()) return Error{"does not say what it is"};
  return peer;
}

Result<Peer> start_stockfish() {
  auto peer = Peer::start({"stockfish"}, "");
  if (!peer)
    return Error{"stockfish was not found; on Debian it is in the package stockfish", {"--peer"}};
  // "Stockfish 15.1 by the Stockfish developers (see AUTHORS file)"
  peer->name_ = peer->name_.substr(0, peer->name_.find(" by "));
  peer->ask("uci", "uciok");
  peer->ask("setoption name Threads value 1\nisready", "readyok");
  return peer;
}

Result<Peer> start_pytorch() {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    // The matrix libraries below Python have pools of threads of their own.
    auto peer = Peer::start({"env", "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1",
                             "MKL_NUM_THREADS=1", python, "-u", "-c", kPytorchPeer},
                            "ready ");
    if (!peer) continue;
    peer->name_ = "PyTorch " + peer->name_;
    return peer;
  }
  return Error{"no Python with the module torch was found; on Debian it is in python3-torch",
               {"--peer"}};
}

}  // namespace damier::bench
