// The rows of the run store as values: one description of each, by which it is selected, inserted
// and read. A store is data from outside: a cell that holds another type or a number that cannot be
// is an error which names the column ("its seed cannot be read").
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "damier/base/json/described.h"
#include "damier/base/text/text.h"
#include "damier/store/sqlite.h"
#include "damier/store/store.h"

namespace damier {

namespace cells {

constexpr auto kAnything = [](const auto&) { return true; };
constexpr auto kNotNegative = [](auto number) { return number >= 0; };
constexpr auto kNumber = [](double number) { return !std::isnan(number); };
constexpr auto kSeconds = [](double number) { return std::isfinite(number) && number >= 0; };
constexpr auto kObject = [](const Json& json) { return json.is_object(); };
constexpr auto kOutcome = [](const std::string& text) {
  return text == "first" || text == "second" || text == "draw";
};
// A name: letters, digits, '-' and '_'.
constexpr auto kWord = [](const std::string& text) {
  return std::ranges::all_of(
      text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
};
constexpr auto kFullWord = [](const std::string& text) { return !text.empty() && kWord(text); };
// "2025-03-01T17:05:09.120Z"
constexpr auto kTime = [](const std::string& text) {
  return std::ranges::equal(
      text, std::string_view("dddd-dd-ddTdd:dd:dd.dddZ"),
      [](char c, char form) { return form == 'd' ? c >= '0' && c <= '9' : c == form; });
};

}  // namespace cells

void describe_cells(auto& cell, Is<Run> auto& run) {
  cell("id", run.id, [](RunId id) { return id > RunId{}; });
  cell("name", run.name, cells::kFullWord);
  cell("kind", run.request.kind, cells::kWord);
  cell("game", run.request.game, cells::kWord);
  cell("options", run.request.options, cells::kObject);
  cell("config", run.request.config, cells::kObject);
  cell("seed", run.seed);
  cell("version", run.version);
  cell("started", run.started, cells::kTime);
  cell("finished", run.finished, cells::kTime);
  cell("status", run.status);
  cell("summary", run.summary);
}

void describe_cells(auto& cell, Is<GameRow> auto& game) {
  cell("number", game.number, cells::kNotNegative);
  cell("first", game.first);
  cell("second", game.second);
  cell("pair", game.pair, cells::kNotNegative);
  cell("opening", game.opening);
  cell("outcome", game.outcome, cells::kOutcome);
  cell("plies", game.plies, cells::kNotNegative);
  cell("moves", game.moves);
  cell("seconds", game.seconds, cells::kSeconds);
  cell("start", game.start);
  cell("ending", game.ending);
  cell("notes", game.notes);
}

void describe_cells(auto& cell, Is<MetricRow> auto& metric) {
  cell("step", metric.step);
  cell("name", metric.name);
  cell("value", metric.value);
}

void describe_cells(auto& cell, Is<RatingRow> auto& rating) {
  cell("game", rating.game);
  cell("player", rating.player);
  cell("elo", rating.elo, cells::kNumber);
  cell("low", rating.low, cells::kNumber);
  cell("high", rating.high, cells::kNumber);
  cell("games", rating.games, cells::kNotNegative);
}

// Where rows lie, and how people call one.
struct RowTable {
  std::string_view name;
  std::string_view run;  // the column that holds the run's number
  std::string_view key;  // an expression that tells a row from others
  std::string (*label)(const sqlite::Statement& row);
  std::string_view article = {};
};

template <class Row>
inline constexpr RowTable kTable = {};
template <>
inline constexpr RowTable kTable<Run> = {"runs", "id", "id", [](const sqlite::Statement& row) {
                                           return fmt::format("run {}", printable(row.text(1)));
                                         }};
template <>
inline constexpr RowTable kTable<GameRow> = {
    "games", "run", "rowid",
    [](const sqlite::Statement& row) { return fmt::format("game {}", printable(row.text(0))); }};
template <>
inline constexpr RowTable kTable<MetricRow> = {
    "metrics", "run", "quote(run) || quote(step) || quote(CAST(name AS BLOB))",
    [](const sqlite::Statement& row) {
      return fmt::format("metric {} of step {}", in_quotes(row.text(1)), printable(row.text(0)));
    }};
template <>
inline constexpr RowTable kTable<RatingRow> = {"ratings", "run", "rowid",
                                               [](const sqlite::Statement& row) {
                                                 return fmt::format("rating of {}",
                                                                    in_quotes(row.text(1)));
                                               },
                                               "the "};

namespace cells {

struct Names {
  std::string names = {}, places = {};

