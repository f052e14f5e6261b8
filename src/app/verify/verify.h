// What `damier verify` looks at, in parts. Each part adds what it found to one report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "damier/app/context.h"
#include "damier/store/check.h"

namespace damier::app {

struct VerifyReport {
  bool repair = false;                                           // whether to repair what is found
  std::vector<std::pair<std::string, std::int64_t>> sound = {};  // "data_set": how many are
  std::vector<Damage> damage = {};
  std::vector<Damage> notes = {};  // nothing is wrong, but worth a line; a repair may tidy up

  void count(const std::string& one, std::int64_t number) { sound.emplace_back(one, number); }
  // Whether it is; what cannot be repaired here is damage: `what`, and the error.
  bool is_sound(const Status& checked, const std::string& where, const std::string& what,
                std::string remedy);
  // Adds to `list` what `mend` can repair, and repairs it if that is asked for.
  Status add(std::vector<Damage>& list, Damage found, const std::function<Status()>& mend);
};

// The store, and its matches and tournaments: every game is played again, every result counted
// again. An error where the work itself failed or was interrupted.
Status verify_store(const std::filesystem::path& store, const Context& context,
                    VerifyReport& report);

// The files of the store's trainings: models, checkpoints, data sets.
Status verify_trainings(Store& store, VerifyReport& report);
// Journals of studies, and games that were interrupted.
Status verify_state_folder(const Context& context, VerifyReport& report);
Status verify_shipped_models(VerifyReport& report);
// Models and data sets by name.
Status verify_files(const std::vector<std::string>& files, VerifyReport& report);

}  // namespace damier::app
