#include "damier/play/minesweeper/patch_player.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/numbers/bits.h"

namespace damier::play {

using games::minesweeper::Act;
using games::minesweeper::Grid;
using games::minesweeper::is_number;
using games::minesweeper::Minesweeper;
using games::minesweeper::Move;
using games::minesweeper::Observation;
using games::minesweeper::State;

namespace {

constexpr std::size_t kKeptBytes = std::size_t{2} << 20;
// Instead of a row of the batch.
constexpr std::int32_t kEmpty = -2;
constexpr std::int32_t kKnown = -1;

Move move_of(Act act, int cell) { return {act, static_cast<std::uint16_t>(cell)}; }

// The first of the smallest.
std::size_t least(std::span<const float> probabilities) {
  return static_cast<std::size_t>(std::min_element(probabilities.begin(), probabilities.end()) -
                                  probabilities.begin());
}

}  // namespace

PatchPlayer::PatchPlayer(std::shared_ptr<model::Predictor> predictor, model::PatchHead head,
                         int diameter, const PatchPlayerOptions& options)
    : predictor_(std::move(predictor)), head_(head), diameter_(diameter), options_(options) {
  assert(diameter >= model::kMinDiameter && diameter <= model::kMaxDiameter && diameter % 2 == 1);
  const auto cells = at(diameter * diameter);
  slots_ = std::bit_floor(kKeptBytes / cells);
  slot_patch_.resize(slots_ * cells);
  slot_probability_.resize(slots_);
  slot_row_.assign(slots_, kEmpty);
}

Result<PatchPlayer> PatchPlayer::open(std::shared_ptr<model::Predictor> predictor,
                                      const PatchPlayerOptions& options) {
  const auto head = TRY(model::PatchHead::find(predictor->spec()));
  const int inputs = predictor->spec().input.size();
  const int diameter = static_cast<int>(std::lround(std::sqrt(inputs)));
  if (diameter * diameter != inputs || diameter < model::kMinDiameter ||
      diameter > model::kMaxDiameter || diameter % 2 == 0) {
    return Error{
        fmt::format("the network's input is {}; expected the cells of a square of 3 x 3, "
                    "5 x 5, …, {} x {}",
                    predictor->spec().input.text(), model::kMaxDiameter, model::kMaxDiameter)};
  }
  return PatchPlayer(std::move(predictor), head, diameter, options);
}

void PatchPlayer::evaluate(std::span<const int> cells) {
  const auto width = at(diameter_ * diameter_);
  inputs_.clear();
  row_slot_.clear();
  cell_row_.clear();
  probabilities_.resize(cells.size());
  model::Patch patch;
  patch.diameter = diameter_;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    board_.cut(cells[i], patch.codes.data());
    const std::size_t slot = static_cast<std::size_t>(model::hash_of(patch)) & (slots_ - 1);
    Code* const kept = slot_patch_.data() + slot * width;
    if (slot_row_[slot] == kEmpty || !std::equal(kept, kept + width, patch.codes.data())) {
      std::copy_n(patch.codes.data(), width, kept);
      slot_row_[slot] = static_cast<std::int32_t>(row_slot_.size());
      row_slot_.push_back(slot);
      for (const Code code : patch.seen()) inputs_.push_back(static_cast<float>(code));
    }
    cell_row_.push_back(slot_row_[slot]);
    probabilities_[i] = slot_probability_[slot];  // if it is known
  }
  const std::size_t rows = row_slot_.size();
  if (rows == 0) return;
  predictor_->run(inputs_, rows);
  const auto output = predictor_->output(head_.head);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cell_row_[i] != kKnown) probabilities_[i] = head_.probability(output[at(cell_row_[i])]);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    // Another patch of this batch may have taken the place.
    const std::size_t slot = row_slot_[row];
    if (slot_row_[slot] != static_cast<std::int32_t>(row)) continue;
    slot_probability_[slot] = head_.probability(output[row]);
    slot_row_[slot] = kKnown;
  }
}

std::optional<Move> PatchPlayer::planned() {
  while (!plan_.empty()) {
    const Step step = plan_.back();
    plan_.pop_back();
    const int cell = step.move.cell;
    const bool inside = cell < board_.rows() * board_.cols();
    if (inside && board_.code_at(cell) == step.expected) return step.move;
    if (!step.may_be_skipped) plan_.clear();  // somebody else has moved
  }
  return std::nullopt;
}

