#include "damier/play/contest/games_csv.h"

#include <fmt/format.h>

namespace damier::play {

namespace {

// In quotes where it would be taken for something else.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

}  // namespace

std::string games_csv(const GameRows& rows) {
  std::string text = "number,first,second,opening,outcome,plies,moves\n";
  for (const auto& row : rows) {
    if (!row) continue;
    text += fmt::format("{},{},{},{},{},{},{}\n", row->number, csv_cell(row->first),
                        csv_cell(row->second), csv_cell(row->opening), row->outcome, row->plies,
                        csv_cell(row->moves));
  }
  return text;
}

}  // namespace damier::play
