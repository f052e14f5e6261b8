#include "damier/app/serve/players.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/model/library.h"
#include "damier/play/players/player_text.h"

namespace damier::app::serve {

namespace {

constexpr std::size_t kMaxKeptPlayers = 12;
constexpr double kMaxNumber = 1e6;  // simulations, playouts, positions
constexpr std::size_t kMaxPlayerLength = 512;
// These would start a program, or have nobody to answer.
constexpr std::array<std::string_view, 2> kNotForPages = {"uci", "human"};

double greatest_value(std::string_view option) {
  // What takes memory or processors: MiB, MiB, one for each thought.
  if (option == "table" || option == "hash") return 64;
  return option == "threads" ? 1 : kMaxNumber;
}

bool is_word(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

// Whether a value is the file of a model that was trained here.
bool is_trained_model(std::string_view value) {
  DamagedRows ignored;
  const auto models = model::trained_models(&ignored);
  return models && std::ranges::find(*models, value, &model::TrainedModel::path) != models->end();
}

}  // namespace

Status check_player(std::string_view text, bool is_public) {
  if (text.size() > kMaxPlayerLength) return Error{"the player's name is too long"};
  const auto parsed = TRY(play::PlayerText::parse(text));
  const std::string& name = parsed.name();
  if (std::ranges::find(kNotForPages, name) != kNotForPages.end()) {
    return Error{fmt::format("{} cannot be asked here", in_quotes(name))};
  }
  auto given = parsed.given();
  if (parsed.alias()) given.emplace_back("name", *parsed.alias());
  for (const auto& [option, whole] : given) {
    const std::string& value = whole.empty() ? option : whole;  // a word that stands alone
    if (const auto number = parse_number<double>(value)) {
      const double most = greatest_value(option);
      if (!(*number <= most)) {
        const std::string part = option.empty() ? value : option + "=" + value;
        return Error{
            fmt::format("{} is too much here; expected at most {}", in_quotes(part), most)};
      }
    } else if (!is_word(value) && (is_public || !is_trained_model(value))) {
      return Error{fmt::format("{} is no model of this list; `{} models` lists them",
                               in_quotes(value), program_name())};
    }
  }
  return Done{};
}

std::optional<PlayerShelf::Kept> PlayerShelf::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
    if (kept->key != key) continue;
    kept_.splice(kept_.begin(), kept_, kept);
    return kept_.front();
  }
  return std::nullopt;
}

void PlayerShelf::keep(Kept kept) {
  const std::lock_guard lock(mutex_);
  kept_.push_front(std::move(kept));
  if (kept_.size() > kMaxKeptPlayers) kept_.pop_back();
}

std::shared_ptr<const play::Toolkit> PlayerShelf::toolkit(
    const std::shared_ptr<const games::AnyGame>& game) {
  const std::string key =
      fmt::format("{} {}", game->facts().name, games::options_text(game->option_values()));
  if (const auto kept = find(key)) return kept->toolkit;
  auto toolkit = registry_.toolkit(game);
  keep({key, toolkit, nullptr});
  return toolkit;
}

Result<PlayerShelf::Asked> PlayerShelf::ask(const std::shared_ptr<const games::AnyGame>& game,
                                            std::string_view text) {
  const auto its_toolkit = toolkit(game);
  const std::string name = text.empty() ? its_toolkit->strongest_player() : std::string(text);
  TRY(check_player(name, is_public_));
  const std::string key =
      fmt::format("{} {} {}", game->facts().name, games::options_text(game->option_values()), name);
  if (const auto kept = find(key)) return Asked{kept->toolkit, name, kept->player->make()};
  auto opened = TRY(play::open_player(*its_toolkit, name));
  const auto player = std::make_shared<const play::OpenedPlayer>(std::move(opened));
  keep({key, its_toolkit, player});
  return Asked{its_toolkit, name, player->make()};
}

}  // namespace damier::app::serve
