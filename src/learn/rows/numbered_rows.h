// Rows of a data set that are made by number, by this process and by those that it shares work
// with. They are kept in the order of the numbers, so the file does not depend on who made them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "damier/base/json/json.h"
#include "damier/base/parallel/ranks.h"
#include "damier/learn/rows/row_buffer.h"

namespace damier::learn {

class Task;
class Tasks;
struct GenerateOptions;

struct RowsWork {
  Worker worker;                              // answers with packed_rows()
  std::optional<std::uint64_t> numbers = {};  // how many there are; none: as many as it takes
  std::uint64_t rows = std::numeric_limits<std::uint64_t>::max();  // that are wanted, at most
  bool distinct = false;  // a row whose key came before is left out
  // This many numbers without a new row end it, which is looked at after each round of numbers.
  std::uint64_t round = 1;
  std::uint64_t fruitless = std::numeric_limits<std::uint64_t>::max();
  Json facts = Json::object();  // about the rows, for the metadata
  std::string nothing = {};     // the error when there are no rows; empty: that is none
};

// A key for each row, where they are asked for.
std::string packed_rows(const RowBuffer& rows, std::span<const std::uint64_t> keys = {});
// Instead of rows: why there are none. It ends the work.
std::string packed_error(const Error& error);

Status collect_rows(const Task& task, const GenerateOptions& options, RowsWork rows, RowSink& sink,
                    Ranks& ranks);

// The kind of work, for Ranks::serve().
inline constexpr std::string_view kGenerateWork = "generate";
Result<Worker> generate_worker(std::string_view order, const Tasks& tasks, ThreadPool& pool);

}  // namespace damier::learn
