// How a network reads positions of a game, and which of its outputs say what. An encoder is known
// by name, "features" or "planes", with the rules behind it that are not the usual ones: "features
// board=6x6". The name stands in data sets and models.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "damier/base/result.h"
#include "damier/games/game.h"
#include "damier/model/predictor.h"
#include "damier/nn/spec.h"

namespace damier::model {

struct Model;

// One symmetry of the game as a column of a data set sees it: out[i] = sign[i] * in[source[i]].
struct ColumnMap {
  std::string column;
  std::vector<std::uint32_t> source;
  std::vector<float> sign;
};
// A column that is not named stays as it is.
using SymmetryMaps = std::vector<ColumnMap>;

// What a network makes of one position, and which cells matter to it: it is asked once about the
// position as it is, and once for each cell as if nothing were known of that cell.
struct Occlusion {
  std::vector<float> inputs;  // the position as the network reads it
  // What the answers are about; none where the network says the value alone.
  std::vector<games::Action> actions;
  // (1 + cells, actions): the probabilities of moves, or of bombs, with everything known first.
  std::vector<float> answers;
  std::vector<float> values;  // (1 + cells): the expected result; empty where there is no such head
};

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
  Status check_input(const nn::NetworkSpec& spec) const {
    if (spec.input == shape_) return Done{};
    return Error{fmt::format("the network's input is {}; expected {}, what the encoder '{}' gives",
                             spec.input.text(), shape_.text(), name_)};
  }
  // The same, or when its heads say nothing that can be used.
  virtual Status check_network(const nn::NetworkSpec& spec) const = 0;

  // What a network reads of a position, which a text names as the game writes it.
  virtual Result<std::vector<float>> encode_text(std::string_view) const {
    return Error{
        fmt::format("the encoder '{}' has no positions as text; expected a file of inputs", name_)};
  }
  // An encoder that does not read whole boards says so.
  virtual Result<Occlusion> occlude(const Model&, const games::OptionValues&,
                                    std::string_view) const {
    return Error{fmt::format("the networks of the encoder '{}' do not read whole boards", name_)};
  }

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
inline bool gives_logits(const nn::NetworkSpec& spec, std::size_t head) {
  const nn::LayerSpec* last = spec.last_layer(head);
  return last == nullptr || !last->is("softmax");
}

// A game's own features are the input, its action indices the outputs. A game that is read in
// another way derives from this in its folder of this room.
template <games::Game G>
class Encoder : public AnyEncoder {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  Encoder(const G& game, std::string_view name)
      : Encoder(game, name, feature_shape(game), game.action_count()) {}

  const G& game() const { return game_; }

  virtual void encode(const State& state, std::span<float> out) const {
    game_.write_features(state, out);
  }

  // The numbers that a row keeps; those of encode() unless there is a short form.
  virtual void store(const State& state, std::span<float> out) const { encode(state, out); }
  // Which output says a move: its action, unless a game knows better.
  virtual int output_of(const State& state, Move move) const {
    return index(game_.action(state, move));
  }

  // The outputs [first, second) that say moves of the kind that a position asks for: all of them,
  // unless a game has moves of several kinds.
  virtual std::pair<int, int> outputs_asked(const State&) const { return {0, output_count()}; }
  // Makes the numbers of encode() as if nothing were known of a cell of the picture.
  // Planes of squares, unless a game knows better.
  virtual void forget_cell(const State& state, int cell, std::span<float> inputs) const {
    int square = cell;
    if constexpr (requires { game_.feature_square(state, cell); }) {
      square = game_.feature_square(state, cell);
    }
    const games::FeatureShape shape = game_.feature_shape();
    const auto squares = static_cast<std::size_t>(shape.rows * shape.cols);
    if (squares <= static_cast<std::size_t>(square) || squares == 1) return;  // a list of features
    for (auto i = static_cast<std::size_t>(square); i < inputs.size(); i += squares) inputs[i] = 0;
  }

  // A error when networks that read so cannot play under these rules.
  virtual Status check_rules(const G& game) const {
    const auto rules = game_.option_values();
    if (rules == game.option_values()) return Done{};
    return Error{fmt::format("is a network for the rules {}; expected {}",
                             games::options_text(rules),
                             games::options_text(game.option_values()))};
  }

  // A error when the network says nothing of the moves, nor of the value.
  virtual Result<MoveHeads> heads_of(const nn::NetworkSpec& spec) const {
    MoveHeads heads;
    bool others_moves = false;  // those of another game or board
    for (std::size_t i = 0; i < spec.heads.size(); ++i) {
      const std::string& head = spec.heads[i].name;
      const int outputs = spec.head_shape(i).size();
      others_moves = others_moves || (head == "moves" && outputs != output_count());
      if (outputs == output_count() && (head == "moves" || head == "policy" || head == "output")) {
        heads.moves = static_cast<int>(i);
        heads.logits = gives_logits(spec, i);
      }
      if (outputs == 1 && head == "value") heads.value = static_cast<int>(i);
    }
    if (heads.moves >= 0 || (heads.value >= 0 && !others_moves)) return heads;
    return Error{fmt::format("the network has no head 'moves' of {} outputs", output_count())};
  }

  // Scores of moves from row `row` of what the network said; their differences are those of
  // logarithms of probabilities.
  virtual void score(const MoveHeads& heads, const Predictor& network, std::size_t row,
                     const State& state, std::span<const Move> moves, std::span<float> out) const {
    constexpr float kMinProbability = 1e-30f;
    const auto said = network.output(static_cast<std::size_t>(heads.moves), row);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const float number = said[static_cast<std::size_t>(output_of(state, moves[i]))];
      out[i] = heads.logits ? number : std::log(std::max(number, kMinProbability));
    }
  }

  // The expected result for the side to move in `state`, from row `row` of what the network said.
  virtual float value_said(const MoveHeads& heads, const Predictor& network, std::size_t row,
                           const State&) const {
    return network.output(static_cast<std::size_t>(heads.value), row)[0];
  }

  // Those that hold in every position; found out by looking at positions from play.
  std::vector<SymmetryMaps> symmetries() const override;
  Status check_network(const nn::NetworkSpec& spec) const override {
    TRY(check_input(spec));
    TRY(heads_of(spec));
    return Done{};
  }

  Result<std::vector<float>> encode_text(std::string_view position) const override {
    const auto state = TRY(game_.parse_position(position));
    std::vector<float> numbers(width());
    encode(state, numbers);
    return numbers;
  }

  Result<Occlusion> occlude(const Model& model, const games::OptionValues& rules,
                            std::string_view position) const override;

 protected:
  Encoder(const G& game, std::string_view name, nn::Shape shape, int output_count,
          std::uint64_t short_form = 0)
      : AnyEncoder(name_under(game, name), std::move(shape), short_form, output_count),
        game_(game) {}

  // Positions that show what a network may see, for the comparison with their images.
  virtual std::vector<State> probed_states() const;

 private:
  // An encoder's name under rules, those left out that are usual.
  static std::string name_under(const G& game, std::string_view name) {
    auto rules = game.option_values();
    const auto usual = G::make({}).value().option_values();
    std::erase_if(rules,
                  [&](const auto& rule) { return std::ranges::find(usual, rule) != usual.end(); });
    return rules.empty() ? std::string(name)
                         : fmt::format("{} {}", name, games::options_text(rules));
  }

  static nn::Shape feature_shape(const G& game) {
    const games::FeatureShape shape = game.feature_shape();
    return {shape.planes, shape.rows, shape.cols, shape.rows * shape.cols > 1};
  }

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
