#include "damier/app/contest/options.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <istream>

#include <fmt/format.h>

#include "damier/base/files/atomic_file.h"
#include "damier/base/files/checksum.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/text.h"
#include "damier/play/contest/games.h"
#include "damier/play/players/player_text.h"

namespace damier::app {

namespace {

// A commit waits for the disk: fast games share one. What a kill can cost is at most this many
// games and so much time.
constexpr std::size_t kCommitGames = 100;
constexpr std::chrono::milliseconds kCommitInterval{100};

constexpr int kRandomPlies = 2;
constexpr int kBookPlies = 16;

Result<std::vector<play::Opening>> positions_of(std::istream& in, const std::string& source) {
  constexpr std::size_t kMaxPositionLength = 4096;
  std::vector<play::Opening> openings;
  StreamLines lines(in);
  while (lines.next()) {
    const std::string_view line = trim(lines.line());
    if (line.empty() || line.starts_with('#')) continue;
    if (line.size() > kMaxPositionLength || openings.size() == kMaxOpenings) {
      return Error{fmt::format("expected at most {} positions, one a line", kMaxOpenings),
                   {source, static_cast<int>(lines.number())}};
    }
    openings.push_back({std::string(line), {}});
  }
  return openings;
}

// The openings of a file, `plies` moves of each of its games: in a format of the game's own, or one
// position a line. An error where there is none.
Result<std::vector<play::Opening>> read_book(const GameCommands& own, const std::string& file,
                                             int plies) {
  auto input = InputFile::open(file);
  if (interrupted()) return interruption();
  if (!input) return std::move(input).error();
  std::istream in(input->get());
  const std::string& source = (*input)->name();
  auto openings = own.openings(in, source, plies);
  if (!openings) openings = positions_of(in, source);
  if (interrupted()) return interruption();
  TRY((*input)->status());
  if (!*openings) return *std::move(openings);
  if ((*openings)->empty()) return Error{"has no openings", {source}};
  return *std::move(openings);
}

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
  if (contest.time) config["tc"] = contest.time->text();
  if (contest.adjudication.is_on()) config["adjudicate"] = contest.adjudication.text();
  if (book) {
    config["book"] = *book;
    config["book_checksum"] = book_checksum(contest.book);
  }
  return {std::string(kind), std::string(game.facts().name), std::move(options), std::move(config)};
}

Json side_json(const std::string& player, const play::Record& record) {
  return {{"player", player},
          {"wins", record.wins},
          {"draws", record.draws},
          {"losses", record.losses},
          {"score", record.score()}};
}

}  // namespace

void add_contest_options(CommandLine line, ContestArguments& arguments, Context& context) {
  line.add_number(
          "--opening", arguments.opening, 0, 100,
          "random plies before the players take over (default 2), or those of a book's games "
          "(default 16); every opening is played twice, with the sides swapped")
      .type_name("PLIES");
  line.add_option("--book", arguments.book, "FILE",
                  "openings from a file, in an order by the seed: one position a line (for chess "
                  "EPD), or the beginnings of games in the game's own format (PGN)");
  line.add_option("--tc", arguments.time, "BASE+INCREMENT",
                  "clocks, in seconds: who runs out of time loses. Engines divide their time "
                  "themselves. Such games depend on the machine, not on the seed alone");
  line.add_option("--adjudicate", arguments.adjudicate, "RULES",
                  "end games whose players agree: resign=MOVES/SCORE (default 4/700, in hundredths "
                  "of a pawn), draw=MOVES/SCORE/FROM (default 8/10/34), or both with a comma");
  line.add_option(
      "--record", arguments.record, "FILE",
      "write the games, one a line; `{program} play --load FILE --number N` replays one");
  line.add_option("--csv", arguments.csv, "FILE",
                  "write the games as a table: number, players, opening, outcome, plies, moves");
  arguments.own.add_formats(line, context.games);
  line.add_flag("--resume", arguments.resume,
                "continue the last run with the same request if it was stopped or killed; a "
                "finished one writes its files again");
  line.add_flag("--no-store", arguments.no_store, "keep nothing in the run store");
  add_rules_options(line, arguments.choice);
  add_shared_options(line, context, {"--seed", "--threads", "--json"});
}

