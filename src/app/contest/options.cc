#include "damier/app/contest/options.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "damier/app/contest/book.h"
#include "damier/app/contest/results.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/files/checksum.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/play/contest/games.h"
#include "damier/play/contest/games_csv.h"
#include "damier/play/players/shown_players.h"

namespace damier::app {

namespace {

// A commit waits for the disk: fast games share one. What a kill can cost is at most this many
// games and so much time.
constexpr std::size_t kCommitGames = 100;
constexpr std::chrono::milliseconds kCommitInterval{100};

constexpr int kRandomPlies = 2;
constexpr int kBookPlies = 16;

// What is in a book, in short.
std::string book_checksum(std::span<const play::Opening> book) {
  std::string text;
  for (const play::Opening& opening : book) {
    text += fmt::format("{} {}\n", opening.position, fmt::join(opening.moves, " "));
  }
  return learn::checksum_of(text);
}

std::string repair_advice() {
  return fmt::format("`{} verify --repair` sets it aside, --resume then plays it again",
                     program_name());
}

// A game that was lost for another reason than its moves.
void tell_ending(const GameRow& row, const play::Contest& contest) {
  const bool first_won = row.outcome == "first";
  const std::string& loser = first_won ? row.second : row.first;
  print_notice("game {}: {} ({}) loses: {}", row.number + 1,
               play::player_alias(loser).value_or(loser),
               contest.toolkit->game().facts().sides[first_won ? 1 : 0], row.ending);
}

RunRequest contest_request(const play::Contest& contest, std::string_view kind, Json config,
                           const std::optional<std::string>& book) {
  const games::AnyGame& game = contest.toolkit->game();
  Json options = Json::object();
  for (const auto& [name, value] : game.option_values()) options[name] = value;
  config["players"] = contest.players;
  config["games"] = contest.games;
  config["opening"] = contest.opening_plies;
  if (contest.neighbours > 0) config["neighbours"] = contest.neighbours;
  if (contest.gauntlet) config["gauntlet"] = true;
  if (contest.time) config["tc"] = time_control_text(*contest.time);
  if (contest.adjudication.is_on()) config["adjudicate"] = adjudication_text(contest.adjudication);
  if (book) {
    config["book"] = *book;
    config["book_checksum"] = book_checksum(contest.book);
  }
  return {std::string(kind), std::string(game.facts().name), std::move(options), std::move(config)};
}

}  // namespace

void add_contest_options(CommandLine line, ContestArguments& arguments, Context& context) {
  line.add_number(
          "--opening", arguments.opening, 0, 100,
          "random plies before the players take over (default 2), or those of a book's games "
          "(default 16); every opening is played twice, with the sides swapped")
      .type_name("PLIES");
  line.add_option("--book", arguments.book,
                  "openings from a file, in an order by the seed: one position a line (for chess "
                  "EPD), or the beginnings of games in the game's own format (PGN)")
      .type_name("FILE");
  line.add_option("--tc", arguments.time,
                  "clocks, in seconds: who runs out of time loses. Engines divide their time "
                  "themselves. Such games depend on the machine, not on the seed alone")
      .type_name("BASE+INCREMENT");
  line.add_option("--adjudicate", arguments.adjudicate,
                  "end games whose players agree: resign=MOVES/SCORE (default 4/700, in hundredths "
                  "of a pawn), draw=MOVES/SCORE/FROM (default 8/10/34), or both with a comma")
      .type_name("RULES");
  line.add_option(
          "--record", arguments.record,
          "write the games, one a line; `{program} play --load FILE --number N` replays one")
      .type_name("FILE");
  line.add_option("--csv", arguments.csv,
                  "write the games as a table: number, players, opening, outcome, plies, moves")
      .type_name("FILE");
  arguments.own.add_formats(line, context.games);
  line.add_flag("--resume", arguments.resume,
                "continue the last run with the same request if it was stopped or killed; a "
                "finished one writes its files again");
  line.add_flag("--no-store", arguments.no_store, "keep nothing in the run store");
  add_rules_options(line, arguments.choice);
  add_seed_option(line, context);
  add_threads_option(line, context);
  add_json_option(line, context);
}

Result<play::Contest> make_contest(const ContestArguments& arguments, const Context& context,
                                   std::vector<std::string> players) {
  auto game = make_game(context, arguments.choice);
  if (!game) return std::move(game).error();
  play::ContestPlan contest;
  contest.toolkit = context.registry.toolkit(*std::move(game));
  contest.players = std::move(players);
  contest.games = arguments.games;
  contest.opening_plies = arguments.opening.value_or(arguments.book ? kBookPlies : kRandomPlies);
  contest.neighbours = arguments.neighbours;
  contest.gauntlet = arguments.gauntlet;
  contest.seed = context.seed();
  TRY(arguments.own.check(contest.toolkit->game().facts().name));
  if (arguments.time) contest.time = TRY(play::parse_time_control(*arguments.time).in("--tc"));
  if (arguments.adjudicate) {
    contest.adjudication = TRY(play::parse_adjudication(*arguments.adjudicate).in("--adjudicate"));
  }
  if (arguments.book) {
    contest.book = TRY(read_book(context.games.of(contest.toolkit->game().facts().name),
                                 *arguments.book, contest.opening_plies));
  }
  return open_contest(std::move(contest));
}

Result<ContestRun> ContestRun::begin(play::Contest& contest, const ContestArguments& arguments,
                                     const Context& context, std::string_view kind, Json config) {
  ContestRun run(contest, kind);
  const GameCommands& own = context.games.of(contest.toolkit->game().facts().name);
  run.record_ = arguments.record;
  run.csv_ = arguments.csv;
  run.own_file_ = arguments.own.file_of(own);
  run.own_format_ = own.format();
  run.rows_.resize(static_cast<std::size_t>(contest.total_games()));
  for (const auto& file : {run.record_, run.csv_, run.own_file_}) {
    if (!file) continue;
    TRY(check_output(*file));
  }
  if (arguments.no_store) {
    if (arguments.resume) return Error{"--resume needs the store; leave out --no-store"};
    return run;
  }
  run.store_.emplace(TRY(Store::open_default()));
  const RunRequest request = contest_request(contest, kind, std::move(config), arguments.book);
  if (arguments.resume) {
    std::optional<Seed> seed;
    if (context.seed_option) seed = Seed{*context.seed_option};
    TRY(run.resume(request, contest, seed));
    return run;
  }
  run.run_ = TRY(run.store_->begin_run(request, contest.seed));
  return run;
}

Status ContestRun::resume(const RunRequest& request, play::Contest& contest,
                          std::optional<Seed> seed) {
  auto found = store_->resume_run(request, seed);
  if (!found) return std::move(found).error();
  if (!*found) {
    found = store_->latest_run(request, seed);
    if (!found) return std::move(found).error();
    if (!*found) {
      return Error{
          fmt::format("--resume: there is no {} with these players, games, opening{} and "
                      "rules; `{} runs` lists what there is",
                      request.kind, seed ? ", seed" : "", program_name())};
    }
    if ((*found)->status != RunStatus::done) {
      return Error{fmt::format("--resume: run {} is at work in another process", (*found)->name),
                   {},
                   ErrorKind::failure};
    }
    was_done_ = true;
  }
  run_ = **std::move(found);
  contest.seed = run_->seed;
  DamagedRows damaged;
  auto games = TRY(store_->finished_games(run_->id, &damaged));
  if (!damaged.empty()) {
    return Error{fmt::format("{}; it is of run {}: {}", damaged.front().message, run_->name,
                             repair_advice()),
                 {store_->path()}};
  }
  return take_games(std::move(games));
}

Status ContestRun::take_games(std::vector<GameRow> games) {
  for (GameRow& row : games) {
    if (auto status = check_row(contest_, row); !status) {
      return damaged_game(row.number, status.error());
    }
    auto& place = rows_[static_cast<std::size_t>(row.number)];
    place = std::move(row);
  }
  return Done{};
}

Error ContestRun::damaged_game(std::int64_t number, const Error& error) const {
  if (!store_) return {fmt::format("game {}: {}", number, error.message)};
  return {fmt::format("game {} of run {} is damaged: {}; {}", number, run_->name, error.message,
                      repair_advice()),
          {store_->path()}};
}

std::optional<std::string> ContestRun::name() const {
  return run_ ? std::optional(run_->name) : std::nullopt;
}

Status ContestRun::play(const Context& context,
                        const std::function<bool(const play::GameRows&)>& enough) {
  const bool all_played =
      std::all_of(rows_.begin(), rows_.end(), [](const auto& row) { return row.has_value(); });
  if (was_done_) {
    if (!enough(rows_) && !all_played) {
      return Error{fmt::format("run {} is marked as done, but games of it are missing; `{} "
                               "verify --repair` lets --resume play them",
                               run_->name, program_name()),
                   {store_->path()}};
    }
    print_notice("run {} is done, nothing is left to play", run_->name);
    return Done{};
  }
  const Stopwatch watch;
  ThreadPool pool(context.thread_count());
  Status stored = Done{}, shared = Done{};
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
      const auto keep = [&](const GameRow& row) {
        waiting.push_back(row);
        if (waiting.size() >= kCommitGames ||
            std::chrono::steady_clock::now() - last_commit > kCommitInterval) {
          commit();
        }
        if (!row.ending.empty() && row.ending != play::kAdjudicated) tell_ending(row, contest_);
        progress.add(1, 1);
        return stored.ok() && !enough(rows_);
      };
      shared = share_contest(contest_, rows_, pool, keep, *context.ranks);
    }
  }
  commit();
  seconds_ = watch.seconds();
  return stored ? shared : stored;
}

