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

// Takes the rows of one number after another.
class RowsTaker {
 public:
  RowsTaker(const GenerateOptions& options, const RowsWork& wanted, RowSink& sink)
      : options_(options), wanted_(wanted), made_(sink.columns()), kept_(sink) {}

  // False: there are enough, or there will be none.
  Result<bool> take(std::uint64_t number, std::string_view answer) {
    ByteReader bytes(answer);
    const auto kind = bytes.number<std::uint8_t>();
    if (kind == kError) {
      const auto why = static_cast<ErrorKind>(bytes.number<std::uint8_t>());
      return Error{std::string(bytes.text()), {}, why};
    }
    if (kind != kRows || !made_.unpack(bytes)) {
      return Error{"rows came that are not of this data set", {}, ErrorKind::failure};
    }
    const auto groups = made_.all<std::int64_t>(kGroupColumn);
    for (std::size_t row = 0; row < made_.count() && done_ < wanted_.rows; ++row) {
      if (wanted_.distinct && !seen_.insert(bytes.number<std::uint64_t>()).second) continue;
      kept_[split_of(groups[row], options_)].copy_row(made_, row);
      last_new_ = number;
      ++done_;
      ++waiting_;
    }
    if (waiting_ >= kRowsWaiting) TRY(flush());
    if (done_ == wanted_.rows) return false;
    const std::uint64_t numbers = number + 1;
    return numbers % wanted_.round != 0 || numbers - last_new_ < wanted_.fruitless;
  }

  std::uint64_t rows() const { return done_; }
  Status flush() {
    waiting_ = 0;
    return kept_.flush();
  }

 private:
  const GenerateOptions& options_;
  const RowsWork& wanted_;
  RowBuffer made_;
  SplitBuffers kept_;
  std::unordered_set<std::uint64_t> seen_;
  std::uint64_t done_ = 0, last_new_ = 0;
  std::size_t waiting_ = 0;
};

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
  RowsTaker taker(options, rows, sink);
  SharedWork work;
  work.kind = kGenerateWork;
  work.order = ByteWriter().text(task.name()).text(dump_line(to_json(task, options))).take();
  work.worker = std::move(rows.worker);
  work.count = rows.numbers;
  work.numbers = numbers_from(0, rows.numbers.value_or(std::numeric_limits<std::uint64_t>::max()));
  work.in_order = true;
  work.take = [&](std::uint64_t number, std::string_view answer) {
    return taker.take(number, answer);
  };
  TRY(ranks.share(work));
  if (taker.rows() == 0 && !rows.nothing.empty()) return Error{rows.nothing};
  return taker.flush();
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
