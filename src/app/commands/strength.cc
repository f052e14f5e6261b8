// `damier strength`: how strong the players of a game are, and the tournament that finds it out.

#include "damier/play/ratings/strength.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/contest/options.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/play/players/thinking_time.h"

namespace damier::app {

namespace {

using play::Level;
using play::Strength;
using play::StrengthRow;

struct StrengthArguments {
  std::optional<std::string> game;
  std::optional<std::string> measure;
  bool resume = false;
  bool markdown = false;
};

constexpr std::size_t kMaxStrengthBytes = 1 << 20;

std::string milliseconds_text(const std::optional<double>& seconds) {
  if (!seconds) return "";
  return *seconds < 1e-4 ? "< 0.1" : fmt::format("{:.3g}", 1000 * *seconds);
}

std::string interval_of(const StrengthRow& row) {
  return row.low == row.high ? "" : fmt::format("[{:.0f}, {:.0f}]", row.low, row.high);
}

// "3" where the player is level 3.
std::string level_of(const Strength& strength, const StrengthRow& row) {
  for (std::size_t i = 0; i < strength.levels.size(); ++i) {
    if (strength.levels[i] == row.player) return std::to_string(i + 1);
  }
  return "";
}

void print_measured(const Strength& strength, const Look& look) {
  std::size_t width = 6;
  for (const auto& row : strength.ratings) width = std::max(width, row.player.size());
  print_output("  {:<{}}  {:>5}  {:>14}  {:>6}  {:>7}  {}\n", "player", width, "Elo", "95 %",
               "games", "ms/move", "level");
  for (const auto& row : strength.ratings) {
    print_output("  {}  {:>5.0f}  {:>14}  {:>6}  {:>7}  {}\n",
                 painted(look, Ink::accent, fmt::format("{:<{}}", row.player, width), true),
                 row.elo, interval_of(row), row.games, milliseconds_text(row.seconds),
                 level_of(strength, row));
  }
}

void print_markdown(const Strength& strength) {
  print_output("| player | Elo | 95 % | games | ms/move | level |\n|---|---|---|---|---|---|\n");
  for (const auto& row : strength.ratings) {
    print_output("| `{}` | {:.0f} | {} | {} | {} | {} |\n", row.player, row.elo, interval_of(row),
                 row.games, milliseconds_text(row.seconds), level_of(strength, row));
  }
}

Json strength_json(std::string_view game, const std::vector<Level>& levels,
                   const play::Toolkit& toolkit) {
  Json listed = Json::array();
  for (const Level& level : levels) {
    Json one = {{"level", level.number}, {"player", level.player}, {"elo", nullptr}};
    if (level.measured) {
      one["elo"] = level.measured->elo;
      one["interval"] = {level.measured->low, level.measured->high};
    }
    listed.push_back(std::move(one));
  }
  return {{"game", game}, {"strongest", toolkit.strongest_player()}, {"levels", std::move(listed)}};
}

Result<int> show_strength(const StrengthArguments& arguments, const Context& context) {
  Json all = Json::array();
  const Look look = detect_look(false);
  for (const auto& entry : context.registry.entries()) {
    const std::string name(entry.facts.name);
    if (entry.facts.players != 2 || (arguments.game && *arguments.game != name)) continue;
    const auto game = TRY(entry.make({}));
    const auto toolkit = context.registry.toolkit(game);
    const auto levels = levels_of(*toolkit);
    if (context.json) {
      all.push_back(strength_json(name, levels, *toolkit));
      continue;
    }
    const Strength* strength = play::strength_of(name);
    if (arguments.markdown) {
      if (strength == nullptr) continue;
      print_output("## {}\n\n", entry.facts.title);
      print_markdown(*strength);
      print_output("\n");
      continue;
    }
    print_output("{}  the strongest is {}\n", painted(look, Ink::accent, name, true),
                 toolkit->strongest_player());
    if (strength != nullptr) {
      print_measured(*strength, look);
    } else {
      print_output("  Nobody has measured its players; the levels are\n ");
      for (const Level& level : levels) print_output(" {}", level.player);
      print_output("\n");
    }
    print_output("\n");
  }
  if (context.json) {
    print_json("strength", {{"games", std::move(all)}});
  } else if (!arguments.markdown) {
    print_output("Elo above `random`; `{} play GAME --level N` meets a level.\n", program_name());
  }
  return kDone;
}

Result<int> measure_strength(const StrengthArguments& arguments, const Context& context) {
  const std::string& file = *arguments.measure;
  const auto text = TRY(read_file(file, kMaxStrengthBytes));
  auto strength = TRY(play::read_strength(text, file));
  if (strength.game != *arguments.game) {
    return Error{fmt::format("is of {}; expected {}", strength.game, *arguments.game), {file}};
  }
  TRY(check_output(file));
  ContestArguments asked;
  asked.choice.game = strength.game;
  asked.games = strength.plan.games;
  asked.opening = strength.plan.opening;
  asked.neighbours = strength.plan.neighbours;
  asked.resume = arguments.resume;
  auto contest = TRY(make_contest(asked, context, strength.plan.players).in(file));
  contest.seed = Seed{strength.plan.seed};
  std::vector<std::shared_ptr<const play::ThinkingTime>> times;
  for (auto& player : contest.opened) times.push_back(keep_time(player));
  auto run = TRY(ContestRun::begin(contest, asked, context, "tournament", Json::object()));
  const auto table = TRY(run.play_and_rate(context, play::Anchor{"random", 0}));
  if (interrupted()) {
    print_notice("interrupted; continue with: {} strength {} --measure {} --resume", program_name(),
                 strength.game, shell_word(file));
    return kInterrupted;
  }
  strength.plan.seed = value_of(contest.seed);  // of the tournament that was resumed
  std::vector<StrengthRow> rows;
  for (std::size_t i = 0; i < contest.players.size(); ++i) {
    const play::Rating* rating = table.find(contest.players[i]);
    StrengthRow row{rating->player,
                    std::round(rating->elo),
                    std::round(rating->interval.low),
                    std::round(rating->interval.high),
                    rating->record.games(),
                    std::round(1000 * rating->record.score()) / 1000,
                    {}};
    if (times[i]->moves() > 0) row.seconds = std::round(1e6 * times[i]->seconds()) / 1e6;
    rows.push_back(std::move(row));
  }
  strength.rules = games::options_text(contest.toolkit->game().option_values());
  TRY(set_ratings(strength, std::move(rows)).in(file));
  TRY(write_file_atomically(file, strength_text(strength)));
  print_measured(strength, detect_look(false));
  print_about_file(
      file, fmt::format("written, {} games in {:.0f} s", contest.total_games(), run.seconds()));
  return kDone;
}

Result<int> run_strength(const StrengthArguments& arguments, const Context& context) {
  if (arguments.game) {
    const auto entry = TRY(context.registry.find(*arguments.game));
    if (entry->facts.players != 2) {
      return Error{fmt::format("{} has one player; `{} eval PLAYER {}` measures one",
                               *arguments.game, program_name(), *arguments.game)};
    }
  }
  if (!arguments.measure) return show_strength(arguments, context);
  if (!arguments.game) return Error{"--measure: which game?"};
  return measure_strength(arguments, context);
}

}  // namespace

Action setup_strength(CommandLine line, Context& context) {
  auto arguments = std::make_shared<StrengthArguments>();
  line.add_option("GAME", arguments->game, "the game (default: all)");
  line.add_option("--measure", arguments->measure, "FILE",
                  "play the tournament that the file plans, and write what it finds into it");
  line.add_flag("--resume", arguments->resume, "with --measure: continue a stopped tournament");
  line.add_flag("--markdown", arguments->markdown, "print the tables of docs/strength.md");
  add_shared_options(line, context, {"--threads", "--json"});
  return [arguments, &context] { return run_strength(*arguments, context); };
}

}  // namespace damier::app
