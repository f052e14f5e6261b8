// The journal of a study: the result of each step, on disk as soon as there is one, so that a study
// that was stopped or killed goes on where it was.
//
// The one thing to know: a result is found again only by a step of the same name and of exactly the
// same configuration. Whatever decides a result belongs into the configuration.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/json.h"
#include "damier/base/result.h"

namespace damier::lab {

class Journal {
 public:
  // Reads the file, if there is one, and keeps other processes out of it. A file that is no journal
  // is a fault: nobody knows what it was worth.
  static Result<Journal> open(const std::filesystem::path& path);
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  const std::filesystem::path& path() const { return path_; }
  std::size_t size() const { return entries_.size(); }

  // Null when the step has no result yet, or has one of another configuration. Valid until the next
  // keep() or forget().
  const Json* find(std::string_view step, const Json& config) const;

  // On the disk when it returns; replaces what the step had before.
  Status keep(std::string_view step, const Json& config, Json result);
  Status forget(std::string_view step);

 private:
  struct Entry {
    std::string step;
    Json config;
    Json result;
  };

  Journal(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  Status read();
  Status write() const;

  std::filesystem::path path_;
  int lock_;  // a descriptor; the kernel frees it when the process ends, however it ends
  std::vector<Entry> entries_;
};

}  // namespace damier::lab
