#include "damier/search/chess/history.h"

namespace damier::search::chess {

using games::chess::Bitboard;
using games::chess::State;

namespace {

constexpr int kMaxCorrection = 64;  // hundredths of a pawn, of each of the three

std::uint64_t mixed(std::uint64_t sum, Bitboard squares) {
  return (sum ^ squares) * 0x9E3779B97F4A7C15u;
}

// The pieces of one side but its pawns.
std::uint64_t non_pawn_key(const State& state, Bitboard side) {
  std::uint64_t key = 0;
  for (int kind = 1; kind < games::chess::kKinds; ++kind) {
    key = mixed(key ^ key >> 29, state.kinds[kind] & side);
  }
  return key;
}

}  // namespace

Histories::CorrectionSlots Histories::slots(const State& state) {
  constexpr int kShift = 64 - 14;
  const std::uint64_t white = mixed(0, state.kinds[0] & state.sides[0]);
  return {mixed(white ^ white >> 29, state.kinds[0] & state.sides[1]) >> kShift,
          non_pawn_key(state, state.sides[0]) >> kShift,
          non_pawn_key(state, state.sides[1]) >> kShift};
}

int Histories::correction(const State& state) const {
  const auto& known = correction_[static_cast<std::size_t>(games::index(state.side))];
  const CorrectionSlots at = slots(state);
  return (known[0][at.pawns] + known[1][at.first] + known[2][at.second]) / kCorrectionGrain;
}

void Histories::update_correction(const State& state, int error, int depth) {
  auto& known = correction_[static_cast<std::size_t>(games::index(state.side))];
  const CorrectionSlots at = slots(state);
  const int weight = std::min(depth + 1, 16);
  const int aim = std::clamp(error, -2 * kMaxCorrection, 2 * kMaxCorrection) * kCorrectionGrain / 2;
  for (std::int16_t* entry : {&known[0][at.pawns], &known[1][at.first], &known[2][at.second]}) {
    const int next = (*entry * (256 - weight) + aim * weight) / 256;
    constexpr int kMax = kMaxCorrection * kCorrectionGrain;
    *entry = static_cast<std::int16_t>(std::clamp(next, -kMax, kMax));
  }
}

}  // namespace damier::search::chess
