#include "damier/search/chess/evaluation.h"

#include <cassert>

#include "damier/games/chess/attacks.h"

namespace damier::search::chess {

namespace {

constexpr CompiledFor<EvaluationKernel> kEvaluationKernels = {
    .plain = evaluate_plain,
#if defined(__x86_64__)
    .bmi2 = evaluate_bmi2,
#endif
};

}  // namespace

HandWrittenEvaluation::HandWrittenEvaluation(Isa isa)
    : evaluate_(kEvaluationKernels.of(isa)),
      tables_(&games::chess::attack_tables(isa)),
      pawns_(std::size_t{1} << kPawnEntryBits) {
  assert(evaluate_ != nullptr);
}

int HandWrittenEvaluation::score(const games::chess::State& state) {
  const auto& pawns = state.kinds[games::chess::index(games::chess::Kind::pawn)];
  const std::uint64_t key = (pawns & state.sides[0]) * 0x9E3779B97F4A7C15u ^
                            (pawns & state.sides[1]) * 0xBF58476D1CE4E5B9u;
  return evaluate_(*tables_, state, pawns_[key >> (64 - kPawnEntryBits)]);
}

}  // namespace damier::search::chess
