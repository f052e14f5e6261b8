#include "damier/app/chess/pgn_record.h"

#include <array>
#include <chrono>

#include <fmt/chrono.h>

#include "damier/app/game_record.h"
#include "damier/base/interrupt.h"
#include "damier/games/any_game_impl.h"
#include "damier/games/chess/chess.h"
#include "damier/games/chess/pgn_reader.h"
#include "damier/games/chess/pgn_writer.h"

namespace damier::app {

namespace {

using games::Outcome;
using games::chess::Chess;
using games::chess::PgnGame;
using games::chess::RuleOptions;

std::string_view pgn_result(Outcome outcome) {
  switch (outcome) {
    case Outcome::first_wins:
      return "1-0";
    case Outcome::second_wins:
      return "0-1";
    case Outcome::draw:
      return "1/2-1/2";
    case Outcome::ongoing:
      break;
  }
  return "*";
}

// Whether none of the moves comes after the end of the game.
bool allows_all(const RuleOptions& rules, const PgnGame& game) {
  games::History<Chess> history(Chess(rules), game.start);
  for (const auto& ply : game.line) {
    if (history.outcome() != Outcome::ongoing) return false;
    history.play(ply.move);
  }
  return true;
}

// Players may go on where a draw could be claimed; then the game is one of looser rules.
games::OptionValues rules_for(const PgnGame& game) {
  constexpr std::array<RuleOptions, 2> kStricter = {
      RuleOptions{}, RuleOptions{.repetitions = 5, .quiet_moves = 75}};
  for (const RuleOptions& rules : kStricter) {
    if (allows_all(rules, game)) return Chess(rules).option_values();
  }
  return Chess(games::chess::kNoDraws).option_values();
}

std::string title_of(const PgnGame& game) {
  const auto known = [&](std::string_view tag) {
    const std::string_view value = game.tag(tag);
    return value.find_first_not_of("?.-") == value.npos ? std::string_view() : value;
  };
  std::string title;
  if (!known("White").empty() || !known("Black").empty()) {
    const auto name = [&](std::string_view tag) { return known(tag).empty() ? "?" : known(tag); };
    title = fmt::format("{} – {}", name("White"), name("Black"));
  }
  for (const char* tag : {"Event", "Date"}) {
    if (known(tag).empty()) continue;
    title += fmt::format("{}{}", title.empty() ? "" : ", ", known(tag));
  }
  return title + fmt::format("{}{}", title.empty() ? "" : ", ", game.result);
}

}  // namespace

std::string pgn_of(const games::Session& session, const GameFormat::Names& names) {
  const auto& history = games::history_of<Chess>(session);
  const auto today = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  PgnGame game;
  game.tags = {{"Event", std::string(names.event)},
               {"Site", "?"},
               {"Date", fmt::format("{:%Y.%m.%d}", fmt::localtime(today))},
               {"Round", std::string(names.round)},
               {"White", std::string(names.players[0])},
               {"Black", std::string(names.players[1])}};
  game.start = history.start();
  for (const auto move : history.moves()) {
    games::chess::PgnPly ply;
    ply.move = move;
    game.line.push_back(std::move(ply));
  }
  game.result = pgn_result(session.outcome());
  return games::chess::pgn_text(game) + "\n";
}

Result<GameFormat::Record> read_pgn_record(std::istream& in, const std::string& source,
                                           std::int64_t number) {
  games::chess::PgnReader reader(in, source, {.variations = false, .comments = false});
  PgnGame game;
  for (std::int64_t at = 1; at <= number; ++at) {
    if (interrupted()) return interruption();
    const auto next = reader.next(game);
    if (!next && at == number) return next.error();
    if (next && !*next) {
      if (at == 1) return Error{"has no game; expected Portable Game Notation", {source}};
      return too_few_games(source, at - 1, number);
    }
  }
  if (game.line.size() > games::kMostSavedMoves) {
    return Error{
        fmt::format("has {} moves; expected at most {}", game.line.size(), games::kMostSavedMoves),
        {source, static_cast<int>(game.at_line)}};
  }
  GameFormat::Record record;
  record.rules = rules_for(game);
  record.title = title_of(game);
  const Chess rules(games::chess::kNoDraws);
  auto state = game.start;
  record.position = rules.position_text(state);
  for (const auto& ply : game.line) {
    record.moves.push_back(rules.move_text(state, ply.move));
    rules.play(state, ply.move);
  }
  return record;
}

}  // namespace damier::app
