#include "damier/search/chess/evaluation.h"

#include <cassert>

#include "damier/base/parallel/isa.h"
#include "damier/games/chess/attacks.h"

namespace damier::search::chess {

using games::chess::KernelChoice;

HandWrittenEvaluation::HandWrittenEvaluation()
    : HandWrittenEvaluation(can_run(Isa::bmi2) ? KernelChoice::bmi2 : KernelChoice::plain) {}

HandWrittenEvaluation::HandWrittenEvaluation(KernelChoice choice)
    : pawns_(std::size_t{1} << kPawnEntryBits) {
#if defined(__x86_64__)
  if (choice == KernelChoice::bmi2) {
    assert(can_run(Isa::bmi2));
    evaluate_ = evaluate_bmi2;
    tables_ = &attack_tables(games::chess::SliderOrder::pext);
    return;
  }
#endif
  static_cast<void>(choice);
  evaluate_ = evaluate_plain;
  tables_ = &attack_tables(games::chess::SliderOrder::magic);
}

int HandWrittenEvaluation::score(const games::chess::State& state) {
  const auto& pawns = state.kinds[games::chess::index(games::chess::Kind::pawn)];
  const std::uint64_t key = (pawns & state.sides[0]) * 0x9E3779B97F4A7C15u ^
                            (pawns & state.sides[1]) * 0xBF58476D1CE4E5B9u;
  return evaluate_(*tables_, state, pawns_[key >> (64 - kPawnEntryBits)]);
}

}  // namespace damier::search::chess
