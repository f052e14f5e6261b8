#include "damier/lab/journal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "damier/base/files.h"

namespace damier::lab {

namespace {

constexpr std::string_view kSchema = "damier/journal/1";
constexpr std::size_t kLargestFile = std::size_t{1} << 28;

Error no_journal(const std::filesystem::path& path, const std::string& why) {
  return {fmt::format("is no journal of a study ({}); --fresh begins anew", why), {path.string()}};
}

}  // namespace

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)),
      entries_(std::move(other.entries_)) {}

Journal::~Journal() {
  if (lock_ >= 0) ::close(lock_);
}

Result<Journal> Journal::open(const std::filesystem::path& path) {
  std::error_code fault;
  std::filesystem::create_directories(path.parent_path(), fault);
  if (fault) {
    return Error{
        "cannot be made: " + fault.message(), {path.parent_path().string()}, ErrorKind::failure};
  }
  // Beside the journal, which is replaced by each keep().
  const std::string lock_name = path.string() + ".lock";
  const int lock = ::open(lock_name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) {
    return Error{
        fmt::format("cannot be made: {}", std::strerror(errno)), {lock_name}, ErrorKind::failure};
  }
  Journal journal(path, lock);
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
    return Error{"another process is at work on this study", {path.string()}, ErrorKind::failure};
  }
  if (!std::filesystem::exists(path, fault)) return journal;
  if (auto status = journal.read(); !status) return std::move(status).error();
  return journal;
}

Status Journal::read() {
  const auto text = read_file(path_, kLargestFile);
  if (!text) return text.error();
  const auto json = parse_json(*text, path_.string());
  if (!json) return no_journal(path_, "it is not JSON");
  if (text_in(*json, "schema") != kSchema || !(*json)["steps"].is_array()) {
    return no_journal(path_, fmt::format("expected the schema {}", kSchema));
  }
  for (const Json& step : (*json)["steps"]) {
    if (!step.is_object() || !step.contains("config") || !step.contains("result") ||
        !step.contains("step") || !step["step"].is_string()) {
      return no_journal(path_, fmt::format("step {} is not whole", entries_.size() + 1));
    }
    entries_.push_back({step["step"].get<std::string>(), step["config"], step["result"]});
  }
  return Done{};
}

const Json* Journal::find(std::string_view step, const Json& config) const {
  for (const Entry& entry : entries_) {
    if (entry.step == step) return entry.config == config ? &entry.result : nullptr;
  }
  return nullptr;
}

Status Journal::keep(std::string_view step, const Json& config, Json result) {
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [&](const Entry& entry) { return entry.step == step; });
  Entry entry{std::string(step), config, std::move(result)};
  if (at == entries_.end()) {
    entries_.push_back(std::move(entry));
  } else {
    *at = std::move(entry);
  }
  return write();
}

Status Journal::forget(std::string_view step) {
  if (std::erase_if(entries_, [&](const Entry& entry) { return entry.step == step; }) == 0) {
    return Done{};
  }
  return write();
}

Status Journal::write() const {
  Json steps = Json::array();
  for (const Entry& entry : entries_) {
    steps.push_back({{"step", entry.step}, {"config", entry.config}, {"result", entry.result}});
  }
  const Json json = {{"schema", kSchema}, {"steps", std::move(steps)}};
  return write_file_atomically(path_, dump_line(json) + "\n");
}

}  // namespace damier::lab
