// How tables call players: by their name=NAME, or by their text with long paths shortened. Files,
// JSON and the run store keep the whole text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace damier::play {

// The NAME of a player's text; nothing where it has none.
std::optional<std::string> player_alias(std::string_view text);

// One for each text, printable; different texts get different names.
std::vector<std::string> shown_players(std::span<const std::string> texts);

// The columns that the longest of them takes.
std::size_t width_of(std::span<const std::string> names);

}  // namespace damier::play
