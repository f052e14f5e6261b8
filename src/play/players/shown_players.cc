#include "damier/play/players/shown_players.h"

#include <algorithm>

#include "damier/base/text/text.h"
#include "damier/play/players/player_text.h"

namespace damier::play {

namespace {

constexpr std::size_t kMaxNameWidth = 24;

// The text with `parts` of each path kept, from its end: "net:…/runs/model.safetensors,mcts=40".
std::string with_short_paths(std::string_view text, std::size_t parts) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    std::size_t to = from;
    while (to < text.size() && std::string_view(":,=").find(text[to]) == text.npos) ++to;
    const std::string_view word = text.substr(from, to - from);
    std::size_t cut = word.size();
    for (std::size_t i = 0; i < parts && cut != word.npos && cut > 0; ++i) {
      cut = word.rfind('/', cut - 1);
    }
    const bool is_cut = cut != word.npos && cut > 0;
    if (is_cut) out += "…";
    out += is_cut ? word.substr(cut) : word;
    if (to < text.size()) out += text[to++];
    from = to;
  }
  return out;
}

std::size_t parts_of(std::string_view text) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '/'));
}

}  // namespace

std::optional<std::string> player_alias(std::string_view text) {
  const auto parsed = PlayerText::parse(text);
  return parsed ? parsed->alias() : std::nullopt;
}

std::vector<std::string> shown_players(std::span<const std::string> texts) {
  std::vector<std::string> names;
  const auto is_ambiguous = [&](std::size_t i, const std::string& name) {
    for (std::size_t j = 0; j < texts.size(); ++j) {
      if (texts[j] == texts[i]) continue;
      const auto alias = player_alias(texts[j]);
      if (name == alias.value_or(texts[j])) return true;
      if (alias) continue;
      for (std::size_t parts = 1; parts < parts_of(texts[j]); ++parts) {
        if (name == with_short_paths(texts[j], parts)) return true;
      }
    }
    return false;
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string name = player_alias(texts[i]).value_or(texts[i]);
    if (name == texts[i] && width_of({&texts[i], 1}) > kMaxNameWidth) {
      std::size_t parts = 1;
      do {
        name = with_short_paths(texts[i], parts++);
      } while (is_ambiguous(i, name) && parts < parts_of(texts[i]));
    }
    names.push_back(printable(is_ambiguous(i, name) ? texts[i] : name));
  }
  return names;
}

std::size_t width_of(std::span<const std::string> names) {
  std::size_t width = 0;
  for (const std::string& name : names) {
    // Bytes that begin with 10 continue a character.
    const auto columns =
        std::count_if(name.begin(), name.end(), [](char c) { return (c & 0xC0) != 0x80; });
    width = std::max(width, static_cast<std::size_t>(columns));
  }
  return width;
}

}  // namespace damier::play
