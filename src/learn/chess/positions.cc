#include "damier/learn/chess/positions.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/games/any_game_impl.h"
#include "damier/games/chess/encoders.h"
#include "damier/games/chess/pgn.h"
#include "damier/learn/teacher.h"

namespace damier::learn::chess {

namespace {

constexpr double kCentipawnScale = 400;
// A game of two engines ends where one of them is this far ahead, or after this many plies.
constexpr int kDecided = 1500;
constexpr std::size_t kMaxPlies = 300;

bool is_white(const State& state) { return state.side == games::Side::first; }

bool takes(const State& state, Move move) {
  if (is_castling(move)) return false;
  return is_promotion(move) || type_of(move) == games::chess::MoveType::en_passant ||
         (state.occupied() & bit(to_of(move))) != 0;
}

std::optional<double> result_in(std::string_view text) {
  if (text == "1-0") return 1.0;
  if (text == "0-1") return 0.0;
  if (text == "1/2-1/2") return 0.5;
  return std::nullopt;
}

int score_in(const games::chess::PgnEval& eval) {
  if (eval.is_mate) return eval.value < 0 ? -kMaxCentipawns : kMaxCentipawns;
  return std::clamp(eval.value, -kMaxCentipawns, kMaxCentipawns);
}

// Calls next() until it is false; the file's own errors come last.
template <class Next>
Status read_all(const std::string& path, const Next& next) {
  auto file = TRY(InputFile::open(path));
  std::istream in(file.get());
  auto reader = next(in, file->name());
  for (bool more = true; more;) {
    if (interrupted()) return interruption();
    more = TRY(reader());
  }
  return file->status();
}

}  // namespace

double expected_of(double centipawns) { return 1 / (1 + std::exp(-centipawns / kCentipawnScale)); }

double centipawns_of(double expected) {
  constexpr double kMax = kMaxCentipawns;
  if (!(expected > 0)) return -kMax;
  if (!(expected < 1)) return kMax;
  return std::clamp(kCentipawnScale * std::log(expected / (1 - expected)), -kMax, kMax);
}

Result<std::vector<RecordedGame>> read_recorded_games(const std::string& path) {
  std::vector<RecordedGame> games;
  std::uint64_t open = 0;
  const auto next = [&](std::istream& in, const std::string& name) {
    auto reader = std::make_shared<games::chess::PgnReader>(
        in, name, games::chess::PgnReaderOptions{.variations = false});
    return [&, reader, game = games::chess::PgnGame()]() mutable -> Result<bool> {
      auto read = reader->next(game);
      if (!read || !*read) return read;
      const auto result = result_in(game.result);
      open += !result;
      if (!result) return true;
      RecordedGame& kept = games.emplace_back();
      kept.start = game.start;
      kept.result = *result;
      for (const games::chess::PgnPly& ply : game.line) {
        kept.moves.push_back(ply.move);
        kept.scores.push_back(ply.eval ? std::optional(score_in(*ply.eval)) : std::nullopt);
      }
      return true;
    };
  };
  TRY(read_all(path, next));
  if (!games.empty()) return games;
  return Error{open > 0 ? "has no game with a result; expected 1-0, 0-1 or 1/2-1/2 behind one"
                        : "has no game; expected Portable Game Notation",
               {path}};
}

Result<std::vector<ScoredPosition>> read_position_rows(const std::string& path) {
  std::vector<ScoredPosition> rows;
  const auto next = [&](std::istream& in, const std::string& name) {
    auto reader = std::make_shared<games::chess::PositionCsvReader>(in, name);
    return [&, reader, row = games::chess::PositionRow()]() mutable -> Result<bool> {
      auto read = reader->next(row);
      if (read && *read) rows.push_back({row.state, centipawns_of(row.target), row.target});
      return read;
    };
  };
  TRY(read_all(path, next));
  if (rows.empty()) return Error{"has no row below its header; expected a position", {path}};
  return rows;
}

namespace {

struct Scored {
  Move move;
  int score = 0;  // hundredths of a pawn, for the side to move
};

// A player of one game, asked for scores.
class Scorer {
 public:
  Scorer(const std::optional<play::OpenedPlayer>& opened, RandomStream random)
      : player_(opened ? opened->make() : nullptr), random_(random) {}

  bool is_there() const { return player_ != nullptr; }