Result<play::Contest> make_contest(const ContestArguments& arguments, const Context& context,
                                   std::vector<std::string> players) {
  const auto game = TRY(make_game(context, arguments.choice));
  play::ContestPlan contest;
  contest.toolkit = context.registry.toolkit(game);
  contest.players = std::move(players);
  contest.games = arguments.games;
  contest.opening_plies = arguments.opening.value_or(arguments.book ? kBookPlies : kRandomPlies);
  contest.neighbours = arguments.neighbours;
  contest.gauntlet = arguments.gauntlet;
  contest.seed = context.seed();
  TRY(arguments.own.check(contest.toolkit->game().facts().name));
  if (arguments.time) contest.time = TRY(play::TimeControl::parse(*arguments.time).in("--tc"));
  if (arguments.adjudicate) {
    contest.adjudication = TRY(play::Adjudication::parse(*arguments.adjudicate).in("--adjudicate"));
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
  run_ = TRY(store_->resume_run(request, seed));
  if (!run_) {
    run_ = TRY(store_->latest_run(request, seed));
    if (!run_) {
      return Error{
          fmt::format("--resume: there is no {} with these players, games, opening{} and "
                      "rules; `{} runs` lists what there is",
                      request.kind, seed ? ", seed" : "", program_name())};
    }
    if (run_->status != RunStatus::done) {
      return Error{fmt::format("--resume: run {} is at work in another process", run_->name),
                   {},
                   ErrorKind::failure};
    }
    was_done_ = true;
  }
  contest.seed = run_->seed;
  DamagedRows damaged;
  auto games = TRY(store_->finished_games(run_->id, &damaged));
  if (!damaged.empty()) {
    return Error{fmt::format("{}; it is of run {}: {}", damaged.front().message, run_->name,
                             repair_advice()),
                 {store_->path()}};
  }
  for (GameRow& row : games) {
    if (const auto fits = check_row(contest_, row); !fits) {
      return damaged_game(row.number, fits.error());
    }
    rows_[static_cast<std::size_t>(row.number)] = std::move(row);
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

void ContestRun::print(Json result) const {
  result["seed"] = value_of(contest_.seed);
  result["seconds"] = seconds_;
  if (run_) result["run"] = run_->name;
  print_json(command_, result);
}

Status ContestRun::play(const Context& context,
                        const std::function<bool(const play::GameRows&)>& enough) {
  if (was_done_) {
    if (!enough(rows_) && std::ranges::any_of(rows_, [](const auto& row) { return !row; })) {
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
    for (const auto& row : rows_) progress.add(row ? 1 : 0, 0);
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
  TRY(play(context, [](const play::GameRows&) { return false; }));
  const auto table = TRY(rate_contest(contest_, rows_, anchor));
  if (store_ && !was_done_ && !interrupted()) {
    const auto ratings = rating_rows(contest_, table);
    TRY(store_->set_ratings(run_->id, ratings));
  }
  TRY(finish(tournament_json(contest_, table)));
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
  const auto line_of = [&](const GameRow& row) -> Result<std::string> {
    const auto line = TRY(record_line(contest_, row));
    return line + "\n";
  };
  TRY(write_games(record_, line_of));
  if (csv_) TRY(with_advice(write_file_atomically(*csv_, play::games_csv(rows_))));
  const std::string event = kept_command(command_);
  const std::string time = contest_.time ? contest_.time->text() : "";
  return write_games(own_file_, [&](const GameRow& row) -> Result<std::string> {
    const auto session = TRY(replayed(contest_, row));
    const std::string round = std::to_string(row.number / 2 + 1);
    const std::string first = play::player_alias(row.first).value_or(row.first),
                      second = play::player_alias(row.second).value_or(row.second);
    return own_format_->text(
        *session, {event, {first, second}, round, row.outcome, row.ending, row.notes, time});
  });
}

Status ContestRun::write_games(
    const std::optional<std::string>& file,
    const std::function<Result<std::string>(const GameRow&)>& text_of) const {
  if (!file) return Done{};
  std::string text;
  for (const auto& row : rows_) {
    if (!row) continue;
    const auto game = text_of(*row);
    if (!game) return damaged_game(row->number, game.error());
    text += *game;
  }
  return with_advice(write_file_atomically(*file, text));
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

Json match_json(const play::ContestPlan& contest, const play::Score& score,
                const play::SequentialTest* test) {
  const auto& record = score.tally.record();
  const auto estimate = score_estimate(score.tally);
  const auto& pairs = score.tally.pairs().count;
  Json json = {{"game", contest.toolkit->game().facts().name},
               {"games", record.games()},
               {"a", side_json(contest.players[0], record)},
               {"b", side_json(contest.players[1], record.reversed())},
               {"interval", interval_json(estimate.interval)},
               {"elo", play::elo_json(play::elo_difference(estimate))},
               {"pairs", pairs}};
  if (test != nullptr) {
    json["sprt"] = {{"llr", test->state().log_likelihood_ratio},
                    {"decision", decision_text(test->state().decision)}};
  }
  return json;
}

Json ratings_json(const play::RatingTable& table) {
  Json players = Json::array();
  for (const auto& rating : table.ratings) {
    players.push_back({{"player", rating.player},
                       {"elo", number_json(rating.elo)},
                       {"interval", interval_json(rating.interval)},
                       {"games", rating.record.games()},
                       {"score", rating.record.score()}});
  }
  return players;
}

Json tournament_json(const play::ContestPlan& contest, const play::RatingTable& table) {
  return {{"game", contest.toolkit->game().facts().name}, {"players", ratings_json(table)}};
}

std::vector<RatingRow> rating_rows(const play::ContestPlan& contest,
                                   const play::RatingTable& table) {
  const auto end = [](double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  };
  std::vector<RatingRow> rows;
  for (const auto& rating : table.ratings) {
    rows.push_back({std::string(contest.toolkit->game().facts().name), rating.player, rating.elo,
                    end(rating.interval.low), end(rating.interval.high), rating.record.games()});
  }
  return rows;
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
