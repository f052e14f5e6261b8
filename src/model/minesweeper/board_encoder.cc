#include "damier/model/minesweeper/board_encoder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/coordinates.h"
#include "damier/model/model.h"

namespace damier::model {

namespace {

constexpr std::array<int, 4> kFrames = {10, 12, 16, 32};
constexpr int kFew = 8, kMany = 64;  // scales of the safe cells that are left

}  // namespace

int board_frame(std::string_view encoder) {
  constexpr std::string_view kPrefix = "board-";
  if (!encoder.starts_with(kPrefix)) return 0;
  for (const int frame : kFrames) {
    if (encoder.substr(kPrefix.size()) == std::to_string(frame)) return frame;
  }
  return 0;
}

std::uint8_t board_code(games::minesweeper::Code code) {
  if (code == games::minesweeper::Code::wall) return kWallCode;
  return is_number(code) ? static_cast<std::uint8_t>(code) : kMaskedCode;
}

template <class Code>
void expand_board(std::span<const Code> codes, int bombs, std::span<float> planes) {
  const std::size_t squares = codes.size();
  std::fill(planes.begin(), planes.end(), 0.0f);
  int masked = 0;
  for (const Code code : codes) masked += code == static_cast<Code>(kMaskedCode);
  const int safe = std::max(0, masked - bombs);
  const std::array<float, 4> everywhere = {
      1.0f, static_cast<float>(bombs) / static_cast<float>(std::max(1, masked)),
      static_cast<float>(std::min(safe, kFew)) / kFew,
      static_cast<float>(std::min(safe, kMany)) / kMany};
  for (std::size_t i = 0; i < squares; ++i) {
    const auto code = static_cast<std::size_t>(codes[i]);
    if (code >= kWallCode) continue;
    planes[code * squares + i] = 1;
    for (std::size_t k = 0; k < everywhere.size(); ++k) {
      planes[(kMaskedCode + 1 + k) * squares + i] = everywhere[k];
    }
  }
}

template void expand_board(std::span<const float>, int, std::span<float>);
template void expand_board(std::span<const std::uint8_t>, int, std::span<float>);

std::vector<std::vector<std::uint32_t>> square_images(int side) {
  std::vector<std::vector<std::uint32_t>> all;
  // The order decides which symmetry a seed draws: another one would change trainings.
  for (unsigned i = 0; i < 8; ++i) {
    const games::Symmetry symmetry{(i & 2) != 0, (i & 1) != 0, (i & 4) != 0};
    std::vector<std::uint32_t> source;
    for (int row = 0; row < side; ++row) {
      for (int col = 0; col < side; ++col) {
        const games::Cell2 from = symmetry.apply({row, col}, side, side);
        source.push_back(static_cast<std::uint32_t>(from.row * side + from.col));
      }
    }
    all.push_back(std::move(source));
  }
  return all;
}

namespace {

constexpr int kBatch = 16;

class BoardEncoder final : public AnyEncoder {
 public:
  explicit BoardEncoder(std::string_view name)
      : AnyEncoder(std::string(name), {kBoardPlanes, board_frame(name), board_frame(name), true},
                   static_cast<std::uint64_t>(board_frame(name) * board_frame(name) + 1)),
        frame_(board_frame(name)) {}

  void expand(std::span<const float> stored, std::span<float> planes) const override {
    expand_board(stored.first(stored.size() - 1), static_cast<int>(stored.back()), planes);
  }

  std::vector<SymmetryMaps> symmetries() const override {
    std::vector<SymmetryMaps> all;
    for (std::vector<std::uint32_t>& source : square_images(frame_)) {
      const std::size_t squares = source.size();
      source.push_back(static_cast<std::uint32_t>(squares));  // the bombs
      SymmetryMaps maps = {{"input", source, std::vector<float>(squares + 1, 1.0f)}};
      source.pop_back();
      for (const char* column : {"bomb", "masked", "win", "tried"}) {
        maps.push_back({column, source, std::vector<float>(squares, 1.0f)});
      }
      all.push_back(std::move(maps));
    }
    return all;
  }

  Status check_network(const nn::NetworkSpec& spec) const override {
    TRY(check_input(spec));
    bool knows_bombs = false;
    for (std::size_t i = 0; i < spec.heads.size(); ++i) {
      const std::string& head = spec.heads[i].name;
      if (head != "bomb" && head != "win") continue;
      knows_bombs = knows_bombs || head == "bomb";
      if (spec.head_shape(i).size() == spec.input.squares()) continue;
      return Error{fmt::format("the head '{}' has {} outputs; expected {}, one for each cell", head,
                               spec.head_shape(i).size(), spec.input.squares())};
    }
    if (!knows_bombs) return Error{"the network has no head 'bomb'"};
    return Done{};
  }

  // Asked about the masked cells; the cell of which nothing is known is wall.
  Result<Occlusion> occlude(const Model& model, const games::OptionValues&,
                            std::string_view position) const override {
    const games::minesweeper::Observation& board =
        TRY(games::minesweeper::Minesweeper().parse_observation(position));
    const int frame = frame_;
    if (board.rows > frame || board.cols > frame) {
      return Error{fmt::format("the board has {}x{} cells; expected at most {}x{} here", board.rows,
                               board.cols, frame, frame)};
    }
    const std::size_t cells = board.cells.size();
    const auto square_of = [&](std::size_t cell) {
      const int at = static_cast<int>(cell);
      return static_cast<std::size_t>(at / board.cols * frame + at % board.cols);
    };
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(frame * frame), kWallCode);
    Occlusion found;
    std::vector<std::size_t> asked;  // squares
    for (std::size_t cell = 0; cell < cells; ++cell) {
      codes[square_of(cell)] = board_code(board.cells[cell]);
      if (codes[square_of(cell)] != kMaskedCode) continue;
      asked.push_back(square_of(cell));
      found.actions.push_back(games::action_at(static_cast<int>(cell)));
    }
    const auto width = static_cast<std::size_t>(model.spec().input.size());
    std::vector<float> rows((cells + 1) * width);
    const auto row_of = [&](std::size_t row) {
      return std::span(rows).subspan(row * width, width);
    };
    expand_board<std::uint8_t>(codes, board.bombs, row_of(0));
    found.inputs.assign(row_of(0).begin(), row_of(0).end());
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::uint8_t code = std::exchange(codes[square_of(cell)], kWallCode);
      expand_board<std::uint8_t>(codes, board.bombs, row_of(cell + 1));
      codes[square_of(cell)] = code;
    }
    const auto network = predict_with(model, kBatch);
    network->run(rows, cells + 1);
    std::size_t bomb = 0;
    while (network->spec().heads[bomb].name != "bomb") ++bomb;  // check_model has seen it
    for (std::size_t row = 0; row <= cells; ++row) {
      for (const std::size_t square : asked) {
        found.answers.push_back(1 / (1 + std::exp(-network->output(bomb, row)[square])));
      }
    }
    return found;
  }

 private:
  int frame_;
};

}  // namespace

Encoders minesweeper_board_encoders() {
  Encoders encoders{"minesweeper", "minesweeper", {}, {}};
  for (const int frame : kFrames) encoders.names.push_back(fmt::format("board-{}", frame));
  encoders.find =
      [names = encoders.names](std::string_view name) -> Result<std::shared_ptr<const AnyEncoder>> {
    if (board_frame(name) == 0) return unknown_name("encoder", name, names);
    return std::shared_ptr<const AnyEncoder>(std::make_shared<BoardEncoder>(name));
  };
  return encoders;
}

}  // namespace damier::model
