#include "damier/lab/journal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "damier/base/files/checksum.h"
#include "damier/base/files/files.h"
#include "damier/base/numbers/random.h"

namespace damier::lab {

namespace {

constexpr std::string_view kSchema = "damier/journal/2";
constexpr std::size_t kMaxFileBytes = std::size_t{1} << 28;

Error no_journal(const std::filesystem::path& path, const std::string& why) {
  return {fmt::format("is not a journal of a study ({}); --fresh starts over", why),
          {path.string()}};
}

}  // namespace

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)),
      page_(std::move(other.page_)) {}

Journal::~Journal() {
  if (lock_ >= 0) ::close(lock_);
}

Result<Journal> Journal::open(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) {
    return Error{
        "cannot be made: " + error.message(), {path.parent_path().string()}, ErrorKind::failure};
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
  const bool exists = std::filesystem::exists(path, error);
  TRY(exists ? journal.read() : journal.begin());
  return journal;
}

Status Journal::begin() {
  page_ = {std::string(kSchema), learn::checksum_text(value_of(fresh_seed())), {}};
  return write();
}

Status Journal::read() {
  const auto text = TRY(read_file(path_, kMaxFileBytes));
  const auto json = parse_json(text, path_.string());
  if (!json) return no_journal(path_, "it is not JSON");
  if (text_in(*json, "schema") != kSchema) {
    return no_journal(path_, fmt::format("expected the schema {}", kSchema));
  }
  auto page = read_described<JournalPage>(*json, "");
  if (!page) return no_journal(path_, page.error().message);
  page_ = *std::move(page);
  return Done{};
}

const Json* Journal::find(const Json& config) const {
  for (const JournalEntry& entry : page_.steps) {
    if (entry.config == config) return &entry.result;
  }
  return nullptr;
}

Status Journal::keep(std::string_view step, const Json& config, Json result) {
  const auto at = std::ranges::find_if(
      page_.steps, [&](const JournalEntry& entry) { return entry.step == step; });
  JournalEntry entry{std::string(step), config, std::move(result)};
  if (at == page_.steps.end()) {
    page_.steps.push_back(std::move(entry));
  } else {
    *at = std::move(entry);
  }
  return write();
}

Status Journal::write() const {
  return write_file_atomically(path_, dump_line(json_of(page_)) + "\n");
}

}  // namespace damier::lab
