#include "damier/app/contest/book.h"

#include <istream>

#include <fmt/format.h>

#include "damier/base/files/input_file.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/files/stream_lines.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

Result<std::vector<play::Opening>> positions_of(std::istream& in, const std::string& source) {
  constexpr std::size_t kMaxPositionLength = 4096;
  std::vector<play::Opening> openings;
  StreamLines lines(in);
  while (lines.next()) {
    const std::string_view line = trim(lines.line());
    if (line.empty() || line.starts_with('#')) continue;
    if (line.size() > kMaxPositionLength || openings.size() == kMaxOpenings) {
      return Error{fmt::format("expected at most {} positions, one a line", kMaxOpenings),
                   {source, static_cast<int>(lines.number())}};
    }
    openings.push_back({std::string(line), {}});
  }
  return openings;
}

}  // namespace

Result<std::vector<play::Opening>> read_book(const GameCommands& own, const std::string& file,
                                             int plies) {
  auto input = InputFile::open(file);
  if (interrupted()) return interruption();
  if (!input) return std::move(input).error();
  std::istream in(input->get());
  const std::string& source = (*input)->name();
  auto openings = own.openings(in, source, plies);
  if (!openings) openings = positions_of(in, source);
  if (interrupted()) return interruption();
  TRY((*input)->status());
  if (!*openings) return *std::move(openings);
  if ((*openings)->empty()) return Error{"has no openings", {source}};
  return *std::move(openings);
}

}  // namespace damier::app
