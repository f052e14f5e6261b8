#include "damier/games/chess/fen.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cstdlib>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/chess/state.h"

namespace damier::games::chess {

namespace {

constexpr std::string_view kLetters = "PNBRQK";
constexpr int kMaxClock = 9999;

// The rook that K or Q stands for.
Bitboard outermost(Bitboard rooks, bool on_short_side) {
  if (rooks == 0) return 0;
  return on_short_side ? bit(63 - __builtin_clzll(rooks)) : bit(lowest_bit(rooks));
}

Bitboard wing(Square king, bool short_side) {
  const Bitboard rank = kRank1 << (kBoardSize * rank_of(king));
  const Bitboard left = bit(king) - 1;
  return rank & (short_side ? ~left & ~bit(king) : left);
}

class FenReader {
 public:
  FenReader(std::string_view text, const Generator& generator)
      : text_(trim(text)), generator_(generator) {}

  Result<State> read() {
    if (auto status = read_fields(); !status) {
      return Error{fmt::format("FEN {}: {}", in_quotes(text_), status.error().message)};
    }
    state_.hash = zobrist_hash(state_);
    return state_;
  }

 private:
  Status read_fields() {
    for (const std::string_view field : split(text_, ' ')) {
      if (!field.empty()) fields_.push_back(field);
    }
    if (fields_.size() != 4 && fields_.size() != 6) {
      return Error{fmt::format(
          "expected 4 or 6 fields (board, side, castling, en passant, clock, move), found {}",
          fields_.size())};
    }
    TRY(read_board());
    TRY(read_side());
    if (auto status = check_position(state_, generator_); !status) {
      return Error{"board: " + status.error().message};
    }
    TRY(read_castling());
    TRY(read_en_passant());
    return read_clocks();
  }

  Status read_board() {
    const auto ranks = split(fields_[0], '/');
    if (ranks.size() != kBoardSize) {
      return Error{fmt::format("board: expected 8 ranks separated by '/', found {}", ranks.size())};
    }
    for (int rank = 7; rank >= 0; --rank) {
      int file = 0;
      for (const char letter : ranks[static_cast<std::size_t>(7 - rank)]) {
        const auto piece = piece_of_letter(letter);
        if (!piece && (letter < '1' || letter > '8')) {
          return Error{
              fmt::format("board: {} in rank {} is neither a piece (PNBRQKpnbrqk) nor a "
                          "number of empty squares",
                          in_quotes(std::string_view(&letter, 1)), rank + 1)};
        }
        if (piece && file < kBoardSize) state_.put(*piece, square_at(file, rank));
        file += piece ? 1 : letter - '0';
        if (file > kBoardSize) break;
      }
      if (file != kBoardSize) {
        return Error{fmt::format("board: rank {} has {} squares than 8", rank + 1,
                                 file < kBoardSize ? "fewer" : "more")};
      }
    }
    return Done{};
  }

  Status read_side() {
    if (fields_[1] != "w" && fields_[1] != "b") {
      return Error{fmt::format("side to move: expected w or b, found {}", in_quotes(fields_[1]))};
    }
    state_.side = fields_[1] == "w" ? Side::first : Side::second;
    return Done{};
  }

  Status read_castling() {
    if (fields_[2] == "-") return Done{};
    for (const char letter : fields_[2]) {
      const Side side = letter >= 'a' ? Side::second : Side::first;
      const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
      if (upper != 'K' && upper != 'Q' && (upper < 'A' || upper > 'H')) {
        return Error{fmt::format("castling: {} is not one of KQkq, A to H, a to h",
                                 in_quotes(std::string_view(&letter, 1)))};
      }
      const Square king = state_.king(side);
      if (rank_of(king) != home_rank(side)) {
        return Error{fmt::format("castling: {} is impossible, {}'s king is on {}, not on rank {}",
                                 letter, side_name(side), square_name(king), home_rank(side) + 1)};
      }
      const bool by_file = upper != 'K' && upper != 'Q';
      const bool is_short = by_file ? upper - 'A' > file_of(king) : upper == 'K';
      const Bitboard rooks = state_.of(side, Kind::rook) & wing(king, is_short);
      const Bitboard rook = by_file ? rooks & bit(square_at(upper - 'A', home_rank(side)))
                                    : outermost(rooks, is_short);
      if (rook == 0) {
        return Error{fmt::format(
            "castling: {} is impossible, {} has no rook {} on rank {}", letter, side_name(side),
            by_file ? fmt::format("on the {}-file", static_cast<char>(upper - 'A' + 'a'))
                    : fmt::format("{} of its king", is_short ? "right" : "left"),
            home_rank(side) + 1)};
      }
      if ((state_.castling & wing(king, is_short)) != 0) {
        return Error{fmt::format("castling: {} is the second right of {} on that side", letter,
                                 side_name(side))};
      }
      state_.castling |= rook;
    }
    return Done{};
  }

