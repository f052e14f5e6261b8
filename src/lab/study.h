// A study: long work in steps, each of which is done once. What a step found is read from the
// study's journal the next time, whether the study was stopped, killed or is asked for again.
//
// The one thing to know: a step must depend on nothing but its configuration, and everything it
// found must be in the JSON that it returns; then a study in pieces ends as one in one piece does.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "damier/lab/journal.h"

namespace damier::lab {

// For a line that is drawn while a study goes on.
struct StudyProgress {
  std::size_t step = 0;  // from 1
  std::size_t steps = 0;
  std::string name;    // of the step
  std::string detail;  // "epoch 3/20"
  double done = 0;     // share of the whole study
  double seconds_left = 0;
};

struct StudyHooks {
  std::function<void(const StudyProgress&)> on_progress;
  std::function<void(const std::string& step, bool known)> on_step;  // a step is done
  std::function<bool()> stop;  // asked often; once true, the study ends with interruption()
};

// What a study that was stopped returns.
Error interruption();

// About how long each step takes, for the progress; the seconds only have to be in proportion.
struct PlannedStep {
  std::string name;
  double seconds = 1;
};

class Study {
 public:
  // Everything of the study is in the folder. With `fresh`, what is there is thrown away first.
  static Result<Study> open(const std::filesystem::path& folder, bool fresh, StudyHooks hooks);

  // All steps, in the order in which they will be asked for.
  void plan(std::vector<PlannedStep> steps);

  // What the step found: from the journal, or by doing it now.
  Result<Json> step(const std::string& name, const Json& config,
                    const std::function<Result<Json>()>& work);

  // From inside a step: `share` of it is done.
  void tell(double share, const std::string& detail);
  bool stopped() const { return hooks_.stop && hooks_.stop(); }

  Journal& journal() { return journal_; }
  // The fault when the journal's result of a step cannot be read.
  Error broken(const std::string& step) const;
  // A folder for what a step keeps while it is at work; it goes away when the step is done.
  std::filesystem::path step_folder(const std::string& name, const Json& config) const;

 private:
  Study(std::filesystem::path folder, Journal journal, StudyHooks hooks);
  std::size_t place_of(const std::string& name) const;

  std::filesystem::path folder_;
  Journal journal_;
  StudyHooks hooks_;
  std::vector<PlannedStep> planned_;
  std::string at_;     // the step at work
  double before_ = 0;  // planned seconds of the steps that are done
  double known_ = 0;   // of those, what the journal knew
  double in_all_ = 0;  // planned seconds of all steps
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace damier::lab
