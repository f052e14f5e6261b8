#include "damier/learn/task.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "damier/base/text.h"
#include "damier/base/version.h"
#include "damier/learn/fanorona/task.h"
#include "damier/learn/minesweeper/board_task.h"
#include "damier/learn/minesweeper/patch_task.h"

namespace damier::learn {

Json to_json(const GenerateOptions& options) {
  Json json = {{"oracle", options.oracle},   {"states", options.states},
               {"count", options.count},     {"target", options.target},
               {"encoder", options.encoder}, {"balance", options.balance},
               {"split", options.split},     {"validation", options.validation},
               {"test", options.test},       {"seed", value_of(options.seed)}};
  json.update(options.more);
  return json;
}

namespace {

enum class Kind { truth, whole, number, text, other };

Kind kind_of(const Json& value) {
  if (value.is_boolean()) return Kind::truth;
  if (value.is_number_integer()) return Kind::whole;
  if (value.is_number()) return Kind::number;
  return value.is_string() ? Kind::text : Kind::other;
}

std::string_view expected_text(Kind kind) {
  switch (kind) {
    case Kind::truth:
      return "true or false";
    case Kind::whole:
      return "a whole number";
    case Kind::number:
      return "a number";
    case Kind::text:
      return "a text";
    case Kind::other:
      break;
  }
  return "nothing";
}

}  // namespace

Status check_task_options(const Task& task, const Json& more) {
  const std::vector<TaskOption> options = task.options();
  for (const auto& [name, value] : more.items()) {
    const auto at = std::find_if(options.begin(), options.end(),
                                 [&](const TaskOption& option) { return option.name == name; });
    if (at == options.end()) {
      std::vector<std::string> names;
      for (const TaskOption& option : options) names.push_back(option.name);
      return unknown_name("option", name, names);
    }
    const Kind wanted = kind_of(at->otherwise), found = kind_of(value);
    if (found == wanted || (wanted == Kind::number && found == Kind::whole)) continue;
    return Error{
        fmt::format("{} is {}; expected {}", name, dump_line(value), expected_text(wanted))};
  }
  return Done{};
}

Json task_option(const Task& task, const GenerateOptions& options, std::string_view name) {
  if (const Json* given = options.more.find(name)) return *given;
  for (TaskOption& option : task.options()) {
    if (option.name == name) return std::move(option.otherwise);
  }
  return {};
}

std::span<const Task* const> tasks() {
  static const std::array<const Task*, 3> kTasks = {&fanorona_task(), &minesweeper_board_task(),
                                                    &minesweeper_patch_task()};
  return kTasks;
}

Result<const Task*> find_task(std::string_view name) {
  std::vector<std::string> names;
  for (const Task* task : tasks()) {
    if (task->name() == name) return task;
    names.emplace_back(task->name());
  }
  return unknown_name("task", name, names);
}

namespace {

Result<Json> fill(const Task& task, const GenerateOptions& options, ThreadPool& pool, RowSink& sink,
                  std::string_view command) {
  auto facts = task.generate(options, pool, sink);
  if (!facts) return facts;
  Json info = {{"version", 1},
               {"task", task.name()},
               {"game", task.game()},
               {"encoder", options.encoder},
               {"encoder_version", task.encoder_version(options.encoder)}};
  info["generate"] = to_json(options);
  info.update(*facts);
  info["made_by"] = fmt::format("damier {}", version());
  if (!command.empty()) info["command"] = command;
  return info;
}

}  // namespace

Result<DataSet> generate_in_memory(const Task& task, const GenerateOptions& options,
                                   ThreadPool& pool) {
  if (auto status = task.check(options); !status) return std::move(status).error();
  MemoryRows rows(task.columns(options));
  auto info = fill(task, options, pool, rows, "");
  if (!info) return std::move(info).error();
  return rows.finish(*std::move(info));
}

Status generate_file(const Task& task, const GenerateOptions& options, ThreadPool& pool,
                     const std::filesystem::path& path, std::string_view command) {
  if (auto status = task.check(options); !status) return status;
  auto writer = DataSetWriter::create(path, task.columns(options));
  if (!writer) return std::move(writer).error();
  auto info = fill(task, options, pool, **writer, command);
  if (!info) return std::move(info).error();
  return (*writer)->finish(*std::move(info));
}

Split split_of(std::int64_t group, const GenerateOptions& options) {
  if (options.split == "none") return Split::training;
  RandomStream stream(options.seed, "split", static_cast<std::uint64_t>(group));
  const double place = stream.uniform();
  if (place < options.test) return Split::test;
  return place < options.test + options.validation ? Split::validation : Split::training;
}

}  // namespace damier::learn
