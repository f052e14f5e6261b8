// A test with a folder, a store and a state folder of its own, for studies.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/base/temporary_folder.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "damier/lab/experiment.h"

namespace damier::lab {

class StudyFolder : public testing::Test {
 protected:
  // Runs keep their files in the state folder.
  StudyFolder() { ::setenv("DAMIER_STATE", path("state/damier").c_str(), 1); }

  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  std::filesystem::path store() const { return path("runs.db"); }
  // Of an experiment whose journal is kept in the folder `name`.
  ExperimentOptions options(const std::string& experiment, const std::string& name) const {
    ExperimentOptions options;
    options.folder = path(name);
    options.store = store();
    options.command = fmt::format("damier reproduce {} --seed 1", experiment);
    return options;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace damier::lab
