#include "damier/learn/tasks.h"

#include "damier/base/text/text.h"

namespace damier::learn {

Tasks& Tasks::add(std::shared_ptr<const Task> task) {
  if (!find(task->name())) tasks_.push_back(std::move(task));
  return *this;
}

Tasks& Tasks::add(const Task& task) {
  return add(std::shared_ptr<const Task>(std::shared_ptr<void>(), &task));
}

std::vector<std::string> Tasks::names() const {
  std::vector<std::string> names;
  for (const auto& task : tasks_) names.emplace_back(task->name());
  return names;
}

Result<std::shared_ptr<const Task>> Tasks::find(std::string_view name) const {
  for (const auto& task : tasks_) {
    if (task->name() == name) return task;
  }
  return unknown_name("task", name, names());
}

}  // namespace damier::learn
