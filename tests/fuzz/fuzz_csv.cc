// Rows of numbers for `predict`: a faulty line is one line of error, the others have all numbers.

#include <sstream>

#include "tests/fuzz/check.h"

#include "damier/app/csv_rows.h"

using namespace damier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr int kColumns = 3;
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  app::CsvRows<double> rows(in, "fuzz", kColumns);
  std::vector<double> values;
  do {
    const auto status = rows.next(4, values);
    if (!status) return fuzz::require_one_line(status.error().text()), 0;
    fuzz::require(values.size() % kColumns == 0, "rows are whole");
    for (const double value : values) fuzz::require(std::isfinite(value), "numbers are finite");
  } while (!values.empty());
  return 0;
}
