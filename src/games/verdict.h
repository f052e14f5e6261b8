// A result that is certain, or not known yet; always for the side to move unless said otherwise.
#pragma once

#include <cstdint>
#include <string_view>

namespace damier::games {

enum class Verdict : std::uint8_t { unknown, loss, draw, win };

constexpr Verdict opposite(Verdict verdict) {
  if (verdict == Verdict::win) return Verdict::loss;
  if (verdict == Verdict::loss) return Verdict::win;
  return verdict;
}

constexpr std::string_view verdict_text(Verdict verdict) {
  constexpr std::string_view kTexts[] = {"unknown", "loss", "draw", "win"};
  return kTexts[static_cast<int>(verdict)];
}

}  // namespace damier::games