  Status read_en_passant() {
    if (fields_[3] == "-") return Done{};
    const auto square = parse_square(fields_[3]);
    if (!square) {
      return Error{
          fmt::format("en passant: expected a square or -, found {}", in_quotes(fields_[3]))};
    }
    const bool white = state_.side == Side::first;
    if (rank_of(*square) != (white ? 5 : 2)) {
      return Error{fmt::format("en passant: with {} to move the square is on rank {}, not {}",
                               side_name(state_.side), white ? 6 : 3, fields_[3])};
    }
    const int forward = white ? 8 : -8;
    const Square pawn = square_at(index(*square) - forward);
    const Square start = square_at(index(*square) + forward);
    if ((state_.of(opponent(state_.side), Kind::pawn) & bit(pawn)) == 0) {
      return Error{fmt::format("en passant: no pawn of {} on {} has just passed {}",
                               side_name(opponent(state_.side)), square_name(pawn), fields_[3])};
    }
    if ((state_.occupied() & (bit(*square) | bit(start))) != 0) {
      return Error{fmt::format("en passant: {} and {} must be empty after a double step",
                               square_name(start), fields_[3])};
    }
    if (generator_.can_take_en_passant(state_, *square)) state_.en_passant = *square;
    return Done{};
  }

  Status read_clocks() {
    if (fields_.size() == 4) return Done{};
    const auto clock = TRY(parse_integer(fields_[4], 0, kMaxClock, "half-move clock"));
    const auto number = TRY(parse_integer(fields_[5], 1, kMaxClock, "move number"));
    state_.halfmove_clock = static_cast<std::uint16_t>(clock);
    state_.move_number = static_cast<std::uint16_t>(number);
    return Done{};
  }

