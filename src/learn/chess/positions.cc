#include "damier/learn/chess/positions.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/input_file.h"
#include "damier/base/files/interrupt.h"
#include "damier/games/chess/pgn_reader.h"
#include "damier/games/chess/position_csv.h"

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
  auto file = InputFile::open(path);
  if (!file) return std::move(file).error();
  std::istream in(file->get());
  auto reader = next(in, (*file)->name());
  for (bool more = true; more;) {
    if (interrupted()) return interruption();
    auto read = reader();
    if (!read) return std::move(read).error();
    more = *read;
  }
  return (*file)->status();
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
  auto status = read_all(path, [&](std::istream& in, const std::string& name) {
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
  });
  if (!status) return std::move(status).error();
  if (!games.empty()) return games;
  return Error{open > 0 ? "has no game with a result; expected 1-0, 0-1 or 1/2-1/2 behind one"
                        : "has no game; expected Portable Game Notation",
               {path}};
}

Result<std::vector<ScoredPosition>> read_position_rows(const std::string& path) {
  std::vector<ScoredPosition> rows;
  auto status = read_all(path, [&](std::istream& in, const std::string& name) {
    auto reader = std::make_shared<games::chess::PositionCsvReader>(in, name);
    return [&, reader, row = games::chess::PositionRow()]() mutable -> Result<bool> {
      auto read = reader->next(row);
      if (read && *read) rows.push_back({row.state, centipawns_of(row.target), row.target});
      return read;
    };
  });
  if (!status) return std::move(status).error();
  if (rows.empty()) return Error{"has no row below its header; expected a position", {path}};
  return rows;
}

Result<ScoredGames> ScoredGames::make(const GamesPlan& plan) {
  std::unique_ptr<Scorer> scorers[2];
  const std::optional<ScorerName>* const names[] = {&plan.player, &plan.oracle};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!*names[i]) continue;
    auto made = make_scorer(**names[i]);
    if (!made) return std::move(made).error();
    scorers[i] = *std::move(made);
  }
  return ScoredGames(plan, std::move(scorers[0]), std::move(scorers[1]));
}

Result<std::optional<double>> ScoredGames::score_now(const History& history, const Scored* known) {
  const State& state = history.state();
  if (plan_.quiet && game_.in_check(state)) return std::optional<double>();
  const auto scored = known != nullptr ? Result(*known) : oracle_->score(history);
  if (!scored) return scored.error();
  if (plan_.quiet && takes(state, scored->move)) return std::optional<double>();
  return std::optional<double>(is_white(state) ? scored->score : -scored->score);
}

Status ScoredGames::new_game() {
  for (Scorer* const scorer : {player_.get(), oracle_.get()}) {
    if (scorer == nullptr) continue;
    if (auto status = scorer->new_game(); !status) return status;
  }
  return Done{};
}

Result<std::vector<ScoredPosition>> ScoredGames::play(std::uint64_t number) {
  if (auto status = new_game(); !status) return std::move(status).error();
  RandomStream random(plan_.seed, "chess.games", number);
  History history(game_, game_.initial());
  const auto at_random = [&] {
    const auto moves = game_.legal_moves(history.state());
    history.play(moves[static_cast<std::size_t>(random.below(moves.size()))]);
  };
  // One more at times, so that either side is the first to think.
  const auto opening =
      static_cast<std::size_t>(plan_.opening) + static_cast<std::size_t>(random.below(2));
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
    const bool labels_too = player_ == nullptr;
    const auto thought = (labels_too ? oracle_ : player_)->score(history);
    if (!thought) return thought.error();
    const bool first = history.moves().size() == opening;
    if (first && plan_.even > 0 && std::abs(thought->score) > plan_.even) break;
    const bool drawn = random.uniform() < plan_.share;
    if (drawn && history.moves().size() >= static_cast<std::size_t>(plan_.skip)) {
      const auto score = score_now(history, labels_too ? &*thought : nullptr);
      if (!score) return score.error();
      if (*score) taken.push_back({history.state(), **score});
    }
    if (std::abs(thought->score) >= kDecided) {
      result = (thought->score > 0) == is_white(history.state()) ? 1 : 0;
      break;
    }
    if (random.uniform() < plan_.noise) {
      at_random();
    } else {
      history.play(thought->move);
    }
  }
  for (ScoredPosition& one : taken) one.result = result;
  return taken;
}

Result<std::vector<ScoredPosition>> ScoredGames::score(const RecordedGame& game,
                                                       std::uint64_t number) {
  if (auto status = new_game(); !status) return std::move(status).error();
  RandomStream random(plan_.seed, "chess.games", number);
  History history(game_, game.start);
  std::vector<ScoredPosition> taken;
  for (std::size_t i = 0; i < game.moves.size() && !interrupted(); ++i) {
    history.play(game.moves[i]);
    if (random.uniform() >= plan_.share || game_.count_moves(history.state()) == 0) continue;
    if (oracle_ == nullptr) {
      const bool noisy =
          plan_.quiet && (game_.in_check(history.state()) ||
                          (i + 1 < game.moves.size() && takes(history.state(), game.moves[i + 1])));
      if (!noisy && game.scores[i]) {
        taken.push_back({history.state(), static_cast<double>(*game.scores[i]), game.result});
      }
      continue;
    }
    const auto score = score_now(history);
    if (!score) return score.error();
    if (*score) taken.push_back({history.state(), **score, game.result});
  }
  return taken;
}

}  // namespace damier::learn::chess
