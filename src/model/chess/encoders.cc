#include "damier/model/chess/encoders.h"

#include <algorithm>
#include <array>

#include "damier/games/chess/encoders.h"
#include "damier/model/encoder_impl.h"
#include "damier/model/library.h"

namespace damier::model {

using games::chess::Chess;
using games::chess::kByteInputs;
using games::chess::State;

namespace chess {

namespace {

using games::Side;
using games::chess::Bitboard;
using games::chess::kBoardSize;
using games::chess::Kind;
using games::chess::kKinds;
using games::chess::kMaxPieces;
using games::chess::kSquares;

constexpr unsigned kWaits = 8;
constexpr int kBitsOfByte = 8;
constexpr std::size_t kTakenBytes = kSquares / kBitsOfByte;
constexpr int kUpsideDown = kSquares - kBoardSize;  // flips the ranks of a square
constexpr int kKing = static_cast<int>(Kind::king);

struct Standing {
  int square;
  int kind;
  bool waits;  // of the side that is not to move
};

}  // namespace

void pack_pieces(const games::chess::State& state, std::span<float, kPackedPieces> out) {
  const int turn = state.side == Side::first ? 0 : kUpsideDown;
  std::array<unsigned, kSquares> pieces = {};
  Bitboard taken = 0;
  for (const Side side : {Side::first, Side::second}) {
    for (int kind = 0; kind < kKinds; ++kind) {
      Bitboard squares = state.of(side, games::chess::kind_at(kind));
      while (squares != 0) {
        const int square = games::chess::take_lowest(squares) ^ turn;
        taken |= games::chess::bit(square);
        pieces[static_cast<std::size_t>(square)] =
            static_cast<unsigned>(kind) | (side == state.side ? 0 : kWaits);
      }
    }
  }
  std::array<unsigned, kPackedPieces> bytes = {};
  for (std::size_t i = 0; i < kTakenBytes; ++i) {
    bytes[i] = static_cast<unsigned>(taken >> (kBitsOfByte * i) & 0xFF);
  }
  for (std::size_t place = 0; taken != 0 && place < kMaxPieces; ++place) {
    const auto square = static_cast<std::size_t>(games::chess::take_lowest(taken));
    bytes[kTakenBytes + place / 2] |= pieces[square] << (place % 2 * 4);
  }
  std::transform(bytes.begin(), bytes.end(), out.begin(),
                 [](unsigned byte) { return static_cast<float>(byte); });
}

void unpack_pieces(std::span<const float, kPackedPieces> packed,
                   std::span<float, kPieceInputs> out) {
  Bitboard taken = 0;
  for (std::size_t i = 0; i < kTakenBytes; ++i) {
    taken |= static_cast<Bitboard>(static_cast<unsigned>(packed[i]) & 0xFF) << (kBitsOfByte * i);
  }
  std::array<Standing, kMaxPieces> pieces;
  std::size_t count = 0;
  int turn_mover = 0, turn_other = kUpsideDown;  // what the squares are changed by
  for (; taken != 0 && count < pieces.size(); ++count) {
    const unsigned half = static_cast<unsigned>(packed[kTakenBytes + count / 2]) >> (count % 2 * 4);
    Standing& piece = pieces[count];
    piece.square = games::chess::take_lowest(taken);
    piece.waits = (half & kWaits) != 0;
    piece.kind = std::min(static_cast<int>(half & 7), kKing);
    const bool mirrored = games::chess::sees_mirrored(games::chess::square_at(piece.square));
    if (piece.kind == kKing && mirrored) {
      (piece.waits ? turn_other : turn_mover) ^= kBoardSize - 1;
    }
  }
  std::fill(out.begin(), out.end(), -1.0f);
  for (std::size_t i = 0; i < count; ++i) {
    const Standing& piece = pieces[i];
    const auto feature = [&](bool own, int turn) {
      return static_cast<float>(((own ? 0 : kKinds) + piece.kind) * kSquares +
                                (piece.square ^ turn));
    };
    out[i] = feature(!piece.waits, turn_mover);
    out[kMaxPieces + i] = feature(piece.waits, turn_other);
  }
}

bool reads_pieces(std::string_view encoder) {
  return encoder.substr(0, encoder.find(' ')) == "pieces";
}

bool ends_in_sigmoid(const nn::NetworkSpec& spec, int head) {
  const nn::LayerSpec* last = spec.last_layer(static_cast<std::size_t>(head));
  return last != nullptr && last->is("sigmoid");
}

Result<std::shared_ptr<const search::chess::EvaluationNetwork>> evaluation_network(
    const std::string& name) {
  using search::chess::EvaluationNetwork;
  const std::shared_ptr<const EvaluationNetwork> none;
  if (name == kHandWritten) return none;
  if (!name.empty()) {
    const auto path = TRY(model_path(name));
    return EvaluationNetwork::load(path);
  }
  const auto shipped = models_folder() / "chess" / "model.safetensors";
  std::error_code error;
  if (!std::filesystem::exists(shipped, error)) return none;
  return EvaluationNetwork::load(shipped);
}

}  // namespace chess

namespace {

class BoardEncoder : public Encoder<Chess> {
 public:
  using Encoder::Encoder;

