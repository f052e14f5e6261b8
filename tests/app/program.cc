#include "tests/app/program.h"

#include <cstdlib>
#include <stdexcept>

#include "tests/base/temporary_folder.h"
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "damier/base/files.h"

namespace damier::app {

Ran run_command(const std::vector<std::string>& command, const std::string& input,
                const Environment& environment) {
  const TemporaryFolder folder;
  const std::string in = folder.path() / "in", out = folder.path() / "out",
                    err = folder.path() / "err";
  if (!write_file_atomically(in, input)) throw std::runtime_error("cannot write " + in);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    dup2(open(in.c_str(), O_RDONLY), STDIN_FILENO);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (const std::string& argument : command) {
      arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  constexpr std::size_t kMost = 64 << 20;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          read_file(out, kMost).value(), read_file(err, kMost).value()};
}

Ran damier(std::vector<std::string> arguments, const std::string& input,
           const Environment& environment) {
  arguments.insert(arguments.begin(), DAMIER_PROGRAM);
  return run_command(arguments, input, environment);
}

std::string last_line(const std::string& text) {
  const std::string body = text.substr(0, text.find_last_not_of('\n') + 1);
  const auto start = body.rfind('\n');
  return start == std::string::npos ? body : body.substr(start + 1);
}

}  // namespace damier::app
