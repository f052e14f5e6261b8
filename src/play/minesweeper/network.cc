#include "damier/play/minesweeper/network.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/bits.h"
#include "damier/base/numbers/estimate.h"
#include "damier/exact/minesweeper/dealt_game.h"
#include "damier/model/minesweeper/board_encoder.h"

namespace damier::play {

using namespace games::minesweeper;

namespace {

constexpr int kBatch = 16;
constexpr std::size_t kMaxSizes = 8;  // compiled at a time

float probability_of(float logit) { return sound_probability(1.0f / (1.0f + std::exp(-logit))); }

// An error when the layers' weights depend on the size of the board. `last` layers of a head may
// lay its plane out as a list.
Status check_layers(std::span<const nn::LayerSpec> layers, const std::string& path, bool head) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const nn::LayerSpec& layer = layers[i];
    const bool ends = head && i + 1 == layers.size();
    const bool fits = !layer.is("dense") && !layer.is("global_average_pool") &&
                      !layer.is("softmax") && (!layer.is("flatten") || ends) &&
                      (!layer.is("conv2d") || to_json(layer)["padding"] == "same");
    const std::string place = fmt::format("{}[{}]", path, i);
    if (!fits) {
      return Error{
          fmt::format("{}: {} ties the network to boards of one size; expected layers for "
                      "any: conv2d with the padding 'same', norms, curves, residual",
                      place, layer.name())};
    }
    TRY(check_layers(layer.layers, place + ".layers", false));
  }
  return Done{};
}

Result<nn::NetworkSpec> resized(const nn::NetworkSpec& spec, int rows, int cols) {
  Json json = to_json(spec);
  json["input"] = {spec.input.channels, rows, cols};
  return nn::parse_network(json, fmt::format("on a board of {}x{}", rows, cols));
}

Status check_spec(const nn::NetworkSpec& spec) {
  if (!spec.input.board || spec.input.channels != model::kBoardPlanes) {
    return Error{fmt::format("the network's input is {}; expected {} planes of a board",
                             spec.input.text(), model::kBoardPlanes)};
  }
  TRY(check_layers(spec.layers, "layers", false));
  bool knows_bombs = false;
  for (std::size_t i = 0; i < spec.heads.size(); ++i) {
    const nn::HeadSpec& head = spec.heads[i];
    if (head.name != "bomb" && head.name != "win") continue;
    knows_bombs = knows_bombs || head.name == "bomb";
    const std::string path = "heads." + head.name;
    TRY(check_layers(head.layers, path, true));
    const nn::Shape shape = spec.head_shape(i);
    if (shape.board || shape.size() != spec.input.squares()) {
      return Error{fmt::format("{}: ends as {}; expected one plane of {}x{}, laid out by flatten",
                               path, shape.text(), spec.input.rows, spec.input.cols)};
    }
  }
  if (!knows_bombs) return Error{"the network has no head 'bomb'"};
  // What runs on the largest board runs on all of them.
  if (auto largest = resized(spec, kMaxSide, kMaxSide); !largest) {
    return Error{largest.error().text()};
  }
  return Done{};
}

}  // namespace

MinesweeperNetwork::MinesweeperNetwork(std::shared_ptr<const nn::Network<float>> weights,
                                       const MinesweeperNetworkOptions& options)
    : weights_(std::move(weights)),
      options_(options),
      bomb_head_(weights_->output_index("bomb")),
      win_head_(weights_->output_index("win")) {}

Result<MinesweeperNetwork> MinesweeperNetwork::open(const model::Model& model,
                                                    const MinesweeperNetworkOptions& options) {
  if (auto status = check_spec(model.spec()); !status) {
    return std::move(status).error().in(model.path);
  }
  auto weights = TRY(model::float_weights(model));
  return MinesweeperNetwork(std::move(weights), options);
}

nn::Network<float>& MinesweeperNetwork::network_for(int rows, int cols) {
  const auto known = networks_.find({rows, cols});
  if (known != networks_.end()) return *known->second;
  if (networks_.size() >= kMaxSizes) networks_.clear();
  auto network = model::network_copy(*weights_, resized(spec(), rows, cols).value(), kBatch);
  network->freeze();
  return *networks_.emplace(std::pair(rows, cols), std::move(network)).first->second;
}

template <class Use>
void MinesweeperNetwork::run(std::span<const View> boards, const Use& use) {
  for (std::size_t first = 0, last = 0; first < boards.size(); first = last) {
    // A pass takes boards of one size, as they follow each other.
    const auto [rows, cols] = extents(boards[first].rows, boards[first].cols);
    nn::Network<float>& network = network_for(rows, cols);
    const auto batch = static_cast<std::size_t>(network.batch());
    while (last < boards.size() && last - first < batch &&
           extents(boards[last].rows, boards[last].cols) == std::pair(rows, cols)) {
      ++last;
    }
    const auto width = at(network.spec().input.size());
    inputs_.resize(batch * width);
    const auto margin = [](int room) { return room / 2; };
    for (std::size_t i = first; i < last; ++i) {
      const View& board = boards[i];
      const auto planes = std::span(inputs_).subspan((i - first) * width, width);
      if (board.rows == rows && board.cols == cols) {
        model::expand_board(board.codes, board.bombs, planes);
        continue;
      }
      framed_.assign(at(rows * cols), model::kWallCode);
      for (int row = 0; row < board.rows; ++row) {
        std::copy_n(
            board.codes.data() + row * board.cols, board.cols,
            framed_.data() + (row + margin(rows - board.rows)) * cols + margin(cols - board.cols));
      }
      model::expand_board(std::span<const std::uint8_t>(framed_), board.bombs, planes);
    }
    network.set_inputs(std::span<const float>(inputs_).first((last - first) * width),
                       static_cast<int>(last - first));
    network.forward();
    const auto bombs = network.output(at(bomb_head_));
    for (std::size_t i = first; i < last; ++i) {
      const auto row = static_cast<std::ptrdiff_t>(i - first);
      const int corner = margin(rows - boards[i].rows) * cols + margin(cols - boards[i].cols);
      const float* win = nullptr;
      if (win_head_ >= 0) {
        const auto wins = network.output(at(win_head_));
        win = wins.value + row * wins.ld + corner;
      }
      use(i, bombs.value + row * bombs.ld + corner, win, cols);
    }
  }
}