  float value_said(const MoveHeads& heads, const Predictor& network, std::size_t row,
                   const State& state) const final {
    const float said = Encoder::value_said(heads, network, row, state);
    if (!chess::ends_in_sigmoid(network.spec(), heads.value)) return said;
    const float expected = 2 * said - 1;
    return says_white() && state.side == games::Side::second ? -expected : expected;
  }

 protected:
  virtual bool says_white() const { return true; }
};

// Encoders whose inputs follow from small numbers: the bytes of a report, or the pieces.
class ShortEncoder : public BoardEncoder {
 public:
  ShortEncoder(const Chess& game, std::string_view name, std::size_t inputs, std::size_t stored)
      : BoardEncoder(game, name, nn::Shape{static_cast<int>(inputs)}, game.action_count(), stored) {
  }

  void encode(const State& state, std::span<float> out) const final {
    std::vector<float> stored(stored_width());
    store(state, stored);
    expand(stored, out);
  }
  void store(const State& state, std::span<float> out) const override {
    const auto bytes = games::chess::encode_bytes(state);
    std::copy(bytes.begin(), bytes.end(), out.begin());
  }

  // The inputs are no planes of squares: the piece is taken away. Kings stay; without them there is
  // no position to ask about.
  void forget_cell(const State& state, int cell, std::span<float> inputs) const final {
    using games::chess::kBoardSize;
    const auto kept = ~games::chess::bit(
        games::chess::square_at(cell % kBoardSize, kBoardSize - 1 - cell / kBoardSize));
    if ((state.of(games::chess::Kind::king) & ~kept) != 0) return;
    State without = state;
    for (auto& squares : without.kinds) squares &= kept;
    for (auto& squares : without.sides) squares &= kept;
    encode(without, inputs);
  }

  // There are none that are worth the trouble.
  std::vector<SymmetryMaps> symmetries() const final { return {SymmetryMaps{}}; }
};

class BytesEncoder final : public ShortEncoder {
 public:
  BytesEncoder(const Chess& game, std::string_view name)
      : ShortEncoder(game, name, kByteInputs, kByteInputs),
        scale_(name == "bytes" ? 255.0f : 1.0f) {}

  void expand(std::span<const float> bytes, std::span<float> out) const override {
    std::transform(bytes.begin(), bytes.end() - 1, out.begin(),
                   [&](float byte) { return byte / scale_; });
    out.back() = bytes.back();
  }

 private:
  float scale_;
};

// Of each board the eighth rank comes first, and its a-file is the lowest bit.
void write_bits(std::span<const float> boards, std::span<float> out) {
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const auto byte = static_cast<unsigned>(boards[i]);
    const std::size_t rank = 7 - i % 8;
    for (std::size_t file = 0; file < 8; ++file) {
      out[i / 8 * games::chess::kSquares + 8 * rank + file] = static_cast<float>(byte >> file & 1);
    }
  }
}

class BitsEncoder final : public ShortEncoder {
 public:
  BitsEncoder(const Chess& game, std::string_view name)
      : ShortEncoder(game, name, games::chess::kBitInputs, kByteInputs) {}

  void expand(std::span<const float> bytes, std::span<float> out) const override {
    write_bits(bytes.first(bytes.size() - 1), out);
    out.back() = bytes.back();
  }
};

// Where Black moves the board is turned over and the colours are exchanged. The last byte still
// tells who does.
class MoverEncoder final : public ShortEncoder {
 public:
  MoverEncoder(const Chess& game, std::string_view name)
      : ShortEncoder(game, name, games::chess::kBitInputs - 1, kByteInputs) {}

  void store(const State& state, std::span<float> out) const override {
    ShortEncoder::store(state, out);
    if (state.side == games::Side::first) return;
    const auto bytes = games::chess::encode_bytes(state);
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
      const std::size_t board = i / 8, rank = i % 8;
      out[i] = bytes[8 * (board ^ 1) + 7 - rank];
    }
  }
  void expand(std::span<const float> bytes, std::span<float> out) const override {
    write_bits(bytes.first(bytes.size() - 1), out);
  }
};

class PiecesEncoder final : public ShortEncoder {
 public:
  PiecesEncoder(const Chess& game, std::string_view name)
      : ShortEncoder(game, name, chess::kPieceInputs, chess::kPackedPieces) {}

  void store(const State& state, std::span<float> out) const override {
    chess::pack_pieces(state, out.first<chess::kPackedPieces>());
  }
  void expand(std::span<const float> packed, std::span<float> out) const override {
    chess::unpack_pieces(packed.first<chess::kPackedPieces>(), out.first<chess::kPieceInputs>());
  }

 protected:
  bool says_white() const override { return false; }
};

}  // namespace

template class Encoder<Chess>;

template <>
std::vector<EncoderKind<Chess>> encoder_kinds() {
  return {
      encoder_kind<BoardEncoder, Chess>("features"),  encoder_kind<BytesEncoder, Chess>("bytes"),
      encoder_kind<BytesEncoder, Chess>("raw-bytes"), encoder_kind<BitsEncoder, Chess>("bits"),
      encoder_kind<MoverEncoder, Chess>("mover"),     encoder_kind<PiecesEncoder, Chess>("pieces")};
}

}  // namespace damier::model
