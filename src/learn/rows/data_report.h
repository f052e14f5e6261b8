// What is in a data set, for people: counts by split, the balance of its classes, the means of its
// columns; and all of it as a CSV file.
#pragma once

#include <filesystem>
#include <map>

#include "damier/learn/rows/data_set.h"

namespace damier::learn {

struct ColumnSummary {
  Column column;
  double mean = 0;  // over all numbers of all rows
  double lowest = 0;
  double highest = 0;
  // Of a column of width 1 with few different values: how often each stands in each split.
  std::map<double, std::array<std::uint64_t, kSplits>> values;
};

struct DataSummary {
  std::array<std::uint64_t, kSplits> rows = {};
  std::array<std::uint64_t, kSplits> groups = {};
  std::vector<ColumnSummary> columns;
};

// Reads every row once, a block at a time.
Result<DataSummary> summarize(const DataSet& data);
Json to_json(const DataSummary& summary);

// A header line, then one line a row: the split, then all columns ("input_0", …).
Status write_csv(const DataSet& data, const std::filesystem::path& path);

}  // namespace damier::learn
