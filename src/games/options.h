// Rule options: where two readings of a rule exist, one is the default and the other a named option
// ("winner=rooster"). Values stay texts here; a game's make() gives them their meaning.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/result.h"

namespace damier::games {

struct Option {
  std::string_view name;
  std::string_view default_value;
  std::string_view expected;  // "mover|rooster", "0 to 100000"
  std::string_view help;
};

// Name and value, in the order in which they were given.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

// A named set of option values, such as minesweeper's "expert".
struct Preset {
  std::string_view name;
  std::string_view option;
  std::string_view value;
};

// "winner=rooster,maxply=0" -> values; an empty text gives none.
Result<OptionValues> parse_options(std::string_view text);

std::string options_text(const OptionValues& values);

// The values a game was asked for, checked against the options it has.
class OptionReader {
 public:
  // `values` may hold names that the game does not have, or one name twice: check() reports it.
  OptionReader(std::span<const Option> options, const OptionValues& values)
      : options_(options), values_(values) {}

  Status check() const;
  std::string_view text(std::string_view name) const;
  // The value as one of the words in the option's `expected` ("mover|rooster"): its index.
  Result<int> choice(std::string_view name) const;
  Result<int> integer(std::string_view name, int low, int high) const;

 private:
  const Option& option(std::string_view name) const;

  std::span<const Option> options_;
  const OptionValues& values_;
};

}  // namespace damier::games