Result<play::RatingTable> ContestRun::play_and_rate(const Context& context,
                                                    const std::optional<play::Anchor>& anchor) {
  if (auto status = play(context, [](const play::GameRows&) { return false; }); !status) {
    return std::move(status).error();
  }
  auto table = rate_contest(contest_, rows_, anchor);
  if (!table) return table;
  if (store_ && !was_done_ && !interrupted()) {
    const auto ratings = rating_rows(contest_, *table, run_->id);
    TRY(store_->set_ratings(run_->id, ratings));
  }
  TRY(finish(tournament_json(contest_, *table)));
  return table;
}

Status ContestRun::finish(const Json& summary) {
  const Status written = interrupted() ? Status(Done{}) : write_files();
  if (store_ && !was_done_) {
    const bool is_done = written && !interrupted();
    const auto stored =
        store_->finish_run(run_->id, is_done ? RunStatus::done : RunStatus::stopped, summary);
    if (!stored) return stored;
  }
  return written;
}

Status ContestRun::write_files() const {
  TRY(write_record());
  TRY(write_csv());
  return write_own_format();
}

// A file that could not be written can still be made: its games are in the store.
Status ContestRun::with_advice(Status written) const {
  if (written || !store_) return written;
  Error error = std::move(written).error();
  error.message += fmt::format(
      "; the games are kept: the same `{} {}` with --seed {} --resume "
      "writes them again",
      program_name(), command_, value_of(contest_.seed));
  return error;
}

