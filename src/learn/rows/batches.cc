#include "damier/learn/rows/batches.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace damier::learn {

namespace {

constexpr std::uint64_t kBlockRows = 1024;

// One stream for each window of each epoch.
std::uint64_t place_of(int epoch, std::size_t window) {
  return static_cast<std::uint64_t>(epoch) << 32 | static_cast<std::uint64_t>(window);
}

template <class From, class T>
void gather_from(std::size_t width, const std::byte* bytes, std::span<const std::uint32_t> rows,
                 std::span<const model::ColumnMap* const> maps, const Gathering& how, T* out) {
  const T scale = static_cast<T>(how.scale);
  // Vectors of bytes are aligned for every number.
  const From* const all = reinterpret_cast<const From*>(bytes);
  for (std::size_t i = 0; i < rows.size(); ++i, out += width) {
    const From* const row = all + rows[i] * width;
    const model::ColumnMap* const map = maps.empty() ? nullptr : maps[i];
    if (map == nullptr) {
      for (std::size_t k = 0; k < width; ++k) out[k] = static_cast<T>(row[k]) * scale;
    } else {
      for (std::size_t k = 0; k < width; ++k) {
        out[k] = static_cast<T>(row[map->source[k]]) * static_cast<T>(map->sign[k]) * scale;
      }
    }
    if (!how.share_out) continue;
    const T sum = std::accumulate(out, out + width, T(0));
    if (sum != T(0)) {
      for (std::size_t k = 0; k < width; ++k) out[k] /= sum;
    }
  }
}

}  // namespace

Windows::Windows(const DataSet& data, RowRange rows, std::vector<int> columns,
                 std::uint64_t memory_bytes, Seed seed, bool shuffled)
    : data_(data), rows_(rows), columns_(std::move(columns)), seed_(seed), shuffled_(shuffled) {
  std::uint64_t row_bytes = sizeof(std::uint32_t);
  for (std::size_t k = 0; k < columns_.size(); ++k) row_bytes += column(k).row_bytes();
  blocks_ = (rows_.count + kBlockRows - 1) / kBlockRows;
  blocks_in_window_ = std::max<std::uint64_t>(1, memory_bytes / (row_bytes * kBlockRows));
  blocks_in_window_ = std::min(blocks_in_window_, std::max<std::uint64_t>(1, blocks_));
  count_ = static_cast<std::size_t>((blocks_ + blocks_in_window_ - 1) / blocks_in_window_);
  count_ = std::max<std::size_t>(1, count_);
  bytes_.resize(columns_.size());
  places_.resize(columns_.size());
  for (std::size_t k = 0; count_ == 1 && k < columns_.size(); ++k) {
    places_[k] = data_.in_place(columns_[k], rows_.first);
    holds_all_ = places_[k] != nullptr;
  }
}

const Column& Windows::column(std::size_t k) const {
  return data_.columns()[static_cast<std::size_t>(columns_[k])];
}

std::int64_t Windows::batches(int batch) const {
  const auto size = static_cast<std::uint64_t>(batch);
  std::uint64_t sum = 0, left = rows_.count;
  for (std::size_t window = 0; window < count_; ++window) {
    const std::uint64_t rows = std::min(left, blocks_in_window_ * kBlockRows);
    sum += (rows + size - 1) / size;
    left -= rows;
  }
  return static_cast<std::int64_t>(sum);
}

std::vector<std::uint64_t> Windows::blocks_of(int epoch, std::size_t window) const {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(blocks_));
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  if (count_ > 1 && shuffled_) {
    RandomStream(seed_, "train.blocks", static_cast<std::uint64_t>(epoch)).shuffle(std::span(all));
  }
  const auto first = static_cast<std::size_t>(blocks_in_window_) * window;
  const auto last = std::min(all.size(), first + static_cast<std::size_t>(blocks_in_window_));
  return {all.begin() + static_cast<std::ptrdiff_t>(first),
          all.begin() + static_cast<std::ptrdiff_t>(last)};
}

Status Windows::load(int epoch, std::size_t window) {
  const std::vector<std::uint64_t> blocks = blocks_of(epoch, window);
  std::uint64_t rows = 0;
  const auto rows_in = [&](std::uint64_t block) {
    return std::min(kBlockRows, rows_.count - block * kBlockRows);
  };
  for (const std::uint64_t block : blocks) rows += rows_in(block);
  if (!holds_all_) {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const std::uint64_t row_bytes = column(k).row_bytes();
      bytes_[k].resize(static_cast<std::size_t>(rows * row_bytes));
      std::span<std::byte> rest = bytes_[k];
      for (const std::uint64_t block : blocks) {
        const RowRange range = {rows_.first + block * kBlockRows, rows_in(block)};
        const auto size = static_cast<std::size_t>(range.count * row_bytes);
        TRY(data_.read(columns_[k], range, rest.first(size)));
        rest = rest.subspan(size);
      }
      places_[k] = bytes_[k].data();
    }
    holds_all_ = count_ == 1;
  }
  order_.resize(static_cast<std::size_t>(rows));
  std::iota(order_.begin(), order_.end(), 0u);
  if (shuffled_) {
    RandomStream(seed_, "train.order", place_of(epoch, window)).shuffle(std::span(order_));
  }
  return Done{};
}

template <class T>
void gather(const Column& column, const std::byte* bytes, std::span<const std::uint32_t> rows,
            std::span<const model::ColumnMap* const> maps, const Gathering& how, T* out) {
  const auto width = static_cast<std::size_t>(column.width);
  switch (column.dtype) {
    case nn::DType::f32:
      return gather_from<float>(width, bytes, rows, maps, how, out);
    case nn::DType::f64:
      return gather_from<double>(width, bytes, rows, maps, how, out);
    case nn::DType::i32:
      return gather_from<std::int32_t>(width, bytes, rows, maps, how, out);
    case nn::DType::i64:
      return gather_from<std::int64_t>(width, bytes, rows, maps, how, out);
    case nn::DType::u8:
      return gather_from<std::uint8_t>(width, bytes, rows, maps, how, out);
  }
}

template void gather(const Column&, const std::byte*, std::span<const std::uint32_t>,
                     std::span<const model::ColumnMap* const>, const Gathering&, float*);
template void gather(const Column&, const std::byte*, std::span<const std::uint32_t>,
                     std::span<const model::ColumnMap* const>, const Gathering&, double*);

}  // namespace damier::learn
