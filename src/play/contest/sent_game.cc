#include "damier/play/contest/sent_game.h"

namespace damier::play {

void send_game(ByteWriter& bytes, const games::AnyGame& game) {
  const games::OptionValues rules = game.option_values();
  bytes.text(game.facts().name).number<std::uint64_t>(rules.size());
  for (const auto& [name, value] : rules) bytes.text(name).text(value);
}

Result<std::shared_ptr<const Toolkit>> sent_game(ByteReader& bytes, const Registry& registry) {
  const auto entry = TRY(registry.find(bytes.text()));
  games::OptionValues rules;
  for (auto count = bytes.number<std::uint64_t>(); count > 0 && bytes.good(); --count) {
    const std::string_view name = bytes.text();
    rules.emplace_back(name, bytes.text());
  }
  auto game = TRY(entry->make(rules));
  return registry.toolkit(std::move(game));
}

}  // namespace damier::play
