// The run store: what was played and learnt, in one SQLite file that a tournament, a training
// process and the web page share while they run.
//
// What a method of Store has reported as stored stays stored: a process that is killed right after
// it, or a machine that loses power, loses nothing of it. Several processes may write at once; they
// take turns. One Store may also be used by several threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/json/json.h"
#include "damier/base/numbers/random.h"
#include "damier/base/result.h"

namespace damier {

// Where all is kept: $DAMIER_STATE, $XDG_STATE_HOME/damier or ~/.local/state/damier. An error where
// neither a variable nor HOME is set: any other place would be shared with strangers.
Result<std::filesystem::path> state_folder();

// $DAMIER_STORE, or damier.db in the state folder.
Result<std::filesystem::path> default_store_path();

enum class RunId : std::int64_t {};

enum class RunStatus {
  running,
  done,
  stopped,  // by the user, in good order
  killed,   // it says that it is running, but its process is gone
};
std::string_view status_text(RunStatus status);

// What a run is asked to do. Whatever decides its result belongs into `config`: a run is resumed
// only by one that was asked for exactly the same.
struct RunRequest {
  std::string kind;               // "match", "tournament", "eval", "train", …
  std::string game;               // may be empty
  Json options = Json::object();  // of the game
  Json config = Json::object();
};

struct Run {
  RunId id = {};
  std::string name;  // eight letters and digits: how people call it
  RunRequest request;
  Seed seed = {};
  std::string version;                  // of Damier
  std::string started;                  // "2025-03-01T17:05:09.120Z"
  std::optional<std::string> finished;  // the same; empty until it is done or stopped
  RunStatus status = RunStatus::running;
  Json summary;  // null until it is done or stopped
};

// A finished game of a run.
struct GameRow {
  std::int64_t number = 0;  // unique in its run
  std::string first;        // the players
  std::string second;       // empty in a game of one player
  std::optional<std::int64_t> pair;
  std::string opening;
  std::string outcome;  // "first", "second" or "draw"
  std::int64_t plies = 0;
  std::string moves;
  double seconds = 0;
  std::string start = {};   // the position where it begins; empty: where the game itself does
  std::string ending = {};  // why it ended before its rules did: "lost on time"; empty: it did not
  std::string notes = {};   // clocks and scores of the moves (play/contest/terms.h)

  bool operator==(const GameRow&) const = default;
};

// A point of a curve. Values that are not a number are kept as such.
struct MetricRow {
  std::int64_t step = 0;
  std::string name;
  double value = 0;

  bool operator==(const MetricRow&) const = default;
};

struct RatingRow {
  std::string game;
  std::string player;
  double elo = 0;
  std::optional<double> low;  // the interval's ends, where it has them
  std::optional<double> high;
  std::int64_t games = 0;

  bool operator==(const RatingRow&) const = default;
};

// Rows that cannot be read, one error a row.
using DamagedRows = std::vector<Error>;

// Where a method takes `damaged`, rows that cannot be read are left out and named there; without it
// the first of them is the method's error.
class Store {
 public:
  // Makes the file and its folder if they are missing.
  static Result<Store> open(const std::filesystem::path& path);
  // The one at default_store_path().
  static Result<Store> open_default();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const std::string& path() const;

  // A new run, marked as running for as long as this Store is open (in this process) or until
  // finish_run.
  Result<Run> begin_run(const RunRequest& request, Seed seed);
  // The latest run that was asked for the same and is not done, marked as running again; none if
  // there is none, or if a living process is at work on it. With `seed` only a run of that seed.
  // Runs that cannot be read are an error only if there is no other.
  Result<std::optional<Run>> resume_run(const RunRequest& request,
                                        std::optional<Seed> seed = std::nullopt);
  // The latest run that was asked for the same (with that seed) and can be read, in whatever state
  // it is.
  Result<std::optional<Run>> latest_run(const RunRequest& request,
                                        std::optional<Seed> seed = std::nullopt);
  // `status` is done or stopped.
  Status finish_run(RunId run, RunStatus status, const Json& summary);

  // Takes back that a run is done: it can be resumed, and gives its summary anew. Not while a
  // living process is at work on it.
  Status reopen_run(RunId run);

  // The latest first; of one kind or of all.
  Result<std::vector<Run>> runs(std::string_view kind = {}, DamagedRows* damaged = nullptr);
  // By its name or by a beginning of the name that no other run shares.
  Result<Run> find_run(std::string_view name);

  // All or none of them. It is an error if the run has a game of that number already.
  Status add_games(RunId run, std::span<const GameRow> games);
  Status add_game(RunId run, const GameRow& game) { return add_games(run, {&game, 1}); }
  // By number.
  Result<std::vector<GameRow>> finished_games(RunId run, DamagedRows* damaged = nullptr);

  // All or none of them. A value given again replaces the old one, as when training goes back to
  // its last checkpoint.
  Status add_metrics(RunId run, std::span<const MetricRow> metrics);
  // By name and step; of one name or of all.
  Result<std::vector<MetricRow>> metrics(RunId run, std::string_view name = {},
                                         DamagedRows* damaged = nullptr);

  // Replaces all ratings of the run.
  Status set_ratings(RunId run, std::span<const RatingRow> ratings);
  // The strongest first.
  Result<std::vector<RatingRow>> ratings(RunId run, DamagedRows* damaged = nullptr);
  // Each player's rating from the latest run that rated him, the strongest first. Ratings of
  // different runs compare only if the runs had a common anchor.
  Result<std::vector<RatingRow>> latest_ratings(std::string_view game,
                                                DamagedRows* damaged = nullptr);

 private:
  class Connection;
  explicit Store(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
};

}  // namespace damier
