// Small scripts that speak UCI, well or badly.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/base/temporary_folder.h"

namespace damier::search::chess {

class FakeEngine {
 public:
  // `on_go` is what a shell does when it is asked to search; $line is what it was asked. Everything
  // that it is told goes into the file log().
  explicit FakeEngine(const std::string& on_go) {
    std::ofstream script(path());
    script << "#!/bin/sh\n"
              "while read -r line; do\n"
              "  echo \"$line\" >> "
           << (folder_.path() / "log").string()
           << "\n"
              "  case \"$line\" in\n"
              "  uci)\n"
              "    echo 'id name Fake 1'\n"
              "    echo 'option name Hash type spin default 16 min 1 max 64'\n"
              "    echo 'option name Skill Level type spin default 20 min 0 max 20'\n"
              "    echo 'option name Style type combo default Solid var Solid var Very Risky'\n"
              "    echo 'option name Clear Hash type button'\n"
              "    echo 'option name MultiPV type spin default 1 min 1 max 5'\n"
              "    echo 'option name UCI_Chess960 type check default false'\n"
              "    echo uciok ;;\n"
              "  isready) echo readyok ;;\n"
              "  quit) exit 0 ;;\n"
              "  go*)\n"
           << on_go
           << "\n"
              "  ;;\n"
              "  esac\n"
              "done\n";
    script.close();
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }

  std::string path() const { return (folder_.path() / "engine").string(); }
  std::string log() const {
    std::ifstream in(folder_.path() / "log");
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace damier::search::chess
