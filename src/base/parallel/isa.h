// The instruction sets that code is compiled for, and which of them this processor runs, asked
// once. Code for wider instructions stands in files of its own, compiled with their flags, and is
// called only when can_run() says so; the rest runs on any x86-64.
#pragma once

#include <cstdint>
#include <string>

namespace damier {

// From narrow to wide. `bmi2` is PDEP and PEXT in hardware (not the microcode of AMD before Zen 3),
// with POPCNT; `avx2` includes FMA; `avx512` is F, BW, DQ and VL.
enum class Isa : std::uint8_t { plain, sse42, bmi2, avx2, avx512 };
inline constexpr Isa kAllIsas[] = {Isa::plain, Isa::sse42, Isa::bmi2, Isa::avx2, Isa::avx512};

bool can_run(Isa isa);

// From now on can_run(isa) is false: networks that other machines ask too then round as theirs do.
// Not while another thread is at work.
void do_without(Isa isa);

// One function or table as it was compiled for several instruction sets: pointers, null where it
// was not compiled.
template <class Pointer>
struct CompiledFor {
  Pointer plain = nullptr;
  Pointer sse42 = nullptr;
  Pointer bmi2 = nullptr;
  Pointer avx2 = nullptr;
  Pointer avx512 = nullptr;

  // Null where it was not compiled or cannot be run.
  Pointer of(Isa isa) const {
    const Pointer all[] = {plain, sse42, bmi2, avx2, avx512};
    return can_run(isa) ? all[static_cast<int>(isa)] : nullptr;
  }

  // The widest that this processor runs.
  Pointer best() const {
    Pointer widest = plain;
    for (const Isa isa : kAllIsas) {
      if (const Pointer pointer = of(isa); pointer != nullptr) widest = pointer;
    }
    return widest;
  }
};

// The processor's own name, "unknown processor" where it cannot be read.
std::string cpu_name();

}  // namespace damier
