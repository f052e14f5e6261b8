#include "damier/learn/rows/data_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "damier/base/files/atomic_file.h"

namespace damier::learn {

namespace {

constexpr std::uint64_t kReportedRows = 4096;
constexpr std::size_t kMaxValues = 16;

// Calls work(split, range) for blocks of rows, each of `row_bytes`, that together are all rows.
template <class Work>
Status for_all_rows(const DataSet& data, std::uint64_t row_bytes, Work work) {
  for (std::size_t split = 0; split < kSplits; ++split) {
    TRY(for_each_block(data.rows(static_cast<Split>(split)), rows_at_once(row_bytes, kReportedRows),
                       [&](RowRange range) { return work(split, range); }));
  }
  return Done{};
}

Result<ColumnSummary> summarize_column(const DataSet& data, int index) {
  ColumnSummary summary{data.columns()[static_cast<std::size_t>(index)]};
  bool few = summary.column.width == 1 && summary.column.name != kGroupColumn;
  double sum = 0;
  summary.lowest = std::numeric_limits<double>::infinity();
  summary.highest = -summary.lowest;
  const std::uint64_t row_bytes = summary.column.width * sizeof(double);
  const auto use = [&](std::size_t split, RowRange range) -> Status {
    const auto values = TRY(data.values<double>(index, range));
    for (const double value : values) {
      sum += value;
      summary.lowest = std::min(summary.lowest, value);
      summary.highest = std::max(summary.highest, value);
      few = few && !std::isnan(value);
      if (few) ++summary.values[value][split];
      few = few && summary.values.size() <= kMaxValues;
    }
    return Done{};
  };
  TRY(for_all_rows(data, row_bytes, use));
  if (!few) summary.values.clear();
  const auto count = static_cast<double>(data.row_count() * summary.column.width);
  summary.mean = count > 0 ? sum / count : 0;
  return summary;
}

void add_number(fmt::memory_buffer& line, nn::DType dtype, const std::byte* at) {
  with_numbers_of(dtype, [&]<class Number>() {
    Number value;
    std::memcpy(&value, at, sizeof value);
    fmt::format_to(std::back_inserter(line), ",{}", value);
  });
}

std::string csv_header(const DataSet& data) {
  std::string line = "split";
  for (const Column& column : data.columns()) {
    for (std::uint64_t i = 0; i < column.width; ++i) {
      line += column.width == 1 ? fmt::format(",{}", column.name)
                                : fmt::format(",{}_{}", column.name, i);
    }
  }
  return line + "\n";
}

}  // namespace

Result<DataSummary> summarize(const DataSet& data) {
  DataSummary summary;
  const auto groups = TRY(groups_of(data));
  for (const auto& [group, split] : groups) ++summary.groups[static_cast<std::size_t>(split)];
  for (std::size_t split = 0; split < kSplits; ++split) {
    summary.rows[split] = data.rows(static_cast<Split>(split)).count;
  }
  for (std::size_t i = 0; i < data.columns().size(); ++i) {
    summary.columns.emplace_back() = TRY(summarize_column(data, static_cast<int>(i)));
  }
  return summary;
}

Json to_json(const DataSummary& summary) {
  Json columns = Json::array();
  for (const ColumnSummary& column : summary.columns) {
    Json json = {{"name", column.column.name},   {"dtype", nn::name_of(column.column.dtype)},
                 {"width", column.column.width}, {"mean", column.mean},
                 {"lowest", column.lowest},      {"highest", column.highest}};
    if (!column.values.empty()) {
      json["values"] = Json::object();
      for (const auto& [value, counts] : column.values) {
        json["values"][fmt::format("{:g}", value)] = json_of(counts);
      }
    }
    columns.push_back(std::move(json));
  }
  return {{"rows", json_of(summary.rows)},
          {"groups", json_of(summary.groups)},
          {"columns", std::move(columns)}};
}

Status write_csv(const DataSet& data, const std::filesystem::path& path) {
  auto file = TRY(AtomicFile::create(path));
  TRY(file.write(csv_header(data)));
  std::vector<std::vector<std::byte>> block(data.columns().size());
  fmt::memory_buffer lines;
  const auto use = [&](std::size_t split, RowRange range) -> Status {
    for (std::size_t i = 0; i < block.size(); ++i) {
      block[i].resize(static_cast<std::size_t>(range.count * data.columns()[i].row_bytes()));
      TRY(data.read(static_cast<int>(i), range, block[i]));
    }
    lines.clear();
    for (std::uint64_t row = 0; row < range.count; ++row) {
      fmt::format_to(std::back_inserter(lines), "{}", name_of(static_cast<Split>(split)));
      for (std::size_t i = 0; i < block.size(); ++i) {
        const Column& column = data.columns()[i];
        const std::byte* at = block[i].data() + row * column.row_bytes();
        for (std::uint64_t k = 0; k < column.width; ++k, at += nn::size_of(column.dtype)) {
          add_number(lines, column.dtype, at);
        }
      }
      lines.push_back('\n');
    }
    return file.write(std::string_view(lines.data(), lines.size()));
  };
  TRY(for_all_rows(data, row_bytes(data.columns()), use));
  return file.finish();
}

}  // namespace damier::learn
