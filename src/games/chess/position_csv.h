// Positions with a target as comma-separated values: a header row, then in each line the 97 bytes
// of encoders.h and a number from 0 to 1, 98 columns in all.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "damier/base/files/stream_lines.h"
#include "damier/games/chess/encoders.h"

namespace damier::games::chess {

struct PositionRow {
  State state;  // without castling rights and en passant
  double target = 0;
};

class PositionCsvReader {
 public:
  // `source` names the file in errors. `in` must outlive the reader.
  PositionCsvReader(std::istream& in, std::string source);

  // True: `row` is the next one. False: the end. An error says the line and the column (in
  // characters) where it is wrong; call again for the line after it. The first call also checks the
  // header: it must have 98 columns, whatever their names.
  Result<bool> next(PositionRow& row);

 private:
  Error error(std::string message, std::size_t offset) const;
  Status check_header();

  StreamLines lines_;
  std::string source_;
  Generator generator_;
  bool has_header_ = false;
};

class PositionCsvWriter {
 public:
  // Writes the header: P8 to P1 for the white pawns' ranks, p8 to p1 for the black ones', …, side,
  // target.
  explicit PositionCsvWriter(std::ostream& out);

  void write(const State& state, double target);

 private:
  std::ostream& out_;
  std::string line_;
};

}  // namespace damier::games::chess
