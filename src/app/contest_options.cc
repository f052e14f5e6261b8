#include "damier/app/contest_options.h"

#include <chrono>

#include <fmt/format.h>

#include "damier/base/files.h"
#include "damier/base/interrupt.h"
#include "damier/base/progress.h"
#include "damier/base/stopwatch.h"

namespace damier::app {

namespace {

constexpr std::chrono::milliseconds kCommitInterval{100};

}  // namespace

void add_contest_options(CommandLine line, ContestArguments& arguments, Context& context) {
  line.add_option("--opening", arguments.opening,
                  "random plies before the players take over (default 2); every opening is played "
                  "twice, with the sides swapped")
      .type_name("PLIES")
      .between(0, 100);
  line.add_option("--record", arguments.record,
                  "write the games, one a line; `damier play --load FILE --number N` replays one")
      .type_name("FILE");
  arguments.own.add_formats(line, context.games);
  line.add_flag("--resume", arguments.resume,
                "go on with the last run that was asked for the same and was stopped or killed");
  line.add_flag("--no-store", arguments.no_store, "keep nothing in the run store");
  add_rules_options(line, arguments.choice);
  add_seed_option(line, context);
  add_threads_option(line, context);
  add_json_option(line, context);
}

Result<arena::Contest> make_contest(const ContestArguments& arguments, const Context& context,
                                    std::vector<std::string> players) {
  auto game = make_game(context, arguments.choice);
  if (!game) return std::move(game).error();
  arena::ContestPlan contest;
  contest.toolkit = context.registry.toolkit(*std::move(game));
  contest.players = std::move(players);
  contest.games = arguments.games;
  contest.opening_plies = arguments.opening;
  contest.seed = context.seed();
  if (auto status = arguments.own.check(contest.toolkit->game().facts().name); !status) {
    return std::move(status).error();
  }
  return open_contest(std::move(contest));
}

Result<ContestRun> ContestRun::begin(const arena::Contest& contest,
                                     const ContestArguments& arguments, const Context& context,
                                     std::string_view kind, Json config) {
  ContestRun run(contest, kind);
  const GameCommands& own = context.games.of(contest.toolkit->game().facts().name);
  run.record_ = arguments.record;
  run.own_file_ = arguments.own.file_of(own);
  run.own_format_ = own.format();
  run.rows_.resize(static_cast<std::size_t>(contest.total_games()));
  if (arguments.no_store) {
    if (arguments.resume) return Error{"--resume needs the store; leave out --no-store"};
    return run;
  }
  auto store = Store::open(default_store_path());
  if (!store) return std::move(store).error();
  run.store_.emplace(*std::move(store));
  Json options = Json::object();
  for (const auto& [name, value] : contest.toolkit->game().option_values()) options[name] = value;
  config["players"] = contest.players;
  config["games"] = contest.games;
  config["opening"] = contest.opening_plies;
  const RunRequest request = {std::string(kind), std::string(contest.toolkit->game().facts().name),
                              std::move(options), std::move(config)};
  if (arguments.resume) {
    auto found = run.store_->resume_run(request, contest.seed);
    if (!found) return std::move(found).error();
    if (!*found) {
      return Error{fmt::format(
          "--resume: no unfinished {} with these players, games, opening and seed; `damier runs` "
          "lists what there is",
          kind)};
    }
    run.run_ = **std::move(found);
    auto games = run.store_->finished_games(run.run_->id);
    if (!games) return std::move(games).error();
    for (GameRow& row : *games) {
      const auto at = static_cast<std::size_t>(row.number);
      if (at < run.rows_.size()) run.rows_[at] = std::move(row);
    }
    return run;
  }
  auto begun = run.store_->begin_run(request, contest.seed);
  if (!begun) return std::move(begun).error();
  run.run_ = *std::move(begun);
  return run;
}

std::optional<std::string> ContestRun::name() const {
  return run_ ? std::optional(run_->name) : std::nullopt;
}

Status ContestRun::play(int threads, const std::function<bool(const arena::GameRows&)>& enough) {
  const Stopwatch watch;
  ThreadPool pool(threads);
  Status stored = Done{};
  // A commit waits for the disk: fast games share one.
  std::vector<GameRow> waiting;
  auto last_commit = std::chrono::steady_clock::now();
  const auto commit = [&] {
    if (store_ && stored.ok() && !waiting.empty()) stored = store_->add_games(run_->id, waiting);
    waiting.clear();
    last_commit = std::chrono::steady_clock::now();
  };
  {
    Progress progress("playing", rows_.size(), "games");
    for (const auto& row : rows_) {
      if (row) progress.add(1, 0);
    }
    if (!enough(rows_)) {
      play_contest(contest_, rows_, pool, [&](const GameRow& row) {
        waiting.push_back(row);
        if (std::chrono::steady_clock::now() - last_commit > kCommitInterval) commit();
        progress.add(1, 1);
        return stored.ok() && !enough(rows_);
      });
    }
  }
  commit();
  seconds_ = watch.seconds();
  return stored;
}

Status ContestRun::finish(const Json& summary) {
  if (store_) {
    const auto status = interrupted() ? RunStatus::stopped : RunStatus::done;
    if (auto stored = store_->finish_run(run_->id, status, summary); !stored) return stored;
  }
  if (interrupted()) return Done{};
  if (auto status = write_record(); !status) return status;
  return write_own_format();
}

Status ContestRun::write_record() const {
  if (!record_) return Done{};
  std::string text;
  for (const auto& row : rows_) {
    if (!row) continue;
    const auto line = record_line(contest_, *row);
    if (!line) return line.error();
    text += *line + "\n";
  }
  return write_file_atomically(*record_, text);
}

Status ContestRun::write_own_format() const {
  if (!own_file_) return Done{};
  const std::string event = "damier " + command_;
  std::string text;
  for (const auto& row : rows_) {
    if (!row) continue;
    const auto session = replayed(contest_, *row);
    if (!session) return session.error();
    const std::string round = std::to_string(row->number / 2 + 1);
    text += own_format_->text(**session, {event, {row->first, row->second}, round});
  }
  return write_file_atomically(*own_file_, text);
}

int report_interrupted(const ContestRun& run, std::string_view command,
                       const arena::Contest& contest) {
  if (!run.name()) return report_interrupted();
  fmt::print(stderr,
             "damier: interrupted; the finished games are kept: go on with the same `damier {}` "
             "and --seed {} --resume\n",
             command, value_of(contest.seed));
  return kInterrupted;
}

}  // namespace damier::app
