// The templates behind encoder.h, for whoever compiles a game's encoders.
#pragma once

#include "damier/base/text/text.h"
#include "damier/model/model.h"
#include "damier/model/symmetries.h"

namespace damier::model {

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
Result<Occlusion> Encoder<G>::occlude(const Model& model, const games::OptionValues& rules,
                                      std::string_view position) const {
  const auto game = TRY(G::make(rules));
  const auto state = TRY(game.parse_position(position));
  const auto own = TRY(encoder_for(game, name()));
  const auto heads = TRY(own->heads_of(model.spec()));
  const auto legal = game.legal_moves(state);
  std::vector<Move> moves(legal.begin(), legal.end());
  if (moves.empty()) return Error{"the game is over"};
  const bool says_moves = heads.moves >= 0 || heads.own >= 0;
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
      own->score(heads, *network, row, state, moves, answer);
      softmax(answer);
    }
    if (heads.value >= 0) found.values.push_back(own->value_said(heads, *network, row, state));
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
