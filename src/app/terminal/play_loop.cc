#include "damier/app/terminal/play_loop.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "damier/app/context.h"
#include "damier/app/game_analysis.h"
#include "damier/app/terminal/board_printer.h"
#include "damier/app/terminal/move_table.h"
#include "damier/app/terminal/piece_marks.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/play/ratings/strength.h"
#include "damier/store/store.h"

namespace damier::app {

using games::Outcome;
using games::Side;

namespace {

constexpr std::array<std::string_view, 9> kWords = {"help", "hint",  "moves", "undo", "resign",
                                                    "save", "board", "rules", "quit"};
constexpr std::array<std::string_view, 3> kWordsAfterTheEnd = {"rematch", "swap", "analyze"};

// A word of the person, in English or in the language that is set.
bool is_word(std::string_view said, std::string_view word) {
  return said == word || said == tr(word);
}

template <class Words>
std::vector<std::string> words_in_language(const Words& words) {
  std::vector<std::string> shown;
  for (const std::string_view word : words) shown.push_back(tr(word));
  return shown;
}

std::size_t at(Side side) { return static_cast<std::size_t>(games::index(side)); }

// Where an interrupted game is kept: the user's state folder.
Result<std::filesystem::path> interrupted_game_path(std::string_view game) {
  const auto folder = TRY(state_folder());
  return folder / fmt::format("interrupted-{}.json", game);
}

// The files and folders whose names begin so; those of strange characters are left out.
std::vector<std::string> file_names(std::string_view beginning) {
  const auto slash = beginning.rfind('/');
  const std::string folder(beginning.substr(0, slash == beginning.npos ? 0 : slash + 1));
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entries(folder.empty() ? "." : folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    std::error_code ignored;
    const std::string name =
        folder + entries->path().filename().string() + (entries->is_directory(ignored) ? "/" : "");
    if (name.starts_with(beginning) && printable(name) == name) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

PlayLoop::PlayLoop(games::SavedGame game, std::shared_ptr<const play::Toolkit> toolkit,
                   std::array<play::NamedPlayer, 2> players, PlayOptions options)
    : input_(game.game->facts().name, options.look.unicode, options.json),
      game_(std::move(game)),
      toolkit_(std::move(toolkit)),
      players_(std::move(players)),
      options_(std::move(options)),
      start_(std::chrono::steady_clock::now()) {
  for (std::size_t side = 0; side < 2; ++side) game_.players[side] = players_[side].name;
  game_.language = language();
}

double PlayLoop::seconds() const {
  const auto passed = std::chrono::steady_clock::now() - start_;
  return game_.seconds + std::chrono::duration<double>(passed).count();
}

bool PlayLoop::is_over() const {
  return game_.resigned || game_.session->outcome() != Outcome::ongoing;
}

bool PlayLoop::human_to_move() const {
  return players_[at(game_.session->side_to_move())].is_human();
}

std::string PlayLoop::side_name(Side side, bool capital) const {
  std::string name = tr(facts().sides[at(side)]);
  if (capital) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return painted(options_.look, ink_of(facts().colours[at(side)]), name, true);
}

std::string PlayLoop::outcome_text() const {
  const bool alone = facts().players == 1;
  if (game_.resigned) {
    if (alone) return tr("Resigned.");
    return tr_format("{} resigns; {} wins.", side_name(*game_.resigned, true),
                     side_name(games::opponent(*game_.resigned), false));
  }
  const Outcome outcome = game_.session->outcome();
  const std::string ending = game_.session->ending().shown();
  const bool first_won = outcome == Outcome::first_wins;
  const std::string result =
      outcome == Outcome::draw ? tr("Draw")
      : alone                  ? tr(first_won ? "Won" : "Lost")
              : tr_format("{} wins", side_name(first_won ? Side::first : Side::second, true));
  return ending.empty() ? result + "." : tr_format("{}: {}.", result, ending);
}

void PlayLoop::tell(std::string_view line) const {
  const std::string text = fmt::format("{}\n", line);
  options_.json ? write_message(text) : write_output_wrapped(text);
}

void PlayLoop::tell_all(const std::vector<std::string>& lines) const {
  for (const std::string& line : lines) tell(line);
}

void PlayLoop::greet() const {
  print_message("{}\n", tr_format("seed {}", value_of(game_.seed)));
  if (options_.json) return;
  print_output("{}", painted(options_.look, Ink::plain, tr(facts().title), true));
  const std::string rules = games::options_text(game_.game->option_values());
  if (!rules.empty()) print_output("  {}", painted(options_.look, Ink::faint, rules));
  print_output("\n");
  show_sides();
  for (std::size_t side = 0; side < 2 && facts().players == 2; ++side) {
    const bool again = side == 1 && players_[1].name == players_[0].name;
    if (!players_[side].is_human() && !again) introduce(players_[side].name);
  }
  if (has_human()) {
    print_output("{}\n", tr_format("A move is {}.", tr(facts().move_notation)));
    print_output("{}\n", tr_format("Other words: {}.", join(words_in_language(kWords), ", ")));
  }
}

void PlayLoop::show_sides() const {
  if (facts().players != 2) return;
  print_output("{}\n", tr_format("{}: {}   {}: {}", side_name(Side::first, true), players_[0].name,
                                 side_name(Side::second, true), players_[1].name));
}

// How strong somebody is, as far as that was measured.
void PlayLoop::introduce(const std::string& player) const {
  std::string line;
  for (const play::Level& level : levels_of(*toolkit_)) {
    if (level.player == player)
      line = tr_format("{}, level {} of {}", player, level.number, play::kLevels);
  }
  if (const auto words = strength_in_words(player, *toolkit_)) {
    line = tr_format("{}: {}", line.empty() ? player : line, words->shown());
  } else if (!line.empty()) {
    line = tr_format("{} (default ladder; not measured for this game)", line);
  }
  if (!line.empty()) print_output("{}\n", line);
}

void PlayLoop::show_board() const {
  if (options_.json) return;
  // The person sits at the lower edge.
  const bool turned = players_[1].is_human() && !players_[0].is_human();
  const auto own = options_.own.board(*game_.session, {turned ? Side::second : Side::first,
                                                       is_over(), options_.look, line_limit()});
  print_output("\n{}\n",
               own ? *own : board_text(game_.session->picture(), options_.look, line_limit()));
}

void PlayLoop::show_end() const {
  const double time = seconds();
  const bool humans = has_human();
  if (options_.json) {
    const auto& sides = facts().sides;
    const Outcome outcome =
        game_.resigned ? games::win_of(games::opponent(*game_.resigned)) : game_.session->outcome();
    Json end = {{"event", "end"},
                {"winner", outcome == Outcome::draw         ? Json(nullptr)
                           : outcome == Outcome::first_wins ? Json(sides[0])
                                                            : Json(sides[1])},
                {"ending", game_.resigned ? "resigned" : game_.session->ending().english()},
                {"plies", game_.session->plies()}};
    if (humans) end["seconds"] = time;
    for (const auto& figure : game_.session->figures()) end[figure.name] = figure.value;
    print_json("play", end);
    return;
  }
  std::string line =
      fmt::format("{}  {}", outcome_text(), tr_counted(game_.session->plies(), "move"));
  if (humans) line += fmt::format(", {}", clock_text(time));
  for (const auto& figure : game_.session->figures()) {
    const std::string name = tr(figure.name);
    line += fmt::format(", {} {}", name, short_number(figure.value));
    if (figure.per_second && humans && time > 0) {
      line += fmt::format(", {}/s {:.2f}", name, figure.value / time);
    }
  }
  print_output("{}\n", line);
  if (input_.is_edited()) print_output("{}\n", words_after_the_end());
}

std::vector<std::string> PlayLoop::legal_moves() const {
  std::vector<std::string> moves;
  for (const games::Action action : game_.session->legal_actions()) {
    moves.push_back(shown_move(action));
  }
  return moves;
}

void PlayLoop::show_help() const {
  tell(tr_format("a move      {}", tr(facts().move_notation)));
  tell(with_program_name(tr(R"(moves       list the legal moves
hint        what the strongest player thinks, or the network that plays;
            `hint PLAYER` asks another one
undo        take back your last move, and the answer to it
board       draw the board again
rules       the rules of this game
save FILE   save the game; `{program} play --load FILE` continues it
resign      give up
quit        leave without saving)")));
}

// A person who plays against a network wants to see what it sees.
std::string PlayLoop::adviser() const {
  for (const play::NamedPlayer& player : players_) {
    if (player.name.substr(0, player.name.find_first_of(":,")) == "net") return player.name;
  }
  return toolkit_->strongest_player();
}

void PlayLoop::show_hint(std::string_view asked) const {
  const auto wanted = asked.empty() ? std::nullopt : std::optional<std::string>(asked);
  if (const auto lines = options_.own.hint(*game_.session, wanted, options_.look)) {
    return tell_all(*lines);
  }
  const std::string name = wanted.value_or(adviser());
  const auto player = play::make_player(*toolkit_, name);
  if (!player) return tell(player.error().text());
  if (player->is_human()) return tell(tr("A human has no hints to give."));
  RandomStream random(game_.seed, "hint", static_cast<std::uint64_t>(game_.session->plies()));
  constexpr std::size_t kMoves = 5;
  const play::Ask ask = {.every_move = true, .random = &random};
  auto answer = player->player->answer(*game_.session, ask);
  std::string heading = tr_format("{} thinks:", name);
  // A network's view says most beside the truth, and the truth is livelier beside a network's view.
  std::string seen_by = name;
  if (const auto certain = play::solved_answer(*toolkit_, *game_.session)) {
    if (!asked.empty() && name != "perfect") {
      play::add_known(answer, *certain);
      heading = tr_format("The exact value of each move, and what {} thinks of it:", name);
    } else if (const auto network = play::make_player(*toolkit_, "net")) {
      answer = network->player->answer(*game_.session, ask);
      play::add_known(answer, *certain);
      put_certain_first(answer.moves);  // advice is the best there is, whatever the network thinks
      heading = tr("The exact value of each move, and what the network (net) thinks of it:");
      seen_by = "net";
    }
  }
  const std::string_view legend = value_legend(answer, facts());
  tell(heading);
  tell_all(options_.own.overlay(*game_.session, answer, seen_by, options_.look));
  if (!legend.empty()) tell(tr_format("  (values: {})", tr(legend)));
  tell_all(move_table(*game_.session, answer, facts(), kMoves, options_.look, options_.own));
}

void PlayLoop::play(games::Action action) {
  const Side side = game_.session->side_to_move();
  const std::string move = game_.session->move_text(action), shown = shown_move(action);
  game_.session->play(action);
  changed_ = true;
  draw_board_ = true;
  if (options_.json) {
    print_json("play", {{"event", "move"},
                        {"ply", game_.session->plies()},
                        {"side", facts().sides[at(side)]},
                        {"move", move},
                        {"position", game_.session->position_text()}});
  } else if (!players_[at(side)].is_human()) {
    print_output("{}\n", tr_format("{} plays {}", side_name(side, true), shown));
  }
}

void PlayLoop::let_player_move() {
  const Side side = game_.session->side_to_move();
  // A stream for every ply: a game that is loaded again goes on as it would have.
  RandomStream random(game_.seed, "play", static_cast<std::uint64_t>(game_.session->plies()));
  const games::Action action = players_[at(side)].player->choose(*game_.session, random);
  if (!interrupted()) play(action);  // otherwise the thought was cut short
}

void PlayLoop::undo() {
  game_.resigned.reset();
  if (!game_.session->undo()) return tell(tr("This is the beginning of the game."));
  while (!human_to_move() && game_.session->undo()) {
  }
  changed_ = true;
  draw_board_ = true;
}

void PlayLoop::rematch(bool swap_sides) {
  const std::string before = text_in_format();
  const Seed seed{RandomStream(game_.seed, "rematch")()};
  // What is hidden is hidden anew.
  auto session = facts().hidden_information ? Result(game_.game->start(seed))
                                            : game_.game->start_from(game_.session->start_text());
  if (!session) return tell(session.error().text());
  played_ += before;
  game_.session = *std::move(session);
  game_.seed = seed;
  game_.resigned.reset();
  game_.seconds = 0;
  start_ = std::chrono::steady_clock::now();
  changed_ = false;
  draw_board_ = true;
  if (swap_sides) {
    std::swap(players_[0], players_[1]);
    std::swap(game_.players[0], game_.players[1]);
  }
  print_message("{}\n", tr_format("seed {}", value_of(game_.seed)));
  if (!options_.json) show_sides();
}

std::string PlayLoop::text_in_format() const {
  const auto format = options_.own.format();
  if (!options_.file || !format) return {};
  return format->text(*game_.session, {kept_command("play"), {players_[0].name, players_[1].name}});
}

Status PlayLoop::write_file() const {
  const std::string text = played_ + text_in_format();
  return text.empty() ? Done{} : write_file_atomically(*options_.file, text);
}

Status PlayLoop::write_to(const std::filesystem::path& path) const {
  Json json = games::to_json(game_);
  json["seconds"] = std::round(1000 * seconds()) / 1000;
  return write_file_atomically(path, dump_pretty(json));
}

void PlayLoop::save(std::string_view file) {
  if (file.empty()) return tell(tr("save needs the name of a file, as: save game.json"));
  const auto status = write_to(std::string(file));
  if (!status) return tell(status.error().text());
  changed_ = false;
  tell(tr_format("Saved. `{} play --load {}` continues from here.", program_name(),
                 shell_word(file)));
}

PlayLoop::Next PlayLoop::obey(std::string_view line) {
  const std::string_view word = line.substr(0, line.find(' '));
  const std::string_view rest = trim(line.substr(word.size()));
  if (is_word(word, "quit") || word == "exit" || word == "q") return Next::leave;
  if (is_word(word, "help") || word == "?") {
    show_help();
  } else if (is_word(word, "undo")) {
    undo();
  } else if (is_word(word, "board")) {
    draw_board_ = true;
  } else if (is_word(word, "rules")) {
    tell(fitting(tr(facts().rules)));
  } else if (is_word(word, "save")) {
    save(rest);
  } else if (is_over()) {
    if (!obey_after_the_end(word)) tell(tr_format("The game is over: {}", words_after_the_end()));
  } else if (is_word(word, "moves")) {
    tell_all(filled_lines(legal_moves(), terminal_columns()));
  } else if (is_word(word, "hint")) {
    show_hint(rest);
  } else if (is_word(word, "resign")) {
    game_.resigned = game_.session->side_to_move();
    changed_ = true;
  } else if (const auto action = read_move(line)) {
    play(*action);
  } else {
    const auto meant = did_you_mean(word, words_in_language(kWords));
    tell(options_.own.moves_in_language(action.error().shown()) +
         (meant ? tr_format("; or did you mean '{}'?", *meant) : ""));
  }
  return Next::go_on;
}

std::string PlayLoop::shown_move(games::Action action) const {
  return options_.own.moves_in_language(game_.session->move_text(action));
}

// The letters of the language come first; English ones are read where those make no move.
Result<games::Action> PlayLoop::read_move(std::string_view text) const {
  auto action = game_.session->parse_move(options_.own.move_from_language(std::string(text)));
  if (action) return action;
  auto english = game_.session->parse_move(text);
  return english ? english : action;
}

bool PlayLoop::obey_after_the_end(std::string_view word) {
  if (is_word(word, "rematch")) {
    rematch(false);
  } else if (is_word(word, "swap") && facts().players == 2) {
    rematch(true);
  } else if (is_word(word, "analyze") && game_.session->plies() == 0) {
    tell(tr("No move was played."));
  } else if (is_word(word, "analyze")) {
    const auto done = analyze_played_game(options_.context, game_, "", "", std::nullopt);
    if (!done) report(done.error());
  } else {
    return false;
  }
  return true;
}

std::string PlayLoop::words_after_the_end() const {
  return facts().players == 2
             ? tr("rematch, swap (a rematch with sides swapped), analyze, undo, save FILE or quit")
             : tr("rematch, analyze, undo, save FILE or quit");
}

std::vector<std::string> PlayLoop::completions(std::string_view line) const {
  const std::string_view word = line.substr(0, line.find(' '));
  if (word.size() < line.size()) {
    if (is_word(word, "hint")) return play::player_names(*toolkit_);
    return is_word(word, "save") ? file_names(line.substr(line.rfind(' ') + 1))
                                 : std::vector<std::string>();
  }
  std::vector<std::string> words = words_in_language(kWords);
  const auto more = is_over() ? words_in_language(kWordsAfterTheEnd) : legal_moves();
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

PlayLoop::Next PlayLoop::ask() {
  const bool timed = facts().players == 1;
  const std::string prompt = fmt::format(
      "{}{}> ", is_over() ? tr("over") : side_name(game_.session->side_to_move(), false),
      timed && !is_over() ? " " + clock_text(seconds()) : "");
  const auto line =
      input_.ask(prompt, [this](std::string_view typed) { return completions(typed); });
  if (!line) return Next::leave;
  const std::string_view text = trim(*line);
  if (text.empty()) return is_over() ? Next::leave : Next::go_on;
  return obey(text);
}

int PlayLoop::stop_interrupted() {
  print_output("\n");
  flush_output();
  if (!changed_ || is_over()) return report_interrupted();
  const auto kept = [&]() -> Result<std::filesystem::path> {
    auto path = TRY(interrupted_game_path(facts().name));
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    TRY(write_to(path));
    return path;
  }();
  write_notice(kept
                   ? tr_format("interrupted; continue with: {} play --load {}", program_name(),
                               shell_word(kept->string()))
                   : tr_format("interrupted; the game could not be kept: {}", kept.error().text()));
  return kInterrupted;
}

int PlayLoop::run() {
  greet();
  bool end_shown = false;
  while (!interrupted()) {
    if (is_over()) {
      if (!end_shown) {
        show_board();
        show_end();
        end_shown = true;
      }
      if (!has_human() || ask() == Next::leave) break;
      continue;
    }
    end_shown = false;
    if (!human_to_move()) {
      let_player_move();
      continue;
    }
    if (draw_board_) show_board();
    draw_board_ = false;
    if (ask() == Next::leave) break;
  }
  const int code = interrupted() ? stop_interrupted() : kDone;
  if (auto status = write_file(); !status) return std::max(code, report(status.error()));
  return code;
}

}  // namespace damier::app
