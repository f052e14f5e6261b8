#include "damier/store/check.h"

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

constexpr const char* kStoreIsLost = "restore it from a copy, or move it away";

// "row 3 of …" as integrity_check says it: the rows themselves are read below, and told better.
bool is_about_a_row(std::string_view error) {
  return error.find(" value in ") != error.npos || error.starts_with("CHECK constraint failed");
}
bool is_about_an_index(std::string_view error) {
  return error.find("missing from index") != error.npos ||
         error.find("wrong # of entries in index") != error.npos;
}

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

  Status check_file() {
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

  Status check_schema() {
    auto model = TRY(Database::open(":memory:"));
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

  Status check_rows() {
    TRY(check_table<Run>(check_.runs));
    TRY(check_table<GameRow>(check_.games));
    TRY(check_table<MetricRow>(check_.metrics));
    return check_table<RatingRow>(check_.ratings);
  }

  // First the copies are on the disk, then the rows go: whatever happens between, nothing is lost.
  Status repair() {
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
  // Counts the rows that are sound.
  template <class Row>
  Status check_table(std::int64_t& sound) {
    constexpr const RowTable& kRows = kTable<Row>;
    if (missing_.contains(kRows.name)) return Done{};
    if (options_.on_games && std::same_as<Row, GameRow>) {
      const auto games = TRY(database_.integer("SELECT count(*) FROM games"));
      options_.on_games(games);
    }
    auto statement = TRY(database_.prepare(
        fmt::format("SELECT {0}, {1}, '{2} IS ' || quote({2}) FROM {3}", column_names<Row>().names,
                    kRows.run, kRows.key, kRows.name)));
    const int where = statement.columns() - 1;
    while (true) {
      const auto more = TRY(statement.step());
      if (!more) return Done{};
      std::optional<std::int64_t> run;
      const Value number = statement.value(where - 1);
      if (const auto* whole = std::get_if<std::int64_t>(&number)) run = *whole;
      const auto error = error_in<Row>(statement, run);
      sound += !error;
      if (!error) continue;
      if (error->kind == ErrorKind::failure) return *error;
      std::string text = kRows.label(statement);
      if (run && known_.contains(*run) && !std::same_as<Row, Run>) {
        text += fmt::format(" of run {}", known_[*run].name);
      }
      add_row(kRows.name, statement.text(where), run, fmt::format("{}: {}", text, error->message));
    }
  }

  // Nothing where the row is sound.
  template <class Row>
  std::optional<Error> error_in(const Statement& statement, std::optional<std::int64_t> run) {
    auto row = read_row<Row>(statement);
    if constexpr (std::same_as<Row, Run>) {
      KnownRun& known = known_[run.value_or(0)];
      known.name = printable(statement.text(1));
      if (row) known.run = *row;
    }
    const auto known = run ? known_.find(*run) : known_.end();
    if (known == known_.end()) return Error{"it belongs to no run"};
    if (!row) return row.error();
    if constexpr (std::same_as<Row, GameRow>) {
      if (known->second.run && options_.check_game)
        TRY(options_.check_game(*known->second.run, *row));
    }
    return std::nullopt;
  }

  // A run goes on if it can; otherwise it goes, with all that belongs to it.
  void add_row(std::string_view table, const std::string& where, std::optional<std::int64_t> run,
               std::string what) {
    const std::string aside = fmt::format("set aside in {}", aside_.string());
    Repair repair{.sql = fmt::format("DELETE FROM {} WHERE {}", table, where),
                  .aside = {{table, where}}};
    if (run && locks_.is_held(RunId{*run})) {
      return add(std::move(what),
                 "its run is at work in another process; try again when that has ended");
    }
    if (table != "runs") return add(std::move(what), aside, std::move(repair));
    if (can_reopen(where)) {
      repair.sql =
          "UPDATE runs SET status = 'stopped', finished = NULL, summary = NULL WHERE " + where;
      return add(std::move(what), "marked as stopped, --resume continues it; the old row " + aside,
                 std::move(repair));
    }
    std::string belongings;
    for (const char* rows : {"games", "metrics", "ratings"}) {
      const std::string of_run = fmt::format("run IS {}", run.value_or(0));
      belongings += fmt::format("DELETE FROM {} WHERE {};", rows, of_run);
      if (!missing_.contains(rows)) repair.aside.emplace_back(rows, of_run);
    }
    repair.sql = belongings + repair.sql;
    add(std::move(what), aside + ", with all that belongs to it", std::move(repair));
  }

  // Whether a run can be read but for its end, and would find a new end by going on.
  bool can_reopen(const std::string& where) const {
    auto statement = database_.prepare(
        "SELECT id, name, kind, game, options, config, seed, version, started, NULL, 'stopped', "
        "NULL FROM runs WHERE " +
        where);
    if (!statement) return false;
    const auto found = statement->step();
    if (!found || !*found) return false;
    const auto run = read_row<Run>(*statement);
    return run && run->request.kind != "eval";
  }

  Result<std::string> lines_of(std::string_view table, const std::string& where,
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

}  // namespace

std::filesystem::path set_aside_path(const std::filesystem::path& store) {
  return store.string() + "-damaged.jsonl";
}

Result<StoreCheck> check_store(const std::filesystem::path& store,
                               const StoreCheckOptions& options) {
  auto database = TRY(Database::open(store));
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
