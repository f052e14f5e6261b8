#include "damier/store/rows.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "damier/base/text/parse_number.h"

namespace damier {

using sqlite::Statement;

namespace {

constexpr std::int64_t kMaxWhole = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMinWhole = std::numeric_limits<std::int64_t>::min();

// Reads the cells of a row from left to right and remembers the first that cannot be read.
class Cells {
 public:
  explicit Cells(const Statement& row) : row_(row) {}

  std::string text() {
    const sqlite::Value value = row_.value(next_++);
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : (fail(), std::string());
  }
  // A name: letters, digits, '-' and '_'.
  std::string word() {
    std::string word = text();
    const bool is_plain = std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '-' || c == '_';
    });
    if (!is_plain) fail();
    return word;
  }
  std::optional<std::string> optional_text() {
    return skip_null() ? std::nullopt : std::optional(text());
  }

  std::int64_t whole(std::int64_t low, std::int64_t high) {
    const sqlite::Value value = row_.value(next_++);
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr && *whole >= low && *whole <= high ? *whole : (fail(), low);
  }
  std::optional<std::int64_t> optional_whole(std::int64_t low, std::int64_t high) {
    return skip_null() ? std::nullopt : std::optional(whole(low, high));
  }

  double number() {
    const sqlite::Value value = row_.value(next_++);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? *real : (fail(), 0.0);
  }
  std::optional<double> optional_number() {
    return skip_null() ? std::nullopt : std::optional(number());
  }

  Json object() {
    auto json = parse_json(text(), "");
    if (json && json->is_object()) return *std::move(json);
    return fail(), Json::object();
  }

  // "2025-03-01T17:05:09.120Z"
  std::string time() { return check_time(text()); }
  std::optional<std::string> optional_time() {
    return skip_null() ? std::nullopt : std::optional(time());
  }

  // The cell that was read last cannot be right.
  void fail() {
    if (!error_) error_ = Error{fmt::format("its {} cannot be read", row_.name(next_ - 1))};
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  bool skip_null() {
    if (!row_.is_null(next_)) return false;
    ++next_;
    return true;
  }

  std::string check_time(std::string text) {
    constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd.dddZ";
    bool fits = text.size() == kForm.size();
    for (std::size_t i = 0; fits && i < kForm.size(); ++i) {
      fits = kForm[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == kForm[i];
    }
    if (!fits) fail();
    return text;
  }

  const Statement& row_;
  int next_ = 0;
  std::optional<Error> error_;
};

template <class Row>
Result<Row> row_or_cell_error(Row row, const Cells& cells) {
  if (cells.error()) return *cells.error();
  return row;
}

std::optional<RunStatus> status_named(std::string_view text) {
  for (const RunStatus status : {RunStatus::running, RunStatus::done, RunStatus::stopped}) {
    if (text == status_text(status)) return status;
  }
  return std::nullopt;
}

}  // namespace

Result<Run> run_of(const Statement& row) {
  Cells cells(row);
  Run run;
  run.id = RunId{cells.whole(1, kMaxWhole)};
  run.name = cells.word();
  if (run.name.empty()) cells.fail();
  run.request.kind = cells.word();
  run.request.game = cells.word();
  run.request.options = cells.object();
  run.request.config = cells.object();
  const auto seed = parse_number<std::uint64_t>(cells.text());
  if (!seed) cells.fail();
  run.seed = Seed{seed.value_or(0)};
  run.version = cells.text();
  run.started = cells.time();
  run.finished = cells.optional_time();
  const auto status = status_named(cells.text());
  if (!status) cells.fail();
  run.status = status.value_or(RunStatus::stopped);
  if (const auto summary = cells.optional_text()) {
    auto json = parse_json(*summary, "");
    if (!json) cells.fail();
    if (json) run.summary = *std::move(json);
  }
  return row_or_cell_error(std::move(run), cells);
}

Result<GameRow> game_of(const Statement& row) {
  Cells cells(row);
  GameRow game;
  game.number = cells.whole(0, kMaxWhole);
  game.first = cells.text();
  game.second = cells.text();
  game.pair = cells.optional_whole(0, kMaxWhole);
  game.opening = cells.text();
  game.outcome = cells.text();
  if (game.outcome != "first" && game.outcome != "second" && game.outcome != "draw") cells.fail();
  game.plies = cells.whole(0, kMaxWhole);
  game.moves = cells.text();
  game.seconds = cells.number();
  if (!std::isfinite(game.seconds) || game.seconds < 0) cells.fail();
  game.start = cells.text();
  game.ending = cells.text();
  game.notes = cells.text();
  return row_or_cell_error(std::move(game), cells);
}

Result<MetricRow> metric_of(const Statement& row) {
  Cells cells(row);
  MetricRow metric;
  metric.step = cells.whole(kMinWhole, kMaxWhole);
  metric.name = cells.text();
  metric.value = cells.optional_number().value_or(std::numeric_limits<double>::quiet_NaN());
  return row_or_cell_error(std::move(metric), cells);
}

Result<RatingRow> rating_of(const Statement& row) {
  Cells cells(row);
  RatingRow rating;
  rating.game = cells.text();
  rating.player = cells.text();
  rating.elo = cells.number();
  rating.low = cells.optional_number();
  rating.high = cells.optional_number();
  rating.games = cells.whole(0, kMaxWhole);
  rating.run = RunId{cells.whole(1, kMaxWhole)};
  return row_or_cell_error(std::move(rating), cells);
}

}  // namespace damier
