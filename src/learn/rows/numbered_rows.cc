#include "damier/learn/rows/numbered_rows.h"

#include <unordered_set>
#include <utility>

#include "damier/base/files/bytes.h"
#include "damier/learn/tasks.h"
#include "damier/learn/train/recipe.h"

namespace damier::learn {

namespace {

constexpr std::size_t kRowsWaiting = 4096;  // handed on together
// How an answer begins.
constexpr std::uint8_t kRows = 0, kError = 1;

}  // namespace

std::string packed_rows(const RowBuffer& rows, std::span<const std::uint64_t> keys) {
  ByteWriter bytes;
  bytes.number(kRows);
  rows.pack(bytes);
  for (const std::uint64_t key : keys) bytes.number(key);
  return bytes.take();
}

std::string packed_error(const Error& error) {
  return ByteWriter()
      .number(kError)
      .number(static_cast<std::uint8_t>(error.kind))
      .text(error.text())
      .take();
}

Status collect_rows(const Task& task, const GenerateOptions& options, RowsWork rows, RowSink& sink,
                    Ranks& ranks) {
  RowBuffer made(sink.columns());
  SplitBuffers kept(sink);
  std::unordered_set<std::uint64_t> seen;
  std::uint64_t done = 0, last_new = 0, waiting = 0;
  SharedWork work;
  work.kind = kGenerateWork;
  work.order = ByteWriter().text(task.name()).text(dump_line(to_json(task, options))).take();
  work.worker = std::move(rows.worker);
  work.count = rows.numbers;
  work.numbers = numbers_from(0, rows.numbers.value_or(std::numeric_limits<std::uint64_t>::max()));
  work.in_order = true;
  // Takes the rows of one number after another. False: there are enough, or there will be none.
  work.take = [&](std::uint64_t number, std::string_view answer) -> Result<bool> {
    ByteReader bytes(answer);
    const auto kind = bytes.number<std::uint8_t>();
    if (kind == kError) {
      const auto why = static_cast<ErrorKind>(bytes.number<std::uint8_t>());
      return Error{std::string(bytes.text()), {}, why};
    }
    if (kind != kRows || !made.unpack(bytes)) {
      return Error{"rows came that are not of this data set", {}, ErrorKind::failure};
    }
    const auto groups = made.all<std::int64_t>(kGroupColumn);
    for (std::size_t row = 0; row < made.count() && done < rows.rows; ++row) {
      if (rows.distinct && !seen.insert(bytes.number<std::uint64_t>()).second) continue;
      kept[split_of(groups[row], options)].copy_row(made, row);
      last_new = number;
      ++done;
      ++waiting;
    }
    if (waiting >= kRowsWaiting) {
      waiting = 0;
      TRY(kept.flush());
    }
    if (done == rows.rows) return false;
    return (number + 1) % rows.round != 0 || number + 1 - last_new < rows.fruitless;
  };
  TRY(ranks.share(work));
  if (done == 0 && !rows.nothing.empty()) return Error{rows.nothing};
  return kept.flush();
}

Result<Worker> generate_worker(std::string_view order, const Tasks& tasks, ThreadPool& pool) {
  ByteReader bytes(order);
  const auto task = TRY(tasks.find(bytes.text()));
  const auto json = TRY(parse_json(bytes.text(), "order"));
  const auto options = TRY(read_generate_options(*task, json, "order"));
  auto rows = TRY(task->rows_work(options, pool));
  return std::move(rows.worker);
}

}  // namespace damier::learn
