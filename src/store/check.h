// Looks through a run store: the file, its tables, every row, and what the rows refer to. What
// cannot be read is moved aside into a file, never deleted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "damier/base/result.h"
#include "damier/store/store.h"

namespace damier {

// Something that is damaged.
struct Damage {
  std::string where;        // a file
  std::string what;         // "game 3 of run 1a2b3c4d: its outcome cannot be read"
  std::string remedy = {};  // what a repair does ("set aside in …"), or what the user can do
  bool repairable = false;
  bool repaired = false;
};

struct StoreCheck {
  // Sound rows.
  std::int64_t runs = 0;
  std::int64_t games = 0;
  std::int64_t metrics = 0;
  std::int64_t ratings = 0;
  std::vector<Damage> damage;
};

// Where rows that cannot be read are moved to: one JSON object a line.
std::filesystem::path set_aside_path(const std::filesystem::path& store);

struct StoreCheckOptions {
  bool repair = false;
  // What the rows' types do not tell: whether this is a game of that run. Not asked of games that
  // cannot be read.
  std::function<Status(const Run& run, const GameRow& game)> check_game = {};
  // Hears how many games there are, before the first is checked.
  std::function<void(std::int64_t games)> on_games = {};
};

// Of a file that Store::open accepts. Runs with a living process are left alone. An error where the
// store cannot be used at all.
Result<StoreCheck> check_store(const std::filesystem::path& store,
                               const StoreCheckOptions& options = {});

}  // namespace damier
