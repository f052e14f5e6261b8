// The templates behind encoder.h, for whoever compiles a game's encoders.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/model/encoder.h"
#include "damier/model/model.h"
#include "damier/model/occlusion.h"
#include "damier/model/softmax.h"
#include "damier/model/symmetries.h"

namespace damier::model {

namespace detail {

// An encoder's name under rules, those left out that are usual.
template <games::Game G>
std::string name_under(const G& game, std::string_view name) {
  auto rules = game.option_values();
  const auto usual = G::make({}).value().option_values();
  std::erase_if(rules, [&](const auto& rule) {
    return std::find(usual.begin(), usual.end(), rule) != usual.end();
  });
  return rules.empty() ? std::string(name) : fmt::format("{} {}", name, games::options_text(rules));
}

template <games::Game G>
nn::Shape feature_shape(const G& game) {
  const games::FeatureShape shape = game.feature_shape();
  return {shape.planes, shape.rows, shape.cols, shape.rows * shape.cols > 1};
}

}  // namespace detail

template <games::Game G>
Encoder<G>::Encoder(const G& game, std::string_view name, nn::Shape shape, int output_count,
                    std::uint64_t short_form)
    : AnyEncoder(detail::name_under(game, name), std::move(shape), short_form, output_count),
      game_(game) {}

template <games::Game G>
Encoder<G>::Encoder(const G& game, std::string_view name)
    : Encoder(game, name, detail::feature_shape(game), game.action_count()) {}

template <games::Game G>
void Encoder<G>::encode(const State& state, std::span<float> out) const {
  game_.write_features(state, out);
}

template <games::Game G>
int Encoder<G>::output_of(const State& state, Move move) const {
  return index(game_.action(state, move));
}

// Planes of squares, unless a game knows better.
template <games::Game G>
void Encoder<G>::forget_cell(const State& state, int cell, std::span<float> inputs) const {
  int square = cell;
  if constexpr (requires { game_.feature_square(state, cell); }) {
    square = game_.feature_square(state, cell);
  }
  const games::FeatureShape shape = game_.feature_shape();
  const auto squares = static_cast<std::size_t>(shape.rows * shape.cols);
  if (squares <= static_cast<std::size_t>(square) || squares == 1) return;  // a list of features
  for (auto i = static_cast<std::size_t>(square); i < inputs.size(); i += squares) inputs[i] = 0;
}

template <games::Game G>
Status Encoder<G>::check_rules(const G& game) const {
  const auto rules = game_.option_values();
  if (rules == game.option_values()) return Done{};
  return Error{fmt::format("is a network for the rules {}; expected {}", games::options_text(rules),
                           games::options_text(game.option_values()))};
}

template <games::Game G>
Result<MoveHeads> Encoder<G>::heads_of(const nn::NetworkSpec& spec) const {
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

template <games::Game G>
void Encoder<G>::score(const MoveHeads& heads, const Predictor& network, std::size_t row,
                       const State& state, std::span<const Move> moves,
                       std::span<float> out) const {
  constexpr float kMinProbability = 1e-30f;
  const auto said = network.output(static_cast<std::size_t>(heads.moves), row);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const float number = said[static_cast<std::size_t>(output_of(state, moves[i]))];
    out[i] = heads.logits ? number : std::log(std::max(number, kMinProbability));
  }
}

template <games::Game G>
float Encoder<G>::value_said(const MoveHeads& heads, const Predictor& network, std::size_t row,
                             const State&) const {
  return network.output(static_cast<std::size_t>(heads.value), row)[0];
}

template <games::Game G>
Status Encoder<G>::check_network(const nn::NetworkSpec& spec) const {
  TRY(check_input(spec));
  TRY(heads_of(spec));
  return Done{};
}

template <games::Game G>
std::vector<typename G::State> Encoder<G>::probed_states() const {
  constexpr std::uint64_t kGames = 100;
  return met_in_random_games(game_, "symmetry.probe", kGames);
}

template <games::Game G>
std::vector<SymmetryMaps> Encoder<G>::symmetries() const {
  const auto states = probed_states();
  auto all = probed_symmetries(
      game_, {shape().channels, shape().rows, shape().cols}, std::span<const State>(states),
      [&](const State& state, std::span<float> out) { encode(state, out); });
  if (all.empty()) all.emplace_back();
  return all;
}

template <games::Game G>
Result<std::vector<float>> Encoder<G>::encode_text(std::string_view position) const {
  const auto state = TRY(game_.parse_position(position));
  std::vector<float> numbers(width());
  encode(state, numbers);
  return numbers;
}

template <games::Game G>
Result<Occlusion> Encoder<G>::occlude(const Model& model, const games::OptionValues& rules,
                                      std::string_view position) const {
  const auto game = TRY(G::make(rules));
  const auto state = TRY(game.parse_position(position));
  const auto own = TRY(encoder_for(game, name()));
  const auto heads = own->heads_of(model.spec());
  if (!heads) return heads.error();
  const auto legal = game.legal_moves(state);
  std::vector<Move> moves(legal.begin(), legal.end());
  if (moves.empty()) return Error{"the game is over"};
  const bool says_moves = heads->moves >= 0 || heads->own >= 0;
  if (!says_moves) moves.clear();  // the value is all that is asked

  Occlusion found;
  for (const Move move : moves) found.actions.push_back(game.action(state, move));
  const std::size_t cells = game.picture(state, {}).cells.size();
  found.inputs.resize(width());
  own->encode(state, found.inputs);
  std::vector<float> rows;
  for (std::size_t row = 0; row <= cells; ++row) {
    rows.insert(rows.end(), found.inputs.begin(), found.inputs.end());
    if (row == 0) continue;
    own->forget_cell(state, static_cast<int>(row) - 1, std::span(rows).last(width()));
  }
  const auto network = predict_with(model, static_cast<int>(cells) + 1);
  network->run(rows, cells + 1);
  found.answers.resize((cells + 1) * moves.size());
  for (std::size_t row = 0; row <= cells; ++row) {
    if (says_moves) {
      const auto answer = std::span(found.answers).subspan(row * moves.size(), moves.size());
      own->score(*heads, *network, row, state, moves, answer);
      softmax(answer);
    }
    if (heads->value >= 0) {
      found.values.push_back(own->value_said(*heads, *network, row, state));
    }
  }
  return found;
}

template <games::Game G>
std::vector<EncoderKind<G>> encoder_kinds() {
  return {encoder_kind<Encoder<G>, G>("features")};
}

template <games::Game G>
Result<std::shared_ptr<const Encoder<G>>> make_encoder(const G& game, std::string_view name) {
  std::vector<std::string> names;
  for (const EncoderKind<G>& kind : encoder_kinds<G>()) {
    names.push_back(kind.name);
    if (kind.name != name) continue;
    auto encoder = kind.make(game);
    if (auto status = encoder->check_rules(game); !status) {
      return Error{fmt::format("the encoder '{}' {}", name, status.error().message)};
    }
    return encoder;
  }
  return unknown_name("encoder", name, names);
}

template <games::Game G>
Result<std::shared_ptr<const Encoder<G>>> find_encoder(std::string_view name) {
  const auto space = name.find(' ');
  auto rules = TRY(space == name.npos ? Result(games::OptionValues{})
                                      : games::parse_options(name.substr(space + 1)));
  const auto game = TRY(G::make(rules));
  return make_encoder(game, name.substr(0, space));
}

template <games::Game G>
Result<std::shared_ptr<const Encoder<G>>> encoder_for(const G& game, std::string_view name) {
  const auto found = TRY(find_encoder<G>(name));
  TRY(found->check_rules(game));
  return make_encoder(game, name.substr(0, name.find(' ')));
}

template <games::Game G>
Encoders encoders_of() {
  Encoders encoders{std::string(G::facts().name), std::string(G::facts().name), {}, {}};
  for (EncoderKind<G>& kind : encoder_kinds<G>()) encoders.names.push_back(std::move(kind.name));
  encoders.find = [](std::string_view name) -> Result<std::shared_ptr<const AnyEncoder>> {
    auto found = TRY(find_encoder<G>(name));
    return std::shared_ptr<const AnyEncoder>(std::move(found));
  };
  return encoders;
}

}  // namespace damier::model
