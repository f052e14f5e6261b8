#include "damier/games/chess/encoders.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/chess/fen.h"
#include "damier/games/chess/state.h"

namespace damier::games::chess {

namespace {

constexpr int kColumns = kByteInputs + 1;

std::string column_name(std::size_t column) {
  if (column == kByteInputs) return "target";
  if (column == kByteInputs - 1) return "side";
  return fmt::format("{}{}", fen_letter(kEncoderPieces[column / 8]), 8 - column % 8);
}

// "0," to "255,".
struct ByteTexts {
  ByteTexts() {
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = fmt::format("{},", i);
  }
  std::array<std::string, 256> texts;
};

}  // namespace

PositionBytes encode_bytes(const State& state) {
  PositionBytes bytes;
  std::size_t at = 0;
  for (const Piece piece : kEncoderPieces) {
    const Bitboard board = state.of(piece);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[at++] = static_cast<std::uint8_t>(board >> shift);
    }
  }
  bytes[at] = state.side == Side::first ? 1 : 0;
  return bytes;
}

Result<State> decode_bytes(const PositionBytes& bytes, const Generator& generator) {
  if (const int side = bytes.back(); side > 1) {
    return Error{fmt::format("the side to move is 1 (White) or 0 (Black), not {}", side)};
  }
  State state;
  state.side = bytes.back() == 1 ? Side::first : Side::second;
  std::size_t at = 0;
  for (const auto [kind, side] : kEncoderPieces) {
    Bitboard board = 0;
    for (int byte = 0; byte < 8; ++byte) board = board << 8 | bytes[at++];
    if (const Bitboard taken = state.occupied() & board; taken != 0) {
      return Error{fmt::format("two pieces on {}", square_name(square_at(lowest_bit(taken))))};
    }
    state.kinds[index(kind)] |= board;
    state.sides[games::index(side)] |= board;
  }
  TRY(check_position(state, generator));
  state.hash = zobrist_hash(state);
  return state;
}

void write_bit_inputs(const State& state, std::span<float, kBitInputs> out) {
  std::ranges::fill(out, 0.0f);
  std::size_t plane = 0;
  for (const Piece piece : kEncoderPieces) {
    for (Bitboard squares = state.of(piece); squares != 0;) {
      out[plane * kSquares + static_cast<std::size_t>(take_lowest(squares))] = 1.0f;
    }
    ++plane;
  }
  out.back() = state.side == Side::first ? 1.0f : 0.0f;
}

Error PositionCsvReader::error(std::string message, std::size_t offset) const {
  return Error{std::move(message),
               {source_, static_cast<int>(std::max<std::int64_t>(lines_.number(), 1)),
                static_cast<int>(offset) + 1}};
}

Status PositionCsvReader::check_header() {
  has_header_ = true;
  if (!lines_.next()) return error("expected a header row of 98 columns, found nothing", 0);
  const auto columns = std::ranges::count(lines_.line(), ',') + 1;
  if (columns != kColumns) {
    return error(fmt::format("expected a header row of 98 columns, found {}", columns), 0);
  }
  if (!lines_.line().empty() &&
      lines_.line().find_first_not_of("0123456789.,") == std::string::npos) {
    return error("expected a header row with the names of the columns, found numbers", 0);
  }
  return Done{};
}

Result<bool> PositionCsvReader::next(PositionRow& row) {
  if (!has_header_) TRY(check_header());
  do {
    if (!lines_.next()) return false;
  } while (trim(lines_.line()).empty());
  const std::string_view line = lines_.line();
  const char* at = line.data();
  const char* const end = at + line.size();
  const auto offset = [&] { return static_cast<std::size_t>(at - line.data()); };
  PositionBytes bytes;
  for (std::size_t column = 0; column < kByteInputs; ++column) {
    unsigned value = 0;
    const char* const begin = at;
    while (at != end && *at >= '0' && *at <= '9' && value <= 255) {
      value = 10 * value + static_cast<unsigned>(*at++ - '0');
    }
    if (at == begin || value > 255 || at == end || *at != ',') {
      const std::string_view field = line.substr(static_cast<std::size_t>(begin - line.data()));
      const bool missing = field.find(',') == field.npos;
      at = begin;
      return error(
          missing
              ? fmt::format("expected 98 columns, found {}", column + 1)
              : fmt::format("column {} ({}): expected a number from 0 to 255, found {}", column + 1,
                            column_name(column), in_quotes(field.substr(0, field.find(',')))),
          offset());
    }
    bytes[column] = static_cast<std::uint8_t>(value);
    ++at;
  }
  const std::size_t target_offset = offset();
  const std::string_view field = line.substr(target_offset);
  if (const auto comma = field.find(','); comma != field.npos) {
    return error("more than 98 columns", target_offset + comma);
  }
  const std::string_view number = trim(field);
  const auto target = parse_number<decltype(row.target)>(number);
  if (!target || !(*target >= 0 && *target <= 1)) {
    return error(fmt::format("column 98 (target): expected a number from 0 to 1, found {}",
                             in_quotes(number)),
                 target_offset);
  }
  row.target = *target;
  auto state = decode_bytes(bytes, generator_);
  if (!state) return error("not a position: " + state.error().message, 0);
  row.state = *state;
  return true;
}

PositionCsvWriter::PositionCsvWriter(std::ostream& out) : out_(out) {
  for (std::size_t column = 0; column < kColumns; ++column) {
    if (column > 0) line_ += ',';
    line_ += column_name(column);
  }
  out_ << line_ << '\n';
}

void PositionCsvWriter::write(const State& state, double target) {
  static const ByteTexts kTexts;
  line_.clear();
  for (const std::uint8_t byte : encode_bytes(state)) line_ += kTexts.texts[byte];
  fmt::format_to(std::back_inserter(line_), "{}\n", target);
  out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
}

}  // namespace damier::games::chess
