// Work that pages start and that outlives them: trainings, matches, tournaments, each a process of
// this program, which keeps what it does in the run store as it does in a terminal.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <sys/types.h>

#include "damier/base/json/json.h"
#include "damier/base/result.h"
#include "damier/learn/registry.h"

namespace damier::app::serve {

// The words of the command that a page asks for: {"kind": "train", "recipe", …}. Whatever could run
// another program or write to another place is an error.
Result<std::vector<std::string>> job_words(const learn::Registry& registry, const Json& body);

// Of any thread.
class Jobs {
 public:
  Jobs() = default;
  ~Jobs();  // asks all to stop, as Ctrl-C does; who has not ended after ten seconds is killed
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // `damier` with these words; the job's number.
  Result<std::int64_t> start(std::vector<std::string> words);
  // As Ctrl-C does: a training keeps its state and can be resumed.
  Status stop(std::int64_t number);

  // {"jobs": [{"job", "command", "status", "code", "output", "messages"}, …]}, the latest first.
  Json list();
  // Whether a job has ended since this was asked last.
  bool something_ended();

 private:
  struct Job {
    std::int64_t number = 0;
    std::string command;
    pid_t process = 0;
    int output = -1;  // files in memory, of this object
    int messages = -1;
    bool running = true;
    bool told_to_stop = false;
    int code = 0;
  };
  // With mutex_ held.
  void look_after();
  static void tell_to_stop(Job& job);
  Json job_json(const Job& job) const;
  void forget(Job& job);

  std::mutex mutex_;
  std::vector<Job> jobs_;  // guarded by mutex_, as is the rest
  std::int64_t last_ = 0;
  bool ended_ = false;
};

}  // namespace damier::app::serve
