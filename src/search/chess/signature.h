// The signature of the search: the nodes that it needs for a fixed set of positions at a fixed
// depth. The number changes when, and only when, what the search does changes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "damier/search/chess/engine.h"

namespace damier::search::chess {

// As FEN: openings, middlegames, endings, mates, a stalemate trap.
std::span<const std::string_view> signature_positions();

inline constexpr int kSignatureDepth = 11;

struct Signature {
  std::uint64_t nodes = 0;
  double seconds = 0;

  std::uint64_t nodes_per_second() const {
    return seconds > 0 ? static_cast<std::uint64_t>(static_cast<double>(nodes) / seconds) : 0;
  }
};

// One thread, 16 MiB, each position from a fresh start. After an interrupt it has no meaning.
Signature search_signature(int depth = kSignatureDepth,
                           const std::shared_ptr<const EvaluationNetwork>& network = {});

}  // namespace damier::search::chess
