#include "damier/play/contest/contest.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/games/outcome.h"
#include "damier/games/saved_game.h"
#include "damier/play/players/player_text.h"

namespace damier::play {

namespace {

using games::Outcome;
using games::Side;

// Whether an opening has decided nothing, as far as that is known: where a table knows every state,
// the result that best play leads to must still be that of the first position.
bool is_fair(const ContestPlan& contest, const games::Session& session) {
  if (session.outcome() != Outcome::ongoing) return false;
  if (!contest.toolkit->knows_every_state()) return true;
  const auto start = contest.toolkit->game().start(contest.seed);
  const auto before = contest.toolkit->solve(*start, {});
  const auto now = contest.toolkit->solve(session, {});
  if (!before || !now) return true;
  const bool same_side = start->side_to_move() == session.side_to_move();
  const Verdict expected = before->known.verdict;
  return now->known.verdict == (same_side ? expected : opposite(expected));
}

// The place in the book of an opening: every one once, in an order by the seed, then again.
std::size_t book_place(const ContestPlan& contest, std::int64_t opening) {
  std::vector<std::size_t> order(contest.book.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream random(contest.seed, "contest.book");
  random.shuffle(std::span(order));
  return order[static_cast<std::size_t>(opening) % order.size()];
}

// With fewer moves where random play finds no fair ones.
Opening random_opening(const ContestPlan& contest, std::int64_t number) {
  constexpr int kTries = 100;
  for (int plies = contest.opening_plies; plies > 0; --plies) {
    RandomStream random(contest.seed, "contest.opening", static_cast<std::uint64_t>(number));
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const auto session = contest.toolkit->game().start(contest.seed);
      for (int ply = 0; ply < plies && session->outcome() == Outcome::ongoing; ++ply) {
        const auto actions = session->legal_actions();
        session->play(actions[random.below(actions.size())]);
      }
      if (is_fair(contest, *session)) return {{}, session->move_texts()};
    }
  }
  return {};
}

// A game after its opening.
struct StartedGame {
  std::unique_ptr<games::Session> session;
  std::string start = {};    // as in GameRow
  std::string opening = {};  // the same
};

Result<StartedGame> begun_game(const ContestPlan& contest, const Opening& opening) {
  const games::AnyGame& game = contest.toolkit->game();
  StartedGame begun{game.start(contest.seed), opening.position};
  if (!opening.position.empty()) begun.session = TRY(game.start_from(opening.position));
  std::vector<std::string> played;
  for (const std::string& move : opening.moves) {
    if (begun.session->outcome() != Outcome::ongoing) break;
    const auto action = TRY(begun.session->parse_move(move));
    played.push_back(begun.session->move_text(action));
    begun.session->play(action);
  }
  if (begun.session->outcome() != Outcome::ongoing) return Error{"the game is over there"};
  begun.opening = join(played, " ");
  return begun;
}

}  // namespace

Result<Contest> open_contest(ContestPlan plan) {
  std::vector<OpenedPlayer> players;
  for (const std::string& text : plan.players) {
    auto player = TRY(open_player(*plan.toolkit, text));
    player.name = text;
    players.push_back(std::move(player));
  }
  return open_contest(std::move(plan), std::move(players));
}

Result<Contest> open_contest(ContestPlan plan, std::vector<OpenedPlayer> players) {
  Contest contest{std::move(plan), std::move(players)};
  contest.players.clear();
  const auto& facts = contest.toolkit->game().facts();
  if (facts.players != 2) {
    return Error{fmt::format("{0} has one player; `{1} eval PLAYER {0}` measures one", facts.name,
                             program_name())};
  }
  for (const OpenedPlayer& player : contest.opened) {
    if (player.is_human()) {
      return Error{
          fmt::format("a human plays with `{} play {} --vs PLAYER`", program_name(), facts.name)};
    }
    contest.players.push_back(player.name);
  }
  if (contest.players.size() < 2) return Error{"a contest needs two players at least"};
  for (auto player = contest.players.begin(); player != contest.players.end(); ++player) {
    if (contest.players.size() > 2 &&
        std::ranges::find(contest.players.begin(), player, *player) != player) {
      return Error{fmt::format("player {} is there twice", in_quotes(*player))};
    }
    for (auto other = contest.players.begin(); other != player; ++other) {
      const auto alias = player_alias(*player);
      if (alias && alias == player_alias(*other) && *player != *other) {
        return Error{fmt::format("two players are called {}", in_quotes(*alias))};
      }
    }
  }
  if (contest.games < 2 || contest.games % 2 != 0) {
    return Error{
        fmt::format("{} games cannot be paired: expected an even number from 2 on", contest.games)};
  }
  for (std::size_t i = 0; i < contest.book.size(); ++i) {
    if (const auto begun = begun_game(contest, contest.book[i]); !begun) {
      return Error{fmt::format("opening {} of the book: {}", i + 1, begun.error().message)};
    }
  }
  return contest;
}

Slot slot_of(const ContestPlan& contest, std::int64_t number) {
  const std::int64_t pairings = contest.pairings();
  const std::int64_t pair = number / 2;
  std::int64_t pairing = pair % pairings;
  Slot slot;
  slot.pair = pair;
  slot.opening = pair / pairings;
  for (std::size_t a = 0; a < contest.players.size(); pairing -= contest.met_after(a), ++a) {
    if (pairing >= contest.met_after(a)) continue;
    slot.first = a;
    slot.second = a + 1 + static_cast<std::size_t>(pairing);
    break;
  }
  if (number % 2 != 0) std::swap(slot.first, slot.second);
  return slot;
}

GameRow play_game(const Contest& contest, std::int64_t number) {
  const Stopwatch watch;
  const Slot slot = slot_of(contest, number);
  const std::array<const OpenedPlayer*, 2> sides = {&contest.opened[slot.first],
                                                    &contest.opened[slot.second]};
  // open_contest has looked at those of a book.
  StartedGame game =
      begun_game(contest, contest.book.empty() ? random_opening(contest, slot.opening)
                                               : contest.book[book_place(contest, slot.opening)])
          .value();
  const auto& session = game.session;
  std::array<std::unique_ptr<Player>, 2> players;
  std::vector<RandomStream> streams;
  for (std::size_t side = 0; side < 2; ++side) {
    players[side] = sides[side]->make();
    streams.emplace_back(contest.seed, "contest.player",
                         2 * static_cast<std::uint64_t>(number) + side);
  }
  Clocks clocks;
  if (contest.time) clocks = {{contest.time->base, contest.time->base}, contest.time->increment};
  std::vector<MoveNote> notes(static_cast<std::size_t>(session->plies()));
  Outcome outcome = session->outcome();
  std::string ending;
  while (outcome == Outcome::ongoing && !interrupted()) {
    const Side mover = session->side_to_move();
    const auto side = static_cast<std::size_t>(games::index(mover));
    const Stopwatch thinking;
    MoveAnswer choice;
    try {
      choice =
          players[side]->choose_scored(*session, streams[side], contest.time ? &clocks : nullptr);
    } catch (const PlayerError& failure) {
      ending = failure.what();
    }
    double& left = clocks.left[side];
    if (contest.time && (left -= thinking.seconds()) < 0) ending = kLostOnTime;
    if (!ending.empty()) {
      outcome = games::win_of(games::opponent(mover));
      break;
    }
    left += clocks.increment;
    notes.push_back({choice.score, mate_of(choice.known)});
    if (contest.time) notes.back().clock = left;
    session->play(choice.move);
    outcome = session->outcome();
    if (outcome != Outcome::ongoing || !contest.adjudication.is_on()) continue;
    outcome = adjudicated(contest.adjudication, notes, session->side_to_move());
    if (outcome != Outcome::ongoing) ending = kAdjudicated;
  }
  return {.number = number,
          .first = contest.players[slot.first],
          .second = contest.players[slot.second],
          .pair = slot.pair,
          .opening = std::move(game.opening),
          .outcome = std::string(games::outcome_word(outcome)),
          .plies = session->plies(),
          .moves = join(session->move_texts(), " "),
          .seconds = watch.seconds(),
          .start = std::move(game.start),
          .ending = std::move(ending),
          .notes = notes_text(notes)};
}

Score score_between(const ContestPlan& contest, const GameRows& rows, std::size_t player,
                    std::size_t opponent) {
  Score score;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]) continue;
    const Slot slot = slot_of(contest, static_cast<std::int64_t>(i));
    const bool first = slot.first == player && slot.second == opponent;
    if (!first && (slot.first != opponent || slot.second != player)) continue;
    const GamePoints points = points_for(*rows[i], first);
    score.tally.add(points, slot.pair);
    if (first) score.moving_first.add(points);
  }
  return score;
}

