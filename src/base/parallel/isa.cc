#include "damier/base/parallel/isa.h"

#include <fstream>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace damier {

namespace {

#if defined(__x86_64__)
// AMD families before 0x19 (Zen 3) run PDEP as hundreds of micro-operations.
bool pdep_is_microcoded() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx)) return true;
  const bool amd = ebx == 0x68747541 && edx == 0x69746E65 && ecx == 0x444D4163;  // AuthenticAMD
  const bool hygon = ebx == 0x6F677948;                                          // Hygo…
  if (!amd && !hygon) return false;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) return true;
  const unsigned base_family = (eax >> 8) & 0xF;
  const unsigned family = base_family + (base_family == 0xF ? (eax >> 20) & 0xFF : 0);
  return family < 0x19;
}
#endif

// A bit for each instruction set.
unsigned detect() {
  const auto bit = [](Isa isa, bool available) {
    return static_cast<unsigned>(available) << static_cast<int>(isa);
  };
  unsigned found = bit(Isa::plain, true);
#if defined(__x86_64__)
  __builtin_cpu_init();
  found |= bit(Isa::sse42, __builtin_cpu_supports("sse4.2"));
  found |= bit(Isa::bmi2, __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
                              __builtin_cpu_supports("bmi2") && !pdep_is_microcoded());
  found |= bit(Isa::avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
  found |= bit(Isa::avx512,
               __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"));
#endif
  return found;
}

unsigned& known_isas() {
  static unsigned known = detect();
  return known;
}

}  // namespace

bool can_run(Isa isa) { return (known_isas() >> static_cast<int>(isa) & 1u) != 0; }

void do_without(Isa isa) { known_isas() &= ~(1u << static_cast<int>(isa)); }

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      const auto colon = line.find(": ");
      if (colon != std::string::npos) return line.substr(colon + 2);
    }
  }
  return "unknown processor";
}

}  // namespace damier
