#include "damier/store/store.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <mutex>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/store/rows.h"
#include "damier/store/run_locks.h"
#include "damier/store/schema.h"
#include "damier/store/sqlite.h"

namespace damier {

using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;

namespace {

std::string now_text() {
  const auto now = std::chrono::system_clock::now();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(now - seconds);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), rest.count());
}

std::int64_t number_of(RunId run) { return static_cast<std::int64_t>(run); }

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

// What the methods of Store work on. Functions that need more than one of these at once hold
// `mutex` themselves.
class Store::Connection {
 public:
  Connection(Database opened, RunLocks opened_locks)
      : database(std::move(opened)), locks(std::move(opened_locks)) {}

  // The rows of a table, as far as `rest` of the query allows, with these values in its places.
  template <class Row, class... Values>
  Result<std::vector<Row>> select(std::string_view rest, DamagedRows* damaged,
                                  const Values&... values) {
    const std::lock_guard guard(mutex);
    auto statement = TRY(database.prepare(
        fmt::format("SELECT {} FROM {} {}", column_names<Row>().names, kTable<Row>.name, rest)));
    (statement.bind(values), ...);
    std::vector<Row> rows;
    while (true) {
      const auto more = TRY(statement.step());
      if (!more) return rows;
      auto row = read_row<Row>(statement);
      if (row) {
        rows.push_back(*std::move(row));
        continue;
      }
      const Error error = {fmt::format("{}{} is damaged: {}", kTable<Row>.article,
                                       kTable<Row>.label(statement), row.error().message),
                           {database.path()}};
      if (damaged == nullptr) return error;
      damaged->push_back(error);
    }
  }

  // A run that says that it is running, but has no living process, was killed.
  template <class... Values>
  Result<std::vector<Run>> runs(std::string_view rest, DamagedRows* damaged,
                                const Values&... values) {
    const std::lock_guard guard(mutex);
    auto runs = TRY(select<Run>(rest, damaged, values...));
    for (Run& run : runs) {
      const bool dead = run.status == RunStatus::running && !locks.is_held(run.id);
      if (dead) run.status = RunStatus::killed;
    }
    return runs;
  }
  // Those that were asked for the same.
  Result<std::vector<Run>> runs_of(const RunRequest& request, std::string_view and_only,
                                   DamagedRows* damaged) {
    return runs(fmt::format("WHERE kind = ? AND game = ? AND options = ? AND config = ? {} "
                            "ORDER BY id DESC",
                            and_only),
                damaged, request.kind, request.game, dump_line(request.options),
                dump_line(request.config));
  }

  // All of the work or nothing of it.
  template <class Work>
  Status change(const Work& work) {
    const std::lock_guard guard(mutex);
    auto transaction = TRY(Transaction::begin(database));
    TRY(work());
    return transaction.commit();
  }

  template <class... Values>
  Status run(std::string_view sql, const Values&... values) {
    auto statement = TRY(database.prepare(sql));
    (statement.bind(values), ...);
    return statement.run();
  }

  template <class Row>
  Status insert(RunId run, std::span<const Row> rows, std::string_view rest = {}) {
    const auto columns = column_names<Row>();
    auto statement =
        TRY(database.prepare(fmt::format("INSERT INTO {} ({}, run) VALUES ({}, ?) {}",
                                         kTable<Row>.name, columns.names, columns.places, rest)));
    for (const Row& row : rows) {
      TRY(bind_row(statement, row).bind(number_of(run)).run());
    }
    return Done{};
  }