bool SequentialTest::advance(const GameRows& rows) {
  while (state_.decision == SprtDecision::undecided && next_ + 1 < rows.size() && rows[next_] &&
         rows[next_ + 1]) {
    const bool first = slot_of(*contest_, static_cast<std::int64_t>(next_)).first == 0;
    pairs_.add(points_for(*rows[next_], first), points_for(*rows[next_ + 1], !first));
    state_ = test_sprt(sprt_, pairs_);
    next_ += 2;
  }
  return state_.decision != SprtDecision::undecided;
}

Result<RatingTable> rate_contest(const ContestPlan& contest, const GameRows& rows,
                                 const std::optional<Anchor>& anchor) {
  std::vector<Pairing> pairings;
  for (std::size_t a = 0; a < contest.players.size(); ++a) {
    for (std::size_t b = a + 1; b < contest.players.size(); ++b) {
      const Score score = score_between(contest, rows, a, b);
      if (score.tally.record().games() == 0) continue;
      pairings.push_back({a, b, score.tally.record(), score.tally.pairs()});
    }
  }
  return rate_players(contest.players, pairings, anchor);
}

Status check_row(const ContestPlan& contest, const GameRow& row) {
  if (row.number < 0 || row.number >= contest.total_games()) {
    return Error{
        fmt::format("its number is {}; expected 0 to {}", row.number, contest.total_games() - 1)};
  }
  const Slot slot = slot_of(contest, row.number);
  for (const auto& [name, found, index] : {std::tuple("first", &row.first, slot.first),
                                           std::tuple("second", &row.second, slot.second)}) {
    const std::string& expected = contest.players[index];
    if (*found == expected) continue;
    return Error{fmt::format("its {} player is {}; expected {}", name, in_quotes(*found),
                             in_quotes(expected))};
  }
  if (row.pair != slot.pair) {
    return Error{fmt::format("its pair is {}; expected {}",
                             row.pair ? std::to_string(*row.pair) : "missing", slot.pair)};
  }
  return Done{};
}

