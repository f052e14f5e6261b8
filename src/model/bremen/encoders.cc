#include "damier/model/bremen/encoders.h"

#include "damier/model/encoder_impl.h"

namespace damier::model {

using namespace games::bremen;

namespace {

constexpr int kPlayPlanes = 2 * kAnimals + 1;  // the last one is the animal that must move

class BoardEncoder : public Encoder<Bremen> {
 public:
  using Encoder::Encoder;

  std::pair<int, int> outputs_asked(const State& state) const override {
    return game().is_drafting(state) ? std::pair(kFirstDraftMove, output_count())
                                     : std::pair(0, kFirstDraftMove);
  }
};

class PhasesEncoder : public BoardEncoder {
 public:
  PhasesEncoder(const Bremen& game, std::string_view name)
      : PhasesEncoder(game, name, kPlayPlanes * kSquares) {}

  void encode(const State& state, std::span<float> out) const override {
    std::fill(out.begin(), out.end(), 0.0f);
    if (game().is_drafting(state)) return game().write_draft_features(state, out.subspan(play_));
    std::array<float, kPlayPlanes * kSquares> planes;
    game().write_features(state, planes);
    std::copy_n(planes.begin(), play_, out.begin());
  }

  void forget_cell(const State& state, int cell, std::span<float> inputs) const override {
    if (game().is_drafting(state)) return;  // the draft is not read by squares
    Encoder::forget_cell(state, cell, inputs.first(play_));
  }

 protected:
  // `play`: the inputs that stand before the draft's.
  PhasesEncoder(const Bremen& game, std::string_view name, int play)
      : BoardEncoder(game, name, nn::Shape{play + game.draft_feature_shape().size()},
                     game.action_count()),
        play_(static_cast<std::size_t>(play)) {}

 private:
  std::size_t play_;
};

class PublishedEncoder final : public PhasesEncoder {
 public:
  PublishedEncoder(const Bremen& game, std::string_view name)
      : PhasesEncoder(game, name, 2 * kAnimals * kSquares) {}

  int output_of(const State&, Move move) const override {
    return is_draft(move) ? kFirstDraftMove + kSize * animal_of(move) + square_of(move) % kSize
                          : static_cast<int>(move);
  }

  // A mirror image of the position has none of the answers.
  std::vector<SymmetryMaps> symmetries() const override {
    auto all = Encoder::symmetries();
    all.resize(1);
    return all;
  }
};

}  // namespace

template class Encoder<Bremen>;

template <>
std::vector<EncoderKind<Bremen>> encoder_kinds() {
  return {encoder_kind<BoardEncoder, Bremen>("features"),
          encoder_kind<PhasesEncoder, Bremen>("phases"),
          encoder_kind<PublishedEncoder, Bremen>("published")};
}

}  // namespace damier::model
