#include "damier/app/game_commands.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/play/analysis/played_game.h"
#include "damier/play/contest/terms.h"

namespace damier::app {

std::optional<Result<std::vector<play::Opening>>> GameCommands::openings(std::istream&,
                                                                         const std::string&,
                                                                         int) const {
  return {};
}

std::optional<play::Judgement> GameCommands::judge(const games::Session&, games::Action) const {
  return {};
}

GameCommandsList& GameCommandsList::add(std::unique_ptr<GameCommands> commands) {
  all_.push_back(std::move(commands));
  return *this;
}

void GameCommandsList::keep_only(std::span<const std::string> games) {
  std::erase_if(all_, [&](const auto& commands) {
    return std::ranges::find(games, commands->game()) == games.end();
  });
}

const GameCommands& GameCommandsList::of(std::string_view game) const {
  for (const auto& commands : all_) {
    if (commands->game() == game) return *commands;
  }
  return nothing_;
}

void GameOptions::add_board_options(CommandLine line, const GameCommandsList& games) {
  line_ = line;
  for (const auto& commands : games.all()) {
    const auto before = line.option_names();
    commands->add_board_options(line);
    for (const std::string& option : line.option_names()) {
      if (std::ranges::find(before, option) == before.end()) {
        games_[option].push_back(commands->game());
      }
    }
  }
}

void GameOptions::add_formats(CommandLine line, const GameCommandsList& games) {
  line_ = line;
  for (const auto& commands : games.all()) {
    const auto format = commands->format();
    if (!format) continue;
    games_[format->option].push_back(commands->game());
    const auto [file, is_new] = files_.try_emplace(format->option);
    if (!is_new) continue;
    line.add_option(format->option.c_str(), file->second, "FILE",
                    Text::of("{}: {}", commands->game(), Text(format->help)));
  }
}

Status GameOptions::check(std::string_view game) const {
  for (const auto& [option, games] : games_) {
    if (!line_->was_given(option)) continue;
    if (std::ranges::find(games, game) != games.end()) continue;
    return Error{fmt::format("{} goes with {}, not with {}", option, fmt::join(games, ", "), game)};
  }
  return Done{};
}

std::optional<std::string> GameOptions::file_of(const GameCommands& game) const {
  const auto format = game.format();
  if (!format) return std::nullopt;
  const auto file = files_.find(format->option);
  return file == files_.end() ? std::nullopt : file->second;
}

}  // namespace damier::app
