#include "damier/base/text/standard_streams.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <span>
#include <string>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "damier/base/files/atomic_file.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/columns.h"
#include "damier/base/text/text.h"

namespace damier {

namespace {

std::atomic<bool> g_muted{false};

// 0, or errno.
int write_to_stream(int descriptor, std::string_view text) {
  return g_muted || write_bytes(descriptor, std::as_bytes(std::span(text))) ? 0 : errno;
}

class OutputStream {
 public:
  enum class Lines { as_they_are, wrapped };
  void write(std::string_view text, Lines lines) {
    const std::lock_guard lock(mutex_);
    std::string safe = terminal_text(text, terminal_ ? Colours::kept : Colours::shown);
    if (terminal_) {
      const auto columns = columns_of(STDOUT_FILENO);
      if (columns && lines == Lines::wrapped) {
        safe = wrapper_.add(safe, *columns);
      } else {
        wrapper_.pass(safe);
      }
    }
    buffer_ += safe;
    if (terminal_ || buffer_.size() >= kBufferBytes) empty();
  }
  void flush() {
    const std::lock_guard lock(mutex_);
    empty();
  }
  int error() {
    const std::lock_guard lock(mutex_);
    return error_;
  }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

  void empty() {
    if (error_ == 0) {
      error_ = write_to_stream(STDOUT_FILENO, buffer_);
      if (error_ == EPIPE) interrupt();
    }
    buffer_.clear();
  }

  std::mutex mutex_;
  const bool terminal_ = ::isatty(STDOUT_FILENO) == 1;
  LineWrapper wrapper_;  // guarded by mutex_, as is the rest
  std::string buffer_;
  int error_ = 0;  // the first errno; nothing is written after it
};

OutputStream& output_stream() {
  static OutputStream stream;
  return stream;
}

}  // namespace

void prepare_standard_streams() {
  // The wrong way round, so that use of a closed stream still fails.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one.
    [[maybe_unused]] const int taken =
        ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

void mute_standard_streams() { g_muted = true; }

void write_output(std::string_view text) {
  output_stream().write(text, OutputStream::Lines::as_they_are);
}

void write_output_wrapped(std::string_view text) {
  output_stream().write(text, OutputStream::Lines::wrapped);
}

void flush_output() { output_stream().flush(); }

std::optional<Error> output_error() {
  const int error = output_stream().error();
  if (error == 0 || error == EPIPE) return std::nullopt;
  return Error{fmt::format("cannot be written: {}", std::strerror(error)),
               {"standard output"},
               ErrorKind::failure};
}

bool output_reader_left() { return output_stream().error() == EPIPE; }

void write_message(std::string_view text) {
  try {
    write_to_stream(STDERR_FILENO, terminal_text(text, Colours::shown));
  } catch (const std::bad_alloc&) {
    // Nobody can be told.
  }
}

void draw_live_line(std::string_view text) {
  const std::string line = cut_to_width(terminal_text(text, Colours::shown), message_columns());
  write_to_stream(STDERR_FILENO, "\r" + line + "\x1b[K");
}

int message_columns() {
  constexpr int kOtherwise = 80;
  // In the last column the cursor would not be in the line any more.
  return columns_of(STDERR_FILENO).value_or(kOtherwise) - 1;
}

void wipe_live_line() { write_to_stream(STDERR_FILENO, "\r\x1b[K"); }

}  // namespace damier
