#include "damier/pages/game_diagrams.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/base/text/text.h"
#include "damier/pages/board_drawing.h"

namespace damier::pages {

namespace {

constexpr std::size_t kMaxGames = 4;
constexpr std::size_t kMaxBoards = 8;

// `most` of `count` places, spread evenly, the first and the last among them.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  const std::size_t taken = std::min(count, most);
  for (std::size_t i = 0; i < taken; ++i) {
    places.push_back(taken == 1 ? count - 1 : i * (count - 1) / (taken - 1));
  }
  return places;
}

// The positions after each move, and what was played; empty if a move is wrong.
std::vector<report::Diagram> boards_of(const games::AnyGame& game, const GameRow& row) {
  const auto moves = split(row.moves, ' ');
  const auto places = spread(moves.size(), kMaxBoards);
  std::vector<report::Diagram> boards;
  auto session = game.start(Seed{1});
  if (!row.start.empty()) {
    auto from = game.start_from(row.start);
    if (!from) return {};
    session = *std::move(from);
  }
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto action = session->parse_move(moves[i]);
    if (!action || session->outcome() != games::Outcome::ongoing) return {};
    session->play(*action);
    if (std::find(places.begin(), places.end(), i) == places.end()) continue;
    boards.push_back({board_drawing(session->picture()), fmt::format("{}. {}", i + 1, moves[i])});
  }
  return boards;
}

std::string result_of(const GameRow& row, const games::Facts& facts) {
  if (row.outcome == "draw") return tr("a draw");
  const std::size_t winner = row.outcome == "first" ? 0 : 1;
  return tr_format("{} wins", tr(facts.sides[winner]));
}

}  // namespace

std::optional<report::Section> games_section(const games::AnyGame& game,
                                             std::span<const GameRow> games) {
  if (game.facts().players != 2) return std::nullopt;
  report::Section section{tr("Some games")};
  for (const std::size_t place : spread(games.size(), kMaxGames)) {
    const GameRow& row = games[place];
    if (row.moves.empty()) continue;
    report::Diagrams boards;
    boards.diagrams = boards_of(game, row);
    if (boards.diagrams.empty()) continue;
    const std::string players =
        row.first == row.second ? row.first : fmt::format("{} – {}", row.first, row.second);
    boards.caption = fmt::format("{}: {}, {}", players, tr_counted(row.plies, "move"),
                                 result_of(row, game.facts()));
    section.blocks.push_back(std::move(boards));
  }
  if (section.blocks.empty()) return std::nullopt;
  return section;
}

}  // namespace damier::pages
