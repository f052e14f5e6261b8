// What a study found, as one JSON document, and how its words name a part of it.
//
// A path is made of the names of members: "networks.adam.test.value_kept". "published.NAME" is what
// was published under that name (published.h). In words, {PATH} stands for what is found there, and
// {PATH:FORM} for the same in another form:
//
//   {p}        an estimate as everywhere ("84.63 %"), a published figure as it was printed, a text
//   {p:.1}     with so many decimals; a share in percent, without its unit
//   {p:.1%}    the same with the unit
//   {p:±1}     with half of its interval: "84.6 ± 0.8"
//   {p:[.1]}   with its interval: "84.6 [83.4, 85.7]"
//   {p:to.0}   the interval alone: "83 to 86"
//   {p:interval}  as tables of estimates have it: "[83.41, 85.72]"
//   {p:,}      a whole number with its thousands apart: "16,082"
//   {p:g}      as short as it can be: "0.3"; {p:2g} with so many digits that count
//   {p:#game}  so many: "1 game", "2 games"
//   {p?text}   behind all that: a text for what is not there, which is an error otherwise
//
// {?p}…{/} is left out where p is not there, false, zero or empty; {!p}…{/} where it is. A path may
// have braces of its own: {published.sizes.{board}.wins}.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/lab/published.h"

namespace damier::lab {

// A map: {"rows", "columns", "values": a list for each row}.
Json map_of(Json rows, Json columns,
            const std::function<Json(std::size_t row, std::size_t column)>& value);

// A part of the findings, or a published figure. JSON that is no estimate stays as it is.
struct Found {
  const Json* json = nullptr;
  std::optional<Estimate> estimate;
  std::optional<PublishedFigure> published;
  std::string text;  // of a published cell, or a key

  // As people read it, shares in percent; nothing where it is no number.
  std::optional<double> number() const;
};

// Looks up paths and fills in words. The first error is kept, and with it nothing else is worth
// anything: whoever has asked for all asks for it at the end.
class Finder {
 public:
  Finder(const Json& findings, const Published& published);

  // Nothing where there is no such part.
  std::optional<Found> find(std::string_view path) const;
  // The text with every {path} filled in.
  std::string filled(std::string_view words);
  // Goes through the members of an object or the entries of a list, whose parts are looked up
  // first; {key} is the member's name, or an entry that is a text or a number.
  void each(std::string_view path, const std::function<void()>& member);
  // Whether it is there and neither false, zero nor empty.
  bool is_given(std::string_view path) const;

  void fail(std::string message);
  // What is read next, for errors: "experiments/chess.md, line 12".
  void at(std::string place) { place_ = std::move(place); }
  const std::optional<Error>& error() const { return error_; }

 private:
  struct Scope {
    const Json* json;
    std::string key;
  };
  std::string filled_until(std::string_view words, std::size_t& at, std::string_view end);
  std::string figure(std::string_view named);

  const Published& published_;
  std::vector<Scope> scopes_;  // the innermost at the end
  std::string place_;
  std::optional<Error> error_;
};

}  // namespace damier::lab
