// A thin cover over SQLite: a database, its prepared statements and transactions close themselves,
// and every failure is an Error of one line that names the file. Values only ever reach SQL through
// placeholders. None of the classes may be used by two threads at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "damier/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace damier::sqlite {

class Database;

// How long a writer waits for the others before it gives up.
constexpr int kPatienceMs = 30'000;

struct Blob {
  std::string bytes;
};
// What a cell holds, whatever its column was declared as; monostate is NULL.
using Value = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;

// A statement with the values of its placeholders. Must not outlive its database.
class Statement {
 public:
  // Placeholders are bound from left to right: statement.bind(name).bind(7). Errors come out of the
  // next step(). A bound text is copied.
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind_null();
  template <class T>
  Statement& bind(const std::optional<T>& value) {
    return value ? bind(*value) : bind_null();
  }

  // True when there is a row to read, false when the statement is done.
  Result<bool> step();
  // Runs a statement that yields no rows, and makes it ready for the next values.
  Status run();

  // Columns of the current row, counted from 0.
  int columns() const;
  std::string name(int column) const;
  Value value(int column) const;
  // The same, turned into the type that is asked for.
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;

 private:
  friend class Database;
  struct Finalise {
    void operator()(sqlite3_stmt* statement) const;
  };

  Statement(const Database& database, sqlite3_stmt* statement);
  void note(int code);

  // Where the errors come from: the database object may move, what it holds does not.
  sqlite3* connection_;
  const std::string* path_;
  std::unique_ptr<sqlite3_stmt, Finalise> statement_;
  int next_ = 1;
  int error_ = 0;  // the first code of a bind that failed
};

class Database {
 public:
  // Makes the file if it is missing. Waits up to `patience_ms` for other processes that write, here
  // and in every later call.
  static Result<Database> open(const std::filesystem::path& path, int patience_ms = kPatienceMs);

  // Readers and a writer no longer wait for each other. Where the file system cannot do it, the
  // file stays in SQLite's older mode, which is slower but just as safe.
  Status use_write_ahead_log();

  // For statements without values; may hold several, with semicolons.
  Status execute(const std::string& sql);
  Result<Statement> prepare(std::string_view sql) const;
  // The single value of a query such as "PRAGMA user_version".
  Result<std::int64_t> integer(std::string_view sql) const;

  // The row number given by the last insertion.
  std::int64_t last_row() const;
  // How many rows the last statement changed.
  std::int64_t changes() const;
  // The file was deleted, moved or replaced: what is written from now on nobody will find.
  bool is_gone() const;

  const std::string& path() const { return *path_; }

 private:
  friend class Statement;
  struct Close {
    void operator()(sqlite3* connection) const;
  };

  Database(sqlite3* connection, const std::filesystem::path& path, int patience_ms);

  std::unique_ptr<sqlite3, Close> connection_;
  std::unique_ptr<std::string> path_;  // statements refer to it
  std::unique_ptr<int> patience_ms_;   // SQLite refers to it
};

// All or nothing: what is not committed is undone at the end of the scope. It takes the writer's
// place at once, so a transaction that has begun cannot fail because another writer came between.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  ~Transaction();
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;

  // Also an error where the file is gone.
  Status commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}

  Database* database_;  // null when there is nothing left to undo
};

}  // namespace damier::sqlite
