#include "damier/lab/bremen/games.h"

#include <array>

#include "damier/base/text/text.h"
#include "damier/exact/bremen/draft.h"
#include "damier/games/bremen/bremen.h"
#include "damier/games/history.h"

namespace damier::lab {

using namespace games::bremen;

namespace {

constexpr std::array<const char*, kAnimals> kAnimalNames = {"donkey", "dog", "cat", "rooster"};
constexpr std::array<const char*, kSize> kColumnNames = {"a", "b", "c", "d", "e"};
// Rank 5 above, as the mover sees the board: its own home row below.
constexpr std::array<const char*, kSize> kRowNames = {"5", "4", "3", "2", "1"};

struct BremenCounts {
  std::array<std::array<std::int64_t, kSquares>, kAnimals> arrivals = {};
  // Points of the side that put an animal on a column of its home row, and its games.
  std::array<std::array<double, kSize>, kAnimals> points = {};
  std::array<std::array<std::int64_t, kSize>, kAnimals> games = {};

  void add(const GameRow& game) {
    // Points of the first player.
    const double points_first = game.outcome == "first" ? 1 : game.outcome == "second" ? 0 : 0.5;
    const Bremen rules;
    State state = rules.initial();
    for (const std::string_view text : split(game.moves, ' ')) {
      const auto move = rules.parse_move(state, text);
      if (!move) return;  // the games were played here
      const int action = index(rules.action(state, *move));
      if (is_draft(*move)) {
        const auto animal = static_cast<std::size_t>(animal_of(*move));
        const auto column = static_cast<std::size_t>((action - kFirstDraftMove) % kSize);
        const bool first = state.side == games::Side::first;
        points[animal][column] += first ? points_first : 1 - points_first;
        ++games[animal][column];
      } else {
        ++arrivals[static_cast<std::size_t>(action / kSquares)]
                  [static_cast<std::size_t>(action % kSquares)];
      }
      rules.play(state, *move);
    }
  }

  // Which share of an animal's moves ends on each square.
  Json arrivals_map(std::size_t animal) const {
    double sum = 0;
    for (const std::int64_t n : arrivals[animal]) sum += static_cast<double>(n);
    Json map = {
        {"rows", kRowNames}, {"columns", kColumnNames}, {"values", Json::array()}, {"moves", sum}};
    for (std::size_t row = 0; row < kSize; ++row) {
      Json values = Json::array();
      for (std::size_t col = 0; col < kSize; ++col) {
        const auto n = static_cast<double>(arrivals[animal][kSize * row + col]);
        values.push_back(sum > 0 ? Json(n / sum) : Json(nullptr));
      }
      map["values"].push_back(std::move(values));
    }
    return map;
  }

  Json draft_map() const {
    Json map = {{"rows", kAnimalNames}, {"columns", kColumnNames}, {"values", Json::array()}};
    for (std::size_t animal = 0; animal < kAnimals; ++animal) {
      Json values = Json::array();
      for (std::size_t col = 0; col < kSize; ++col) {
        const auto n = static_cast<double>(games[animal][col]);
        values.push_back(n > 0 ? Json(points[animal][col] / n) : Json(nullptr));
      }
      map["values"].push_back(std::move(values));
    }
    return map;
  }
};

}  // namespace

Json bremen_game_findings(const play::GameRows& games) {
  BremenCounts counts;
  std::int64_t decided = 0;
  Json lengths = Json::array();
  for (const auto& game : games) {
    counts.add(*game);
    decided += game->outcome != "draw";
    lengths.push_back(static_cast<double>(game->plies));
  }
  Json findings = {{"count", games.size()},
                   {"decided", decided},
                   {"lengths", std::move(lengths)},
                   {"draft", counts.draft_map()}};
  for (std::size_t animal = 0; animal < kAnimals; ++animal) {
    findings["arrivals"][kAnimalNames[animal]] = counts.arrivals_map(animal);
  }
  return findings;
}

Json bremen_first_placements() {
  const Bremen rules;
  const auto draft = exact::bremen::Draft::with_limit(rules.ply_limit());
  const auto& outcomes = draft->outcomes();
  Json findings = {
      {"columns", kColumnNames}, {"positions", outcomes.won + outcomes.drawn + outcomes.lost},
      {"won", outcomes.won},     {"lost", outcomes.lost},
      {"drawn", outcomes.drawn}, {"limit", rules.ply_limit()}};
  const State start = rules.initial();
  for (std::size_t animal = 0; animal < kAnimals; ++animal) {
    Json& row = findings["rows"][kAnimalNames[animal]];
    for (std::size_t col = 0; col < kSize; ++col) {
      const auto action = static_cast<int>(kFirstDraftMove + kSize * animal + col);
      State next = start;
      rules.play(next, *rules.move(start, games::action_at(action)));
      const games::Known known = draft->known(next);
      row[kColumnNames[col]] = known.verdict == games::Verdict::loss
                                   ? std::to_string(*known.plies + 1)
                                   : std::string("draw");
    }
  }
  return findings;
}

}  // namespace damier::lab
