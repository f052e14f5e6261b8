// Another program that does the same work, asked line by line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/files/child_process.h"
#include "damier/base/result.h"

namespace damier::bench {

class Peer {
 public:
  const std::string& name() const { return name_; }
  // Sends the text and a line break, and reads lines up to one that begins with `prefix`: the rest
  // of that one. Empty when the program has gone.
  std::string ask(std::string_view text, std::string_view prefix = {});

 private:
  friend Result<Peer> start_stockfish();
  friend Result<Peer> start_pytorch();
  explicit Peer(std::unique_ptr<ChildProcess> process) : process_(std::move(process)) {}
  // Its first line names it, behind `prefix`; an error when it does not say so.
  static Result<Peer> start(const std::vector<std::string>& words, std::string_view prefix);
  std::string hear(std::string_view prefix);

  std::unique_ptr<ChildProcess> process_;
  std::string name_;
};

// On one thread, as ours. The errors name the Debian package.
Result<Peer> start_stockfish();
Result<Peer> start_pytorch();

}  // namespace damier::bench
