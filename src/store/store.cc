#include "damier/store/store.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <mutex>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/base/text/version.h"
#include "damier/store/rows.h"
#include "damier/store/run_locks.h"
#include "damier/store/schema.h"
#include "damier/store/sqlite.h"

namespace damier {

using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;

namespace {

// How long a writer waits for the others before it gives up.
constexpr int kPatienceMs = 30'000;

std::string now_text() {
  const auto now = std::chrono::system_clock::now();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(now - seconds);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), rest.count());
}

std::int64_t number_of(RunId run) { return static_cast<std::int64_t>(run); }

// Reads all rows; `read` turns the current one into a value, or into an error that `named` places.
template <class Row, class Named>
Result<std::vector<Row>> all_rows(Statement& statement, Result<Row> (*read)(const Statement&),
                                  const Named& named, DamagedRows* damaged) {
  std::vector<Row> rows;
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return rows;
    Result<Row> row = read(statement);
    if (row) {
      rows.push_back(std::move(*row));
    } else if (damaged != nullptr) {
      damaged->push_back(named(statement, row.error()));
    } else {
      return named(statement, row.error());
    }
  }
}

}  // namespace

Result<std::filesystem::path> state_folder() {
  const char* own = std::getenv("DAMIER_STATE");
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  // Absolute, since the paths of models are kept and used from other folders.
  if (own != nullptr && *own != '\0') {
    std::error_code ignored;
    const auto whole = std::filesystem::absolute(own, ignored);
    return ignored ? std::filesystem::path(own) : whole;
  }
  if (state != nullptr && *state != '\0') return std::filesystem::path(state) / "damier";
  if (home != nullptr && *home != '\0') {
    return std::filesystem::path(home) / ".local" / "state" / "damier";
  }
  return Error{
      "there is no folder to keep runs in: none of HOME, XDG_STATE_HOME and DAMIER_STATE is set; "
      "set one of them"};
}

Result<std::filesystem::path> default_store_path() {
  const char* path = std::getenv("DAMIER_STORE");
  if (path != nullptr && *path != '\0') return std::filesystem::path(path);
  auto folder = state_folder();
  if (!folder) return folder;
  return *folder / "damier.db";
}

std::string_view status_text(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::done:
      return "done";
    case RunStatus::stopped:
      return "stopped";
    case RunStatus::killed:
      break;
  }
  return "killed";
}

// What the methods of Store work on. They take `mutex`; the functions here do not.
class Store::Connection {
 public:
  Connection(Database opened, RunLocks opened_locks)
      : database(std::move(opened)), locks(std::move(opened_locks)) {}

  // A run that says that it is running, but has no living process, was killed.
  Result<std::vector<Run>> read_runs(Statement& statement, DamagedRows* damaged) const {
    auto runs = all_rows<Run>(
        statement, run_of,
        [&](const Statement& row, const Error& error) {
          return damaged_row(fmt::format("run {}", printable(row.text(1))), error);
        },
        damaged);
    if (!runs) return runs;
    for (Run& run : *runs) {
      if (run.status == RunStatus::running && !locks.is_held(run.id)) {
        run.status = RunStatus::killed;
      }
    }
    return runs;
  }

  Result<std::vector<RatingRow>> read_ratings(Statement& statement, DamagedRows* damaged) const {
    return all_rows<RatingRow>(
        statement, rating_of,
        [&](const Statement& row, const Error& error) {
          return damaged_row(fmt::format("the rating of {}", in_quotes(row.text(1))), error);
        },
        damaged);
  }

  Error damaged_row(const std::string& row, const Error& error) const {
    return {fmt::format("{} is damaged: {}", row, error.message), {database.path()}};
  }

  // Runs `insert` once for each row, in one transaction.
  template <class Row, class Bind>
  Status insert_all(std::string_view sql, std::span<const Row> rows, const Bind& bind) {
    auto statement = TRY(database.prepare(sql));
    for (const Row& row : rows) {
      bind(statement, row);
      TRY(statement.run());
    }
    return Done{};
  }

  std::mutex mutex;
  Database database;
  RunLocks locks;
};

