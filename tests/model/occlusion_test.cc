// Which cells matter to a network: a cell that is forgotten leaves no trace in what the network
// reads, and nothing else is lost.

#include <gtest/gtest.h>

#include "damier/games/builtin.h"
#include "damier/model/bremen/encoders.h"
#include "damier/model/chess/encoders.h"
#include "damier/model/domineering/encoders.h"
#include "damier/model/fanorona/encoders.h"
#include "damier/model/library.h"

namespace damier::model {
namespace {

// The numbers of a position without what stands on some cells of its picture.
template <class G>
std::vector<float> read_without(const std::string& encoder, const std::string& position,
                                const std::vector<int>& cells) {
  const auto reads = find_encoder<G>(encoder).value();
  const auto state = reads->game().parse_position(position).value();
  std::vector<float> inputs(reads->width());
  reads->encode(state, inputs);
  for (const int cell : cells) reads->forget_cell(state, cell, inputs);
  return inputs;
}

TEST(Occlusion, AForgottenCellLeavesNoTrace) {
  using games::chess::Chess;
  const std::string pawn = "4k3/8/8/8/8/3P4/8/4K3 w - - 0 1";
  const std::string knight = "4k3/8/8/8/8/3N4/8/4K3 w - - 0 1";
  const int d3 = 5 * 8 + 3;  // the picture begins with rank 8
  EXPECT_EQ(read_without<Chess>("features", pawn, {d3}),
            read_without<Chess>("features", knight, {d3}));
  EXPECT_NE(read_without<Chess>("features", pawn, {d3 - 8}),
            read_without<Chess>("features", knight, {d3 - 8}));

  using games::fanorona::Fanorona;
  for (const std::string encoder : {"flat", "planes"}) {
    EXPECT_EQ(read_without<Fanorona>(encoder, "bbb...wwW w", {8}),
              read_without<Fanorona>(encoder, "bbb...www w", {8}));
    EXPECT_NE(read_without<Fanorona>(encoder, "bbb...wwW w", {7}),
              read_without<Fanorona>(encoder, "bbb...www w", {7}));
  }

  using games::bremen::Bremen;
  for (const std::string side : {" b", " r"}) {
    // Blue's cat stands on c1 or on e2.
    const std::vector<int> both = {5 * 4 + 2, 5 * 3 + 4};
    for (const std::string encoder : {"features", "phases", "published"}) {
      EXPECT_EQ(read_without<Bremen>(encoder, "a2a2c1a4/b3d4b3a5" + side, both),
                read_without<Bremen>(encoder, "a2a2e2a4/b3d4b3a5" + side, both));
      EXPECT_NE(read_without<Bremen>(encoder, "a2a2c1a4/b3d4b3a5" + side, {both[0]}),
                read_without<Bremen>(encoder, "a2a2e2a4/b3d4b3a5" + side, {both[0]}));
    }
  }
}

TEST(Occlusion, LayersEndInWhatTheNetworkSays) {
  const auto model = open_named_model("domineering");
  if (!model) GTEST_SKIP() << "the models are not here";
  const auto encoder = encoder_of(*model, encoders_of<games::domineering::Domineering>()).value();
  const auto found =
      encoder->occlude(*model, {{"board", "5x5"}}, "...../...../..#../..#../..... h");
  ASSERT_TRUE(found) << found.error().text();
  const auto layers = layer_values(*model, found->inputs);
  ASSERT_FALSE(layers.empty());
  const auto whole = predict_with(*model, 1);
  whole->run(found->inputs, 1);
  for (std::size_t head = 0; head < model->spec().heads.size(); ++head) {
    const std::string begin = "heads." + model->spec().heads[head].name + ".";
    const LayerValues* last = nullptr;
    for (const LayerValues& layer : layers) {
      if (layer.name.starts_with(begin)) last = &layer;
    }
    ASSERT_NE(last, nullptr) << begin;
    ASSERT_EQ(last->values.size(), whole->output(head).size());
    for (std::size_t i = 0; i < last->values.size(); ++i) {
      EXPECT_NEAR(last->values[i], whole->output(head)[i], 1e-3f) << begin << i;
    }
  }
  // A residual block is listed before the layers that it is made of.
  std::size_t residual = 0;
  while (residual < layers.size() && !layers[residual].name.ends_with(".layers.0")) ++residual;
  ASSERT_LT(residual, layers.size());
  EXPECT_TRUE(layers[residual].name.starts_with(layers[residual - 1].name));
}

}  // namespace
}  // namespace damier::model
