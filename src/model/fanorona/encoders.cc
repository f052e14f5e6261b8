#include "damier/model/fanorona/encoders.h"

#include <cassert>

#include "damier/exact/fanorona/exact.h"
#include "damier/model/encoder_impl.h"

namespace damier::model {

using namespace games::fanorona;

namespace {

class FlatEncoder : public Encoder<Fanorona> {
 public:
  FlatEncoder(const Fanorona& game, std::string_view name, nn::Shape shape = nn::Shape{46})
      : Encoder(game, name, std::move(shape), game.action_count()) {}

  void forget_cell(const State&, int cell, std::span<float> inputs) const override {
    for (std::size_t content = 0; content < kContents; ++content) {
      inputs[kContents * static_cast<std::size_t>(cell) + content] = 0;
    }
  }

  std::vector<SymmetryMaps> symmetries() const override {
    auto all = Encoder::symmetries();
    const auto own = game().symmetries(game().initial());
    assert(all.size() == own.size());  // all hold everywhere
    for (std::size_t i = 0; i < all.size(); ++i) {
      ColumnMap policy{"policy", std::vector<std::uint32_t>(kFanoronaPolicy),
                       std::vector<float>(kFanoronaPolicy, 1.0f)};
      for (int point = 0; point < kPoints; ++point) {
        const int to = from_of(game().transformed(make_move(point, point), own[i]));
        for (const int half : {0, kPoints}) {
          policy.source[static_cast<std::size_t>(half + to)] =
              static_cast<std::uint32_t>(half + point);
        }
      }
      all[i].push_back(std::move(policy));
    }
    return all;
  }

  Result<MoveHeads> heads_of(const nn::NetworkSpec& spec) const override {
    MoveHeads heads;
    if (auto all = Encoder::heads_of(spec)) heads = *all;
    for (std::size_t i = 0; i < spec.heads.size(); ++i) {
      const std::string& head = spec.heads[i].name;
      if (spec.head_shape(i).size() == 1 && head == "value") heads.value = static_cast<int>(i);
      if (spec.head_shape(i).size() != kFanoronaPolicy) continue;
      if (head != "policy" && head != "output") continue;
      heads.own = static_cast<int>(i);
      if (heads.moves < 0) heads.logits = gives_logits(spec, i);
    }
    if (heads.moves >= 0 || heads.own >= 0) return heads;
    return Error{"the network has neither a head 'policy' of 18 nor a head 'moves' of 81 outputs"};
  }

  // The probability of a departure times that of an arrival.
  void score(const MoveHeads& heads, const Predictor& network, std::size_t row, const State& state,
             std::span<const Move> moves, std::span<float> out) const override {
    if (heads.moves >= 0) return Encoder::score(heads, network, row, state, moves, out);
    constexpr float kMinProbability = 1e-30f;
    const float* both = network.output(static_cast<std::size_t>(heads.own), row).data();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const float from = both[from_of(moves[i])], to = both[kPoints + to_of(moves[i])];
      out[i] = heads.logits ? from + to
                            : std::log(std::max(from, kMinProbability)) +
                                  std::log(std::max(to, kMinProbability));
    }
  }

 protected:
  static constexpr std::size_t kContents = 5;  // of a point

  // From all states: most of them cannot be reached by play.
  std::vector<State> probed_states() const override {
    std::vector<State> some;
    for (exact::StateIndex i = 0; i < exact::FanoronaIndexer::kStates; i += 41) {
      const State state = exact::fanorona_table().indexer().state_at(i);
      if (game().outcome(state) == games::Outcome::ongoing) some.push_back(state);
    }
    return some;
  }
};

class PlanesEncoder final : public FlatEncoder {
 public:
  PlanesEncoder(const Fanorona& game, std::string_view name)
      : FlatEncoder(game, name, nn::Shape{6, 3, 3, true}) {}

  void encode(const State& state, std::span<float> out) const override {
    std::fill(out.begin(), out.end(), 0.0f);
    for (std::size_t point = 0; point < kPoints; ++point) {
      const unsigned bit = point_bit(static_cast<int>(point));
      const std::size_t step = (state.moved & bit) ? 2 : 1;
      const std::size_t content = (state.pieces[0] & bit)   ? 2 + step
                                  : (state.pieces[1] & bit) ? 2 - step
                                                            : 2;
      out[content * kPoints + point] = 1.0f;
    }
    const float player = state.side == games::Side::first ? 1.0f : -1.0f;
    std::fill(out.end() - kPoints, out.end(), player);
  }

  void forget_cell(const State&, int cell, std::span<float> inputs) const override {
    for (std::size_t content = 0; content < kContents; ++content) {
      inputs[content * kPoints + static_cast<std::size_t>(cell)] = 0;
    }
  }
};

}  // namespace

template class Encoder<Fanorona>;

template <>
std::vector<EncoderKind<Fanorona>> encoder_kinds() {
  return {encoder_kind<FlatEncoder, Fanorona>("flat"),
          encoder_kind<PlanesEncoder, Fanorona>("planes")};
}

}  // namespace damier::model
