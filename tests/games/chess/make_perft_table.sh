#!/bin/sh
# Makes tests/games/chess_perft_table.h from perft_positions.txt, with the counts of Debian's
# stockfish (`go perft`):
#
#   tests/games/chess/make_perft_table.sh > tests/games/chess_perft_table.h
set -eu
here=$(dirname "$0")
engine=${STOCKFISH:-$(command -v stockfish || echo /usr/games/stockfish)}

# count FEN DEPTH CHESS960: the number of leaves.
count() {
  printf 'setoption name UCI_Chess960 value %s\nposition fen %s\ngo perft %s\nquit\n' \
    "$3" "$1" "$2" | "$engine" | sed -n 's/^Nodes searched: //p'
}

cat <<'HEADER'
// Made by tests/games/chess/make_perft_table.sh with Debian's stockfish; do not edit.
//
// Positions and the number of move sequences from them, by length from 1 up.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace damier::games::chess {

struct PerftRow {
  std::string_view remark;
  std::string_view fen;
  std::vector<std::uint64_t> counts;
};

// clang-format off
inline const std::vector<PerftRow> kPerftTable = {
HEADER
grep -v '^#' "$here/perft_positions.txt" | grep -v '^$' | while read -r depth variant rest; do
  fen=${rest%% | *}
  remark=$(printf '%s' "${rest##* | }" | sed 's/"/\\"/g')
  chess960=false
  [ "$variant" = chess960 ] && chess960=true
  counts=
  for d in $(seq 1 "$depth"); do
    counts="$counts${counts:+, }$(count "$fen" "$d" "$chess960")u"
  done
  printf '    {"%s",\n     "%s",\n     {%s}},\n' "$remark" "$fen" "$counts"
done
cat <<'FOOTER'
};
// clang-format on

}  // namespace damier::games::chess
FOOTER
