#include "damier/learn/data/row_buffer.h"

#include <algorithm>

namespace damier::learn {

RowBuffer::RowBuffer(std::vector<Column> columns)
    : columns_(std::move(columns)), bytes_(columns_.size()) {}

int RowBuffer::index_of(std::string_view column) const {
  const auto at = std::find_if(columns_.begin(), columns_.end(),
                               [&](const Column& known) { return known.name == column; });
  return at == columns_.end() ? -1 : static_cast<int>(at - columns_.begin());
}

void RowBuffer::resize(std::size_t rows) {
  rows_ = rows;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    bytes_[k].resize(rows * static_cast<std::size_t>(columns_[k].row_bytes()));
  }
}

void RowBuffer::copy_row(const RowBuffer& from, std::size_t row) {
  assert(columns_ == from.columns_);
  ++rows_;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const auto width = static_cast<std::ptrdiff_t>(columns_[k].row_bytes());
    const auto begin = from.bytes_[k].begin() + static_cast<std::ptrdiff_t>(row) * width;
    bytes_[k].insert(bytes_[k].end(), begin, begin + width);
  }
}

Status RowBuffer::flush(Split split, RowSink& sink) {
  if (rows_ == 0) return Done{};
  const std::vector<std::span<const std::byte>> rows(bytes_.begin(), bytes_.end());
  auto status = sink.append(split, rows);
  resize(0);
  return status;
}

SplitBuffers::SplitBuffers(RowSink& sink)
    : sink_(sink), buffers_(kSplits, RowBuffer(sink.columns())) {}

Status SplitBuffers::flush() {
  for (std::size_t split = 0; split < kSplits; ++split) {
    auto status = buffers_[split].flush(static_cast<Split>(split), sink_);
    if (!status) return status;
  }
  return Done{};
}

}  // namespace damier::learn
