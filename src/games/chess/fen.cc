#include "damier/games/chess/fen.h"

#include <cctype>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/chess/validity.h"
#include "damier/games/chess/zobrist.h"

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
    for (const std::string_view field : split(text_, ' ')) {
      if (!field.empty()) fields_.push_back(field);
    }
    if (fields_.size() != 4 && fields_.size() != 6) {
      return error(fmt::format(
          "expected 4 or 6 fields (board, side, castling, en passant, clock, move), found {}",
          fields_.size()));
    }
    using Step = Status (FenReader::*)();
    for (const Step step :
         {&FenReader::read_board, &FenReader::read_side, &FenReader::check,
          &FenReader::read_castling, &FenReader::read_en_passant, &FenReader::read_clocks}) {
      TRY((this->*step)());
    }
    state_.hash = zobrist_hash(state_);
    return state_;
  }

 private:
  Error error(const std::string& message) const {
    return Error{fmt::format("FEN {}: {}", in_quotes(text_), message)};
  }

  Status read_board() {
    const auto ranks = split(fields_[0], '/');
    if (ranks.size() != kBoardSize) {
      return error(fmt::format("board: expected 8 ranks separated by '/', found {}", ranks.size()));
    }
    for (int rank = 7; rank >= 0; --rank) {
      int file = 0;
      for (const char letter : ranks[static_cast<std::size_t>(7 - rank)]) {
        const auto piece = piece_of_letter(letter);
        if (!piece && (letter < '1' || letter > '8')) {
          return error(
              fmt::format("board: {} in rank {} is neither a piece (PNBRQKpnbrqk) nor a "
                          "number of empty squares",
                          in_quotes(std::string_view(&letter, 1)), rank + 1));
        }
        if (piece && file < kBoardSize) state_.put(*piece, square_at(file, rank));
        file += piece ? 1 : letter - '0';
        if (file > kBoardSize) break;
      }
      if (file != kBoardSize) {
        return error(fmt::format("board: rank {} has {} squares than 8", rank + 1,
                                 file < kBoardSize ? "fewer" : "more"));
      }
    }
    return Done{};
  }

  Status read_side() {
    if (fields_[1] != "w" && fields_[1] != "b") {
      return error(fmt::format("side to move: expected w or b, found {}", in_quotes(fields_[1])));
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
        return error(fmt::format("castling: {} is not one of KQkq, A to H, a to h",
                                 in_quotes(std::string_view(&letter, 1))));
      }
      const Square king = state_.king(side);
      if (rank_of(king) != home_rank(side)) {
        return error(fmt::format("castling: {} is impossible, {}'s king is on {}, not on rank {}",
                                 letter, side_name(side), square_name(king), home_rank(side) + 1));
      }
      const bool by_file = upper != 'K' && upper != 'Q';
      const bool is_short = by_file ? upper - 'A' > file_of(king) : upper == 'K';
      const Bitboard rooks = state_.of(side, Kind::rook) & wing(king, is_short);
      const Bitboard rook = by_file ? rooks & bit(square_at(upper - 'A', home_rank(side)))
                                    : outermost(rooks, is_short);
      if (rook == 0) {
        return error(fmt::format(
            "castling: {} is impossible, {} has no rook {} on rank {}", letter, side_name(side),
            by_file ? fmt::format("on the {}-file", static_cast<char>(upper - 'A' + 'a'))
                    : fmt::format("{} of its king", is_short ? "right" : "left"),
            home_rank(side) + 1));
      }
      if ((state_.castling & wing(king, is_short)) != 0) {
        return error(fmt::format("castling: {} is the second right of {} on that side", letter,
                                 side_name(side)));
      }
      state_.castling |= rook;
    }
    return Done{};
  }

  Status check() {
    auto status = check_position(state_, generator_);
    if (!status) return error("board: " + status.error().message);
    return status;
  }

  Status read_en_passant() {
    if (fields_[3] == "-") return Done{};
    const auto square = parse_square(fields_[3]);
    if (!square) {
      return error(
          fmt::format("en passant: expected a square or -, found {}", in_quotes(fields_[3])));
    }
    const bool white = state_.side == Side::first;
    if (rank_of(*square) != (white ? 5 : 2)) {
      return error(fmt::format("en passant: with {} to move the square is on rank {}, not {}",
                               side_name(state_.side), white ? 6 : 3, fields_[3]));
    }
    const int forward = white ? 8 : -8;
    const Square pawn = square_at(index(*square) - forward);
    const Square start = square_at(index(*square) + forward);
    if ((state_.of(opponent(state_.side), Kind::pawn) & bit(pawn)) == 0) {
      return error(fmt::format("en passant: no pawn of {} on {} has just passed {}",
                               side_name(opponent(state_.side)), square_name(pawn), fields_[3]));
    }
    if ((state_.occupied() & (bit(*square) | bit(start))) != 0) {
      return error(fmt::format("en passant: {} and {} must be empty after a double step",
                               square_name(start), fields_[3]));
    }
    if (generator_.can_take_en_passant(state_, *square)) state_.en_passant = *square;
    return Done{};
  }

  Status read_clocks() {
    if (fields_.size() == 4) return Done{};
    const auto clock = parse_integer(fields_[4], 0, kMaxClock, "half-move clock");
    if (!clock) return error(clock.error().message);
    const auto number = parse_integer(fields_[5], 1, kMaxClock, "move number");
    if (!number) return error(number.error().message);
    state_.halfmove_clock = static_cast<std::uint16_t>(*clock);
    state_.move_number = static_cast<std::uint16_t>(*number);
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

}  // namespace damier::games::chess