  void operator()(std::string_view column, const auto&...) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", column);
    places += places.empty() ? "?" : ", ?";
  }
};

// Reads the cells of a row from left to right and remembers the first that cannot be read.
class Reader {
 public:
  explicit Reader(const sqlite::Statement& row) : row_(row) {}

  template <class T, class Fits = decltype(kAnything)>
  void operator()(std::string_view column, T& value, const Fits& fits = kAnything) {
    const bool good = read(row_.value(next_++), value, fits);
    if (!good && !error) error = Error{fmt::format("its {} cannot be read", column)};
  }

  std::optional<Error> error;

 private:
  template <class T, class Fits>
  static bool read(const sqlite::Value& cell, T& value, const Fits& fits) {
    if constexpr (detail::OptionalTraits<T>::value) {
      value.reset();
      return std::holds_alternative<std::monostate>(cell) || read(cell, value.emplace(), fits);
    } else {
      return take(cell, value) && fits(value);
    }
  }

  template <class T>
  static bool take(const sqlite::Value& cell, T& value) {
    const auto* text = std::get_if<std::string>(&cell);
    const auto* whole = std::get_if<std::int64_t>(&cell);
    const auto* real = std::get_if<double>(&cell);
    const bool is_null = std::holds_alternative<std::monostate>(cell);
    if constexpr (std::same_as<T, std::string>) {
      if (text != nullptr) value = *text;
      return text != nullptr;
    } else if constexpr (std::same_as<T, double>) {  // NULL is not a number
      value = real != nullptr    ? *real
              : whole != nullptr ? static_cast<double>(*whole)
                                 : std::numeric_limits<double>::quiet_NaN();
      return real != nullptr || whole != nullptr || is_null;
    } else if constexpr (std::same_as<T, Seed>) {
      // A text, because SQLite's numbers have 63 bits and a sign.
      const auto seed = parse_number<std::uint64_t>(text != nullptr ? *text : "");
      value = Seed{seed.value_or(0)};
      return seed.has_value();
    } else if constexpr (std::same_as<T, RunStatus>) {
      for (const RunStatus status : {RunStatus::running, RunStatus::done, RunStatus::stopped}) {
        if (text == nullptr || *text != status_text(status)) continue;
        value = status;
        return true;
      }
      return false;
    } else if constexpr (std::same_as<T, Json>) {
      auto json = text != nullptr ? parse_json(*text, "") : Result(Json(nullptr));
      if (json) value = *std::move(json);
      return json.ok() && (text != nullptr || is_null);
    } else {
      if (whole != nullptr) value = T{*whole};
      return whole != nullptr;
    }
  }

  const sqlite::Statement& row_;
  int next_ = 0;
};

class Binder {
 public:
  explicit Binder(sqlite::Statement& statement) : statement_(statement) {}

  template <class T>
  void operator()(std::string_view, const T& value, const auto&...) {
    if constexpr (std::same_as<T, RunId>) {
      value == RunId{} ? statement_.bind_null() : statement_.bind(static_cast<std::int64_t>(value));
    } else if constexpr (std::same_as<T, Seed>) {
      statement_.bind(fmt::to_string(value_of(value)));
    } else if constexpr (std::same_as<T, RunStatus>) {
      statement_.bind(status_text(value));
    } else if constexpr (std::same_as<T, Json>) {
      value.is_null() ? statement_.bind_null() : statement_.bind(dump_line(value));
    } else {
      statement_.bind(value);
    }
  }

 private:
  sqlite::Statement& statement_;
};

}  // namespace cells

template <class Row>
cells::Names column_names() {
  cells::Names columns;
  const Row row = {};
  describe_cells(columns, row);
  return columns;
}

// Of a run, its status is as it was written: whether a running one has a living process is not in
// the row.
template <class Row>
Result<Row> read_row(const sqlite::Statement& statement) {
  cells::Reader reader(statement);
  Row row;
  describe_cells(reader, row);
  if (reader.error) return *std::move(reader.error);
  return row;
}

template <class Row>
sqlite::Statement& bind_row(sqlite::Statement& statement, const Row& row) {
  cells::Binder binder(statement);
  describe_cells(binder, row);
  return statement;
}

}  // namespace damier
