// Another program that does the same work, asked line by line.
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "damier/base/result.h"

namespace damier::bench {

class PeerProcess {
 public:
  // Runs `script` with the first Python that has `module`; the error names the Debian `package`.
  // The script says "ready VERSION" when it is.
  static Result<std::unique_ptr<PeerProcess>> python(const char* script, const std::string& module,
                                                     const std::string& package);
  // A program that speaks first; `greeting` is its first line.
  static Result<std::unique_ptr<PeerProcess>> program(std::span<const char* const> places,
                                                      const std::string& package);
  ~PeerProcess();
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  const std::string& greeting() const { return greeting_; }
  // Sends a line and reads a number; 0 when the peer has died.
  double ask(const std::string& line);
  // Sends a line and reads lines up to one that begins with `prefix`; the rest of that one. Empty
  // when the peer has died.
  std::string ask_until(const std::string& line, std::string_view prefix);

 private:
  PeerProcess() = default;
  // Null where there are no pipes. Its first line becomes the greeting.
  static std::unique_ptr<PeerProcess> start(const std::vector<const char*>& arguments);
  std::string read_line();

  pid_t child_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
  std::string greeting_;
};

}  // namespace damier::bench
