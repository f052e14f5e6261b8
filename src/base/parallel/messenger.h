// How the processes of one run reach each other: bytes from one rank to another, in the order in
// which they were sent. Only one thread of a process speaks.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "damier/base/result.h"

namespace damier {

struct RankMessage {
  int from = 0;
  std::string bytes;
};

class Messenger {
 public:
  virtual ~Messenger() = default;

  virtual int rank() const = 0;  // from 0
  virtual int size() const = 0;
  // "rank 3 on HOST": for people.
  virtual std::string name(int rank) const = 0;
  // The cores that are this process's part: those that it may use, shared evenly with the other
  // ranks of its machine that may use them too.
  virtual int threads() const = 0;

  // Both return at once; a message may leave and come later.
  virtual void send(int to, std::string bytes) = 0;
  virtual std::optional<RankMessage> receive() = 0;
  // Every rank calls it at its end, and waits there for the others.
  virtual void close() = 0;
};

// How this process was started, as the variables of mpirun and Slurm say.
struct Launch {
  int rank = 0;
  int size = 1;
};
// Nothing when it is alone.
std::optional<Launch> find_launch();

// Joins the other processes; an error where this program, or the MPI that started it, cannot. All
// ranks use the instructions that every one of them has, so that they find the same bits.
Result<std::unique_ptr<Messenger>> join_ranks(const Launch& launch);

// The part of the program that knows MPI is a module of its own, loaded when other processes were
// started with this one, so that the program starts as fast and runs as well without MPI.
// What it is told, and tells.
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
