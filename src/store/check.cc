#include "damier/store/check.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "damier/base/files/atomic_file.h"
#include "damier/base/text/text.h"
#include "damier/store/rows.h"
#include "damier/store/run_locks.h"
#include "damier/store/schema.h"
#include "damier/store/sqlite.h"

namespace damier {

using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;
using sqlite::Value;

namespace {

constexpr int kCheckPatienceMs = 30'000;
constexpr const char* kStoreIsLost = "restore it from a copy, or move it away";

// "row 3 of …" as integrity_check says it: the rows themselves are read below, and told better.
bool is_about_a_row(std::string_view error) {
  return error.find(" value in ") != error.npos || error.starts_with("CHECK constraint failed");
}
bool is_about_an_index(std::string_view error) {
  return error.find("missing from index") != error.npos ||
         error.find("wrong # of entries in index") != error.npos;
}

// Only whether it can be read.
template <class Row>
std::optional<Error> reading_error(Result<Row> row) {
  return row ? std::nullopt : std::optional(std::move(row).error());
}

struct CheckedTable {
  std::string_view name;
  std::string_view columns;  // for `read`
  std::string_view key;      // an expression that tells the row from others
  std::string_view run;      // the column that holds the run's number
  std::optional<Error> (*read)(const Statement& row);
  std::string (*text)(const Statement& row);  // "game 3"
};

constexpr std::size_t kCheckedCount = 4;
const std::array<CheckedTable, kCheckedCount> kCheckedTables = {{
    {"runs", kRunColumns, "id", "id",
     [](const Statement& row) { return reading_error(run_of(row)); },
     [](const Statement&) { return std::string(); }},
    {"games", kGameColumns, "rowid", "run",
     [](const Statement& row) { return reading_error(game_of(row)); },
     [](const Statement& row) { return fmt::format("game {}", printable(row.text(0))); }},
    {"metrics", kMetricColumns, "quote(run) || quote(step) || quote(CAST(name AS BLOB))", "run",
     [](const Statement& row) { return reading_error(metric_of(row)); },
     [](const Statement& row) {
       return fmt::format("metric {} of step {}", in_quotes(row.text(1)), printable(row.text(0)));
     }},
    {"ratings", kRatingColumns, "rowid", "run",
     [](const Statement& row) { return reading_error(rating_of(row)); },
     [](const Statement& row) { return fmt::format("rating of {}", in_quotes(row.text(1))); }},
}};

// A row that cannot stand where it stands.
struct DamagedRow {
  const CheckedTable& table;
  std::string where;
  std::optional<std::int64_t> run;
};

// What mends one thing, after rows were copied.
struct Repair {
  std::size_t damage = 0;  // its place in the list
  std::string sql;
  std::vector<std::pair<std::string_view, std::string>> aside = {};  // tables, conditions
};

// Bytes that are no text are kept as hexadecimal digits.
Json json_of_cell(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* real = std::get_if<double>(&value)) {
    return std::isfinite(*real) ? Json(*real) : Json(fmt::to_string(*real));
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text != nullptr && is_utf8(*text)) return *text;
  const auto* blob = std::get_if<sqlite::Blob>(&value);
  if (text == nullptr && blob == nullptr) return nullptr;
  std::string digits;
  for (const char c : text != nullptr ? *text : blob->bytes) {
    digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return {{"hex", digits}};
}

Status append_synced(const std::filesystem::path& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool written =
      file >= 0 && write_bytes(file, std::as_bytes(std::span(text))) && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (written) return Done{};
  return Error{fmt::format("cannot be written: {}", std::strerror(error)),
               {path.string()},
               ErrorKind::failure};
}

class StoreChecker {
 public:
  StoreChecker(Database database, RunLocks locks, const StoreCheckOptions& options)
      : database_(std::move(database)),
        locks_(std::move(locks)),
        options_(options),
        aside_(set_aside_path(database_.path())) {}

  Status check_file();
  Status check_schema();
  Status check_rows();
  Status repair();

  // The file itself is broken: whatever is written into it may make it worse.
  void add_lost(std::string what) {
    add(std::move(what), kStoreIsLost);
    is_lost_ = true;
  }
  bool is_lost() const { return is_lost_; }
  StoreCheck take() { return std::move(check_); }

