// How a network reads positions of a game, and which of its outputs say what. An encoder is known
// by name, "features" or "planes", with the rules behind it that are not the usual ones: "features
// board=6x6". The name stands in data sets and models.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/result.h"
#include "damier/games/game.h"
#include "damier/model/predictor.h"
#include "damier/model/symmetry_maps.h"
#include "damier/nn/spec.h"

namespace damier::model {

struct Model;
struct Occlusion;

// An encoder for those who do not know the type of its game.
class AnyEncoder {
 public:
  virtual ~AnyEncoder() = default;

  const std::string& name() const { return name_; }
  int version() const { return 1; }
  // What the network reads.
  const nn::Shape& shape() const { return shape_; }
  std::size_t width() const { return static_cast<std::size_t>(shape_.size()); }
  // Rows of a data set may keep a short form of that: `stored_width` numbers, small and whole, from
  // which expand() makes the others when a batch is put together.
  bool expands() const { return short_form_ > 0; }
  std::uint64_t stored_width() const { return expands() ? short_form_ : width(); }
  virtual void expand(std::span<const float> stored, std::span<float> inputs) const {
    std::copy(stored.begin(), stored.end(), inputs.begin());
  }

  // How many outputs say moves; 0 where the outputs say something else.
  int output_count() const { return output_count_; }

  // The symmetries of the game as the columns of a data set see them, the identity first.
  virtual std::vector<SymmetryMaps> symmetries() const = 0;
  // A error when the network does not read what the encoder gives.
  Status check_input(const nn::NetworkSpec& spec) const;
  // The same, or when its heads say nothing that can be used.
  virtual Status check_network(const nn::NetworkSpec& spec) const = 0;

  // What a network reads of a position, which a text names as the game writes it.
  virtual Result<std::vector<float>> encode_text(std::string_view position) const;
  // What a network makes of a position under these rules, and which cells matter to it
  // (model/occlusion.h). An encoder that does not read whole boards says so.
  virtual Result<Occlusion> occlude(const Model& model, const games::OptionValues& rules,
                                    std::string_view position) const;

 protected:
  // `short_form`: the numbers that a row keeps; 0: all that the network reads.
  AnyEncoder(std::string name, nn::Shape shape, std::uint64_t short_form, int output_count = 0)
      : name_(std::move(name)),
        shape_(std::move(shape)),
        short_form_(short_form),
        output_count_(output_count) {}

 private:
  std::string name_;
  nn::Shape shape_;
  std::uint64_t short_form_;
  int output_count_;
};

// The encoders of what learns one task: a game, or a part of it.
struct Encoders {
  std::string task;  // the game's name, or one that begins with it
  std::string game;
  std::vector<std::string> names;
  std::function<Result<std::shared_ptr<const AnyEncoder>>(std::string_view name)> find;
};

// Which heads of a network say what; -1 where none does.
struct MoveHeads {
  int moves = -1;      // an output for each action; the value must do where there is none
  bool logits = true;  // otherwise they are probabilities
  int value = -1;      // the expected result for the side to move
  int own = -1;        // one that only the game's own encoder reads
};
// A head that ends in a softmax gives probabilities.
bool gives_logits(const nn::NetworkSpec& spec, std::size_t head);

// A game's own features are the input, its action indices the outputs. A game that is read in
// another way derives from this in its folder of this room.
template <games::Game G>
class Encoder : public AnyEncoder {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  Encoder(const G& game, std::string_view name);

  const G& game() const { return game_; }

  virtual void encode(const State& state, std::span<float> out) const;
  // The numbers that a row keeps; those of encode() unless there is a short form.
  virtual void store(const State& state, std::span<float> out) const { encode(state, out); }
  // Which output says a move: its action, unless a game knows better.
  virtual int output_of(const State& state, Move move) const;
  // The outputs [first, second) that say moves of the kind that a position asks for: all of them,
  // unless a game has moves of several kinds.
  virtual std::pair<int, int> outputs_asked(const State&) const { return {0, output_count()}; }
  // Makes the numbers of encode() as if nothing were known of a cell of the picture.
  virtual void forget_cell(const State& state, int cell, std::span<float> inputs) const;
  // A error when networks that read so cannot play under these rules.
  virtual Status check_rules(const G& game) const;

  // A error when the network says nothing of the moves, nor of the value.
  virtual Result<MoveHeads> heads_of(const nn::NetworkSpec& spec) const;
  // Scores of moves from row `row` of what the network said; their differences are those of
  // logarithms of probabilities.
  virtual void score(const MoveHeads& heads, const Predictor& network, std::size_t row,
                     const State& state, std::span<const Move> moves, std::span<float> out) const;
  // The expected result for the side to move in `state`, from row `row` of what the network said.
  virtual float value_said(const MoveHeads& heads, const Predictor& network, std::size_t row,
                           const State& state) const;

  // Those that hold in every position; found out by looking at positions from play.
  std::vector<SymmetryMaps> symmetries() const override;
  Status check_network(const nn::NetworkSpec& spec) const override;
  Result<std::vector<float>> encode_text(std::string_view position) const override;
  Result<Occlusion> occlude(const Model& model, const games::OptionValues& rules,
                            std::string_view position) const override;

 protected:
  Encoder(const G& game, std::string_view name, nn::Shape shape, int output_count,
          std::uint64_t short_form = 0);

  // Positions that show what a network may see, for the comparison with their images.
  virtual std::vector<State> probed_states() const;

 private:
  G game_;
};

// The ways in which networks read a game's boards, the usual one first: its features, unless the
// game's folder of this room says otherwise. Those of the games that ship are compiled once, and
// never inlined, so that everybody finds them; for others include model/encoder_impl.h.
template <games::Game G>
struct EncoderKind {
  std::string name;
  std::function<std::shared_ptr<const Encoder<G>>(const G& game)> make;
};
template <games::Game G>
[[gnu::noinline]] std::vector<EncoderKind<G>> encoder_kinds();

// One of them whose class is E.
template <class E, games::Game G>
EncoderKind<G> encoder_kind(std::string name) {
  return {name, [name](const G& game) { return std::make_shared<const E>(game, name); }};
}

// The encoder of a name without rules, for a game under its own.
template <games::Game G>
[[gnu::noinline]] Result<std::shared_ptr<const Encoder<G>>> make_encoder(const G& game,
                                                                         std::string_view name);
// The encoder of a name with rules.
template <games::Game G>
[[gnu::noinline]] Result<std::shared_ptr<const Encoder<G>>> find_encoder(std::string_view name);
// The same for a game that may have other rules; a error when networks that read so cannot play it.
template <games::Game G>
[[gnu::noinline]] Result<std::shared_ptr<const Encoder<G>>> encoder_for(const G& game,
                                                                        std::string_view name);
// All of them, for whoever knows the game by its name.
template <games::Game G>
[[gnu::noinline]] Encoders encoders_of();

}  // namespace damier::model