  std::string_view text_;
  const Generator& generator_;
  std::vector<std::string_view> fields_;
  State state_;
};

std::string castling_text(const State& state) {
  std::string text;
  for (const Side side : {Side::first, Side::second}) {
    // A board that is put together by hand has no rights, and may have no king.
    if ((state.castling & home_squares(side)) == 0) continue;
    for (const bool is_short : {true, false}) {
      const Bitboard right = state.castling & home_squares(side) & wing(state.king(side), is_short);
      if (right == 0) continue;
      const Bitboard rooks = state.of(side, Kind::rook) & wing(state.king(side), is_short);
      const bool usual = right == outermost(rooks, is_short);
      const char letter =
          usual ? (is_short ? 'K' : 'Q') : static_cast<char>('A' + lowest_bit(right) % kBoardSize);
      text += side == Side::first ? letter : static_cast<char>(letter - 'A' + 'a');
    }
  }
  return text.empty() ? "-" : text;
}

Status check_counts(const State& state) {
  constexpr int kAtStart[kKinds] = {8, 2, 2, 2, 1, 1};
  for (const Side side : {Side::first, Side::second}) {
    const auto count = [&](Kind kind) { return bit_count(state.of(side, kind)); };
    const int kings = count(Kind::king), pawns = count(Kind::pawn);
    if (kings != 1) {
      return Error{fmt::format("{} has {} kings, not one", side_name(side), kings)};
    }
    if (pawns > 8) {
      return Error{fmt::format("{} has {} pawns, more than 8", side_name(side), pawns)};
    }
    int promoted = 0;
    for (const Kind kind : {Kind::knight, Kind::bishop, Kind::rook, Kind::queen}) {
      promoted += std::max(0, count(kind) - kAtStart[index(kind)]);
    }
    if (promoted + pawns > 8) {
      return Error{
          fmt::format("{} has too many pieces: {} must have been promoted, and {} pawns "
                      "are still there",
                      side_name(side), promoted, pawns)};
    }
  }
  if (const Bitboard wrong = state.of(Kind::pawn) & (kRank1 | kRank8); wrong != 0) {
    return Error{fmt::format("a pawn on {}; pawns stand on ranks 2 to 7",
                             square_name(square_at(lowest_bit(wrong))))};
  }
  return Done{};
}

Status check_kings(const State& state, const Generator& generator) {
  const Square white = state.king(Side::first), black = state.king(Side::second);
  if (std::abs(file_of(white) - file_of(black)) <= 1 &&
      std::abs(rank_of(white) - rank_of(black)) <= 1) {
    return Error{fmt::format("the kings on {} and {} stand side by side", square_name(white),
                             square_name(black))};
  }
  State other = state;
  other.side = opponent(state.side);
  if (const Bitboard checkers = generator.checkers(other); checkers != 0) {
    return Error{fmt::format("{} is in check from {}, but it is {}'s move", side_name(other.side),
                             square_name(square_at(lowest_bit(checkers))), side_name(state.side))};
  }
  if (const int checks = bit_count(generator.checkers(state)); checks > 2) {
    return Error{fmt::format("{} pieces give check at once", checks)};
  }
  return Done{};
}

// Ten ways to put two knights on five squares.
constexpr int kKnightPlaces[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                      {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};

// By file. Kings mark the squares that are still empty until the last step.
std::array<Kind, kBoardSize> back_rank(int number) {
  std::array<Kind, kBoardSize> rank;
  rank.fill(Kind::king);
  // The n-th file that is still empty.
  const auto empty = [&rank](int n) -> Kind& {
    std::size_t file = 0;
    while (rank[file] != Kind::king || n-- > 0) ++file;
    return rank[file];
  };
  rank[static_cast<std::size_t>(2 * (number % 4) + 1)] = Kind::bishop;  // on a light square
  number /= 4;
  rank[static_cast<std::size_t>(2 * (number % 4))] = Kind::bishop;
  number /= 4;
  empty(number % 6) = Kind::queen;
  const auto& [left, right] = kKnightPlaces[number / 6];
  empty(right) = Kind::knight;  // the right one first: it does not move the left one's place
  empty(left) = Kind::knight;
  empty(2) = Kind::rook;  // three squares are left: the king stands between the rooks
  empty(0) = Kind::rook;
  return rank;
}

}  // namespace

std::optional<Piece> piece_of_letter(char letter) {
  const bool is_small = letter >= 'a' && letter <= 'z';
  const auto at = kLetters.find(is_small ? static_cast<char>(letter - 'a' + 'A') : letter);
  if (at == kLetters.npos) return std::nullopt;
  return Piece{kind_at(static_cast<int>(at)), is_small ? Side::second : Side::first};
}

char fen_letter(Piece piece) {
  const char letter = kLetters[static_cast<std::size_t>(index(piece.kind))];
  return piece.side == Side::first ? letter : static_cast<char>(letter - 'A' + 'a');
}

std::string fen_text(const State& state) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < kBoardSize; ++file) {
      const auto piece = state.at(square_at(file, rank));
      if (piece && empty > 0) text += std::to_string(std::exchange(empty, 0));
      if (piece) text += fen_letter(*piece);
      if (!piece) ++empty;
    }
    if (empty > 0) text += std::to_string(empty);
    if (rank > 0) text += '/';
  }
  return fmt::format("{} {} {} {} {} {}", text, state.side == Side::first ? 'w' : 'b',
                     castling_text(state),
                     state.en_passant == Square::none ? "-" : square_name(state.en_passant),
                     state.halfmove_clock, state.move_number);
}

Result<State> parse_fen(std::string_view text, const Generator& generator) {
  return FenReader(text, generator).read();
}

Status check_position(const State& state, const Generator& generator) {
  TRY(check_counts(state));
  return check_kings(state, generator);
}

State chess960_start(int number) {
  assert(number >= 0 && number < 960);
  State state;
  const auto rank = back_rank(number);
  for (int file = 0; file < kBoardSize; ++file) {
    const Kind kind = rank[static_cast<std::size_t>(file)];
    for (const Side side : {Side::first, Side::second}) {
      const int home = home_rank(side);
      state.put({kind, side}, square_at(file, home));
      state.put({Kind::pawn, side}, square_at(file, home == 0 ? 1 : 6));
    }
  }
  state.castling = state.of(Kind::rook);
  state.hash = zobrist_hash(state);
  return state;
}

bool castles_as_in_chess(const State& state) {
  for (const Side side : {Side::first, Side::second}) {
    const int home = home_rank(side);
    const Bitboard rights = state.castling & home_squares(side);
    const Bitboard corners = bit(square_at(0, home)) | bit(square_at(7, home));
    if (rights != 0 && (file_of(state.king(side)) != 4 || (rights & ~corners) != 0)) return false;
  }
  return true;
}

}  // namespace damier::games::chess
