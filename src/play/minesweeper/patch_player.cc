// The players with a network of patches.

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "damier/exact/minesweeper/dealt_game.h"
#include "damier/model/minesweeper/patch.h"
#include "damier/play/minesweeper/players.h"

namespace damier::play {

namespace {

using games::minesweeper::Act;
using games::minesweeper::Move;

constexpr std::size_t kKeptBytes = std::size_t{2} << 20;
// Instead of a row of the batch.
constexpr std::int32_t kEmpty = -2;
constexpr std::int32_t kKnown = -1;

Move move_of(Act act, int cell) { return {act, static_cast<std::uint16_t>(cell)}; }

// The first of the smallest.
std::size_t least(std::span<const float> probabilities) {
  return static_cast<std::size_t>(std::ranges::min_element(probabilities) - probabilities.begin());
}

class PatchPlayer final : public MinesweeperPlayer {
 public:
  PatchPlayer(std::unique_ptr<model::Predictor> predictor, model::PatchHead head, int diameter,
              const PatchPlayerOptions& options)
      : predictor_(std::move(predictor)), head_(head), diameter_(diameter), options_(options) {
    const auto cells = at(diameter * diameter);
    slots_ = std::bit_floor(kKeptBytes / cells);
    slot_patch_.resize(slots_ * cells);
    slot_probability_.resize(slots_);
    slot_row_.assign(slots_, kEmpty);
  }

  Move choose_move(const Observation& view, RandomStream& random) override {
    load(view);
    Move move = decide(view.bombs, random);
    if (move.act == Act::open && view.cells[move.cell] == Code::flag) move.act = Act::flag;
    return move;
  }

  // -1 of cells that are not masked. A player without flags takes a flagged cell for a masked one.
  std::vector<float> probabilities(const Observation& view) override {
    load(view);
    list_cells();
    evaluate(masked_);
    std::vector<float> all(view.cells.size(), -1.0f);
    for (std::size_t i = 0; i < masked_.size(); ++i) all[at(masked_[i])] = probabilities_[i];
    return all;
  }

  games::HiddenResult play(const Minesweeper& game, Seed deal, RandomStream& random) override {
    exact::minesweeper::DealtGame dealt(game, deal);
    board_.reset(game.rows(), game.cols(), diameter_);
    plan_.clear();
    while (!dealt.over()) {
      const Move move = decide(game.bombs(), random);
      if (move.act == Act::open) {
        dealt.open(move.cell,
                   [&](int cell, int number) { board_.set(cell, static_cast<Code>(number)); });
        continue;
      }
      const bool flagged = board_.code_at(move.cell) != Code::flag;
      dealt.state.flags[at(move.cell / game.cols())] ^= games::minesweeper::Row{1}
                                                        << move.cell % game.cols();
      board_.set(move.cell, flagged ? Code::flag : Code::masked);
    }
    return dealt.result;
  }

 private:
  // What is still to be done after all flags were found wanting.
  struct Step {
    games::minesweeper::Move move;
    Code expected = Code::masked;  // what the cell must show for it
    bool may_be_skipped = false;
  };

  // Probabilities of the cells, in their order, into probabilities_.
  void evaluate(std::span<const int> cells) {
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

  std::optional<Move> planned() {
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
  void plan_without_flags() {
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

  Move decide_with_flags(int bombs) {
    if (masked_.empty()) {
      if (!flagged_.empty()) plan_without_flags();
      return planned().value_or(Move{});
    }
    evaluate(masked_);
    const std::size_t safest = least(probabilities_);
    const auto likeliest =
        static_cast<std::size_t>(std::ranges::max_element(probabilities_) - probabilities_.begin());
    const double lowest = probabilities_[safest], highest = probabilities_[likeliest];
    const bool opens = lowest < options_.playful - highest || highest <= options_.threshold;
    const bool has_flag = options_.unlimited_flags || static_cast<int>(flagged_.size()) < bombs;
    return opens || !has_flag ? move_of(Act::open, masked_[safest])
                              : move_of(Act::flag, masked_[likeliest]);
  }

  // Into masked_ and flagged_; whether no number is to be seen.
  bool list_cells() {
    bool fresh = true;
    masked_.clear();
    flagged_.clear();
    for (int cell = 0; cell < board_.rows() * board_.cols(); ++cell) {
      const Code code = board_.code_at(cell);
      if (code == Code::masked) masked_.push_back(cell);
      if (code == Code::flag) flagged_.push_back(cell);
      fresh = fresh && !is_number(code);
    }
    return fresh;
  }

  // What board_ shows decides.
  Move decide(int bombs, RandomStream& random) {
    if (list_cells()) {
      plan_.clear();
      const auto cells = static_cast<std::uint64_t>(board_.rows() * board_.cols());
      const int cell = static_cast<int>(random.below(cells));
      return move_of(board_.code_at(cell) == Code::flag ? Act::flag : Act::open, cell);
    }
    if (const auto next = planned()) return *next;
    if (options_.flags) return decide_with_flags(bombs);
    if (masked_.empty()) return {};
    evaluate(masked_);
    return move_of(Act::open, masked_[least(probabilities_)]);
  }

  // A player without flags puts none on its board.
  void load(const Observation& view) {
    board_.load(view, diameter_);
    for (int cell = 0; !options_.flags && cell < view.rows * view.cols; ++cell) {
      if (view.cells[at(cell)] == Code::flag) board_.set(cell, Code::masked);
    }
  }

  std::unique_ptr<model::Predictor> predictor_;
  model::PatchHead head_;
  int diameter_;
  PatchPlayerOptions options_;
  model::WalledBoard board_;
  std::vector<int> masked_, flagged_;  // cells of the board, in order
  std::vector<float> probabilities_;
  std::vector<Step> plan_;  // the next one last

  // The predictions that are kept: a place for each hash, with the patch that it is of.
  std::size_t slots_;
  std::vector<Code> slot_patch_;
  std::vector<float> slot_probability_;
  std::vector<std::int32_t> slot_row_;  // of the batch that is being asked; or a constant
  // The batch.
  std::vector<float> inputs_;
  std::vector<std::size_t> row_slot_;
  std::vector<std::int32_t> cell_row_;
};

}  // namespace

Result<MinesweeperFactory> patch_players(std::shared_ptr<const model::Predictor> predictor,
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
  return MinesweeperFactory(
      [=] { return std::make_unique<PatchPlayer>(predictor->clone(), head, diameter, options); });
}

}  // namespace damier::play