 private:
  void add(std::string what, std::string remedy) {
    check_.damage.push_back({database_.path(), std::move(what), std::move(remedy)});
  }
  void add(std::string what, std::string remedy, Repair repair) {
    repair.damage = check_.damage.size();
    repairs_.push_back(std::move(repair));
    add(std::move(what), std::move(remedy));
    check_.damage.back().repairable = true;
  }
  // A run's name, and the run where it can be read.
  struct KnownRun {
    std::string name;
    std::optional<Run> run;
  };
  Status read_runs();
  Result<std::int64_t> check_table(const CheckedTable& table);
  std::optional<Error> error_in(const CheckedTable& table, const Statement& row,
                                const KnownRun& run) const;
  void add_row(const DamagedRow& row, std::string what);
  void add_run(const DamagedRow& row, std::string what, const std::string& aside);
  bool can_reopen(const DamagedRow& row) const;
  Result<std::string> lines_of(std::string_view table, const std::string& where,
                               const std::string& why) const;

  Database database_;
  RunLocks locks_;
  const StoreCheckOptions& options_;
  std::filesystem::path aside_;
  StoreCheck check_;
  std::map<std::int64_t, KnownRun> known_;
  std::vector<Repair> repairs_;
  std::set<std::string, std::less<>> missing_;  // tables and indices
  bool is_lost_ = false;
};

Status StoreChecker::check_file() {
  auto statement = TRY(database_.prepare("PRAGMA integrity_check(100)"));
  bool told_of_indices = false;
  while (true) {
    const auto row = TRY(statement.step());
    if (!row) return Done{};
    const std::string error = statement.text(0);
    if (error == "ok" || is_about_a_row(error)) continue;
    if (!is_about_an_index(error)) {
      add_lost(printable(error));
    } else if (!std::exchange(told_of_indices, true)) {
      add(printable(error), "made its indices again", {.sql = "REINDEX"});
    }
  }
}

Status StoreChecker::check_schema() {
  auto model = TRY(Database::open(":memory:", kCheckPatienceMs));
  TRY(migrate_store(model));
  auto wanted = TRY(model.prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE "
      "'sqlite_%' ORDER BY rowid"));
  while (true) {
    const auto row = TRY(wanted.step());
    if (!row) return Done{};
    auto found =
        TRY(database_.prepare("SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?"));
    const std::string type = wanted.text(0), name = wanted.text(1), sql = wanted.text(2);
    const auto there = TRY(found.bind(type).bind(name).step());
    if (!there) {
      add(fmt::format("the {} {} is missing", type, name), "made again", {.sql = sql});
      missing_.insert(name);
    } else if (found.text(0) != sql) {
      add(fmt::format("the {} {} is not as Damier made it", type, name), kStoreIsLost);
    }
  }
}

Status StoreChecker::read_runs() {
  if (missing_.contains("runs")) return Done{};
  auto statement = TRY(database_.prepare(fmt::format("SELECT {} FROM runs", kRunColumns)));
  while (true) {
    const auto row = TRY(statement.step());
    if (!row) return Done{};
    auto run = run_of(statement);
    KnownRun& known = known_[statement.integer(0)];
    known.name = printable(statement.text(1));
    if (run) known.run = *std::move(run);
  }
}

Status StoreChecker::check_rows() {
  TRY(read_runs());
  const std::array<std::int64_t*, kCheckedCount> counts = {&check_.runs, &check_.games,
                                                           &check_.metrics, &check_.ratings};
  for (std::size_t i = 0; i < kCheckedCount; ++i) {
    const CheckedTable& table = kCheckedTables[i];
    if (missing_.contains(table.name)) continue;
    if (options_.on_games && table.name == "games") {
      const auto games = TRY(database_.integer("SELECT count(*) FROM games"));
      options_.on_games(games);
    }
    *counts[i] = TRY(check_table(table));
  }
  return Done{};
}

std::optional<Error> StoreChecker::error_in(const CheckedTable& table, const Statement& row,
                                            const KnownRun& run) const {
  if (auto error = table.read(row)) return error;
  if (table.name != "games" || !options_.check_game || !run.run) return std::nullopt;
  const auto game = TRY(game_of(row));
  const auto checked = options_.check_game(*run.run, game);
  return checked ? std::nullopt : std::optional(checked.error());
}

// How many of its rows are sound.
Result<std::int64_t> StoreChecker::check_table(const CheckedTable& table) {
  auto statement =
      TRY(database_.prepare(fmt::format("SELECT {0}, {1}, '{2} IS ' || quote({2}) FROM {3}",
                                        table.columns, table.run, table.key, table.name)));
  const int where_column = statement.columns() - 1;
  std::int64_t sound = 0;
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return sound;
    DamagedRow row{table, statement.text(where_column), {}};
    const Value run = statement.value(where_column - 1);
    if (const auto* number = std::get_if<std::int64_t>(&run)) row.run = *number;
    const auto known = row.run ? known_.find(*row.run) : known_.end();
    std::optional<Error> error = Error{"it belongs to no run"};
    if (known != known_.end()) error = error_in(table, statement, known->second);
    if (!error) {
      ++sound;
      continue;
    }
    if (error->kind == ErrorKind::failure) return *error;
    std::string text = table.text(statement);
    if (known != known_.end()) {
      text += fmt::format("{}run {}", text.empty() ? "" : " of ", known->second.name);
    }
    add_row(row, fmt::format("{}: {}", text, error->message));
  }
}

