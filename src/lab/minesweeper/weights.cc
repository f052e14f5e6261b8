#include "damier/lab/minesweeper/weights.h"

namespace damier::lab {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

Result<std::string> weights_text(const nn::TensorFile& weights) {
  const auto bytes = nn::serialize_safetensors(weights);
  if (!bytes) return bytes.error();
  std::string text;
  text.reserve(2 * bytes->size());
  for (const char c : *bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Result<nn::TensorFile> read_weights(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 2);
  bool whole = text.size() % 2 == 0;
  for (std::size_t i = 0; whole && i < text.size(); i += 2) {
    const auto high = kDigits.find(text[i]), low = kDigits.find(text[i + 1]);
    whole = high != kDigits.npos && low != kDigits.npos;
    bytes += static_cast<char>(16 * high + low);
  }
  if (!whole) return Error{"the weights are not whole"};
  return nn::parse_safetensors(bytes, "the journal's weights");
}

}  // namespace damier::lab
