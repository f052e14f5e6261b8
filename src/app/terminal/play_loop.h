// A game at the keyboard, and those that follow it: draws the board, asks, answers, and keeps the
// time.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "damier/app/context.h"
#include "damier/app/game_commands.h"
#include "damier/app/terminal/prompt.h"
#include "damier/app/terminal/terminal.h"
#include "damier/games/saved_game.h"
#include "damier/play/players/players.h"

namespace damier::app {

struct PlayOptions {
  const Context& context;
  Look look;
  bool json = false;
  const GameCommands& own;          // what the game offers
  std::optional<std::string> file;  // to be written in the end, in the game's own format
};

class PlayLoop {
 public:
  PlayLoop(games::SavedGame game, std::shared_ptr<const play::Toolkit> toolkit,
           std::array<play::NamedPlayer, 2> players, PlayOptions options);

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
  void show_sides() const;
  void introduce(const std::string& player) const;
  void show_board() const;
  void show_end() const;
  std::vector<std::string> legal_moves() const;
  void show_help() const;
  // As people write it in their language, and back.
  std::string shown_move(games::Action action) const;
  Result<games::Action> read_move(std::string_view text) const;
  std::string adviser() const;  // the player that a hint asks
  void show_hint(std::string_view asked) const;
  void tell(std::string_view line) const;
  void tell_all(const std::vector<std::string>& lines) const;
  const games::Facts& facts() const { return game_.game->facts(); }
  bool has_human() const { return players_[0].is_human() || players_[1].is_human(); }

  // Asks for one line and does what it says.
  Next ask();
  Next obey(std::string_view line);
  // What is there to do when a game is over; false: the word is none of these.
  bool obey_after_the_end(std::string_view word);
  std::string words_after_the_end() const;
  std::vector<std::string> completions(std::string_view line) const;
  // Another game from the same start.
  void rematch(bool swap_sides);
  void play(games::Action action);
  void let_player_move();
  void undo();
  void save(std::string_view file);
  std::string text_in_format() const;
  Status write_file() const;
  Status write_to(const std::filesystem::path& path) const;
  int stop_interrupted();

  Prompt input_;
  games::SavedGame game_;
  std::shared_ptr<const play::Toolkit> toolkit_;
  std::array<play::NamedPlayer, 2> players_;
  PlayOptions options_;
  std::string played_;    // the games before this one, in the game's own format
  bool changed_ = false;  // since the last save
  bool draw_board_ = true;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace damier::app
