#include "damier/base/text/progress.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>

#include <fmt/format.h>
#include <unistd.h>

#include "damier/base/parallel/threads.h"
#include "damier/base/text/columns.h"
#include "damier/base/text/standard_streams.h"

namespace damier {

namespace {

constexpr auto kQuietTime = std::chrono::seconds(2);
constexpr auto kBetweenDrawings = std::chrono::milliseconds(200);

}  // namespace

std::string short_number(double value) {
  constexpr std::array<const char*, 5> kSuffixes = {"", " k", " M", " G", " T"};
  std::size_t suffix = 0;
  while (std::abs(value) >= 999.5 && suffix + 1 < kSuffixes.size()) {
    value /= 1000;
    ++suffix;
  }
  const double size = std::abs(value);
  const bool whole = suffix == 0 && value == std::floor(value);
  const int digits = whole || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", value, digits, kSuffixes[suffix]);
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(std::clamp(seconds, 0.0, 3.6e9));
  const auto hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
  return fmt::format("{}:{:02}", minutes, rest);
}

Progress::Progress(std::string title, std::uint64_t total, std::string unit)
    : title_(std::move(title)),
      total_(total),
      unit_(std::move(unit)),
      drawer_([this](double seconds) { return line(seconds, message_columns()); }) {}

std::string progress_bar(double share, int width) {
  constexpr int kMinWidth = 4;  // less says nothing
  if (width < kMinWidth) return "";
  const int filled = static_cast<int>(share * width);
  std::string bar(static_cast<std::size_t>(filled), '=');
  if (filled < width) bar += '>';
  bar.resize(static_cast<std::size_t>(width), ' ');
  return fmt::format("[{}] ", bar);
}

std::string Progress::line(double seconds, int columns) const {
  constexpr int kWidth = 24, kFrame = 3;
  const auto steps = static_cast<double>(steps_.load());
  const double share = total_ == 0 ? 1.0 : std::min(1.0, steps / static_cast<double>(total_));
  const double rate = seconds > 0 ? static_cast<double>(units_.load()) / seconds : 0;
  const std::string left = share > 0 ? clock_text(seconds / share - seconds) + " left" : "";
  const std::string before = title_ + "  ";
  const std::string behind = fmt::format("{:3.0f} %  {}{}/s  {}", 100 * share, short_number(rate),
                                         unit_.empty() ? "" : " " + unit_, left);
  const int room = columns - visible_width(before) - visible_width(behind) - kFrame;
  return before + progress_bar(share, std::min(kWidth, room)) + behind;
}

LiveLine::LiveLine(Text text) : text_(std::move(text)) {
  if (isatty(STDERR_FILENO) != 1) return;
  drawer_ = start_thread([this](const std::stop_token& stop) { draw_until_stopped(stop); });
}

void LiveLine::draw_until_stopped(const std::stop_token& stop) const {
  const auto start = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  const auto stopped_within = [&](auto time) {
    return wake.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
  };
  if (stopped_within(kQuietTime)) return;
  do {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    draw_live_line(text_(passed.count()));
  } while (!stopped_within(kBetweenDrawings));
  wipe_live_line();
}

}  // namespace damier
