#include "damier/lab/study.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "damier/learn/data/checksum.h"

namespace damier::lab {

namespace {

constexpr std::string_view kJournalName = "journal.json";

// Everything but the journal's lock, which says that nobody else is here.
Status empty_folder(const std::filesystem::path& folder) {
  std::error_code fault;
  for (const auto& entry : std::filesystem::directory_iterator(folder, fault)) {
    if (entry.path().extension() == ".lock") continue;
    std::filesystem::remove_all(entry.path(), fault);
    if (fault) break;
  }
  if (!fault) return Done{};
  return Error{"cannot be emptied: " + fault.message(), {folder.string()}, ErrorKind::failure};
}

}  // namespace

Error interruption() { return {"interrupted", {}, ErrorKind::failure}; }

Study::Study(std::filesystem::path folder, Journal journal, StudyHooks hooks)
    : folder_(std::move(folder)), journal_(std::move(journal)), hooks_(std::move(hooks)) {}

Result<Study> Study::open(const std::filesystem::path& folder, bool fresh, StudyHooks hooks) {
  const auto path = folder / kJournalName;
  if (fresh && std::filesystem::exists(folder)) {
    {
      // Whoever is at work here keeps his files.
      auto journal = Journal::open(path);
      const bool in_use = !journal && journal.error().kind == ErrorKind::failure;
      if (in_use) return std::move(journal).error();
    }
    if (auto status = empty_folder(folder); !status) return std::move(status).error();
  }
  auto journal = Journal::open(path);
  if (!journal) return std::move(journal).error();
  return Study(folder, *std::move(journal), std::move(hooks));
}

void Study::plan(std::vector<PlannedStep> steps) {
  planned_ = std::move(steps);
  before_ = known_ = in_all_ = 0;
  for (const PlannedStep& step : planned_) in_all_ += step.seconds;
  begin_ = std::chrono::steady_clock::now();
}

std::size_t Study::place_of(const std::string& name) const {
  const auto at = std::find_if(planned_.begin(), planned_.end(),
                               [&](const PlannedStep& step) { return step.name == name; });
  return static_cast<std::size_t>(at - planned_.begin());
}

std::filesystem::path Study::step_folder(const std::string& name, const Json& config) const {
  return folder_ / learn::checksum_of(name + "\n" + dump_line(config));
}

Result<Json> Study::step(const std::string& name, const Json& config,
                         const std::function<Result<Json>()>& work) {
  at_ = name;
  const std::size_t place = place_of(name);
  const double seconds = place < planned_.size() ? planned_[place].seconds : 0;
  if (const Json* known = journal_.find(name, config)) {
    before_ += seconds;
    known_ += seconds;
    if (hooks_.on_step) hooks_.on_step(name, true);
    return *known;
  }
  if (stopped()) return interruption();
  tell(0, "");
  auto result = work();
  if (!result) return stopped() ? interruption() : std::move(result).error();
  if (auto status = journal_.keep(name, config, *result); !status) {
    return std::move(status).error();
  }
  std::error_code ignored;
  std::filesystem::remove_all(step_folder(name, config), ignored);
  before_ += seconds;
  if (hooks_.on_step) hooks_.on_step(name, false);
  return result;
}

Error Study::broken(const std::string& step) const {
  return {fmt::format("the result of '{}' is not whole; --fresh begins anew", step),
          {journal_.path().string()}};
}

void Study::tell(double share, const std::string& detail) {
  if (!hooks_.on_progress) return;
  const std::size_t place = place_of(at_);
  const double seconds = place < planned_.size() ? planned_[place].seconds : 0;
  const double done = before_ + std::clamp(share, 0.0, 1.0) * seconds;
  StudyProgress progress;
  progress.step = std::min(place + 1, planned_.size());
  progress.steps = planned_.size();
  progress.name = at_;
  progress.detail = detail;
  progress.done = in_all_ > 0 ? done / in_all_ : 0;
  // What was done here tells how this machine compares with the plan's.
  const double here = done - known_;
  const double spent =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  constexpr double kEnough = 0.02;
  const double pace = here > kEnough * in_all_ ? spent / here : 1;
  progress.seconds_left = (in_all_ - done) * pace;
  hooks_.on_progress(progress);
}

}  // namespace damier::lab
