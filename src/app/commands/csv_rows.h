// Rows of numbers as text, one a line, with commas between them.
#pragma once

#include <algorithm>
#include <cmath>
#include <istream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/base/result.h"
#include "damier/base/text/text.h"

namespace damier::app {

// The rows of a CSV file, some at a time: it may be larger than the memory.
template <class T>
class CsvRows {
 public:
  // `source` names the file in errors. `in` must outlive this.
  CsvRows(std::istream& in, std::string source, int columns)
      : source_(std::move(source)), lines_(in), columns_(columns) {}

  // Fills `values` with up to `most` rows; none at the end.
  Status next(std::size_t most, std::vector<T>& values) {
    values.clear();
    for (std::size_t rows = 0; rows < most && lines_.next();) {
      const auto placed = [&](Error error) {
        error.where = {source_, static_cast<int>(lines_.number()), 0};
        return error;
      };
      if (lines_.is_cut()) {
        return placed(Error{fmt::format("a line of more than the {} bytes expected at most",
                                        StreamLines::kMaxLength)});
      }
      if (trim(lines_.line()).empty()) continue;
      auto status = parse_row(lines_.line(), columns_, values);
      if (!status) return placed(std::move(status).error());
      ++rows;
    }
    return Done{};
  }

 private:
  // Adds the numbers of a line, `columns` of them, to `values`.
  static Status parse_row(std::string_view line, int columns, std::vector<T>& values) {
    const auto found = 1 + std::ranges::count(line, ',');
    if (found != columns) {
      return Error{
          fmt::format("{}; expected {}, the network's inputs", counted(found, "value"), columns)};
    }
    const auto cells = split(line, ',');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string_view cell = trim(cells[i]);
      const auto value = parse_number<double>(cell);
      if (!value || !std::isfinite(static_cast<T>(*value))) {
        return Error{fmt::format("value {} is {}; expected a number", i + 1, in_quotes(cell))};
      }
      values.push_back(static_cast<T>(*value));
    }
    return Done{};
  }

  std::string source_;
  StreamLines lines_;
  int columns_;
};

}  // namespace damier::app
