// One game at the keyboard: draws the board, asks, answers, and keeps the time.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "damier/app/game_commands.h"
#include "damier/app/line_reader.h"
#include "damier/app/terminal.h"
#include "damier/arena/players.h"
#include "damier/games/saved_game.h"

namespace damier::app {

struct PlayOptions {
  Look look;
  bool json = false;
  const GameCommands& own;          // what the game offers
  std::optional<std::string> file;  // to be written in the end, in the game's own format
};

class PlayLoop {
 public:
  PlayLoop(games::SavedGame game, std::shared_ptr<const arena::Toolkit> toolkit,
           std::array<arena::NamedPlayer, 2> players, PlayOptions options);

  // Plays to the end, or until the person leaves; returns the exit code.
  int run();

 private:
  enum class Next { go_on, leave };

  bool is_over() const;
  bool human_to_move() const;
  std::string side_name(games::Side side, bool capital) const;
  std::string outcome_text() const;
  double seconds() const;

  void greet() const;
  void show_board() const;
  void show_end() const;
  void show_moves() const;
  void show_help() const;
  void show_hint(std::string_view asked) const;
  void tell(std::string_view line) const;

  // Asks for one line and does what it says.
  Next ask();
  Next obey(std::string_view line);
  void play(games::Action action);
  void let_player_move();
  void undo();
  void save(std::string_view file);
  Status write_file() const;
  Status write_to(const std::filesystem::path& path) const;
  int stop_interrupted();

  LineReader input_;
  games::SavedGame game_;
  std::shared_ptr<const arena::Toolkit> toolkit_;
  std::array<arena::NamedPlayer, 2> players_;
  PlayOptions options_;
  bool changed_ = false;  // since the last save
  bool draw_board_ = true;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace damier::app
