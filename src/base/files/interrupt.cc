#include "damier/base/files/interrupt.h"

#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

namespace damier {

namespace {

std::atomic<bool> g_interrupted{false};
std::atomic<bool> g_asked_to_end{false};  // by SIGINT or SIGTERM
static_assert(std::atomic<bool>::is_always_lock_free, "the signal handler needs a lock-free flag");

thread_local constinit const std::atomic<bool>* t_stop = nullptr;

// The handler writes a byte here, so that a wait for input ends.
int g_wake_pipe[2] = {-1, -1};

extern "C" void on_signal(int signal) {
  if (signal != SIGHUP && g_asked_to_end.exchange(true)) _exit(130);
  const int before = errno;  // the interrupted code may be about to read it
  interrupt();
  errno = before;
}

}  // namespace

void catch_interrupts() {
  if (g_wake_pipe[0] < 0 && pipe2(g_wake_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;
  struct sigaction action = {};
  action.sa_handler = on_signal;  // no SA_RESTART: a read at a prompt returns
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

bool interrupted() {
  return g_interrupted.load(std::memory_order_relaxed) ||
         (t_stop != nullptr && t_stop->load(std::memory_order_relaxed));
}

StopsWith::StopsWith(const std::atomic<bool>& stop) { t_stop = &stop; }
StopsWith::~StopsWith() { t_stop = nullptr; }

void interrupt() {
  g_interrupted = true;
  [[maybe_unused]] const ssize_t written = write(g_wake_pipe[1], "!", 1);
}

Error interruption() { return {"interrupted", {}, ErrorKind::interrupted}; }

bool wait_readable(int descriptor) { return wait_readable_of(descriptor, -1).has_value(); }

std::optional<int> wait_readable_of(int first, int second) {
  while (!interrupted()) {
    // poll passes over what is negative.
    pollfd waiting[3] = {{first, POLLIN, 0}, {second, POLLIN, 0}, {g_wake_pipe[0], POLLIN, 0}};
    if (poll(waiting, 3, -1) <= 0 || interrupted()) continue;
    if (waiting[0].revents != 0) return first;
    if (waiting[1].revents != 0) return second;
  }
  return std::nullopt;
}

void wait_a_while(int milliseconds) {
  pollfd waiting = {g_wake_pipe[0], POLLIN, 0};
  poll(&waiting, 1, milliseconds);
}

}  // namespace damier
