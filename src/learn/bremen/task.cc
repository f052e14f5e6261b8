#include "damier/learn/bremen/task.h"

#include <algorithm>

#include "damier/exact/bremen/exact.h"
#include "damier/learn/game_task_impl.h"

namespace damier::learn {

using namespace games::bremen;

namespace {

constexpr std::string_view kPhases = "phases";
constexpr std::string_view kPublished = "published";
constexpr std::string_view kRetreat = "retreat";
constexpr int kPlayPlanes = 2 * kAnimals + 1;  // the last one is the animal that must move

// With or without rules behind it.
bool is_encoder(std::string_view encoder, std::string_view name) {
  return encoder.substr(0, encoder.find(' ')) == name;
}

class BremenTask final : public GameTask<Bremen> {
 public:
  std::vector<std::string> encoders() const override {
    return {"features", std::string(kPhases), std::string(kPublished)};
  }

  std::vector<TaskOption> options() const override {
    auto all = GameTask::options();
    all.push_back({"from", "",
                   "positions with their exact answers, as samples/bremen.txt, in the place "
                   "of any that are played; all moves that keep the value are taught"});
    return all;
  }

  nn::Shape shape_of(const Bremen& game, std::string_view encoder) const override {
    const int play = play_inputs(encoder);
    return play == 0 ? GameTask::shape_of(game, encoder)
                     : nn::Shape{play + game.draft_feature_shape().size()};
  }

  void encode(const Bremen& game, std::string_view encoder, const State& state,
              std::span<float> out) const override {
    const auto play = static_cast<std::size_t>(play_inputs(encoder));
    if (play == 0) return GameTask::encode(game, encoder, state, out);
    std::fill(out.begin(), out.end(), 0.0f);
    if (game.is_drafting(state)) return game.write_draft_features(state, out.subspan(play));
    std::array<float, kPlayPlanes * kSquares> planes;
    game.write_features(state, planes);
    std::copy_n(planes.begin(), play, out.begin());
  }

  int output_of(const Bremen& game, std::string_view encoder, const State& state,
                Move move) const override {
    if (!is_encoder(encoder, kPublished)) return GameTask::output_of(game, encoder, state, move);
    return is_draft(move) ? kFirstDraftMove + kSize * animal_of(move) + square_of(move) % kSize
                          : static_cast<int>(move);
  }

  void forget_cell(const Bremen& game, std::string_view encoder, const State& state, int cell,
                   std::span<float> inputs) const override {
    const auto play = static_cast<std::size_t>(play_inputs(encoder));
    if (play != 0 && game.is_drafting(state)) return;  // the draft is not read by squares
    GameTask::forget_cell(game, encoder, state, cell, play == 0 ? inputs : inputs.first(play));
  }

  std::pair<int, int> outputs_asked(const Bremen& game, std::string_view,
                                    const State& state) const override {
    return game.is_drafting(state) ? std::pair(kFirstDraftMove, game.action_count())
                                   : std::pair(0, kFirstDraftMove);
  }

  // In "published" a mirror image of the position has none of the answers.
  std::vector<SymmetryMaps> symmetries(std::string_view encoder) const override {
    auto all = GameTask::symmetries(encoder);
    if (is_encoder(encoder, kPublished)) all.resize(1);
    return all;
  }

  std::vector<std::string> potentials() const override {
    return {"heuristic", std::string(kRetreat)};
  }
  // Whoever must move a certain animal has one thing less to choose.
  double potential(const Bremen& game, std::string_view name, const State& state) const override {
    if (name == kRetreat) return state.duty == State::kFree ? 0 : -1;
    return GameTask::potential(game, name, state);
  }

 protected:
  Status check_together(const GenerateOptions& options) const override {
    if (!judged_file(options).empty() && options.split == "game") {
      return Error{"the split 'game' needs positions from play; expected no --from with it"};
    }
    return GameTask::check_together(options);
  }

  std::string judged_file(const GenerateOptions& options) const override {
    return text_option(options, "from");
  }

 private:
  // Those that stand before the draft's; 0 for an encoder that is not made of phases.
  static int play_inputs(std::string_view encoder) {
    if (is_encoder(encoder, kPhases)) return kPlayPlanes * kSquares;
    return is_encoder(encoder, kPublished) ? 2 * kAnimals * kSquares : 0;
  }
};

}  // namespace

template class GameTask<Bremen>;

template <>
const GameTask<Bremen>& game_task() {
  static const BremenTask task;
  return task;
}

}  // namespace damier::learn
