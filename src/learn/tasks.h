// The tasks by name: those of the games that ship, and any that are added.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "damier/learn/task.h"

namespace damier::learn {

class Tasks {
 public:
  // Another task, after those that are there; one of the same name stays as it is.
  Tasks& add(std::shared_ptr<const Task> task);
  // The same of a task that lives as long as the program.
  Tasks& add(const Task& task);

  const std::vector<std::shared_ptr<const Task>>& all() const { return tasks_; }
  std::vector<std::string> names() const;
  Result<std::shared_ptr<const Task>> find(std::string_view name) const;

 private:
  std::vector<std::shared_ptr<const Task>> tasks_;
};

// The tasks of the games that ship with Damier.
Tasks builtin_tasks();

}  // namespace damier::learn
