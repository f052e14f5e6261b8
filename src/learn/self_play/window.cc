#include "damier/learn/self_play/window.h"

#include <span>
#include <utility>

#include <fmt/format.h>

namespace damier::learn {

namespace {

std::uint64_t window_bytes(const DataSet& data) {
  std::uint64_t row = 0;
  for (const Column& column : data.columns()) row += column.row_bytes();
  return row * data.row_count();
}

Result<DataSet> joined_sets(std::span<const DataSet> parts, Json info) {
  const std::vector<Column>& columns = parts.front().columns();
  std::vector<std::vector<std::byte>> bytes(columns.size());
  std::uint64_t rows = 0;
  for (const DataSet& part : parts) {
    const RowRange range = part.rows(Split::training);
    rows += range.count;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::size_t before = bytes[k].size();
      bytes[k].resize(before + static_cast<std::size_t>(range.count * columns[k].row_bytes()));
      auto status = part.read(static_cast<int>(k), range, std::span(bytes[k]).subspan(before));
      if (!status) return std::move(status).error();
    }
  }
  return DataSet::in_memory(std::move(info), columns, {rows, 0, 0}, std::move(bytes));
}

}  // namespace

GamesWindow::GamesWindow(int generations, std::vector<DataSet> games)
    : generations_(static_cast<std::size_t>(generations)), games_(std::move(games)) {}

void GamesWindow::add(DataSet games) {
  games_.push_back(std::move(games));
  if (games_.size() > generations_) games_.erase(games_.begin());
}

Result<DataSet> GamesWindow::joined(std::uint64_t most_bytes, Json info) const {
  std::uint64_t bytes = 0;
  std::size_t first = games_.size();
  while (first > 0 && bytes + window_bytes(games_[first - 1]) <= most_bytes) {
    bytes += window_bytes(games_[--first]);
  }
  if (bytes > 0) return joined_sets(std::span(games_).subspan(first), std::move(info));
  return Error{fmt::format("its positions take {} bytes; expected some, and {} at most "
                           "(\"memory\")",
                           window_bytes(games_.back()), most_bytes),
               {},
               ErrorKind::failure};
}

}  // namespace damier::learn
