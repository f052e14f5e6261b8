// Chess the plain way, to compare with: 64 letters, moves tried out one after the other, and a move
// is legal when the king cannot be taken afterwards. Shares nothing with the fast generator.
#pragma once

#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace damier::games::chess::plain {

struct Step {
  int file;
  int rank;
};

inline const std::vector<Step> kStraight = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
inline const std::vector<Step> kDiagonal = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
inline const std::vector<Step> kJumps = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                         {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

// Castling is the king taking its rook, as UCI writes it in Chess960.
struct PlainMove {
  int from = 0;
  int to = 0;
  char promotion = 0;  // "nbrq"
  bool castles = false;
};

class Board {
 public:
  // Reads a FEN that is known to be right.
  explicit Board(const std::string& fen) {
    std::istringstream fields(fen);
    std::string board, side, castling, passed;
    fields >> board >> side >> castling >> passed;
    squares_.fill(' ');
    int file = 0, rank = 7;
    for (const char c : board) {
      if (c == '/') {
        file = 0;
        --rank;
      } else if (c >= '1' && c <= '8') {
        file += c - '0';
      } else {
        at(file++, rank) = c;
      }
    }
    white_ = side == "w";
    for (const char c : castling) {
      if (c != '-') rights_.push_back(rook_of_right(c));
    }
    if (passed != "-") passed_ = passed[0] - 'a' + 8 * (passed[1] - '1');
  }

  std::vector<PlainMove> legal_moves() const {
    std::vector<PlainMove> moves;
    for (const PlainMove& move : candidate_moves()) {
      Board next = *this;
      next.play(move);
      if (!next.is_attacked(next.king(white_), !white_)) moves.push_back(move);
    }
    return moves;
  }

  void play(const PlainMove& move) {
    const char piece = squares_[static_cast<std::size_t>(move.from)];
    const bool pawn = std::tolower(piece) == 'p';
    const int passed = passed_;
    passed_ = -1;
    if (move.castles) {
      const bool is_short = move.to > move.from;
      const int rank = move.from / 8;
      const char rook = squares_[static_cast<std::size_t>(move.to)];
      squares_[static_cast<std::size_t>(move.from)] = ' ';
      squares_[static_cast<std::size_t>(move.to)] = ' ';
      at(is_short ? 6 : 2, rank) = piece;
      at(is_short ? 5 : 3, rank) = rook;
    } else {
      if (pawn && move.to == passed) at(move.to % 8, move.from / 8) = ' ';
      if (pawn && std::abs(move.to - move.from) == 16) passed_ = (move.to + move.from) / 2;
      squares_[static_cast<std::size_t>(move.to)] = piece;
      if (move.promotion != 0) {
        squares_[static_cast<std::size_t>(move.to)] =
            white_ ? static_cast<char>(std::toupper(move.promotion)) : move.promotion;
      }
      squares_[static_cast<std::size_t>(move.from)] = ' ';
    }
    std::erase_if(rights_, [&](int rook) {
      return rook == move.from || rook == move.to ||
             (std::tolower(piece) == 'k' && rook / 8 == (white_ ? 0 : 7));
    });
    white_ = !white_;
  }

  std::uint64_t perft(int depth) const {
    if (depth == 0) return 1;
    std::uint64_t nodes = 0;
    for (const PlainMove& move : legal_moves()) {
      if (depth == 1) {
        ++nodes;
        continue;
      }
      Board next = *this;
      next.play(move);
      nodes += next.perft(depth - 1);
    }
    return nodes;
  }

  bool in_check() const { return is_attacked(king(white_), !white_); }

  static std::string uci(const PlainMove& move) {
    std::string text = {static_cast<char>('a' + move.from % 8),
                        static_cast<char>('1' + move.from / 8),
                        static_cast<char>('a' + move.to % 8), static_cast<char>('1' + move.to / 8)};
    if (move.promotion != 0) text += move.promotion;
    return text;
  }

 private:
  char& at(int file, int rank) { return squares_[static_cast<std::size_t>(8 * rank + file)]; }
  // '#' outside the board.
  char look(int file, int rank) const {
    if (file < 0 || file > 7 || rank < 0 || rank > 7) return '#';
    return squares_[static_cast<std::size_t>(8 * rank + file)];
  }
  static bool is_white(char c) { return c >= 'A' && c <= 'Z'; }
  static bool is_black(char c) { return c >= 'a' && c <= 'z'; }
  bool is_own(char c) const { return white_ ? is_white(c) : is_black(c); }
  bool is_enemy(char c) const { return white_ ? is_black(c) : is_white(c); }

  int king(bool white) const {
    for (int square = 0; square < 64; ++square) {
      if (squares_[static_cast<std::size_t>(square)] == (white ? 'K' : 'k')) return square;
    }
    std::abort();
  }

  int rook_of_right(char c) const {
    const bool white = is_white(c);
    const int rank = white ? 0 : 7;
    const char rook = white ? 'R' : 'r';
    const int king_file = king(white) % 8;
    const char upper = static_cast<char>(std::toupper(c));
    if (upper == 'K') {
      for (int file = 7; file > king_file; --file) {
        if (look(file, rank) == rook) return 8 * rank + file;
      }
    }
    if (upper == 'Q') {
      for (int file = 0; file < king_file; ++file) {
        if (look(file, rank) == rook) return 8 * rank + file;
      }
    }
    return 8 * rank + (upper - 'A');
  }

  bool is_attacked(int square, bool by_white) const {
    const int file = square % 8, rank = square / 8;
    const auto is = [&](char c, char kind) {
      return c == (by_white ? static_cast<char>(std::toupper(kind)) : kind);
    };
    for (const int side : {-1, 1}) {
      if (is(look(file + side, rank + (by_white ? -1 : 1)), 'p')) return true;
    }
    for (const Step step : kJumps) {
      if (is(look(file + step.file, rank + step.rank), 'n')) return true;
    }
    for (const bool straight : {true, false}) {
      for (const Step step : straight ? kStraight : kDiagonal) {
        if (is(look(file + step.file, rank + step.rank), 'k')) return true;
        for (int i = 1;; ++i) {
          const char c = look(file + i * step.file, rank + i * step.rank);
          if (is(c, 'q') || is(c, straight ? 'r' : 'b')) return true;
          if (c != ' ') break;
        }
      }
    }
    return false;
  }

  std::vector<PlainMove> candidate_moves() const {
    std::vector<PlainMove> moves;
    for (int from = 0; from < 64; ++from) {
      const char piece = squares_[static_cast<std::size_t>(from)];
      if (!is_own(piece)) continue;
      switch (std::tolower(piece)) {
        case 'p':
          add_pawn(moves, from);
          break;
        case 'n':
          add_steps(moves, from, kJumps, false);
          break;
        case 'b':
          add_steps(moves, from, kDiagonal, true);
          break;
        case 'r':
          add_steps(moves, from, kStraight, true);
          break;
        default:
          add_steps(moves, from, kStraight, std::tolower(piece) == 'q');
          add_steps(moves, from, kDiagonal, std::tolower(piece) == 'q');
      }
    }
    add_castling(moves);
    return moves;
  }

  void add_steps(std::vector<PlainMove>& moves, int from, const std::vector<Step>& steps,
                 bool slides) const {
    for (const Step step : steps) {
      for (int i = 1;; ++i) {
        const int file = from % 8 + i * step.file, rank = from / 8 + i * step.rank;
        const char c = look(file, rank);
        if (c == ' ' || is_enemy(c)) moves.push_back({from, 8 * rank + file});
        if (c != ' ' || !slides) break;
      }
    }
  }

  void add_pawn(std::vector<PlainMove>& moves, int from) const {
    const int file = from % 8, rank = from / 8, forward = white_ ? 1 : -1;
    const auto add = [&](int to_file, int to_rank) {
      const int to = 8 * to_rank + to_file;
      if (to_rank == 0 || to_rank == 7) {
        for (const char c : {'n', 'b', 'r', 'q'}) moves.push_back({from, to, c});
      } else {
        moves.push_back({from, to});
      }
    };
    if (look(file, rank + forward) == ' ') {
      add(file, rank + forward);
      if (rank == (white_ ? 1 : 6) && look(file, rank + 2 * forward) == ' ') {
        add(file, rank + 2 * forward);
      }
    }
    for (const int side : {-1, 1}) {
      const char c = look(file + side, rank + forward);
      const int to = 8 * (rank + forward) + file + side;
      if (is_enemy(c) || (c == ' ' && to == passed_)) add(file + side, rank + forward);
    }
  }

  void add_castling(std::vector<PlainMove>& moves) const {
    const int home = white_ ? 0 : 7, from = king(white_);
    for (const int rook : rights_) {
      if (rook / 8 != home) continue;
      const int king_to = 8 * home + (rook > from ? 6 : 2);
      const int rook_to = 8 * home + (rook > from ? 5 : 3);
      bool free = true;
      for (int square = 8 * home; square < 8 * home + 8; ++square) {
        const auto on_way = [square](int a, int b) {
          return square >= std::min(a, b) && square <= std::max(a, b);
        };
        if (square != from && square != rook && (on_way(from, king_to) || on_way(rook, rook_to)) &&
            squares_[static_cast<std::size_t>(square)] != ' ') {
          free = false;
        }
        // The king is taken off first: it cannot shield the squares behind it.
        Board lifted = *this;
        lifted.squares_[static_cast<std::size_t>(from)] = ' ';
        if (on_way(from, king_to) && lifted.is_attacked(square, !white_)) free = false;
      }
      if (free) moves.push_back({from, rook, 0, true});
    }
  }

  std::array<char, 64> squares_ = {};
  bool white_ = true;
  std::vector<int> rights_;  // the squares of the rooks
  int passed_ = -1;          // after any double step
};

}  // namespace damier::games::chess::plain