void StoreChecker::add_row(const DamagedRow& row, std::string what) {
  const std::string aside = fmt::format("set aside in {}", aside_.string());
  if (row.run && locks_.is_held(RunId{*row.run})) {
    add(std::move(what), "its run is at work in another process; try again when that has ended");
  } else if (row.table.name == "runs") {
    add_run(row, std::move(what), aside);
  } else {
    add(std::move(what), aside,
        {.sql = fmt::format("DELETE FROM {} WHERE {}", row.table.name, row.where),
         .aside = {{row.table.name, row.where}}});
  }
}

// A run goes on if it can; otherwise it goes, with all that belongs to it.
void StoreChecker::add_run(const DamagedRow& row, std::string what, const std::string& aside) {
  Repair repair{.aside = {{"runs", row.where}}};
  if (can_reopen(row)) {
    repair.sql =
        "UPDATE runs SET status = 'stopped', finished = NULL, summary = NULL WHERE " + row.where;
    add(std::move(what), "marked as stopped, --resume continues it; the old row " + aside,
        std::move(repair));
    return;
  }
  for (const CheckedTable& table : kCheckedTables) {
    if (table.name == "runs") continue;
    const std::string where = fmt::format("run IS {}", row.run.value_or(0));
    repair.sql += fmt::format("DELETE FROM {} WHERE {};", table.name, where);
    if (!missing_.contains(table.name)) repair.aside.emplace_back(table.name, where);
  }
  repair.sql += "DELETE FROM runs WHERE " + row.where;
  add(std::move(what), aside + ", with all that belongs to it", std::move(repair));
}

// Whether a run can be read but for its end, and would find a new end by going on.
bool StoreChecker::can_reopen(const DamagedRow& row) const {
  auto statement = database_.prepare(
      "SELECT id, name, kind, game, options, config, seed, version, started, NULL, 'stopped', NULL "
      "FROM runs WHERE " +
      row.where);
  if (!statement) return false;
  const auto found = statement->step();
  if (!found || !*found) return false;
  const auto run = run_of(*statement);
  return run && run->request.kind != "eval";
}

Result<std::string> StoreChecker::lines_of(std::string_view table, const std::string& where,
                                           const std::string& why) const {
  auto statement = TRY(database_.prepare(fmt::format("SELECT * FROM {} WHERE {}", table, where)));
  std::string lines;
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return lines;
    Json cells = Json::object();
    for (int i = 0; i < statement.columns(); ++i) {
      cells[statement.name(i)] = json_of_cell(statement.value(i));
    }
    lines += dump_line({{"table", table}, {"why", why}, {"row", std::move(cells)}}) + "\n";
  }
}

// First the copies are on the disk, then the rows go: whatever happens between, nothing is lost.
Status StoreChecker::repair() {
  std::string aside;
  for (const Repair& repair : repairs_) {
    for (const auto& [table, where] : repair.aside) {
      const auto lines = TRY(lines_of(table, where, check_.damage[repair.damage].what));
      aside += lines;
    }
  }
  if (!aside.empty()) TRY(append_synced(aside_, aside));
  auto transaction = TRY(Transaction::begin(database_));
  for (const Repair& repair : repairs_) {
    TRY(database_.execute(repair.sql));
  }
  TRY(transaction.commit());
  for (const Repair& repair : repairs_) check_.damage[repair.damage].repaired = true;
  return Done{};
}

}  // namespace

std::filesystem::path set_aside_path(const std::filesystem::path& store) {
  return store.string() + "-damaged.jsonl";
}

Result<StoreCheck> check_store(const std::filesystem::path& store,
                               const StoreCheckOptions& options) {
  auto database = TRY(Database::open(store, kCheckPatienceMs));
  auto locks = TRY(RunLocks::open(database.path()));
  StoreChecker checker(std::move(database), std::move(locks), options);
  for (const auto step :
       {&StoreChecker::check_file, &StoreChecker::check_schema, &StoreChecker::check_rows}) {
    const Status checked = (checker.*step)();
    if (checked) continue;
    if (checked.error().kind == ErrorKind::failure) return checked.error();
    checker.add_lost(checked.error().message);
    break;
  }
  if (options.repair && !checker.is_lost()) TRY(checker.repair());
  return checker.take();
}

}  // namespace damier
