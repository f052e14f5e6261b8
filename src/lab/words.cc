#include "damier/lab/words.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/lab/published.h"

namespace damier::lab {

namespace {

constexpr std::string_view kFence = "```";

// The keys of each kind of block; a `*` may stand there several times.
const std::map<std::string, std::vector<std::string>, std::less<>>& known_keys() {
  static const std::map<std::string, std::vector<std::string>, std::less<>> kKeys = {
      {"comparisons", {}},
      {"numbers", {"if", "number*"}},
      {"table", {"if", "each", "caption", "columns", "column*", "rows*", "strong", "note"}},
      {"lines", {"if", "each", "title", "caption", "x", "y", "curve*", "line*", "bands"}},
      {"bars", {"if", "each", "title", "caption", "x", "y", "categories*", "bar*", "line*"}},
      {"histogram", {"if", "each", "title", "caption", "x", "y", "bins", "sample*"}},
      {"boxes", {"if", "each", "title", "caption", "x", "y", "sample*"}},
      {"points", {"if", "each", "title", "caption", "x", "y", "points*"}},
      {"map", {"if", "each", "title", "caption", "x", "y", "color", "values", "middle", "square"}}};
  return kKeys;
}

class WordsReader {
 public:
  WordsReader(std::string_view text, const std::string& source) {
    words_.source = source;
    for (const std::string_view line : split(text, '\n')) lines_.push_back(line);
  }

  Result<Words> read() {
    for (at_ = 0; at_ < lines_.size() && !error_; ++at_) read_line(lines_[at_]);
    end_block();
    if (words_.title.empty()) fail("has no title (# Title)");
    if (words_.sections.empty()) fail("has no sections (## Heading)");
    if (words_.find("comparisons", "") == nullptr) fail("has no ```comparisons");
    if (error_) return std::move(*error_);
    return std::move(words_);
  }

 private:
  void fail(const std::string& message) {
    if (error_) return;
    const auto line = static_cast<int>(std::min(at_ + 1, lines_.size()));
    error_ = Error{message, {words_.source, line}};
  }

  void read_line(std::string_view line) {
    if (line.starts_with("<!--")) {
      while (at_ + 1 < lines_.size() && lines_[at_].find("-->") == std::string_view::npos) ++at_;
    } else if (line.starts_with(kFence)) {
      read_fenced(trim(line.substr(kFence.size())));
    } else if (line.starts_with("# ")) {
      words_.title = trim(line.substr(2));
    } else if (line.starts_with("## ")) {
      end_block();
      words_.sections.push_back({std::string(trim(line.substr(3))), {}});
    } else if (trim(line).empty()) {
      end_block();
    } else if (line.starts_with("- ")) {
      if (block_.kind != "list") begin_block("list");
      block_.entries.emplace_back("", line.substr(2));
    } else {
      if (line.starts_with("> ")) {
        if (block_.kind != "lead") begin_block("lead");
        line.remove_prefix(2);
      }
      if (block_.entries.empty()) {
        if (block_.kind.empty()) begin_block("paragraph");
        block_.entries.emplace_back("", "");
      }
      std::string& text = block_.entries.back().second;
      text += fmt::format("{}{}", text.empty() ? "" : " ", trim(line));
    }
  }

  void begin_block(std::string kind) {
    end_block();
    block_.kind = std::move(kind);
    block_.line = static_cast<int>(at_) + 1;
  }

  void end_block() {
    if (block_.kind.empty()) return;
    if (block_.kind == "lead") {
      words_.lead = block_.entries.front().second;
    } else if (words_.sections.empty()) {
      words_.subtitle = block_.entries.empty() ? "" : block_.entries.front().second;
    } else {
      words_.sections.back().blocks.push_back(std::move(block_));
    }
    block_ = {};
  }

  void read_fenced(std::string_view opening) {
    const auto space = opening.find(' ');
    begin_block(std::string(opening.substr(0, space)));
    if (space != std::string_view::npos) block_.name = trim(opening.substr(space));
    const auto known = known_keys().find(block_.kind);
    if (known == known_keys().end()) {
      std::vector<std::string> kinds;
      for (const auto& [kind, keys] : known_keys()) kinds.push_back(kind);
      return fail(unknown_name("kind of block", block_.kind, kinds).message);
    }
    const auto begin = at_;
    for (++at_; at_ < lines_.size() && !lines_[at_].starts_with(kFence); ++at_) {
      const std::string_view line = lines_[at_];
      if (trim(line).empty()) continue;
      if (line.starts_with(' ') && !block_.entries.empty()) {
        block_.entries.back().second += fmt::format(" {}", trim(line));
      } else {
        read_entry(line, known->second);
      }
    }
    if (at_ >= lines_.size()) {
      at_ = begin;
      fail("the block has no end (```)");
    }
    end_block();
  }

  void read_entry(std::string_view line, const std::vector<std::string>& known) {
    const auto colon = line.find(": ");
    const std::string key(line.substr(0, colon));
    const bool many = std::ranges::find(known, key + "*") != known.end();
    if (!many && std::ranges::find(known, key) == known.end()) {
      std::vector<std::string> names;
      for (const std::string& name : known) names.push_back(name.substr(0, name.find('*')));
      return fail(unknown_name("key", key, names).message);
    }
    if (colon == std::string_view::npos) return fail(fmt::format("{} has no value", key));
    if (!many && block_.find(key) != nullptr)
      return fail(fmt::format("{} stands there twice", key));
    block_.entries.emplace_back(key, trim(line.substr(colon + 2)));
  }

  Words words_;
  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  WordsBlock block_;
  std::optional<Error> error_;
};

}  // namespace

const std::string* WordsBlock::find(std::string_view key) const {
  for (const auto& [known, value] : entries) {
    if (known == key) return &value;
  }
  return nullptr;
}

std::string WordsBlock::text(std::string_view key) const {
  const std::string* found = find(key);
  return found == nullptr ? "" : *found;
}

const WordsBlock* Words::find(std::string_view kind, std::string_view name) const {
  for (const WordsSection& section : sections) {
    for (const WordsBlock& block : section.blocks) {
      if (block.kind == kind && block.name == name) return &block;
    }
  }
  return nullptr;
}

Result<Words> read_words(std::string_view text, const std::string& source) {
  return WordsReader(text, source).read();
}

Result<Words> find_words(std::string_view experiment) {
  for (const auto& [name, text] : builtin_words()) {
    if (name == experiment) return read_words(text, fmt::format("experiments/{}.md", experiment));
  }
  return Error{fmt::format("the experiment {} has no words", in_quotes(experiment))};
}

}  // namespace damier::lab
