// The part of the program that knows MPI: a module of its own, loaded when other processes were
// started with this one, so that the program starts as fast and runs as well without MPI.
#pragma once

#include <string>

#include "damier/base/parallel/messenger.h"

namespace damier {

// What the module is told, and tells.
struct MpiJoin {
  int size = 1;                     // processes that were started
  std::string build;                // of this program; all ranks must be of one
  int vector_instructions[3] = {};  // that this machine has; then, that all have
  std::string error;                // why nothing was joined
};

// Null where there is an error.
using OpenMpi = Messenger* (*)(MpiJoin& join);
inline constexpr const char* kOpenMpiName = "damier_open_mpi";

}  // namespace damier