  std::recursive_mutex mutex;
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
  auto database = TRY(Database::open(path));
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
  Run run;
  run.request = request;
  run.seed = seed;
  run.version = version();
  run.started = now_text();
  const Status begun = connection_->change([&]() -> Status {
    const auto columns = column_names<Run>();
    auto statement = TRY(database.prepare(
        fmt::format("INSERT INTO runs ({}) VALUES ({}) ON CONFLICT (name) DO NOTHING",
                    columns.names, columns.places)));
    // A name that is taken already is rare; twenty of them are a broken source of chance.
    for (int attempt = 0; attempt < 20; ++attempt) {
      run.name = fmt::format("{:08x}", value_of(fresh_seed()) & 0xFFFF'FFFFu);
      TRY(bind_row(statement, run).run());
      if (database.changes() == 0) continue;
      run.id = RunId{database.last_row()};
      // Before others can see the run, or they would take it for one whose process died.
      connection_->locks.take(run.id);
      return Done{};
    }
    return Error{"has no free name for another run", {path()}, ErrorKind::failure};
  });
  if (begun) return run;
  connection_->locks.release(run.id);
  return begun.error();
}

Result<std::optional<Run>> Store::latest_run(const RunRequest& request, std::optional<Seed> seed) {
  DamagedRows damaged;
  auto runs = TRY(connection_->runs_of(request, "", &damaged));
  for (Run& run : runs) {
    if (!seed || run.seed == *seed) return std::optional(std::move(run));
  }
  return std::optional<Run>();
}

Result<std::optional<Run>> Store::resume_run(const RunRequest& request, std::optional<Seed> seed) {
  const std::lock_guard guard(connection_->mutex);
  DamagedRows damaged;
  std::optional<Run> resumed;
  const Status status = connection_->change([&]() -> Status {
    auto runs = TRY(connection_->runs_of(request, "AND status <> 'done'", &damaged));
    for (Run& run : runs) {
      if ((seed && run.seed != *seed) || !connection_->locks.take(run.id)) continue;
      run.status = RunStatus::running;
      run.finished.reset();
      run.summary = nullptr;
      resumed = std::move(run);
      return connection_->run(
          "UPDATE runs SET status = 'running', finished = NULL, summary = NULL WHERE id = ?",
          number_of(resumed->id));
    }
    return Done{};
  });
  if (!status && resumed) connection_->locks.release(resumed->id);
  if (!status) return status.error();
  if (!resumed && !damaged.empty()) return damaged.front();
  return resumed;
}

Status Store::finish_run(RunId run, RunStatus status, const Json& summary) {
  assert(status == RunStatus::done || status == RunStatus::stopped);
  const std::lock_guard guard(connection_->mutex);
  Status finished = connection_->change([&]() -> Status {
    TRY(connection_->run("UPDATE runs SET status = ?, finished = ?, summary = ? WHERE id = ?",
                         status_text(status), now_text(), dump_line(summary), number_of(run)));
    if (connection_->database.changes() > 0) return Done{};
    return Error{fmt::format("has no run number {}", number_of(run)), {path()}, ErrorKind::failure};
  });
  if (finished) connection_->locks.release(run);
  return finished;
}

Status Store::reopen_run(RunId run) {
  const std::lock_guard guard(connection_->mutex);
  if (!connection_->locks.take(run)) {
    return Error{fmt::format("run number {} is at work in another process", number_of(run)),
                 {path()},
                 ErrorKind::failure};
  }
  const Status updated = connection_->change([&] {
    return connection_->run(
        "UPDATE runs SET status = 'stopped', finished = NULL, summary = NULL WHERE id = ?",
        number_of(run));
  });
  connection_->locks.release(run);
  return updated;
}

Result<std::vector<Run>> Store::runs(std::string_view kind, DamagedRows* damaged) {
  return connection_->runs("WHERE ?1 = '' OR kind = ?1 ORDER BY id DESC", damaged, kind);
}

Result<Run> Store::find_run(std::string_view name) {
  std::string wanted(trim(name));
  std::ranges::transform(wanted, wanted.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  DamagedRows damaged;
  auto found = TRY(connection_->runs("WHERE substr(name, 1, length(?1)) = ?1 ORDER BY id DESC",
                                     &damaged, wanted));
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
  return connection_->change([&] { return connection_->insert(run, games); });
}

Result<std::vector<GameRow>> Store::finished_games(RunId run, DamagedRows* damaged) {
  return connection_->select<GameRow>("WHERE run = ? ORDER BY number", damaged, number_of(run));
}

Status Store::add_metrics(RunId run, std::span<const MetricRow> metrics) {
  return connection_->change([&] {
    return connection_->insert(
        run, metrics, "ON CONFLICT (run, name, step) DO UPDATE SET value = excluded.value");
  });
}

Result<std::vector<MetricRow>> Store::metrics(RunId run, std::string_view name,
                                              DamagedRows* damaged) {
  return connection_->select<MetricRow>(
      "WHERE run = ?1 AND (?2 = '' OR name = ?2) ORDER BY name, step", damaged, number_of(run),
      name);
}

Status Store::set_ratings(RunId run, std::span<const RatingRow> ratings) {
  return connection_->change([&]() -> Status {
    TRY(connection_->run("DELETE FROM ratings WHERE run = ?", number_of(run)));
    return connection_->insert(run, ratings);
  });
}

Result<std::vector<RatingRow>> Store::ratings(RunId run, DamagedRows* damaged) {
  return connection_->select<RatingRow>("WHERE run = ? ORDER BY elo DESC, player", damaged,
                                        number_of(run));
}

Result<std::vector<RatingRow>> Store::latest_ratings(std::string_view game, DamagedRows* damaged) {
  return connection_->select<RatingRow>(
      "AS r WHERE game = ?1 AND run = (SELECT max(run) FROM ratings WHERE game = ?1 AND player = "
      "r.player) ORDER BY elo DESC, player",
      damaged, game);
}

}  // namespace damier
