#include "damier/learn/rows/data_set.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "damier/base/files/checksum.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"

namespace damier::learn {

namespace {

using nn::kLengthBytes;
constexpr std::uint64_t kMaxWidth = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxRowBytes = std::uint64_t{4} << 20;
constexpr std::size_t kMaxColumns = 64;
constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 40;
constexpr std::uint64_t kCheckedRows = 1 << 16;  // read at a time by the checks, if they are short
constexpr std::uint64_t kCheckedBytes = 16 << 20;

const std::array<std::string_view, kSplits> kSplitNames = {"training", "validation", "test"};

struct Header {
  Json info;
  std::vector<Column> columns;
  std::vector<std::uint64_t> offsets;  // from the beginning of the data
  std::uint64_t rows = 0;
};

Error error_in(std::string_view name, const std::string& message) {
  return Error{fmt::format("column {}: {}", in_quotes(name), message)};
}

Result<Json> read_info(const nn::TensorMetadata& metadata) {
  const auto text = std::ranges::find(metadata, kDataKey, &nn::TensorMetadata::value_type::first);
  if (text == metadata.end()) {
    return Error{fmt::format("is no data set: expected the key {} in its metadata", kDataKey)};
  }
  auto info = parse_json(text->second, kDataKey);
  if (!info) return info;
  if (!info->is_object()) return Error{fmt::format("{}: expected an object", kDataKey)};
  return info;
}

Result<Header> read_header(std::string_view text, std::uint64_t data_bytes) {
  const auto tensors = TRY(nn::parse_header(text, data_bytes, "column", "header"));
  if (tensors.entries.size() > kMaxColumns) {
    return Error{
        fmt::format("has {} columns; expected {} at most", tensors.entries.size(), kMaxColumns)};
  }
  Header header;
  header.info = TRY(read_info(tensors.metadata));
  std::uint64_t widths = 0;
  for (const nn::TensorEntry& entry : tensors.entries) {
    if (entry.shape.size() != 2) {
      return error_in(entry.name, fmt::format("has the shape [{}]; expected [rows, width]",
                                              fmt::join(entry.shape, ", ")));
    }
    const std::uint64_t rows = entry.shape[0], width = entry.shape[1];
    if (rows > kMaxRows || width < 1 || width > kMaxWidth) {
      return error_in(entry.name,
                      fmt::format("has the shape [{}, {}]; expected at most 2^40 rows of 1 to {} "
                                  "numbers",
                                  rows, width, kMaxWidth));
    }
    widths += width;
    if (widths > kMaxRowBytes) {
      return error_in(entry.name, fmt::format("brings a row to {} numbers; expected {} at most",
                                              widths, kMaxRowBytes));
    }
    if (header.columns.empty()) header.rows = rows;
    if (rows != header.rows) {
      return error_in(entry.name,
                      fmt::format("has {}; expected {} as in column {}", counted(rows, "row"),
                                  header.rows, in_quotes(header.columns.front().name)));
    }
    header.columns.push_back({entry.name, entry.dtype, width});
    header.offsets.push_back(entry.begin);
  }
  return header;
}

Result<std::array<std::uint64_t, kSplits>> read_counts(const Json& info, std::uint64_t rows) {
  std::array<std::uint64_t, kSplits> counts = {};
  const Json* map = info.find("rows");
  std::uint64_t sum = 0;
  bool too_many = false;
  for (std::size_t i = 0; i < kSplits; ++i) {
    const std::string name(kSplitNames[i]);
    const Json* count = map == nullptr ? nullptr : map->find(name);
    if (count == nullptr || !count->is_number_unsigned()) {
      return Error{fmt::format("{}: rows.{} is missing", kDataKey, name)};
    }
    counts[i] = count->get<std::uint64_t>();
    too_many = too_many || counts[i] > rows - sum;
    if (!too_many) sum += counts[i];
  }
  if (too_many || sum != rows) {
    return Error{fmt::format("{}: the splits have {} rows; expected {}, all that the columns have",
                             kDataKey, fmt::join(counts, " + "), rows)};
  }
  return counts;
}

Status check_groups(const DataSet& data) {
  const auto groups = TRY(groups_of(data));
  const auto twice = std::ranges::adjacent_find(groups, {}, &std::pair<std::int64_t, Split>::first);
  if (twice == groups.end()) return Done{};
  return Error{fmt::format("the group {} is in two splits, {} and {}; expected one", twice->first,
                           name_of(twice->second), name_of((twice + 1)->second)),
               {data.source()}};
}

}  // namespace

std::string_view name_of(Split split) { return kSplitNames[static_cast<std::size_t>(split)]; }
std::optional<Split> split_named(std::string_view name) {
  const auto* const found = std::ranges::find(kSplitNames, name);
  if (found == kSplitNames.end()) return std::nullopt;
  return static_cast<Split>(found - kSplitNames.begin());
}

Json json_of(const std::array<std::uint64_t, kSplits>& counts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kSplits; ++i) json[std::string(kSplitNames[i])] = counts[i];
  return json;
}

