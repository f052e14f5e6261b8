// Rows of numbers for `predict`: a faulty line is one line of error, the others have all numbers.

#include <sstream>

#include "tests/fuzz/target.h"

#include "damier/app/commands/csv_rows.h"

using namespace damier;

DAMIER_FUZZ_TARGET(csv, input) {
  constexpr int kColumns = 3;
  std::istringstream in{std::string(input)};
  app::CsvRows<double> rows(in, "fuzz", kColumns);
  std::vector<double> values;
  do {
    const auto status = rows.next(4, values);
    if (!status) return fuzz::require_one_line(status.error().text());
    fuzz::require(values.size() % kColumns == 0, "rows are whole");
    for (const double value : values) fuzz::require(std::isfinite(value), "numbers are finite");
  } while (!values.empty());
}
