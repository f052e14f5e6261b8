#include "damier/learn/train/rows.h"

#include <algorithm>

#include <fmt/format.h>

namespace damier::learn {

namespace {

std::vector<Column> columns_of(const Recipe& recipe) {
  const nn::DType dtype = recipe.doubles ? nn::DType::f64 : nn::DType::f32;
  std::vector<Column> columns = {
      {std::string(kGroupColumn), nn::DType::i64, 1},
      {"input", dtype, static_cast<std::uint64_t>(recipe.network.input.size())}};
  const auto add = [&](const std::string& name, std::size_t head) {
    const auto known = [&](const Column& column) { return column.name == name; };
    if (name.empty() || std::ranges::any_of(columns, known)) return;
    columns.push_back(
        {name, dtype, static_cast<std::uint64_t>(recipe.network.head_shape(head).size())});
  };
  for (std::size_t head = 0; head < recipe.heads.size(); ++head) {
    add(recipe.heads[head].target, head);
    add(recipe.heads[head].mask, head);
    add(recipe.heads[head].mixed, head);
  }
  return columns;
}

}  // namespace

Rows::Rows(const Recipe& recipe) : doubles_(recipe.doubles), rows_(columns_of(recipe)) {}

void Rows::note_error(std::string message) {
  if (!error_) error_ = Error{fmt::format("row {}: {}", count_, message)};
}

void Rows::add(const std::vector<double>& input, const std::vector<std::vector<double>>& targets,
               Split split) {
  const std::vector<Column>& columns = rows_.columns();
  if (targets.size() + 2 != columns.size()) {
    return note_error(
        fmt::format("has {} targets; expected {}", targets.size(), columns.size() - 2));
  }
  const std::int64_t group = count_;
  std::vector<std::vector<float>> narrow(columns.size());
  std::vector<std::span<const std::byte>> bytes = {std::as_bytes(std::span(&group, 1))};
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const std::vector<double>& numbers = i == 1 ? input : targets[i - 2];
    if (numbers.size() != columns[i].width) {
      return note_error(fmt::format("the column '{}' has {} numbers; expected {}", columns[i].name,
                                    numbers.size(), columns[i].width));
    }
    if (doubles_) {
      bytes.push_back(std::as_bytes(std::span(numbers)));
      continue;
    }
    for (const double number : numbers) narrow[i].push_back(static_cast<float>(number));
    bytes.push_back(std::as_bytes(std::span(narrow[i])));
  }
  if (auto status = rows_.append(split, bytes); !status) note_error(status.error().message);
  ++count_;
}

Result<DataSet> Rows::finish() {
  if (error_) return *error_;
  return rows_.finish(Json::object());
}

}  // namespace damier::learn