Result<std::unique_ptr<games::Session>> replayed(const ContestPlan& contest, const GameRow& row) {
  TRY(check_row(contest, row));
  auto session = contest.toolkit->game().start(contest.seed);
  if (!row.start.empty()) {
    auto from = contest.toolkit->game().start_from(row.start);
    if (!from) return Error{fmt::format("its start: {}", from.error().message)};
    session = *std::move(from);
  }
  const auto moves = row.moves.empty() ? std::vector<std::string_view>() : split(row.moves, ' ');
  for (const std::string_view move : moves) {
    if (session->outcome() != Outcome::ongoing) {
      return Error{fmt::format("its move {} comes after the end of the game", in_quotes(move))};
    }
    const auto action = session->parse_move(move);
    if (!action) {
      return Error{fmt::format("its move {}: {}", session->plies() + 1, action.error().message)};
    }
    session->play(*action);
  }
  if (session->outcome() == Outcome::ongoing && row.ending.empty()) {
    return Error{"its moves end before the game does"};
  }
  if (session->outcome() != Outcome::ongoing &&
      games::outcome_word(session->outcome()) != row.outcome) {
    return Error{fmt::format("its outcome is {}; its moves lead to {}", in_quotes(row.outcome),
                             in_quotes(games::outcome_word(session->outcome())))};
  }
  if (session->plies() != row.plies) {
    return Error{
        fmt::format("its plies are {}; it has {}", row.plies, counted(session->plies(), "move"))};
  }
  if (!row.moves.starts_with(row.opening)) return Error{"its opening is not how it begins"};
  const auto notes = parse_notes(row.notes);
  if (!notes) return Error{fmt::format("its notes: {}", notes.error().message)};
  if (!notes->empty() && notes->size() != moves.size()) {
    return Error{fmt::format("it has notes of {}; expected {}", counted(notes->size(), "move"),
                             moves.size())};
  }
  return session;
}

Result<std::string> record_line(const ContestPlan& contest, const GameRow& row) {
  auto session = TRY(replayed(contest, row));
  games::SavedGame saved;
  saved.game = {contest.toolkit, &contest.toolkit->game()};
  saved.seed = contest.seed;
  saved.session = std::move(session);
  saved.players = {row.first, row.second};
  saved.seconds = row.seconds;
  return dump_line(games::to_json(saved));
}

}  // namespace damier::play