Store::Store(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const std::string& Store::path() const { return connection_->database.path(); }

Result<Store> Store::open(const std::filesystem::path& path) {
  std::error_code code;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), code);
  if (code) {
    return Error{fmt::format("cannot be opened: its folder cannot be made: {}", code.message()),
                 {path.string()},
                 ErrorKind::failure};
  }
  auto database = TRY(Database::open(path, kPatienceMs));
  TRY(check_store_file(database));
  TRY(database.use_write_ahead_log());
  // FULL: a commit is on the disk before it is reported. A schema is data from outside: no
  // functions with side effects in it.
  TRY(database.execute(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF"));
  TRY(migrate_store(database));
  auto locks = TRY(RunLocks::open(database.path()));
  return Store(std::make_unique<Connection>(std::move(database), std::move(locks)));
}

Result<Store> Store::open_default() {
  const auto path = TRY(default_store_path());
  return open(path);
}

Result<Run> Store::begin_run(const RunRequest& request, Seed seed) {
  const std::lock_guard guard(connection_->mutex);
  Database& database = connection_->database;
  auto transaction = TRY(Transaction::begin(database));
  Run run;
  run.request = request;
  run.seed = seed;
  run.version = version();
  run.started = now_text();
  auto statement = TRY(database.prepare(
      "INSERT INTO runs (name, kind, game, options, config, seed, version, started, status) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'running') ON CONFLICT (name) DO NOTHING"));
  // A name that is taken already is rare; twenty of them are a broken source of chance.
  std::int64_t inserted = 0;
  for (int attempt = 0; attempt < 20 && inserted == 0; ++attempt) {
    run.name = fmt::format("{:08x}", value_of(fresh_seed()) & 0xFFFF'FFFFu);
    statement.bind(run.name)
        .bind(request.kind)
        .bind(request.game)
        .bind(dump_line(request.options))
        .bind(dump_line(request.config))
        .bind(fmt::to_string(value_of(seed)))
        .bind(run.version)
        .bind(run.started);
    TRY(statement.run());
    inserted = database.changes();
  }
  if (inserted == 0) {
    return Error{"has no free name for another run", {path()}, ErrorKind::failure};
  }
  run.id = RunId{database.last_row()};
  // Before others can see the run, or they would take it for one whose process died.
  connection_->locks.take(run.id);
  if (auto status = transaction.commit(); !status) {
    connection_->locks.release(run.id);
    return std::move(status).error();
  }
  return run;
}

namespace {

// The conditions under which a run was asked for the same.
constexpr std::string_view kSameRequest = "kind = ? AND game = ? AND options = ? AND config = ?";

void bind_request(Statement& statement, const RunRequest& request) {
  statement.bind(request.kind)
      .bind(request.game)
      .bind(dump_line(request.options))
      .bind(dump_line(request.config));
}

}  // namespace

Result<std::optional<Run>> Store::latest_run(const RunRequest& request, std::optional<Seed> seed) {
  const std::lock_guard guard(connection_->mutex);
  auto statement = TRY(connection_->database.prepare(
      fmt::format("SELECT {} FROM runs WHERE {} ORDER BY id DESC", kRunColumns, kSameRequest)));
  bind_request(statement, request);
  DamagedRows damaged;
  auto runs = TRY(connection_->read_runs(statement, &damaged));
  for (Run& run : runs) {
    if (!seed || run.seed == *seed) return std::optional(std::move(run));
  }
  return std::optional<Run>();
}

Result<std::optional<Run>> Store::resume_run(const RunRequest& request, std::optional<Seed> seed) {
  const std::lock_guard guard(connection_->mutex);
  Database& database = connection_->database;
  auto transaction = TRY(Transaction::begin(database));
  auto statement = TRY(
      database.prepare(fmt::format("SELECT {} FROM runs WHERE {} AND status <> 'done' ORDER BY id "
                                   "DESC",
                                   kRunColumns, kSameRequest)));
  bind_request(statement, request);
  DamagedRows damaged;
  auto runs = TRY(connection_->read_runs(statement, &damaged));
  for (Run& run : runs) {
    if (seed && run.seed != *seed) continue;
    if (!connection_->locks.take(run.id)) continue;
    auto update = database.prepare(
        "UPDATE runs SET status = 'running', finished = NULL, summary = NULL WHERE id = ?");
    Status status = update ? update->bind(number_of(run.id)).run() : Status(update.error());
    if (status) status = transaction.commit();
    if (!status) {
      connection_->locks.release(run.id);
      return std::move(status).error();
    }
    run.status = RunStatus::running;
    run.finished.reset();
    run.summary = nullptr;
    return std::optional(std::move(run));
  }
  if (!damaged.empty()) return damaged.front();
  return std::optional<Run>();
}

Status Store::finish_run(RunId run, RunStatus status, const Json& summary) {
  assert(status == RunStatus::done || status == RunStatus::stopped);
  const std::lock_guard guard(connection_->mutex);
  auto transaction = TRY(Transaction::begin(connection_->database));
  auto statement = TRY(connection_->database.prepare(
      "UPDATE runs SET status = ?, finished = ?, summary = ? WHERE id = ?"));
  statement.bind(status_text(status))
      .bind(now_text())
      .bind(dump_line(summary))
      .bind(number_of(run));
  TRY(statement.run());
  if (connection_->database.changes() == 0) {
    return Error{fmt::format("has no run number {}", number_of(run)), {path()}, ErrorKind::failure};
  }
  TRY(transaction.commit());
  connection_->locks.release(run);
  return Done{};
}

Status Store::reopen_run(RunId run) {
  const std::lock_guard guard(connection_->mutex);
  if (!connection_->locks.take(run)) {
    return Error{fmt::format("run number {} is at work in another process", number_of(run)),
                 {path()},
                 ErrorKind::failure};
  }
  const auto update = [&]() -> Status {
    auto transaction = TRY(Transaction::begin(connection_->database));
    auto statement = TRY(connection_->database.prepare(
        "UPDATE runs SET status = 'stopped', finished = NULL, summary = NULL WHERE id = ?"));
    TRY(statement.bind(number_of(run)).run());
    return transaction.commit();
  };
  Status updated = update();
  connection_->locks.release(run);
  return updated;
}

Result<std::vector<Run>> Store::runs(std::string_view kind, DamagedRows* damaged) {
  const std::lock_guard guard(connection_->mutex);
  auto statement = TRY(connection_->database.prepare(
      fmt::format("SELECT {} FROM runs WHERE ?1 = '' OR kind = ?1 ORDER BY id DESC", kRunColumns)));
  return connection_->read_runs(statement.bind(kind), damaged);
}

Result<Run> Store::find_run(std::string_view name) {
  std::string wanted(trim(name));
  std::transform(wanted.begin(), wanted.end(), wanted.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::lock_guard guard(connection_->mutex);
  auto statement = TRY(connection_->database.prepare(fmt::format(
      "SELECT {} FROM runs WHERE substr(name, 1, length(?1)) = ?1 ORDER BY id DESC", kRunColumns)));
  DamagedRows damaged;
  auto found = TRY(connection_->read_runs(statement.bind(wanted), &damaged));
  if (found.empty() && !damaged.empty() && !wanted.empty()) return damaged.front();
  if (found.empty() || wanted.empty()) {
    return Error{fmt::format("no run is called {}", in_quotes(name))};
  }
  if (found.size() == 1) return std::move(found.front());
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kNamed, found.size()); ++i) {
    names.push_back(found[i].name);
  }
  if (found.size() > kNamed) names.push_back("…");
  return Error{fmt::format("{} runs have a name that begins with {}: {}", found.size(),
                           in_quotes(name), join(names, ", "))};
}

Status Store::add_games(RunId run, std::span<const GameRow> games) {
  const std::lock_guard guard(connection_->mutex);
  auto transaction = TRY(Transaction::begin(connection_->database));
  auto inserted = connection_->insert_all(
      "INSERT INTO games (run, number, first, second, pair, opening, outcome, plies, moves, "
      "seconds, start, ending, notes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      games, [&](Statement& statement, const GameRow& game) {
        statement.bind(number_of(run))
            .bind(game.number)
            .bind(game.first)
            .bind(game.second)
            .bind(game.pair)
            .bind(game.opening)
            .bind(game.outcome)
            .bind(game.plies)
            .bind(game.moves)
            .bind(game.seconds)
            .bind(game.start)
            .bind(game.ending)
            .bind(game.notes);
      });
  if (!inserted) return inserted;
  return transaction.commit();
}

