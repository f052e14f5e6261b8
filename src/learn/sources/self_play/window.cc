#include "damier/learn/sources/self_play/window.h"

#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace damier::learn {

GamesWindow::GamesWindow(int generations, std::uint64_t most_bytes)
    : generations_(static_cast<std::size_t>(generations)), most_bytes_(most_bytes) {}

Status GamesWindow::add(const DataSet& games) {
  columns_ = games.columns();
  bytes_.resize(columns_.size());
  std::uint64_t row_bytes = 0;
  for (const Column& column : columns_) row_bytes += column.row_bytes();
  const RowRange fresh = games.rows(Split::training);
  if (fresh.count == 0 || fresh.count * row_bytes > most_bytes_) {
    return Error{fmt::format("its positions take {} bytes; expected some, and {} at most "
                             "(\"memory\")",
                             fresh.count * row_bytes, most_bytes_),
                 {},
                 ErrorKind::failure};
  }
  rows_.push_back(fresh.count);
  const std::uint64_t all = rows();
  std::uint64_t gone = 0;
  for (; rows_.size() > generations_ || (all - gone) * row_bytes > most_bytes_; rows_.pop_front()) {
    gone += rows_.front();
  }
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    std::vector<std::byte>& bytes = bytes_[k];
    const std::uint64_t width = columns_[k].row_bytes();
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(gone * width));
    bytes.resize(static_cast<std::size_t>((all - gone) * width));
    const auto own = std::span(bytes).last(static_cast<std::size_t>(fresh.count * width));
    TRY(games.read(static_cast<int>(k), fresh, own));
  }
  return Done{};
}

std::uint64_t GamesWindow::rows() const {
  return std::accumulate(rows_.begin(), rows_.end(), std::uint64_t{0});
}

}  // namespace damier::learn
