// `damier verify`: the store, and the matches and tournaments in it.

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "damier/app/contest/options.h"
#include "damier/app/verify/verify.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/progress.h"

namespace damier::app {

namespace {

bool is_contest(const Run& run) {
  return run.request.kind == "match" || run.request.kind == "tournament";
}

// What was asked for, but for the players, which need not exist any more.
Result<play::ContestPlan> plan_of(const Run& run, const Context& context) {
  auto game = TRY(game_of_run(context, run));
  play::ContestPlan plan;
  plan.toolkit = context.registry.toolkit(std::move(game));
  plan.seed = run.seed;
  const Json& config = run.request.config;
  for (const Json& player : config["players"]) {
    if (player.is_string()) plan.players.push_back(player.text());
  }
  constexpr std::int64_t kMaxGames = 10'000'000;
  constexpr std::size_t kMaxPlayers = 64;
  if (plan.players.size() < 2 || plan.players.size() > kMaxPlayers ||
      plan.players.size() != config["players"].size()) {
    return Error{"its players cannot be read"};
  }
  if (!config["games"].is_whole_in(2, kMaxGames)) return Error{"its games cannot be read"};
  plan.games = config["games"].get<std::int64_t>();
  if (config.contains("neighbours")) {
    if (!config["neighbours"].is_whole_in(1, kMaxPlayers)) {
      return Error{"its neighbours cannot be read"};
    }
    plan.neighbours = config["neighbours"].get<int>();
  }
  plan.gauntlet = config.contains("gauntlet");
  return plan;
}

// The contests of a store, each made once, and which of their games cannot be used.
class ContestPlans {
 public:
  explicit ContestPlans(const Context& context) : context_(context) {}

  const Result<play::ContestPlan>& of(const Run& run) {
    const auto known = plans_.find(run.id);
    if (known != plans_.end()) return known->second;
    return plans_.emplace(run.id, plan_of(run, context_)).first->second;
  }

  Status check_game(const Run& run, const GameRow& game) {
    if (interrupted()) return interruption();
    if (!is_contest(run)) return Done{};
    const auto& plan = of(run);
    if (!plan) return Done{};  // said of the run itself
    const auto session = replayed(*plan, game);
    if (session) return Done{};
    unusable_[run.id].insert(game.number);
    return session.error();
  }

  bool is_usable(RunId run, std::int64_t game) const {
    const auto numbers = unusable_.find(run);
    return numbers == unusable_.end() || !numbers->second.contains(game);
  }

