// How players are written: a name, after a colon a value, then options, as in "uct:1000,c=0.5" or
// "net:MODEL,flags".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/result.h"

namespace damier::arena {

// A player's text taken apart. Whoever makes the player reads the options that it knows;
// finish() then finds the ones that nobody read, and the first that was wrong.
class PlayerText {
 public:
  static Result<PlayerText> parse(std::string_view text);

  const std::string& text() const { return text_; }
  const std::string& name() const { return name_; }

  // An option that was not given has the default. `key` may be "" for the value that stands right
  // after the colon.
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                       std::int64_t otherwise);
  double number(std::string_view key, double low, double high, double otherwise);
  std::string word(std::string_view key, std::span<const std::string_view> words);  // default first
  std::string text(std::string_view key, std::string otherwise);
  // An option that stands there or does not.
  bool flag(std::string_view key);
  bool has(std::string_view key) const;
  // Options that could have been given, for whoever wrote another one.
  void expect(std::initializer_list<std::string_view> keys);
  // Something else is wrong with the player.
  void fail(Error error);

  Status finish() const;

 private:
  std::optional<std::string_view> take(std::string_view key);
  void fail(std::string_view key, std::string_view value, std::string_view expected);

  std::string text_;
  std::string name_;
  std::vector<std::pair<std::string, std::string>> options_;
  std::vector<bool> taken_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

}  // namespace damier::arena