  Scored score(const History& history) {
    const auto session = games::session_of(history);
    play::MoveAnswer choice = player_->choose_scored(*session, random_, nullptr);
    if (!choice.score && !choice.known.is_certain()) {
      choice = player_->answer(*session, {.lines = 1, .random = &random_}).best();
    }
    const Move move = *history.game().move(history.state(), choice.move);
    if (choice.known.verdict == games::Verdict::win) return {move, kMaxCentipawns};
    if (choice.known.verdict == games::Verdict::loss) return {move, -kMaxCentipawns};
    if (choice.score) return {move, std::clamp(*choice.score, -kMaxCentipawns, kMaxCentipawns)};
    if (choice.value) return {move, static_cast<int>(centipawns_of((1 + *choice.value) / 2))};
    throw play::PlayerError(Error{"a player says no score of the move that it plays"});
  }

 private:
  std::unique_ptr<play::Player> player_;
  RandomStream random_;
};

// What White may expect of the position; nothing where it is not wanted.
std::optional<double> wanted_score(const GamesPlan& plan, Scorer& teacher, const History& history,
                                   const Scored* known = nullptr) {
  const State& state = history.state();
  if (plan.quiet && plan.game.in_check(state)) return std::nullopt;
  const Scored scored = known != nullptr ? *known : teacher.score(history);
  if (plan.quiet && takes(state, scored.move)) return std::nullopt;
  return is_white(state) ? scored.score : -scored.score;
}

}  // namespace

std::vector<ScoredPosition> play_scored(const GamesPlan& plan, std::uint64_t number) {
  Scorer player(plan.player, RandomStream(plan.seed, "chess.player", number));
  Scorer teacher(plan.teacher, RandomStream(plan.seed, "chess.teacher", number));
  RandomStream random(plan.seed, "chess.games", number);
  History history(plan.game, plan.game.initial());
  const auto at_random = [&] { history.play(random_move(history, random)); };
  // One more at times, so that either side is the first to think.
  const auto opening =
      static_cast<std::size_t>(plan.opening) + static_cast<std::size_t>(random.below(2));
  while (history.moves().size() < opening && history.outcome() == games::Outcome::ongoing) {
    at_random();
  }
  std::vector<ScoredPosition> taken;
  double result = 0.5;
  while (history.moves().size() < kMaxPlies && !interrupted()) {
    const games::Outcome outcome = history.outcome();
    if (outcome != games::Outcome::ongoing) {
      if (outcome != games::Outcome::draw) {
        result = outcome == games::win_of(games::Side::first) ? 1 : 0;
      }
      break;
    }
    const bool labels_too = !player.is_there();
    const Scored thought = (labels_too ? teacher : player).score(history);
    const bool first = history.moves().size() == opening;
    if (first && plan.even > 0 && std::abs(thought.score) > plan.even) break;
    const bool drawn = random.uniform() < plan.share;
    if (drawn && history.moves().size() >= static_cast<std::size_t>(plan.skip)) {
      if (const auto score =
              wanted_score(plan, teacher, history, labels_too ? &thought : nullptr)) {
        taken.push_back({history.state(), *score});
      }
    }
    if (std::abs(thought.score) >= kDecided) {
      result = (thought.score > 0) == is_white(history.state()) ? 1 : 0;
      break;
    }
    if (random.uniform() < plan.noise) {
      at_random();
    } else {
      history.play(thought.move);
    }
  }
  for (ScoredPosition& one : taken) one.result = result;
  return taken;
}

std::vector<ScoredPosition> score_recorded(const GamesPlan& plan, const RecordedGame& game,
                                           std::uint64_t number) {
  Scorer teacher(plan.teacher, RandomStream(plan.seed, "chess.teacher", number));
  RandomStream random(plan.seed, "chess.games", number);
  History history(plan.game, game.start);
  std::vector<ScoredPosition> taken;
  for (std::size_t i = 0; i < game.moves.size() && !interrupted(); ++i) {
    history.play(game.moves[i]);
    const bool drawn = random.uniform() < plan.share;
    if (!drawn || plan.game.count_moves(history.state()) == 0) continue;
    if (teacher.is_there()) {
      if (const auto score = wanted_score(plan, teacher, history)) {
        taken.push_back({history.state(), *score, game.result});
      }
      continue;
    }
    const bool noisy =
        plan.quiet && (plan.game.in_check(history.state()) ||
                       (i + 1 < game.moves.size() && takes(history.state(), game.moves[i + 1])));
    if (!noisy && game.scores[i]) {
      taken.push_back({history.state(), static_cast<double>(*game.scores[i]), game.result});
    }
  }
  return taken;
}

}  // namespace damier::learn::chess
