#include "damier/store/sqlite.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "damier/base/files/interrupt.h"

namespace damier::sqlite {

namespace {

// One line for the user. SQLite's own words serve where a plain one is missing.
Error error_of(int code, sqlite3* connection, const std::string& path) {
  const auto failure = [&](std::string message) {
    return Error{std::move(message), {path}, ErrorKind::failure};
  };
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      return Error{"is not an SQLite database", {path}};
    case SQLITE_CORRUPT:
      return Error{"is damaged; restore it from a copy or move it away", {path}};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      if (!interrupted()) return failure("is kept busy by another process");
      return {"interrupted while another process keeps it busy", {path}, ErrorKind::interrupted};
    case SQLITE_READONLY:
      return failure("cannot be written: no permission");
    case SQLITE_FULL:
      return failure("cannot be written: the disk is full");
    case SQLITE_CONSTRAINT:
      return failure(fmt::format("refuses a row: {}", sqlite3_errmsg(connection)));
    case SQLITE_NOMEM:
      return failure("cannot be used: out of memory");
    default:
      break;
  }
  const bool opening = (code & 0xFF) == SQLITE_CANTOPEN;
  const int system = connection != nullptr ? sqlite3_system_errno(connection) : 0;
  const bool of_system = system != 0 && (opening || (code & 0xFF) == SQLITE_IOERR);
  return failure(fmt::format("cannot be {}: {}", opening ? "opened" : "used",
                             of_system               ? std::strerror(system)
                             : connection != nullptr ? sqlite3_errmsg(connection)
                                                     : sqlite3_errstr(code)));
}

constexpr int kBetweenTriesMs = 5;

// Asked by SQLite each time that another process is in the way: true after a moment's wait, false
// when it has waited long enough. After an interrupt there is time to keep what was done, but
// nobody waits for a store that stays locked.
int wait_for_others(void* patience_ms, int waited) {
  constexpr int kAfterInterruptMs = 300;
  int most = *static_cast<const int*>(patience_ms);
  if (interrupted()) most = std::min(most, kAfterInterruptMs);
  if (waited * kBetweenTriesMs >= most) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(kBetweenTriesMs));
  return 1;
}

}  // namespace

void Statement::Finalise::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(const Database& database, sqlite3_stmt* statement)
    : connection_(database.connection_.get()), path_(database.path_.get()), statement_(statement) {}

void Statement::note(int code) {
  if (code != SQLITE_OK && error_ == 0) error_ = code;
}

Statement& Statement::bind(std::int64_t value) {
  note(sqlite3_bind_int64(statement_.get(), next_++, value));
  return *this;
}

Statement& Statement::bind(double value) {
  note(sqlite3_bind_double(statement_.get(), next_++, value));
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  // A null pointer would bind NULL; an empty view may hold one.
  const char* data = text.data() == nullptr ? "" : text.data();
  note(sqlite3_bind_text64(statement_.get(), next_++, data, text.size(), SQLITE_TRANSIENT,
                           SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_null() {
  note(sqlite3_bind_null(statement_.get(), next_++));
  return *this;
}

Result<bool> Statement::step() {
  if (error_ != 0) return error_of(error_, connection_, *path_);
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return error_of(code, connection_, *path_);
}

Status Statement::run() {
  auto row = step();
  while (row && *row) row = step();
  sqlite3_reset(statement_.get());
  next_ = 1;
  error_ = 0;
  if (!row) return std::move(row).error();
  return Done{};
}

int Statement::columns() const { return sqlite3_column_count(statement_.get()); }

std::string Statement::name(int column) const {
  const char* name = sqlite3_column_name(statement_.get(), column);
  return name == nullptr ? std::string() : std::string(name);
}

Value Statement::value(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER:
      return integer(column);
    case SQLITE_FLOAT:
      return real(column);
    case SQLITE_TEXT:
      return text(column);
    case SQLITE_BLOB:
      return Blob{text(column)};
    default:
      return std::monostate{};
  }
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string Statement::text(int column) const {
  const unsigned char* data = sqlite3_column_text(statement_.get(), column);
  if (data == nullptr) return {};
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return std::string(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
}

void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Database::Database(sqlite3* connection, const std::filesystem::path& path, int patience_ms)
    : connection_(connection),
      path_(std::make_unique<std::string>(path.string())),
      patience_ms_(std::make_unique<int>(patience_ms)) {}

Result<Database> Database::open(const std::filesystem::path& path, int patience_ms) {
  sqlite3* connection = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.c_str(), &connection, flags, nullptr);
  Database database(connection, path, patience_ms);
  if (code != SQLITE_OK) return error_of(code, connection, database.path());
  // Where there is no right to write, SQLite opens for reading only and says nothing.
  if (sqlite3_db_readonly(connection, "main") == 1) {
    return error_of(SQLITE_READONLY, connection, database.path());
  }
  sqlite3_busy_handler(connection, wait_for_others, database.patience_ms_.get());
  return database;
}

Status Database::use_write_ahead_log() {
  // Changing the mode needs the file alone, and SQLite does not always wait for that by itself.
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(*patience_ms_);
  while (true) {
    const int code =
        sqlite3_exec(connection_.get(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return Done{};
    if ((code & 0xFF) != SQLITE_BUSY || std::chrono::steady_clock::now() > end || interrupted()) {
      return error_of(code, connection_.get(), *path_);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(kBetweenTriesMs));
  }
}

Status Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error_of(code, connection_.get(), *path_);
  return Done{};
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return error_of(code, connection_.get(), *path_);
  return Statement(*this, statement);
}

Result<std::int64_t> Database::integer(std::string_view sql) const {
  auto statement = TRY(prepare(sql));
  const auto row = TRY(statement.step());
  return row ? statement.integer(0) : 0;
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(connection_.get()); }

std::int64_t Database::changes() const { return sqlite3_changes64(connection_.get()); }

bool Database::is_gone() const {
  int moved = 0;
  const int code = sqlite3_file_control(connection_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code == SQLITE_OK && moved != 0;
}

Result<Transaction> Transaction::begin(Database& database) {
  TRY(database.execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // Some failures have undone everything already, and then there is nothing to roll back.
  const auto ignored = database_->execute("ROLLBACK");
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Status Transaction::commit() {
  TRY(database_->execute("COMMIT"));
  const Database& database = *std::exchange(database_, nullptr);
  if (!database.is_gone()) return Done{};
  return Error{"was deleted or moved while it was in use", {database.path()}, ErrorKind::failure};
}

}  // namespace damier::sqlite