 private:
  const Context& context_;
  std::map<RunId, Result<play::ContestPlan>> plans_;
  std::map<RunId, std::set<std::int64_t>> unusable_;
};

Result<play::GameRows> usable_games(Store& store, const Run& run, const play::ContestPlan& plan,
                                    const ContestPlans& plans) {
  DamagedRows damaged;  // which are told of already
  auto games = TRY(store.finished_games(run.id, &damaged));
  // Not many more places than there are games: how many were asked for may be damaged, too.
  constexpr std::size_t kGaps = 4096;
  const auto wanted = static_cast<std::size_t>(plan.total_games());
  play::GameRows rows(std::min(wanted, games.size() + kGaps));
  for (GameRow& game : games) {
    const auto at = static_cast<std::size_t>(game.number);
    if (at >= rows.size() || !plans.is_usable(run.id, game.number)) continue;
    if (auto fits = check_row(plan, game); fits) rows[at] = std::move(game);
  }
  return rows;
}

std::int64_t missing_games(const play::ContestPlan& plan, const play::GameRows& rows) {
  const auto there = [](const auto& row) { return row.has_value(); };
  return plan.total_games() - std::ranges::count_if(rows, there);
}

// A match that is done, counted again; nothing where games of it are missing.
Result<std::optional<Json>> counted_match(const Run& run, const play::ContestPlan& plan,
                                          play::GameRows rows) {
  std::optional<play::SequentialTest> test;
  if (const Json* text = run.request.config.find("sprt")) {
    if (!text->is_string()) return Error{"its sequential test cannot be read"};
    const auto sprt = TRY(play::parse_sprt(text->text()));
    test.emplace(plan, sprt);
  }
  // Games that were under way when the test was decided do not count.
  const bool is_decided = test && test->advance(rows);
  if (is_decided) rows.resize(static_cast<std::size_t>(test->games()));
  if (!is_decided && missing_games(plan, rows) > 0) return std::optional<Json>();
  return std::optional(match_json(plan, score_between(plan, rows, 0, 1), test ? &*test : nullptr));
}

// The counts that two summaries of a match must share; figures that follow from them need not be
// equal in the last digit.
bool same_counts(const Json& a, const Json& b) {
  for (const char* key : {"wins", "draws", "losses"}) {
    if (a["a"][key] != b["a"][key] || a["b"][key] != b["b"][key]) return false;
  }
  return a["games"] == b["games"];
}

// Whether a tournament's summary has every player with all of his games.
bool has_all_players(const play::ContestPlan& plan, const Json& summary) {
  const Json& listed = summary["players"];
  if (listed.size() != plan.players.size()) return false;
  for (std::size_t player = 0; player < plan.players.size(); ++player) {
    const bool found = std::ranges::any_of(listed, [&](const Json& row) {
      return row["player"] == plan.players[player] && row["games"] == plan.games_of(player);
    });
    if (!found) return false;
  }
  return true;
}

// Why a run that is done cannot be; `counted` gets the right summary where it is known.
Result<std::optional<std::string>> why_not_done(Store& store, const Run& run,
                                                const play::ContestPlan& plan, play::GameRows rows,
                                                std::optional<Json>& counted) {
  using Reason = std::optional<std::string>;
  const std::int64_t missing = missing_games(plan, rows);
  const Reason lacking =
      fmt::format("it is marked as done, but lacks games ({} of {})", missing, plan.total_games());
  if (run.request.kind == "match") {
    counted = TRY(counted_match(run, plan, std::move(rows)));
    if (!counted) return lacking;
    return same_counts(*counted, run.summary) ? Reason()
                                              : Reason("its result is not that of its games");
  }
  if (missing > 0) return lacking;
  DamagedRows damaged;
  const auto ratings = TRY(store.ratings(run.id, &damaged));
  const bool whole = ratings.size() == plan.players.size() && has_all_players(plan, run.summary);
  return whole ? Reason() : Reason("its table is not that of its games");
}

Status verify_contest(Store& store, const Run& run, ContestPlans& plans, VerifyReport& report) {
  const std::string name = fmt::format("run {}", run.name);
  const auto& plan = plans.of(run);
  const auto cannot_check = [&](const Error& error) -> Status {
    report.notes.push_back(
        {store.path(), fmt::format("{} cannot be checked: {}", name, error.message)});
    return Done{};
  };
  if (!plan) return cannot_check(plan.error());
  if (run.status != RunStatus::done) return Done{};
  auto rows = TRY(usable_games(store, run, *plan, plans));
  std::optional<Json> counted;
  const auto why = why_not_done(store, run, *plan, std::move(rows), counted);
  if (!why) return cannot_check(why.error());
  if (!*why) return Done{};
  const std::string remedy =
      counted ? "counted again"
              : fmt::format("marked as stopped, its command with --seed {} --resume continues it",
                            value_of(run.seed));
  return report.add(report.damage, {store.path(), fmt::format("{}: {}", name, **why), remedy}, [&] {
    return counted ? store.finish_run(run.id, RunStatus::done, *counted) : store.reopen_run(run.id);
  });
}

}  // namespace

Status verify_store(const std::filesystem::path& path, const Context& context,
                    VerifyReport& report) {
  auto store = Store::open(path);
  if (!store) {
    if (store.error().kind == ErrorKind::failure) return std::move(store).error();
    report.is_sound(store.error(), path.string(), "", "restore it from a copy, or move it away");
    return Done{};
  }
  ContestPlans plans(context);
  std::optional<Progress> progress;
  StoreCheckOptions options;
  options.repair = report.repair;
  options.on_games = [&](std::int64_t games) {
    progress.emplace("checking", static_cast<std::uint64_t>(games), "games");
  };
  options.check_game = [&](const Run& run, const GameRow& game) {
    if (progress) progress->add(1, 1);
    return plans.check_game(run, game);
  };
  const auto check = TRY(check_store(path, options));
  progress.reset();
  report.count("run", check.runs);
  report.count("game", check.games);
  report.count("metric", check.metrics);
  report.count("rating", check.ratings);
  report.damage.insert(report.damage.end(), check.damage.begin(), check.damage.end());
  DamagedRows damaged;  // which are told of already
  const auto runs = store->runs({}, &damaged);
  if (!runs) return Done{};  // the file is broken, and that was told too
  report.count("unfinished_run", std::ranges::count_if(*runs, [](const Run& run) {
                 return run.status == RunStatus::stopped || run.status == RunStatus::killed;
               }));
  for (const Run& run : *runs) {
    if (!is_contest(run) || run.status == RunStatus::running) continue;
    TRY(verify_contest(*store, run, plans, report));
  }
  return verify_trainings(*store, report);
}

}  // namespace damier::app
