#include "damier/base/interrupt.h"

#include <atomic>

#include <signal.h>
#include <unistd.h>

namespace damier {

namespace {

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the signal handler needs a lock-free flag");

extern "C" void on_interrupt(int) {
  if (g_interrupted.exchange(true)) _exit(130);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;  // no SA_RESTART: a read at a prompt returns
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return g_interrupted.load(std::memory_order_relaxed); }

void set_interrupted(bool value) { g_interrupted.store(value); }

}  // namespace damier
