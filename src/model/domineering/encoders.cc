#include "damier/model/domineering/encoders.h"

#include "damier/base/numbers/bits.h"
#include "damier/model/domineering/frame.h"
#include "damier/model/encoder_impl.h"

namespace damier::model {

using namespace domineering;

namespace {

// What turns as the moves do: the columns "policy" and "known" of a data set.
void add_columns_of_moves(SymmetryMaps& maps) {
  const auto moves = std::find_if(maps.begin(), maps.end(),
                                  [](const ColumnMap& map) { return map.column == "moves"; });
  if (moves == maps.end()) return;
  ColumnMap own = *moves;
  for (const char* column : {"policy", "known"}) {
    own.column = column;
    maps.push_back(own);
  }
}

class BoardEncoder final : public Encoder<Domineering> {
 public:
  using Encoder::Encoder;

  std::vector<SymmetryMaps> symmetries() const override {
    auto all = Encoder::symmetries();
    for (SymmetryMaps& maps : all) add_columns_of_moves(maps);
    return all;
  }
};

class MoverEncoder final : public Encoder<Domineering> {
 public:
  MoverEncoder(const Domineering& game, std::string_view name)
      : Encoder(game, name, {kFramePlanes, kFrame, kFrame, true}, kFrameCells, kFrameCells) {}

  void encode(const State& state, std::span<float> out) const override {
    write_planes(framed(game(), state), out);
  }
  void store(const State& state, std::span<float> out) const override {
    const CellSet free = framed(game(), state);
    for (int cell = 0; cell < kFrameCells; ++cell) {
      out[static_cast<std::size_t>(cell)] = static_cast<float>(free >> cell & 1);
    }
  }
  void expand(std::span<const float> stored, std::span<float> inputs) const override {
    CellSet free = 0;
    for (std::size_t cell = 0; cell < stored.size(); ++cell) {
      if (stored[cell] != 0) free |= CellSet{1} << cell;
    }
    write_planes(free, inputs);
  }

  int output_of(const State&, Move move) const override { return framed_cell(game(), move); }

  void forget_cell(const State& state, int cell, std::span<float> inputs) const override {
    const auto square = static_cast<std::size_t>(framed_square(game(), state.side, cell));
    for (std::size_t i = square; i < inputs.size(); i += kFrameCells) inputs[i] = 0;
  }

  Status check_rules(const Domineering& other) const override {
    if (fits_frame(other)) return Done{};
    return Error{fmt::format("reads boards of up to {0}x{0} cells; the board is {1}x{2}", kFrame,
                             other.rows(), other.cols())};
  }

  // Those of a rectangle: the others exchange the sides.
  std::vector<SymmetryMaps> symmetries() const override {
    std::vector<SymmetryMaps> all;
    for (const bool upside_down : {false, true}) {
      for (const bool mirrored : {false, true}) {
        ColumnMap input{"input", {}, std::vector<float>(kFrameCells, 1.0f)}, moves = input;
        moves.column = "moves";
        for (int cell = 0; cell < kFrameCells; ++cell) {
          const int row = cell / kFrame, col = cell % kFrame;
          const int from = mirrored ? kFrame - 1 - col : col;
          // An upright domino begins one row higher than it ends; none begins in the last row.
          const int first = upside_down && row < kFrame - 1 ? kFrame - 2 - row : row;
          const int seen = upside_down ? kFrame - 1 - row : row;
          input.source.push_back(static_cast<std::uint32_t>(kFrame * seen + from));
          moves.source.push_back(static_cast<std::uint32_t>(kFrame * first + from));
        }
        ColumnMap legal = moves;
        legal.column = "legal";
        all.push_back({std::move(input), std::move(moves), std::move(legal)});
        add_columns_of_moves(all.back());
      }
    }
    return all;
  }
};

}  // namespace

template class Encoder<Domineering>;

template <>
std::vector<EncoderKind<Domineering>> encoder_kinds() {
  return {encoder_kind<BoardEncoder, Domineering>("features"),
          encoder_kind<MoverEncoder, Domineering>("mover")};
}

}  // namespace damier::model
