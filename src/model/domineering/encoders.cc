#include "damier/model/domineering/encoders.h"

#include <algorithm>
#include <cassert>

#include "damier/exact/domineering/bounds.h"
#include "damier/model/encoder_impl.h"

namespace damier::model {

namespace domineering {

namespace {

constexpr CellSet kAllButLastColumn = 0x7F7F7F7F7F7F7F7Fu;

}  // namespace

int framed_square(const Domineering& game, games::Side side, int cell) {
  const int row = cell / game.cols(), col = cell % game.cols();
  return side == games::Side::second ? kFrame * col + row : kFrame * row + col;
}

CellSet framed(const Domineering& game, const State& state) {
  CellSet cells = 0;
  for (CellSet left = state.free; left != 0; left &= left - 1) {
    cells |= CellSet{1} << framed_square(game, state.side, lowest_bit(left));
  }
  return cells;
}

int framed_cell(const Domineering& game, Move move) {
  return framed_square(game, side_of(move), cell_of(move));
}

void write_planes(CellSet free, std::span<float> planes) {
  assert(std::ssize(planes) == kFramePlanes * kFrameCells);
  const CellSet own = free & free >> kFrame, other = free & free >> 1 & kAllButLastColumn;
  const CellSet own_cells = own | own << kFrame, other_cells = other | other << 1;
  const CellSet only_own = own_cells & ~other_cells, only_other = other_cells & ~own_cells;
  float* out = planes.data();
  for (const CellSet plane : {free, own, other, only_own, only_other}) {
    for (int cell = 0; cell < kFrameCells; ++cell) {
      *out++ = static_cast<float>(plane >> cell & 1);
    }
  }
  const int safe = exact::domineering::packed_dominoes(only_own, ~CellSet{0}, kFrame) -
                   exact::domineering::packed_dominoes(only_other, kAllButLastColumn, 1);
  const int places = bit_count(own) - bit_count(other);
  out = std::fill_n(out, kFrameCells, static_cast<float>(safe) / 8.0f);
  std::fill_n(out, kFrameCells, static_cast<float>(places) / 32.0f);
}

}  // namespace domineering

using namespace domineering;

namespace {

// What turns as the moves do: the columns "policy" and "known" of a data set.
void add_columns_of_moves(SymmetryMaps& maps) {
  const auto moves = std::ranges::find(maps, "moves", &ColumnMap::column);
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
    if (other.rows() <= kFrame && other.cols() <= kFrame) return Done{};
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
