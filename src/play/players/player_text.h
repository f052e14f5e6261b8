// How players are written: a name, after a colon a value, then options, as in "uct:1000,c=0.5" or
// "net:MODEL,flags". The code that makes a player declares each option in the call that reads it,
// with its range, its default and its help; the help table is made from the same calls. Every
// player takes name=NAME, what tables call it; without one they shorten long paths. Files, JSON and
// the run store keep the whole text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "damier/base/result.h"
#include "damier/base/text/language.h"

namespace damier::play {

// An option as it was declared.
struct PlayerOption {
  std::string form;  // ":N", "c=X" or "flags"
  std::string help;
  Text values;  // "from 0 to 1000, default 0.4"

  std::string_view name() const;  // "" for the value right after the colon
  bool operator==(const PlayerOption&) const = default;
};

// What a player is wanted for: it plays games, or it is asked about positions that have nothing to
// do with each other, for one best move or for every one. Then it keeps nothing from one to the
// next, and takes little memory. `none`: its text is read, and nothing is opened.
enum class PlayerUse : std::uint8_t { games, one_best, every_best, none };

// A value as parse() reads it back: a backslash stands before commas, equals signs and backslashes,
// which file names may hold.
std::string player_value(std::string_view value);

class PlayerText {
 public:
  static Result<PlayerText> parse(std::string_view text, PlayerUse use = PlayerUse::games);
  // A text that only listens to what is declared: its reading ends with an error.
  static PlayerText listening() {
    PlayerText text;
    text.error_ = Error{"no player was asked for"};
    return text;
  }

  PlayerUse use() const { return use_; }
  const std::string& text() const { return text_; }
  const std::string& name() const { return name_; }
  const std::optional<std::string>& alias() const { return alias_; }  // name=ALIAS

  // Each declares an option and reads it. `form` is how the help writes it: ":N" for the value
  // right after the colon, "c=X" for an option with a value, "flags" for a word that stands alone.
  std::int64_t integer(std::string_view form, std::string_view help, std::int64_t low,
                       std::int64_t high, std::int64_t default_value);
  double number(std::string_view form, std::string_view help, double low, double high,
                double default_value);
  std::string text(std::string_view form, std::string_view help, std::string_view default_value);
  std::string word(std::string_view form, std::string_view help,
                   std::span<const std::string_view> words);  // the default first
  bool flag(std::string_view form, std::string_view help);
  // Without a default: nothing where it is not given.
  std::optional<std::int64_t> integer(std::string_view form, std::string_view help,
                                      std::int64_t low, std::int64_t high);
  std::optional<double> number(std::string_view form, std::string_view help, double low,
                               double high);
  std::optional<std::string> text(std::string_view form, std::string_view help);

  // As they are given: names (empty for the value right after the colon) and values, without the
  // backslashes.
  const std::vector<std::pair<std::string, std::string>>& given() const { return options_; }
  // All options that were not declared before, by name and value (a word that stands alone has an
  // empty one): the caller knows their names.
  std::vector<std::pair<std::string, std::string>> others(std::string_view form,
                                                          std::string_view help);

  bool has(std::string_view name) const {
    return std::ranges::any_of(options_, [&](const auto& option) { return option.first == name; });
  }
  // Ends the reading: the first value that was wrong, or an option that nobody declared. Files are
  // opened after it.
  Status finish();
  bool is_read() const { return is_read_; }  // to the end, without an error
  // What was made of the player; what is wrong after the reading is placed in its text.
  template <class T>
  Result<T> placed(Result<T> made) const {
    return is_read_ ? std::move(made).in(place()) : std::move(made);
  }
  // An error if one of these options is given; `why` says what it goes with.
  Status refuse(std::initializer_list<std::string_view> names, std::string_view why) const {
    for (const std::string_view name : names) {
      if (has(name)) return Error{fmt::format("{} goes with {}", name, why)};
    }
    return Done{};
  }

  const std::vector<PlayerOption>& declared() const { return declared_; }

 private:
  std::string place() const;
  // The option's text, if it is given.
  std::optional<std::string_view> declare(std::string_view form, std::string_view help,
                                          Text values);
  void wrong_value(std::string_view form, std::string_view value, std::string_view expected);

  PlayerUse use_ = PlayerUse::games;
  bool is_read_ = false;
  std::string text_;
  std::string name_;
  std::optional<std::string> alias_;
  std::vector<std::pair<std::string, std::string>> options_;
  std::vector<bool> taken_;
  std::vector<PlayerOption> declared_;
  std::optional<Error> error_;
};

// The NAME of a player's text; nothing where it has none.
std::optional<std::string> player_alias(std::string_view text);

// One for each text, printable; different texts get different names.
std::vector<std::string> shown_players(std::span<const std::string> texts);

// The columns that the longest of them takes.
std::size_t width_of(std::span<const std::string> names);

}  // namespace damier::play
