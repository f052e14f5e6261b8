#include "damier/play/ratings/strength.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "damier/base/json/described.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/play/toolkit.h"

namespace damier::play {

void describe(auto& fields, Is<StrengthPlan> auto& plan) {
  fields("players", plan.players);
  fields("games", plan.games);
  fields("neighbours", plan.neighbours);
  fields("opening", plan.opening);
  fields("seed", plan.seed);
}

void describe(auto& fields, Is<StrengthRow> auto& row) {
  fields("player", row.player);
  fields("elo", row.elo);
  fields("low", row.low);
  fields("high", row.high);
  fields("games", row.games);
  fields("score", row.score);
  fields("seconds", row.seconds);
}

void describe(auto& fields, Is<Strength> auto& strength) {
  fields("game", strength.game);
  fields("plan", strength.plan);
  fields.optional("rules", strength.rules);
  fields.optional("strongest", strength.strongest);
  fields.optional("levels", strength.levels);
  fields.optional("ratings", strength.ratings);
}

namespace {

constexpr std::string_view kAnchor = "random";
// Each about as far from the next as in the games that were measured.
constexpr std::string_view kUsualLadder[] = {"random",   "flat:1",   "flat:5",
                                             "uct:50",   "uct:200",  "uct:500",
                                             "uct:1500", "uct:5000", "uct:10000"};
static_assert(std::size(kUsualLadder) == kLevels - 1, "the strongest comes last");
constexpr std::string_view kUsualStrongest = "uct:20000";

Status check_strength(const Strength& strength) {
  if (strength.plan.players.size() < 2 || strength.plan.games < 2 || strength.plan.games % 2 != 0 ||
      strength.plan.neighbours < 1 || strength.plan.opening < 0) {
    return Error{
        "plan: expected two players or more, an even number of games, 1 neighbour or more"};
  }
  if (strength.ratings.empty()) return Done{};
  for (std::size_t i = 1; i < strength.ratings.size(); ++i) {
    if (strength.ratings[i].elo < strength.ratings[i - 1].elo) {
      return Error{fmt::format("ratings[{}]: expected the weakest first", i)};
    }
  }
  if (strength.levels.size() != kLevels) {
    return Error{fmt::format("levels: expected {} players", kLevels)};
  }
  double last = -std::numeric_limits<double>::infinity();
  for (const std::string& player : strength.levels) {
    const StrengthRow* row = strength.find(player);
    if (row == nullptr || row->elo <= last) {
      return Error{fmt::format("levels: {} {}", in_quotes(player),
                               row == nullptr ? "has no rating" : "is no stronger than the last")};
    }
    last = row->elo;
  }
  if (strength.find(strength.strongest) == nullptr) return Error{"strongest: has no rating"};
  return Done{};
}

// Of the players, sorted by strength, kLevels from the first to the last whose steps are as equal
// as possible: the least sum of their squares.
std::vector<std::string> equal_steps(const std::vector<const StrengthRow*>& players) {
  const std::size_t count = players.size();
  constexpr double kNever = std::numeric_limits<double>::infinity();
  // cost[l][p]: of the steps up to level l, where l is player p; before[l][p]: who is the level
  // before.
  std::vector<std::vector<double>> cost(kLevels, std::vector<double>(count, kNever));
  std::vector<std::vector<std::size_t>> before(kLevels, std::vector<std::size_t>(count, 0));
  cost[0][0] = 0;
  for (std::size_t level = 1; level < kLevels; ++level) {
    for (std::size_t player = level; player < count; ++player) {
      for (std::size_t other = level - 1; other < player; ++other) {
        const double step = players[player]->elo - players[other]->elo;
        const double all = cost[level - 1][other] + step * step;
        if (step <= 0 || all >= cost[level][player]) continue;
        cost[level][player] = all;
        before[level][player] = other;
      }
    }
  }
  std::vector<std::string> levels(kLevels);
  std::size_t player = count - 1;
  for (std::size_t level = kLevels; level-- > 0; player = before[level][player]) {
    levels[level] = players[player]->player;
  }
  return levels;
}

}  // namespace

Result<Strength> read_strength(std::string_view text, std::string_view source) {
  const auto json = TRY(parse_json(text, source, JsonComments::allowed));
  auto strength = TRY(read_described<Strength>(json, std::string(source)));
  TRY(check_strength(strength).in(std::string(source)));
  return strength;
}

std::string strength_text(const Strength& strength) {
  return fmt::format(
             "// How strong the players of {} are. The plan is written by hand, the rest by\n"
             "// `{}`; docs/strength.md explains it.\n",
             strength.game,
             kept_command(fmt::format("strength {0} --measure strength/{0}.json", strength.game))) +
         dump_pretty(json_of(strength));
}

Status set_ratings(Strength& strength, std::vector<StrengthRow> ratings) {
  std::ranges::sort(ratings, {}, &StrengthRow::elo);
  std::vector<const StrengthRow*> quick;
  for (const StrengthRow& row : ratings) {
    const bool distinct = quick.empty() || row.elo > quick.back()->elo;
    if (row.player != kAnchor && row.seconds.value_or(0) <= kMaxMoveSeconds && distinct) {
      quick.push_back(&row);
    }
  }
  if (quick.size() < kLevels) {
    return Error{
        fmt::format("{} levels need as many players that take no longer than {} s a move; "
                    "the tournament has {} beside {}",
                    kLevels, kMaxMoveSeconds, quick.size(), kAnchor)};
  }
  strength.levels = equal_steps(quick);
  strength.strongest = ratings.back().player;
  strength.ratings = std::move(ratings);
  return Done{};
}

const Strength* strength_of(std::string_view game) {
  static const std::vector<Strength> known = [] {
    std::vector<Strength> all;
    for (const auto& [name, text] : builtin_strengths()) {
      all.push_back(read_strength(text, fmt::format("strength/{}.json", name)).value());
    }
    return all;
  }();
  for (const Strength& strength : known) {
    if (strength.game == game && !strength.ratings.empty()) return &strength;
  }
  return nullptr;
}

std::vector<Level> levels_of(const Toolkit& toolkit) {
  std::vector<Level> levels;
  const Strength* known = strength_of(toolkit.game().facts().name);
  for (int number = 1; number <= kLevels; ++number) {
    Level level{.number = number};
    if (known != nullptr) {
      level.player = known->levels[static_cast<std::size_t>(number - 1)];
      level.measured = *known->find(level.player);
    } else {
      level.player = number == kLevels ? toolkit.strongest_player() : kUsualLadder[number - 1];
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

std::optional<Text> strength_in_words(std::string_view player, const Toolkit& toolkit) {
  const Strength* known = strength_of(toolkit.game().facts().name);
  const StrengthRow* row = known == nullptr ? nullptr : known->find(player);
  if (row == nullptr) return std::nullopt;
  const double below = known->find(known->strongest)->elo - row->elo;
  const auto number = [](double elo) { return fmt::format("{:.0f}", elo); };
  Text text = below <= 0
                  ? Text("the strongest")
                  : Text::of(row->elo > 0 ? "{} below the strongest" : "{} Elo below the strongest",
                             number(below));
  if (row->elo > 0) text = Text::of("{} Elo above random, {}", number(row->elo), text);
  const bool usual_rules = known->rules == games::options_text(toolkit.game().option_values());
  return usual_rules ? text : Text::of("{}, measured under the usual rules", text);
}

std::string presumed_strongest(bool is_solved) {
  return std::string(is_solved ? "perfect" : kUsualStrongest);
}

}  // namespace damier::play