Result<std::vector<GameRow>> Store::finished_games(RunId run, DamagedRows* damaged) {
  const std::lock_guard guard(connection_->mutex);
  auto statement = TRY(connection_->database.prepare(
      fmt::format("SELECT {} FROM games WHERE run = ? ORDER BY number", kGameColumns)));
  return all_rows<GameRow>(
      statement.bind(number_of(run)), game_of,
      [&](const Statement& row, const Error& error) {
        return connection_->damaged_row(fmt::format("game {}", printable(row.text(0))), error);
      },
      damaged);
}

Status Store::add_metrics(RunId run, std::span<const MetricRow> metrics) {
  const std::lock_guard guard(connection_->mutex);
  auto transaction = TRY(Transaction::begin(connection_->database));
  auto inserted = connection_->insert_all(
      "INSERT INTO metrics (run, name, step, value) VALUES (?, ?, ?, ?) "
      "ON CONFLICT (run, name, step) DO UPDATE SET value = excluded.value",
      metrics, [&](Statement& statement, const MetricRow& metric) {
        // SQLite turns what is not a number into NULL by itself.
        statement.bind(number_of(run)).bind(metric.name).bind(metric.step).bind(metric.value);
      });
  if (!inserted) return inserted;
  return transaction.commit();
}

Result<std::vector<MetricRow>> Store::metrics(RunId run, std::string_view name,
                                              DamagedRows* damaged) {
  const std::lock_guard guard(connection_->mutex);
  auto statement = TRY(connection_->database.prepare(
      fmt::format("SELECT {} FROM metrics WHERE run = ?1 AND (?2 = '' OR name = ?2) "
                  "ORDER BY name, step",
                  kMetricColumns)));
  statement.bind(number_of(run)).bind(name);
  return all_rows<MetricRow>(
      statement, metric_of,
      [&](const Statement& row, const Error& error) {
        return connection_->damaged_row(
            fmt::format("metric {} of step {}", in_quotes(row.text(1)), printable(row.text(0))),
            error);
      },
      damaged);
}

