#include "damier/base/interrupt.h"

#include <atomic>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

namespace damier {

namespace {

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the signal handler needs a lock-free flag");

// The handler writes a byte here, so that whoever waits for input wakes up.
int g_wake_pipe[2] = {-1, -1};

extern "C" void on_interrupt(int) {
  if (g_interrupted.exchange(true)) _exit(130);
  [[maybe_unused]] const ssize_t written = write(g_wake_pipe[1], "!", 1);
}

}  // namespace

void catch_interrupts() {
  if (g_wake_pipe[0] < 0 && pipe2(g_wake_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;
  struct sigaction action = {};
  action.sa_handler = on_interrupt;  // no SA_RESTART: a read at a prompt returns
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return g_interrupted.load(std::memory_order_relaxed); }

bool wait_readable(int descriptor) {
  while (!interrupted()) {
    pollfd waiting[2] = {{descriptor, POLLIN, 0}, {g_wake_pipe[0], POLLIN, 0}};
    if (poll(waiting, 2, -1) > 0 && waiting[0].revents != 0 && !interrupted()) return true;
  }
  return false;
}

}  // namespace damier
