// The words of a study: experiments/NAME.md, a page in Markdown whose figures, tables and drawings
// are named by what the study found (found.h). docs/adding-an-experiment.md explains the form.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/result.h"

namespace damier::lab {

// A paragraph, a list, or what stands between two lines of ```.
struct WordsBlock {
  std::string kind;  // "paragraph", "list", or that of the first ```: "table", "lines"
  std::string name;  // behind it
  int line = 0;
  // Of a paragraph one without a key, of a list one an item; else "caption: …" line by line.
  std::vector<std::pair<std::string, std::string>> entries;

  // The entry of that key; null where there is none.
  const std::string* find(std::string_view key) const;
  std::string text(std::string_view key) const;  // empty where there is none
};

struct WordsSection {
  std::string heading;
  std::vector<WordsBlock> blocks;
};

struct Words {
  std::string source;  // for errors
  std::string title, subtitle, lead;
  std::vector<WordsSection> sections;

  const WordsBlock* find(std::string_view kind, std::string_view name) const;
};

// Reads and checks the form: unknown kinds and keys, blocks without an end. What a path names is
// known only when the study is done.
Result<Words> read_words(std::string_view text, const std::string& source);
// Those that are part of the library.
Result<Words> find_words(std::string_view experiment);

}  // namespace damier::lab
