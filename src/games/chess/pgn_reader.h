// Reads games in Portable Game Notation one after the other; a file of gigabytes needs the memory
// of its largest game.
//
// A broken game is an error with its place, and the reader continues with the next one. A game
// whose moves make no sense in English letters is tried in those of other languages.
#pragma once

#include <functional>
#include <istream>
#include <string>

#include "damier/games/chess/pgn.h"
#include "damier/games/chess/pgn_chunks.h"

namespace damier::games::chess {

struct PgnReaderOptions {
  bool variations = true;  // or pass over them, unread
  bool comments = true;
};

class PgnReader {
 public:
  // `source` names the file in errors. `in` must outlive the reader.
  PgnReader(std::istream& in, std::string source, PgnReaderOptions options = {});

  // True: `game` is the next one. False: the end. An error: the next game is broken; call again for
  // the one after it. `game`'s room is used again.
  Result<bool> next(PgnGame& game);

 private:
  PgnChunks chunks_;
  std::string source_;
  PgnReaderOptions options_;
  Chess rules_;           // what is played was legal, whatever draws were not claimed
  std::size_t used_ = 0;  // of the chunk: several games without tags may share one
  bool has_chunk_ = false;
  std::size_t counted_ = 0;  // of the chunk, line ends
  std::int64_t line_ = 0;    // where that is in the file
};

struct PgnTotals {
  std::int64_t games = 0;
  std::int64_t broken = 0;
};

PgnTotals read_pgn(std::istream& in, const std::string& source, PgnReaderOptions options,
                   const std::function<void(PgnGame&)>& on_game,
                   const std::function<void(const Error&)>& on_broken);

// What a comment says in commands: takes "[%clk …]" and "[%eval …]" out of the text.
void take_comment_commands(std::string& comment, PgnPly& ply);

}  // namespace damier::games::chess
