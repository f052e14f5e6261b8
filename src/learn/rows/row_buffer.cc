#include "damier/learn/rows/row_buffer.h"

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

void RowBuffer::pack(ByteWriter& bytes) const {
  bytes.number<std::uint64_t>(rows_);
  for (const auto& column : bytes_) {
    bytes.text({reinterpret_cast<const char*>(column.data()), column.size()});
  }
}

bool RowBuffer::unpack(ByteReader& bytes) {
  rows_ = static_cast<std::size_t>(bytes.number<std::uint64_t>());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::string_view found = bytes.text();
    if (!bytes.good() || found.size() != rows_ * columns_[k].row_bytes()) return false;
    const auto* first = reinterpret_cast<const std::byte*>(found.data());
    bytes_[k].assign(first, first + found.size());
  }
  return bytes.good();
}

Status append_packed(ByteReader& bytes, Split split, RowSink& sink) {
  const auto count = bytes.number<std::uint64_t>();
  std::vector<std::span<const std::byte>> rows;
  for (const Column& column : sink.columns()) {
    const std::string_view found = bytes.text();
    if (!bytes.good() || found.size() != count * column.row_bytes()) {
      return Error{"rows came that are not of this data set", {}, ErrorKind::failure};
    }
    rows.emplace_back(reinterpret_cast<const std::byte*>(found.data()), found.size());
  }
  return count == 0 ? Status(Done{}) : sink.append(split, rows);
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
