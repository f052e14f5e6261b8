// The journal of a study: what each step found that is no training, on disk as soon as there is
// something, so that a study that was stopped or killed goes on where it was.
//
// A result is found again only by exactly the configuration that it was kept with: whatever decides
// a result belongs into the configuration.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/json/described.h"
#include "damier/base/json/json.h"
#include "damier/base/result.h"

namespace damier::lab {

struct JournalEntry {
  std::string step;
  Json config;
  Json result;
};

// The file.
struct JournalPage {
  std::string schema;
  std::string name;  // drawn when the journal was begun: no other one has it
  std::vector<JournalEntry> steps;
};

void describe(auto& fields, Is<JournalEntry> auto& entry) {
  fields("step", entry.step);
  fields("config", entry.config);
  fields("result", entry.result);
}
void describe(auto& fields, Is<JournalPage> auto& page) {
  fields("schema", page.schema);
  fields("name", page.name);
  fields("steps", page.steps);
}

// The file's name in the folder of its study.
inline constexpr std::string_view kJournalFile = "journal.json";

class Journal {
 public:
  // Reads the file, or begins one, and keeps other processes out of it. A file that is no journal
  // is an error: nobody knows what it was worth.
  static Result<Journal> open(const std::filesystem::path& path);
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  const std::filesystem::path& path() const { return path_; }
  const std::string& name() const { return page_.name; }
  std::size_t size() const { return page_.steps.size(); }

  // Null when nothing was found with that configuration yet. Valid until the next keep().
  const Json* find(const Json& config) const;

  // On the disk when it returns; replaces what the step had before.
  Status keep(std::string_view step, const Json& config, Json result);

 private:
  Journal(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  Status begin();
  Status read();
  Status write() const;

  std::filesystem::path path_;
  int lock_;  // a descriptor; the kernel frees it when the process ends, however it ends
  JournalPage page_;
};

}  // namespace damier::lab