std::uint64_t row_bytes(std::span<const Column> columns) {
  std::uint64_t sum = 0;
  for (const Column& column : columns) sum += column.row_bytes();
  return sum;
}

// The open file; reads do not move a common position, so threads may share it.
class DataSet::File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int descriptor() const { return descriptor_; }

  // False when the file has fewer bytes, or cannot be read: see errno.
  bool read(std::uint64_t offset, std::span<std::byte> out) const {
    while (!out.empty()) {
      const ssize_t count =
          ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      if (count == 0) {
        errno = 0;
        return false;
      }
      out = out.subspan(static_cast<std::size_t>(count));
      offset += static_cast<std::uint64_t>(count);
    }
    return true;
  }

 private:
  int descriptor_;
};

Result<DataSet> DataSet::open(const std::filesystem::path& path) {
  DataSet data;
  data.source_ = path.string();
  const auto wrong = [&](std::string message) { return Error{std::move(message), {data.source_}}; };
  // A pipe must not keep us waiting.
  data.file_ = std::make_shared<File>(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const int descriptor = data.file_->descriptor();
  struct stat status = {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
    return wrong(fmt::format("cannot be read: {}", std::strerror(errno)));
  }
  if (!S_ISREG(status.st_mode)) return wrong("is not a file of its own; expected a data set");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  std::string first(std::min<std::size_t>(size, kLengthBytes), '\0');
  if (!data.file_->read(0, std::as_writable_bytes(std::span(first)))) {
    return wrong("the length of the header cannot be read");
  }
  const auto length = nn::header_length(first, size, kMaxDataHeaderBytes);
  if (!length) return wrong(length.error().message);
  std::string text(*length, '\0');
  if (!data.file_->read(kLengthBytes, std::as_writable_bytes(std::span(text)))) {
    return wrong("the header cannot be read");
  }
  auto header = read_header(text, size - kLengthBytes - *length);
  if (!header) return wrong(header.error().text());
  const auto counts = read_counts(header->info, header->rows);
  if (!counts) return wrong(counts.error().text());
  data.info_ = std::move(header->info);
  data.columns_ = std::move(header->columns);
  data.offsets_ = std::move(header->offsets);
  for (std::uint64_t& offset : data.offsets_) offset += kLengthBytes + *length;
  data.counts_ = *counts;
  const int group = data.column_index(kGroupColumn);
  if (group < 0 || data.columns_[static_cast<std::size_t>(group)] !=
                       Column{std::string(kGroupColumn), nn::DType::i64, 1}) {
    return wrong(fmt::format("has no column '{}' of one I64; expected one", kGroupColumn));
  }
  return data;
}

DataSet DataSet::in_memory(Json info, std::vector<Column> columns,
                           std::array<std::uint64_t, kSplits> counts, ColumnBytes bytes) {
  DataSet data;
  data.source_ = "generated rows";
  data.info_ = std::move(info);
  data.columns_ = std::move(columns);
  data.counts_ = counts;
  data.bytes_ = std::make_shared<const ColumnBytes>(std::move(bytes));
  return data;
}

int DataSet::column_index(std::string_view name) const {
  const auto at = std::ranges::find(columns_, name, &Column::name);
  return at == columns_.end() ? -1 : static_cast<int>(at - columns_.begin());
}

std::uint64_t DataSet::row_count() const { return counts_[0] + counts_[1] + counts_[2]; }

RowRange DataSet::rows(Split split) const {
  RowRange range;
  for (std::size_t i = 0; i < static_cast<std::size_t>(split); ++i) range.first += counts_[i];
  range.count = counts_[static_cast<std::size_t>(split)];
  return range;
}

Status DataSet::read(int column, RowRange range, std::span<std::byte> out) const {
  const auto at = static_cast<std::size_t>(column);
  const std::uint64_t row = columns_[at].row_bytes();
  assert(range.first + range.count <= row_count() && out.size() == range.count * row);
  if (out.empty()) return Done{};
  if (!file_) {
    std::memcpy(out.data(), (*bytes_)[at].data() + range.first * row, out.size());
    return Done{};
  }
  if (file_->read(offsets_[at] + range.first * row, out)) return Done{};
  return Error{errno == 0 ? "has become shorter since it was opened"
                          : fmt::format("cannot be read: {}", std::strerror(errno)),
               {source_},
               ErrorKind::failure};
}

const std::byte* DataSet::in_place(int column, std::uint64_t row) const {
  if (file_) return nullptr;
  const auto at = static_cast<std::size_t>(column);
  return (*bytes_)[at].data() + row * columns_[at].row_bytes();
}

template <class T>
void convert(nn::DType dtype, std::span<const std::byte> bytes, std::span<T> out) {
  with_numbers_of(dtype, [&]<class From>() {
    for (std::size_t i = 0; i < out.size(); ++i) {
      From value;
      std::memcpy(&value, bytes.data() + i * sizeof(From), sizeof(From));
      out[i] = static_cast<T>(value);
    }
  });
}

template <class T>
Result<std::vector<T>> DataSet::values(int column, RowRange range) const {
  const Column& facts = columns_[static_cast<std::size_t>(column)];
  std::vector<std::byte> bytes(static_cast<std::size_t>(range.count * facts.row_bytes()));
  TRY(read(column, range, bytes));
  std::vector<T> out(static_cast<std::size_t>(range.count * facts.width));
  convert<T>(facts.dtype, bytes, out);
  return out;
}

std::string DataSet::checksum() const { return text_in(info_, "checksum"); }

std::uint64_t rows_at_once(std::uint64_t row_bytes, std::uint64_t most) {
  return std::clamp<std::uint64_t>(kCheckedBytes / std::max<std::uint64_t>(row_bytes, 1), 1, most);
}

Status for_each_block(RowRange rows, std::uint64_t most,
                      const std::function<Status(RowRange)>& use) {
  for (std::uint64_t done = 0; done < rows.count; done += most) {
    if (interrupted()) return interruption();
    TRY(use({rows.first + done, std::min(most, rows.count - done)}));
  }
  return Done{};
}

Result<std::vector<std::pair<std::int64_t, Split>>> groups_of(const DataSet& data) {
  const int column = data.column_index(kGroupColumn);
  std::vector<std::pair<std::int64_t, Split>> groups;
  const auto without_doubles = [&] {
    std::ranges::sort(groups);
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  };
  std::size_t sorted = 0;
  for (const Split split : {Split::training, Split::validation, Split::test}) {
    const auto use = [&](RowRange range) -> Status {
      const auto values = TRY(data.values<std::int64_t>(column, range));
      for (const std::int64_t group : values) groups.emplace_back(group, split);
      // About twice the memory that the groups need, however many rows they have.
      if (groups.size() < 2 * sorted + kCheckedRows) return Done{};
      without_doubles();
      sorted = groups.size();
      return Done{};
    };
    TRY(for_each_block(data.rows(split), kCheckedRows, use));
  }
  without_doubles();
  return groups;
}

Result<std::uint64_t> computed_checksum(const DataSet& data) {
  Checksum all;
  std::vector<std::byte> block;
  for (std::size_t column = 0; column < data.columns().size(); ++column) {
    const std::uint64_t row_bytes = data.columns()[column].row_bytes();
    for (std::size_t split = 0; split < kSplits; ++split) {
      Checksum part;
      const auto use = [&](RowRange range) -> Status {
        block.resize(static_cast<std::size_t>(range.count * row_bytes));
        TRY(data.read(static_cast<int>(column), range, block));
        part.add(block);
        return Done{};
      };
      TRY(for_each_block(data.rows(static_cast<Split>(split)),
                         rows_at_once(row_bytes, kCheckedRows), use));
      all.add(part.value());
    }
  }
  return all.value();
}

Status check_data_set(const DataSet& data) {
  const auto sum = TRY(computed_checksum(data));
  if (checksum_text(sum) != data.checksum()) {
    return Error{fmt::format("the numbers have the checksum {}; expected {}: the file is damaged",
                             checksum_text(sum), in_quotes(data.checksum())),
                 {data.source()}};
  }
  return check_groups(data);
}

#define DAMIER_INSTANTIATE(T)                                                 \
  template void convert(nn::DType, std::span<const std::byte>, std::span<T>); \
  template Result<std::vector<T>> DataSet::values(int, RowRange) const;
DAMIER_INSTANTIATE(float)
DAMIER_INSTANTIATE(double)
DAMIER_INSTANTIATE(std::int32_t)
DAMIER_INSTANTIATE(std::int64_t)
DAMIER_INSTANTIATE(std::uint8_t)
#undef DAMIER_INSTANTIATE

}  // namespace damier::learn