Status Store::set_ratings(RunId run, std::span<const RatingRow> ratings) {
  const std::lock_guard guard(connection_->mutex);
  Database& database = connection_->database;
  auto transaction = TRY(Transaction::begin(database));
  auto erase = TRY(database.prepare("DELETE FROM ratings WHERE run = ?"));
  TRY(erase.bind(number_of(run)).run());
  auto inserted = connection_->insert_all(
      "INSERT INTO ratings (run, game, player, elo, low, high, games) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ratings, [&](Statement& statement, const RatingRow& rating) {
        statement.bind(number_of(run))
            .bind(rating.game)
            .bind(rating.player)
            .bind(rating.elo)
            .bind(rating.low)
            .bind(rating.high)
            .bind(rating.games);
      });
  if (!inserted) return inserted;
  return transaction.commit();
}

Result<std::vector<RatingRow>> Store::ratings(RunId run, DamagedRows* damaged) {
  const std::lock_guard guard(connection_->mutex);
  auto statement = TRY(connection_->database.prepare(fmt::format(
      "SELECT {} FROM ratings WHERE run = ? ORDER BY elo DESC, player", kRatingColumns)));
  return connection_->read_ratings(statement.bind(number_of(run)), damaged);
}

Result<std::vector<RatingRow>> Store::latest_ratings(std::string_view game, DamagedRows* damaged) {
  const std::lock_guard guard(connection_->mutex);
  auto statement = TRY(connection_->database.prepare(fmt::format(
      "SELECT {} FROM ratings AS r WHERE game = ?1 AND run = (SELECT max(run) FROM ratings "
      "WHERE game = ?1 AND player = r.player) ORDER BY elo DESC, player",
      kRatingColumns)));
  return connection_->read_ratings(statement.bind(game), damaged);
}

}  // namespace damier
