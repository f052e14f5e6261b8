#include "damier/learn/rows/data_set_writer.h"

#include <cassert>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "damier/base/files/atomic_file.h"
#include "damier/base/files/checksum.h"

namespace damier::learn {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

Error failure(const char* what, const std::filesystem::path& path) {
  return Error{
      fmt::format("{}: {}", what, std::strerror(errno)), {path.string()}, ErrorKind::failure};
}

nn::TensorHeader header_of(const std::vector<Column>& columns, std::uint64_t rows,
                           const Json& info) {
  nn::TensorHeader header{{}, {{std::string(kDataKey), dump_line(info)}}};
  std::uint64_t offset = 0;
  for (const Column& column : columns) {
    const std::uint64_t end = offset + rows * column.row_bytes();
    header.entries.push_back({column.name, column.dtype, {rows, column.width}, offset, end});
    offset = end;
  }
  return header;
}

}  // namespace

Status RowSink::append(Split split, std::span<const std::span<const std::byte>> rows) {
  assert(rows.size() == columns_.size());
  counts_[static_cast<std::size_t>(split)] += rows[0].size() / columns_[0].row_bytes();
  for (std::size_t column = 0; column < rows.size(); ++column) {
    TRY(append_column(column, split, rows[column]));
  }
  return Done{};
}

void RowSink::describe(Json& info, std::span<const std::uint64_t> sums) const {
  Checksum sum;
  for (const std::uint64_t one : sums) sum.add(one);
  info["rows"] = json_of(counts_);
  info["checksum"] = checksum_text(sum.value());
}

// The rows of one column and split on the disk, in a file without a name.
class DataSetWriter::Spill {
 public:
  ~Spill() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  bool add(std::span<const std::byte> bytes, const std::filesystem::path& beside) {
    sum_.add(bytes);
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    return buffer_.size() < kBufferBytes || flush(beside);
  }

  Status copy_to(AtomicFile& to, const std::filesystem::path& path) const {
    std::vector<std::byte> block(descriptor_ >= 0 ? kBufferBytes : 0);
    for (off_t at = 0; descriptor_ >= 0;) {
      const ssize_t count = ::pread(descriptor_, block.data(), block.size(), at);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return failure("cannot be read back", path);
      if (count == 0) break;
      const auto part = std::span<const std::byte>(block).first(static_cast<std::size_t>(count));
      TRY(to.write(part));
      at += count;
    }
    return to.write(std::span<const std::byte>(buffer_));
  }

  std::uint64_t checksum() const { return sum_.value(); }

 private:
  bool flush(const std::filesystem::path& beside) {
    if (descriptor_ < 0) {
      const auto opened = open_nameless_file(beside);
      if (!opened) return false;
      descriptor_ = *opened;
    }
    const bool done = write_bytes(descriptor_, buffer_);
    buffer_.clear();
    return done;
  }

  int descriptor_ = -1;
  std::vector<std::byte> buffer_;
  Checksum sum_;
};

DataSetWriter::DataSetWriter(std::filesystem::path path, std::vector<Column> columns)
    : RowSink(std::move(columns)), path_(std::move(path)) {
  for (std::size_t i = 0; i < this->columns().size() * kSplits; ++i) {
    spills_.push_back(std::make_unique<Spill>());
  }
}

DataSetWriter::~DataSetWriter() = default;

Result<std::unique_ptr<DataSetWriter>> DataSetWriter::create(const std::filesystem::path& path,
                                                             std::vector<Column> columns) {
  TRY(check_output(path));
  return std::unique_ptr<DataSetWriter>(new DataSetWriter(path, std::move(columns)));
}

Status DataSetWriter::append_column(std::size_t column, Split split,
                                    std::span<const std::byte> rows) {
  Spill& spill = *spills_[column * kSplits + static_cast<std::size_t>(split)];
  return spill.add(rows, path_) ? Status(Done{}) : failure("cannot be written", path_);
}

Result<Json> DataSetWriter::finish(Json info) {
  std::vector<std::uint64_t> sums;
  for (const auto& spill : spills_) sums.push_back(spill->checksum());
  describe(info, sums);
  const std::string header =
      nn::header_bytes(header_of(columns(), counts_[0] + counts_[1] + counts_[2], info));
  if (header.size() > nn::kLengthBytes + kMaxDataHeaderBytes) {
    return Error{fmt::format("the header takes {} bytes; expected {} at most",
                             header.size() - nn::kLengthBytes, kMaxDataHeaderBytes),
                 {path_.string()}};
  }
  auto file = TRY(AtomicFile::create(path_));
  TRY(file.write(header));
  for (const auto& spill : spills_) TRY(spill->copy_to(file, path_));
  TRY(file.finish());
  return info;
}

Status MemoryRows::append_column(std::size_t column, Split split, std::span<const std::byte> rows) {
  auto& to = bytes_[column][static_cast<std::size_t>(split)];
  to.insert(to.end(), rows.begin(), rows.end());
  return Done{};
}

DataSet MemoryRows::finish(Json info) {
  std::vector<std::uint64_t> sums;
  DataSet::ColumnBytes all;
  for (auto& column : bytes_) {
    std::vector<std::byte>& joined = all.emplace_back();
    for (auto& part : column) {
      Checksum sum;
      sum.add(part);
      sums.push_back(sum.value());
      joined.insert(joined.end(), part.begin(), part.end());
      part = {};
    }
  }
  describe(info, sums);
  return DataSet::in_memory(std::move(info), columns(), counts_, std::move(all));
}

}  // namespace damier::learn
