// Which cells of a position matter to a network of any game of two players.
#pragma once

#include <algorithm>
#include <memory>

#include "damier/learn/game_task.h"
#include "damier/learn/model/model.h"
#include "damier/learn/occlusion.h"
#include "damier/learn/softmax.h"

namespace damier::learn {

// Planes of squares, unless a game knows better.
template <games::Game G>
void GameTask<G>::forget_cell(const G& game, std::string_view, const State& state, int cell,
                              std::span<float> inputs) const {
  int square = cell;
  if constexpr (requires { game.feature_square(state, cell); }) {
    square = game.feature_square(state, cell);
  }
  const games::FeatureShape shape = game.feature_shape();
  const auto squares = static_cast<std::size_t>(shape.rows * shape.cols);
  if (squares <= static_cast<std::size_t>(square) || squares == 1) return;  // a list of features
  for (auto i = static_cast<std::size_t>(square); i < inputs.size(); i += squares) inputs[i] = 0;
}

template <games::Game G>
Result<Occlusion> GameTask<G>::occlude(const Model& model, const games::OptionValues& rules,
                                       std::string_view position) const {
  if (auto status = check_model(model, *this); !status) return std::move(status).error();
  const auto game = G::make(rules);
  if (!game) return game.error();
  const auto state = game->parse_position(position);
  if (!state) return state.error();
  auto read = reading(model.origin("encoder"));
  if (!read) return std::move(read).error();
  if (auto status = check_rules(*read, *game); !status) return std::move(status).error();
  read->game = *game;
  const auto heads = heads_of(*read, model.spec());
  if (!heads) return heads.error();
  if (heads->moves < 0 && heads->own < 0) {
    return Error{"the network says values and no moves; expected a head 'moves'", {model.path}};
  }
  const auto legal = game->legal_moves(*state);
  const std::vector<Move> moves(legal.begin(), legal.end());
  if (moves.empty()) return Error{"the game is over"};

  Occlusion found;
  for (const Move move : moves) found.actions.push_back(game->action(*state, move));
  const auto width = static_cast<std::size_t>(model.spec().input.size());
  const std::size_t cells = game->picture(*state, {}).cells.size();
  found.inputs.resize(width);
  encode(*game, read->encoder, *state, found.inputs);
  std::vector<float> rows;
  for (std::size_t row = 0; row <= cells; ++row) {
    rows.insert(rows.end(), found.inputs.begin(), found.inputs.end());
    if (row == 0) continue;
    forget_cell(*game, read->encoder, *state, static_cast<int>(row) - 1,
                std::span(rows).last(width));
  }
  const auto network = predict_with(model, static_cast<int>(cells) + 1);
  network->run(rows, cells + 1);
  found.answers.resize((cells + 1) * moves.size());
  for (std::size_t row = 0; row <= cells; ++row) {
    const auto answer = std::span(found.answers).subspan(row * moves.size(), moves.size());
    score(*heads, *network, row, *read, *state, moves, answer);
    softmax(answer);
    if (heads->value >= 0) {
      found.values.push_back(value_said(*heads, *network, row, *state));
    }
  }
  return found;
}

}  // namespace damier::learn
