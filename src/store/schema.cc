#include "damier/store/schema.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace damier {

using sqlite::Database;
using sqlite::Transaction;

namespace {

// "Dami": tells our files from the databases of other programs.
constexpr std::int64_t kApplicationId = 0x44616d69;

// Step i leads from schema version i to i + 1. A step that was released is never edited: a change
// of the schema is a new step at the end.
constexpr std::array<const char*, 2> kMigrations = {R"sql(
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    game TEXT NOT NULL,
    options TEXT NOT NULL,  -- JSON
    config TEXT NOT NULL,   -- JSON
    seed TEXT NOT NULL,     -- a whole number of 64 bits without sign, which INTEGER cannot hold
    version TEXT NOT NULL,
    started TEXT NOT NULL,  -- times are UTC
    finished TEXT,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'stopped')),
    summary TEXT            -- JSON
  ) STRICT;

  CREATE TABLE games (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    pair INTEGER,
    opening TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('first', 'second', 'draw')),
    plies INTEGER NOT NULL,
    moves TEXT NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (run, number)
  ) STRICT;

  CREATE TABLE metrics (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    step INTEGER NOT NULL,
    value REAL,  -- NULL: not a number
    PRIMARY KEY (run, name, step)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE ratings (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    game TEXT NOT NULL,
    player TEXT NOT NULL,
    elo REAL NOT NULL,
    low REAL,
    high REAL,
    games INTEGER NOT NULL,
    PRIMARY KEY (run, player)
  ) STRICT;
  CREATE INDEX ratings_of_game ON ratings (game, player, run);
)sql",
                                                    R"sql(
  ALTER TABLE games ADD COLUMN start TEXT NOT NULL DEFAULT '';
  ALTER TABLE games ADD COLUMN ending TEXT NOT NULL DEFAULT '';
  ALTER TABLE games ADD COLUMN notes TEXT NOT NULL DEFAULT '';
)sql"};

constexpr auto kNewestVersion = static_cast<std::int64_t>(kMigrations.size());

// The version of the schema; 0 for a file that is empty yet.
Result<std::int64_t> store_version(const Database& database) {
  const auto application = TRY(database.integer("PRAGMA application_id"));
  const auto version = TRY(database.integer("PRAGMA user_version"));
  const auto tables = TRY(database.integer("SELECT count(*) FROM sqlite_schema"));
  const bool fresh = application == 0 && version == 0 && tables == 0;
  if (!fresh && application != kApplicationId) {
    return Error{"is a database of another program, not a run store", {database.path()}};
  }
  if (version <= kNewestVersion) return version;
  return Error{fmt::format("was written by a newer Damier (store version {}; this one knows "
                           "versions up to {})",
                           version, kNewestVersion),
               {database.path()}};
}

}  // namespace

Status check_store_file(Database& database) {
  // In one transaction, or another process could make the file ours between two looks.
  TRY(database.execute("BEGIN"));
  TRY(store_version(database));
  return database.execute("ROLLBACK");
}

Status migrate_store(Database& database) {
  const auto before = TRY(database.integer("PRAGMA user_version"));
  if (before == kNewestVersion) return Done{};
  auto transaction = TRY(Transaction::begin(database));
  // Another process may have done it in the meantime.
  const auto version = TRY(store_version(database));
  for (auto step = static_cast<std::size_t>(version); step < kMigrations.size(); ++step) {
    TRY(database.execute(kMigrations[step]));
  }
  TRY(database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                   kApplicationId, kNewestVersion)));
  return transaction.commit();
}

}  // namespace damier