// Every masked cell has a flag: all are lifted, the safest is opened, and those that are still
// masked are flagged again.
void PatchPlayer::plan_without_flags() {
  for (const int cell : flagged_) board_.set(cell, Code::masked);
  evaluate(flagged_);
  for (const int cell : flagged_) board_.set(cell, Code::flag);
  const int safest = flagged_[least(probabilities_)];
  for (const int cell : flagged_) {
    if (cell != safest) plan_.push_back({move_of(Act::flag, cell), Code::masked, true});
  }
  plan_.push_back({move_of(Act::open, safest), Code::masked, false});
  for (const int cell : flagged_) {
    plan_.push_back({move_of(Act::flag, cell), Code::flag, false});
  }
}

Move PatchPlayer::decide_with_flags(int bombs) {
  if (masked_.empty()) {
    if (!flagged_.empty()) plan_without_flags();
    return planned().value_or(Move{});
  }
  evaluate(masked_);
  const std::size_t safest = least(probabilities_);
  const auto likeliest = static_cast<std::size_t>(
      std::max_element(probabilities_.begin(), probabilities_.end()) - probabilities_.begin());
  const double lowest = probabilities_[safest], highest = probabilities_[likeliest];
  const bool opens = lowest < options_.playful - highest || highest <= options_.threshold;
  const bool has_flag = options_.unlimited_flags || static_cast<int>(flagged_.size()) < bombs;
  return opens || !has_flag ? move_of(Act::open, masked_[safest])
                            : move_of(Act::flag, masked_[likeliest]);
}

// What board_ shows decides; a player without flags has none on it.
Move PatchPlayer::decide(int bombs, RandomStream& random) {
  const int cells = board_.rows() * board_.cols();
  bool fresh = true;
  masked_.clear();
  flagged_.clear();
  for (int cell = 0; cell < cells; ++cell) {
    const Code code = board_.code_at(cell);
    if (code == Code::masked) masked_.push_back(cell);
    if (code == Code::flag) flagged_.push_back(cell);
    fresh = fresh && !is_number(code);
  }
  if (fresh) {
    plan_.clear();
    const int cell = static_cast<int>(random.below(static_cast<std::uint64_t>(cells)));
    return move_of(board_.code_at(cell) == Code::flag ? Act::flag : Act::open, cell);
  }
  if (const auto next = planned()) return *next;
  if (options_.flags) return decide_with_flags(bombs);
  if (masked_.empty()) return {};
  evaluate(masked_);
  return move_of(Act::open, masked_[least(probabilities_)]);
}

Move PatchPlayer::choose(const Observation& view, RandomStream& random) {
  board_.load(view, diameter_);
  if (!options_.flags) {
    for (int cell = 0; cell < view.rows * view.cols; ++cell) {
      if (view.cells[at(cell)] == Code::flag) board_.set(cell, Code::masked);
    }
  }
  Move move = decide(view.bombs, random);
  if (move.act == Act::open && view.cells[move.cell] == Code::flag) move.act = Act::flag;
  return move;
}

std::vector<float> PatchPlayer::probabilities(const Observation& view) {
  board_.load(view, diameter_);
  masked_.clear();
  for (int cell = 0; cell < view.rows * view.cols; ++cell) {
    if (view.cells[at(cell)] == Code::flag && !options_.flags) board_.set(cell, Code::masked);
    if (board_.code_at(cell) == Code::masked) masked_.push_back(cell);
  }
  evaluate(masked_);
  std::vector<float> all(view.cells.size(), -1.0f);
  for (std::size_t i = 0; i < masked_.size(); ++i) all[at(masked_[i])] = probabilities_[i];
  return all;
}

games::HiddenResult PatchPlayer::play(const Minesweeper& game, Seed deal, RandomStream& random) {
  State state = game.deal(deal);
  board_.reset(game.rows(), game.cols(), diameter_);
  plan_.clear();
  Grid seen = {};
  games::HiddenResult result;
  const int safe_cells = game.cells() - game.bombs();
  while (!state.lost && result.score < safe_cells) {
    const Move move = decide(game.bombs(), random);
    const int row = move.cell / game.cols(), col = move.cell % game.cols();
    if (move.act == Act::flag) {
      state.flags[at(row)] ^= games::minesweeper::Row{1} << col;
      const bool flagged = state.flags[at(row)] >> col & 1;
      board_.set(move.cell, flagged ? Code::flag : Code::masked);
      continue;
    }
    game.open(state, row, col);
    if (state.lost) break;
    for (int r = 0; r < game.rows(); ++r) {
      for (auto rest = state.open[at(r)] & ~seen[at(r)]; rest != 0; rest &= rest - 1) {
        const int c = lowest_bit(rest);
        board_.set(r * game.cols() + c, static_cast<Code>(game.number(state, r, c)));
        ++result.score;
      }
      seen[at(r)] = state.open[at(r)];
    }
  }
  result.won = !state.lost;
  return result;
}

}  // namespace damier::play
