#include "damier/learn/task.h"

#include <array>

#include <fmt/format.h>

#include "damier/base/text.h"
#include "damier/base/version.h"
#include "damier/learn/fanorona_task.h"

namespace damier::learn {

Json to_json(const GenerateOptions& options) {
  return {{"oracle", options.oracle},   {"states", options.states},
          {"count", options.count},     {"target", options.target},
          {"encoder", options.encoder}, {"balance", options.balance},
          {"split", options.split},     {"validation", options.validation},
          {"test", options.test},       {"seed", value_of(options.seed)}};
}

std::span<const Task* const> tasks() {
  static const std::array<const Task*, 1> kTasks = {&fanorona_task()};
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
               {"game", task.name()},
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
