// What this processor can do, asked once. Code for wider instructions stands in files of its own,
// compiled with their flags, and is called only after asking here; the rest runs on any x86-64.
#pragma once

#include <string>

namespace damier {

struct CpuFeatures {
  bool popcnt = false;
  bool fast_pdep = false;  // BMI2 with PDEP/PEXT in hardware (microcoded on AMD before Zen 3)
  bool sse42 = false;
  bool avx2 = false;    // with FMA
  bool avx512 = false;  // F, BW, DQ, VL
};

const CpuFeatures& cpu_features();

// From now on vector instructions that are missing here are not used; networks that other machines
// ask too then round as theirs do. Not while another thread is at work.
void limit_vector_instructions(const CpuFeatures& features);

// The processor's own name, "unknown processor" where it cannot be read.
std::string cpu_name();

}  // namespace damier