std::vector<exact::minesweeper::Opinion> MinesweeperNetwork::evaluate(
    std::span<const Observation> boards) {
  std::vector<std::vector<std::uint8_t>> codes(boards.size());
  std::vector<View> views;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    for (const Code code : boards[i].cells) codes[i].push_back(model::board_code(code));
    views.push_back({boards[i].rows, boards[i].cols, boards[i].bombs, codes[i]});
  }
  std::vector<exact::minesweeper::Opinion> predictions(boards.size());
  run(views, [&](std::size_t i, const float* bomb, const float* win, int stride) {
    for (int row = 0; row < views[i].rows; ++row) {
      for (int col = 0; col < views[i].cols; ++col) {
        predictions[i].bomb.push_back(probability_of(bomb[row * stride + col]));
        if (win != nullptr) predictions[i].win.push_back(probability_of(win[row * stride + col]));
      }
    }
  });
  return predictions;
}

int MinesweeperNetwork::best_cell(const View& board, const float* bomb, const float* win,
                                  int stride) const {
  const auto output = [&](const float* plane, int cell) {
    return probability_of(plane[cell / board.cols * stride + cell % board.cols]);
  };
  const int cells = board.rows * board.cols;
  float least = 2;
  int best = 0;
  for (int cell = 0; cell < cells; ++cell) {
    if (board.codes[at(cell)] != model::kMaskedCode) continue;
    const float probability = output(bomb, cell);
    if (probability >= least) continue;
    least = probability;
    best = cell;
  }
  if (win == nullptr || least < static_cast<float>(options_.safe_below)) return best;
  float most = -1;
  for (int cell = 0; cell < cells; ++cell) {
    if (board.codes[at(cell)] != model::kMaskedCode) continue;
    const float probability = output(bomb, cell);
    if (probability > least + static_cast<float>(options_.margin)) continue;
    const float wins = (1 - probability) * output(win, cell);
    if (wins <= most) continue;
    most = wins;
    best = cell;
  }
  return best;
}

std::vector<int> MinesweeperNetwork::choose_cells(std::span<const View> boards) {
  std::vector<int> cells(boards.size());
  run(boards, [&](std::size_t i, const float* bomb, const float* win, int stride) {
    cells[i] = best_cell(boards[i], bomb, win, stride);
  });
  return cells;
}

Move MinesweeperNetwork::choose_move(const Observation& observation, RandomStream& random) {
  std::vector<std::uint8_t> codes;
  bool fresh = true;
  for (const Code code : observation.cells) {
    codes.push_back(model::board_code(code));
    fresh = fresh && !is_number(code);
  }
  int cell = 0;
  if (fresh) {
    cell = static_cast<int>(random.below(codes.size()));
  } else {
    const View view = {observation.rows, observation.cols, observation.bombs, codes};
    cell = choose_cells(std::span(&view, 1))[0];
  }
  const Code seen = observation.cells[at(cell)];
  return {seen == Code::flag ? Act::flag : Act::open, static_cast<std::uint16_t>(cell)};
}

std::vector<games::HiddenResult> MinesweeperNetwork::play_all(const Minesweeper& game,
                                                              std::span<const Seed> seeds,
                                                              std::span<RandomStream> random) {
  std::vector<exact::minesweeper::DealtGame> dealt;
  std::vector<std::vector<std::uint8_t>> codes(
      seeds.size(), std::vector<std::uint8_t>(at(game.cells()), model::kMaskedCode));
  const auto open = [&](std::size_t i, int chosen) {
    dealt[i].open(chosen, [&](int cell, int number) {
      codes[i][at(cell)] = static_cast<std::uint8_t>(number);
    });
  };
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    dealt.emplace_back(game, seeds[i]);
    open(i, static_cast<int>(random[i].below(codes[i].size())));
  }
  std::vector<std::size_t> going;
  std::vector<View> views;
  while (!interrupted()) {
    going.clear();
    views.clear();
    // A pass at a time: on large boards all of them together would keep an interrupt waiting.
    for (std::size_t i = 0; i < dealt.size() && going.size() < kBatch; ++i) {
      if (dealt[i].over()) continue;
      going.push_back(i);
      views.push_back({game.rows(), game.cols(), game.bombs(), codes[i]});
    }
    if (going.empty()) break;
    const std::vector<int> cells = choose_cells(views);
    for (std::size_t k = 0; k < going.size(); ++k) open(going[k], cells[k]);
  }
  std::vector<games::HiddenResult> results;
  for (const auto& one : dealt) results.push_back(one.result);
  return results;
}

}  // namespace damier::play
