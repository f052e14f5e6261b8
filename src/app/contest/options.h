// What `match` and `tournament` have in common: their options, the run in the store, the progress.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "damier/app/context.h"
#include "damier/play/contest/contest.h"
#include "damier/store/store.h"

namespace damier::app {

struct ContestArguments {
  GameChoice choice;
  std::int64_t games = 0;
  std::optional<int> opening;
  int neighbours = 0;
  bool gauntlet = false;
  std::optional<std::string> time;
  std::optional<std::string> book;
  std::optional<std::string> adjudicate;
  std::optional<std::string> record;
  std::optional<std::string> csv;
  GameOptions own;  // of single games
  bool resume = false;
  bool no_store = false;
};

void add_contest_options(CommandLine line, ContestArguments& arguments, Context& context);

// The contest that the arguments ask for, checked.
Result<play::Contest> make_contest(const ContestArguments& arguments, const Context& context,
                                   std::vector<std::string> players);

// A contest under way: every game goes into the store as soon as it is done.
class ContestRun {
 public:
  // `config` holds what decides the result beside the contest itself. A run that is resumed without
  // --seed gives the contest its own.
  static Result<ContestRun> begin(play::Contest& contest, const ContestArguments& arguments,
                                  const Context& context, std::string_view kind, Json config);

  // Plays what is missing. `enough` may end it before all games are played.
  Status play(const Context& context, const std::function<bool(const play::GameRows&)>& enough);

  play::GameRows& rows() { return rows_; }
  double seconds() const { return seconds_; }
  std::optional<std::string> name() const;
  // For --json: with the seed, the time and the run's name.
  void print(Json result) const;
  RunId id() const { return run_->id; }

  // Plays a tournament to its end, rates the players and finishes the run.
  Result<play::RatingTable> play_and_rate(const Context& context,
                                          const std::optional<play::Anchor>& anchor);

  // Writes the files that were asked for and marks the run as done; after an interrupt it is
  // stopped, and so it is when a file cannot be written: resumed, it writes them again.
  Status finish(const Json& summary);

 private:
  ContestRun(const play::Contest& contest, std::string_view command)
      : contest_(contest), command_(command) {}
  Status resume(const RunRequest& request, play::Contest& contest, std::optional<Seed> seed);
  Error damaged_game(std::int64_t number, const Error& error) const;
  Status write_files() const;
  Status with_advice(Status written) const;
  Status write_games(const std::optional<std::string>& file,
                     const std::function<Result<std::string>(const GameRow&)>& text_of) const;

  const play::Contest& contest_;
  std::string command_;                // "match"
  std::optional<std::string> record_;  // files to be written
  std::optional<std::string> csv_;
  std::optional<std::string> own_file_;
  std::optional<GameFormat> own_format_;
  std::optional<Store> store_;
  std::optional<Run> run_;
  bool was_done_ = false;  // resumed though nothing is left to play: the store has its result
  play::GameRows rows_;
  double seconds_ = 0;
};

// --- what the games come to, as it is printed with --json and kept as the summary of the run ---

// `test` is null where there was no sequential test.
Json match_json(const play::ContestPlan& contest, const play::Score& score,
                const play::SequentialTest* test);

// [{"player", "elo", "interval", "games", "score"}, …], the strongest first.
Json ratings_json(const play::RatingTable& table);

Json tournament_json(const play::ContestPlan& contest, const play::RatingTable& table);
// The same for the store.
std::vector<RatingRow> rating_rows(const play::ContestPlan& contest,
                                   const play::RatingTable& table);

// After an interrupt: what was kept, and how to go on.
int report_interrupted(const ContestRun& run, const Context& context, std::string_view command,
                       const play::Contest& contest);

}  // namespace damier::app