Status ContestRun::write_record() const {
  if (!record_) return Done{};
  std::string text;
  for (const auto& row : rows_) {
    if (!row) continue;
    const auto line = record_line(contest_, *row);
    if (!line) return damaged_game(row->number, line.error());
    text += *line + "\n";
  }
  return with_advice(write_file_atomically(*record_, text));
}

Status ContestRun::write_csv() const {
  if (!csv_) return Done{};
  return with_advice(write_file_atomically(*csv_, play::games_csv(rows_)));
}

Status ContestRun::write_own_format() const {
  if (!own_file_) return Done{};
  const std::string event = kept_command(command_);
  const std::string time = contest_.time ? time_control_text(*contest_.time) : "";
  std::string text;
  for (const auto& row : rows_) {
    if (!row) continue;
    const auto session = replayed(contest_, *row);
    if (!session) return damaged_game(row->number, session.error());
    const std::string round = std::to_string(row->number / 2 + 1);
    const std::string first = play::player_alias(row->first).value_or(row->first),
                      second = play::player_alias(row->second).value_or(row->second);
    text += own_format_->text(
        **session, {event, {first, second}, round, row->outcome, row->ending, row->notes, time});
  }
  return with_advice(write_file_atomically(*own_file_, text));
}

int report_interrupted(const ContestRun& run, const Context& context, std::string_view command,
                       const play::Contest& contest) {
  if (!run.name()) return report_interrupted();
  print_notice(
      "{}; the finished games are kept: continue with the same `{} {}` and --seed {} --resume",
      interruption_text(context), program_name(), command, value_of(contest.seed));
  return kInterrupted;
}

}  // namespace damier::app
