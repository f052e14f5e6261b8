#include "damier/play/analysis/played_game.h"

#include <algorithm>
#include <mutex>

#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/threads.h"

namespace damier::play {

namespace {

using games::Outcome;
using games::Side;

std::optional<Worth> worth_of(const MoveAnswer& move) {
  if (move.known.is_certain()) return Worth{value_of(move.known.verdict), move.known};
  if (!move.value) return std::nullopt;
  return Worth{.value = *move.value, .score = move.score};
}

// What a position is worth to the one who moved into it: what was thought of the move itself may be
// a bound only, or the fruit of a few visits.
std::optional<Worth> worth_after(const games::Session& after, const Answer& answer, Side mover) {
  if (after.outcome() != Outcome::ongoing) {
    const Verdict verdict = verdict_of(after.outcome(), mover);
    return Worth{value_of(verdict), {verdict, 1}};
  }
  if (answer.moves.empty()) return std::nullopt;
  auto worth = worth_of(answer.best());
  if (!worth) return worth;
  worth->known = one_ply_before(worth->known);
  if (after.side_to_move() == mover) return worth;
  if (worth->score) worth->score = -*worth->score;
  return Worth{-worth->value, seen_from_other_side(worth->known), worth->score};
}

Answer answer_to(const Toolkit& toolkit, Player& player, const games::Session& position, Seed seed,
                 std::size_t number) {
  if (position.outcome() != Outcome::ongoing) return {};
  RandomStream random(seed, "analyze", number);
  Answer answer = player.answer(position, {.every_move = true, .random = &random});
  if (const auto certain = known_answer(toolkit, position)) add_known(answer, *certain);
  return answer;
}

}  // namespace

std::optional<std::size_t> grade_of(double loss) {
  for (std::size_t i = 0; i < kGrades.size(); ++i) {
    if (loss >= kGrades[i].least) return i;
  }
  return std::nullopt;
}

PlayedGame::PlayedGame(const games::SavedGame& game, std::size_t from) : game_(game) {
  auto session = game.session->clone();
  positions_.push_back(session->clone());
  while (session->undo()) positions_.push_back(session->clone());
  std::reverse(positions_.begin(), positions_.end());
  answers_.resize(positions_.size());
  after_best_.resize(positions_.size());
  best_answers_.resize(positions_.size());
  const auto texts = game.session->move_texts();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    PlayedMove& move = moves_.emplace_back();
    move.side = positions_[i]->side_to_move();
    move.move = texts[i];
    if (!facts().hidden_information) move.position = positions_[i]->position_text();
  }
  begin_ = end_ = std::min(from, moves_.size());
}

void PlayedGame::judge(const Toolkit& toolkit, const PlayerFactory& make, Seed seed,
                       ThreadPool& pool, const OnMove& on_move) {
  if (begin_ == moves_.size()) return;
  Workers<std::unique_ptr<Player>> players;
  std::mutex mutex;
  std::vector<std::uint8_t> known(positions_.size());  // guarded by mutex, as is the rest
  players.for_each(pool, positions_.size() - begin_, make,
                   [&](const std::unique_ptr<Player>& player, std::size_t number) {
                     const std::size_t i = begin_ + number;
                     if (interrupted()) return;
                     think_of(toolkit, *player, seed, i);
                     if (interrupted()) return;  // the thought was cut short
                     const std::lock_guard lock(mutex);
                     known[i] = 1;
                     while (end_ < moves_.size() && known[end_] != 0 && known[end_ + 1] != 0) {
                       compare(end_);
                       on_move(end_++);
                     }
                   });
}

void PlayedGame::judge(
    const std::function<std::optional<Judgement>(const games::Session&, games::Action)>& own,
    const OnMove& on_move) {
  while (end_ < moves_.size() && !interrupted()) {
    PlayedMove& move = moves_[end_];
    const auto action = positions_[end_]->parse_move(move.move);
    if (const auto judged = action ? own(*positions_[end_], *action) : std::nullopt) {
      move.words = judged->words;
      move.best = judged->best;
      move.loss = judged->loss;
    }
    on_move(end_++);
  }
}

void PlayedGame::think_of(const Toolkit& toolkit, Player& player, Seed seed, std::size_t i) {
  answers_[i] = answer_to(toolkit, player, *positions_[i], seed, i);
  if (i == moves_.size() || answers_[i].moves.empty()) return;
  // A move that was not played is judged as the played one is, after it: thoughts from two
  // positions compare only if they are equally deep.
  const games::Action best = answers_[i].best().move;
  if (positions_[i]->move_text(best) == moves_[i].move) return;
  auto after = positions_[i]->clone();
  after->play(best);
  best_answers_[i] = answer_to(toolkit, player, *after, seed, i + 1);
  after_best_[i] = std::move(after);
}

// With the best move.
void PlayedGame::compare(std::size_t i) {
  PlayedMove& move = moves_[i];
  if (answers_[i].moves.empty()) return;
  move.worth = worth_after(*positions_[i + 1], answers_[i + 1], move.side);
  move.best_worth = move.worth;
  if (after_best_[i] == nullptr) {
    if (!move.worth) move.worth = worth_of(answers_[i].moves.front());
    move.loss = 0;
    return;
  }
  move.best_worth = worth_after(*after_best_[i], best_answers_[i], move.side);
  if (!move.worth || !move.best_worth) return;
  move.loss = std::max(0.0, move.best_worth->value - move.worth->value);
  if (move.loss > 0) move.best = positions_[i]->move_text(answers_[i].best().move);
}

SideSummary PlayedGame::summary_of(Side side) const {
  SideSummary summary;
  for (const PlayedMove& move : moves_) {
    if (move.side != side || !move.loss) continue;
    ++summary.moves;
    summary.best += *move.loss == 0;
    summary.loss += *move.loss;
    if (const auto grade = grade_of(*move.loss)) ++summary.grades[*grade];
  }
  return summary;
}

std::vector<std::string> PlayedGame::better_line(std::size_t i) const {
  std::vector<std::string> texts;
  if (moves_[i].best.empty()) return texts;
  const auto ahead = positions_[i]->clone();
  for (const games::Action action : answers_[i].line) {
    if (ahead->outcome() != Outcome::ongoing) break;
    texts.push_back(ahead->move_text(action));
    ahead->play(action);
  }
  return texts;
}

}  // namespace damier::play
