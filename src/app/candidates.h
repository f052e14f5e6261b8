// What can stand where a person presses the tab key. The scripts of `completion` ask for it, so no
// shell has a list of its own.
#pragma once

#include <string>
#include <vector>

#include "damier/app/context.h"

namespace damier::app {

struct Candidate {
  Candidate(std::string_view whole, std::string_view said = {}) : word(whole), about(said) {}

  std::string word;  // the whole word; one that ends in : = or / goes on
  std::string about;
};

struct Candidates {
  std::vector<Candidate> words;
  bool files = false;  // any file can stand there too
};

// For the last of the words that follow the program's name, which may be empty.
Candidates candidates_for(const std::vector<std::string>& words, const Context& context);

// The command `complete WORD…`, which the help does not list: a candidate a line, what it is after
// a tab; a line ":files" where files can stand.
int print_candidates(const std::vector<std::string>& words, const Context& context);

}  // namespace damier::app
