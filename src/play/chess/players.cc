#include "damier/play/chess/players.h"

#include <algorithm>

#include "damier/play/players/answering_player.h"
#include "damier/search/answer.h"

namespace damier::play {

namespace {

using games::chess::Chess;
using games::chess::Move;

// Of a mate in this many moves, as plies; below 0: being mated.
games::Known known_of_mate(std::optional<int> mate) {
  if (!mate || *mate == 0) return {};
  if (*mate > 0) return {games::Verdict::win, 2 * *mate - 1};
  return {games::Verdict::loss, -2 * *mate};
}

search::MoveAnswer<Move> seen_move(const search::chess::UciLine& line) {
  search::MoveAnswer<Move> seen{.move = line.moves.front(), .known = known_of_mate(line.mate)};
  seen.line = line.moves;
  if (line.expected) {
    seen.results = {line.expected->win, line.expected->draw, line.expected->loss};
    seen.value = (line.expected->win - line.expected->loss) / 1000.0;
  }
  if (seen.known.is_certain()) {
    seen.value = value_of(seen.known.verdict);
  } else if (line.score) {
    seen.score = line.score;
    if (!seen.value) {
      seen.value = search::expected_result(
          std::clamp(*line.score, -games::kHeuristicLimit, games::kHeuristicLimit));
    }
  }
  return seen;
}

}  // namespace

MoveAnswer ChessPlayer::choose_scored(const games::Session& session, RandomStream&,
                                      const Clocks* clocks) {
  const auto& history = games::history_of<Chess>(session);
  const auto found = ask(history, 1, clocks, nullptr);
  MoveAnswer choice{history.game().action(history.state(), found.best)};
  if (!found.lines.empty() && found.lines.front().moves.front() == found.best) {
    choice.score = found.lines.front().score;
    choice.known = known_of_mate(found.lines.front().mate);
  }
  return choice;
}

Answer ChessPlayer::answer(const games::Session& session, const Ask& wanted) {
  const auto& history = games::history_of<Chess>(session);
  const auto found =
      ask(history, wanted.lines > 0 ? wanted.lines : usual_lines_, nullptr, wanted.watch);
  search::Answer<Move> answer{.nodes = found.nodes, .depth = found.depth};
  auto& moves = answer.moves;
  for (const auto& line : found.lines) moves.push_back(seen_move(line));
  // The legal moves that the engine said nothing of follow.
  const std::vector<search::MoveAnswer<Move>> told = moves;
  for (const Move move : history.game().legal_moves(history.state())) {
    if (std::ranges::find(told, move, &search::MoveAnswer<Move>::move) == told.end()) {
      moves.push_back({move});
    }
  }
  // An engine that plays below its strength does not play the first of its lines.
  const auto chosen = std::ranges::find(moves, found.best, &search::MoveAnswer<Move>::move);
  std::rotate(moves.begin(), chosen, chosen + 1);
  answer.line = answer.best().line;
  if (answer.line.empty()) answer.line = {found.best};
  return with_actions(history, std::move(answer));
}

search::chess::Milliseconds milliseconds_of(double seconds) {
  return search::chess::Milliseconds(
      std::max<std::int64_t>(static_cast<std::int64_t>(seconds * 1000), 0));
}

}  // namespace damier::play
