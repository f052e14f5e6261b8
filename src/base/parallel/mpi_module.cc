// Messages by MPI: the one file that knows it. Nothing here waits but close(): MPI's own waiting
// keeps a core busy that others need.

#include <algorithm>
#include <climits>
#include <deque>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

#include <mpi.h>
#include <sched.h>

#include "damier/base/parallel/messenger.h"

namespace damier {

namespace {

constexpr int kMessageTag = 1;

// A fixed number of bytes from every rank of `ranks`, one after the other.
std::string gathered(std::string own, std::size_t width, MPI_Comm ranks) {
  int size = 1;
  MPI_Comm_size(ranks, &size);
  own.resize(width);
  std::string all(width * static_cast<std::size_t>(size), '\0');
  const int count = static_cast<int>(width);
  MPI_Allgather(own.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE, ranks);
  return all;
}

// Every core counts for as much as there are ranks of this machine that may use it.
int part_of_the_cores() {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  cpu_set_t own;
  CPU_ZERO(&own);
  sched_getaffinity(0, sizeof(own), &own);
  const std::string all =
      gathered({reinterpret_cast<const char*>(&own), sizeof(own)}, sizeof(own), machine);
  MPI_Comm_free(&machine);
  double part = 0;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &own)) continue;
    int users = 0;
    for (std::size_t at = 0; at < all.size(); at += sizeof(own)) {
      cpu_set_t other;
      std::copy_n(all.data() + at, sizeof(other), reinterpret_cast<char*>(&other));
      users += CPU_ISSET(core, &other) ? 1 : 0;
    }
    part += 1.0 / std::max(users, 1);
  }
  return std::max(1, static_cast<int>(part + 1e-6));
}

class MpiMessenger final : public Messenger {
 public:
  MpiMessenger(int rank, std::vector<std::string> hosts)
      : rank_(rank), hosts_(std::move(hosts)), threads_(part_of_the_cores()) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(hosts_.size()); }
  std::string name(int rank) const override {
    return "rank " + std::to_string(rank) + " on " + hosts_[static_cast<std::size_t>(rank)];
  }
  int threads() const override { return threads_; }

  void send(int to, std::string bytes) override {
    if (bytes.size() > INT_MAX) throw std::length_error("a message of more than 2 GB");
    const int count = static_cast<int>(bytes.size());
    Leaving& leaving = leaving_.emplace_back(Leaving{std::move(bytes), MPI_REQUEST_NULL});
    MPI_Isend(leaving.bytes.data(), count, MPI_BYTE, to, kMessageTag, MPI_COMM_WORLD,
              &leaving.request);
    let_go();
  }

  std::optional<RankMessage> receive() override {
    let_go();
    int has_come = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kMessageTag, MPI_COMM_WORLD, &has_come, &status);
    if (has_come == 0) return std::nullopt;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    RankMessage message = {status.MPI_SOURCE, std::string(static_cast<std::size_t>(count), '\0')};
    MPI_Recv(message.bytes.data(), count, MPI_BYTE, message.from, kMessageTag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return message;
  }

  void close() override { MPI_Finalize(); }

 private:
  struct Leaving {
    std::string bytes;
    MPI_Request request;
  };

  // Forgets what has left, the oldest first.
  void let_go() {
    while (!leaving_.empty()) {
      int has_left = 0;
      MPI_Test(&leaving_.front().request, &has_left, MPI_STATUS_IGNORE);
      if (has_left == 0) return;
      leaving_.pop_front();
    }
  }

  int rank_;
  std::vector<std::string> hosts_;  // by rank
  int threads_;
  std::deque<Leaving> leaving_;
};

// Why the ranks cannot work together; empty: they can.
std::string error_between(const MpiJoin& join, const std::vector<std::string>& hosts) {
  constexpr std::size_t kBuildWidth = 256;
  const std::string builds = gathered(join.build, kBuildWidth, MPI_COMM_WORLD);
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    const std::string other = builds.c_str() + rank * kBuildWidth, first = builds.c_str();
    if (other == first) continue;
    return "rank " + std::to_string(rank) + " on " + hosts[rank] + " is " + other + "; expected " +
           first + ", as rank 0";
  }
  return "";
}

std::vector<std::string> host_names() {
  char host[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0;
  MPI_Get_processor_name(host, &length);
  const std::string names =
      gathered({host, static_cast<std::size_t>(length)}, MPI_MAX_PROCESSOR_NAME, MPI_COMM_WORLD);
  std::vector<std::string> hosts;
  for (std::size_t at = 0; at < names.size(); at += MPI_MAX_PROCESSOR_NAME) {
    hosts.emplace_back(names.c_str() + at);
  }
  return hosts;
}

}  // namespace

extern "C" Messenger* damier_open_mpi(MpiJoin& join) {
  int provided = 0, rank = 0, size = 1;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (provided < MPI_THREAD_FUNNELED) {
    join.error = "this MPI allows no threads";
  } else if (size != join.size) {
    join.error = "started as one of " + std::to_string(join.size) +
                 " processes, of which MPI knows " + std::to_string(size) +
                 "; expected the mpirun of the MPI that the program was built with";
  }
  std::vector<std::string> hosts;
  if (join.error.empty()) {
    hosts = host_names();
    join.error = error_between(join, hosts);
  }
  if (!join.error.empty()) {
    MPI_Finalize();
    return nullptr;
  }
  MPI_Allreduce(MPI_IN_PLACE, join.vector_instructions,
                static_cast<int>(std::size(join.vector_instructions)), MPI_INT, MPI_MIN,
                MPI_COMM_WORLD);
  return new MpiMessenger(rank, std::move(hosts));
}

}  // namespace damier
