// The tables of the run store, and how an older file gets the newest ones.
#pragma once

#include "damier/base/result.h"
#include "damier/store/sqlite.h"

namespace damier {

// Looks before it touches: a file that is not ours stays as it was, and is an error.
Status check_store_file(sqlite::Database& database);

// Brings the tables up to the newest version.
Status migrate_store(sqlite::Database& database);

}  // namespace damier
