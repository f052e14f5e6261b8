// A progress line on standard error for work that takes longer than two seconds:
//   perft  [=========>          ]  45 %  12.3 M/s  0:07 left
// It is drawn only when standard error is a terminal, and wiped when the work ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace damier {

// The line itself, with whatever text: `text` is asked for it from a thread of its own, with the
// seconds since the beginning.
class LiveLine {
 public:
  using Text = std::function<std::string(double seconds)>;
  explicit LiveLine(Text text);
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

 private:
  void draw_until_stopped(const std::stop_token& stop) const;

  const Text text_;
  std::jthread drawer_;  // last: it reads the others
};

class Progress {
 public:
  // `total` steps in all; rates are shown in `unit` per second.
  Progress(std::string title, std::uint64_t total, std::string unit);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `steps` more of the total are done, which were `units` of work. Safe from any thread.
  void add(std::uint64_t steps, std::uint64_t units) {
    steps_ += steps;
    units_ += units;
  }

  // The line as it would be drawn after `seconds`; apart from the clock, so that it can be tested.
  // The bar is as long as `columns` columns leave room for.
  std::string line(double seconds, int columns) const;

 private:
  const std::string title_;
  const std::uint64_t total_;
  const std::string unit_;
  std::atomic<std::uint64_t> steps_{0};
  std::atomic<std::uint64_t> units_{0};
  LiveLine drawer_;  // last: it reads the others
};

// "[=====>    ] ", of `width` columns between the brackets; nothing where those are too few.
std::string progress_bar(double share, int width);

// 1234567 -> "1.23 M", 950 -> "950"; three significant digits.
std::string short_number(double value);

// 75 -> "1:15", 3661 -> "1:01:01".
std::string clock_text(double seconds);

}  // namespace damier
