// `damier data games.pgn`: what is in a file of chess games.
#include <algorithm>
#include <istream>
#include <limits>

#include <fmt/format.h>

#include "damier/app/chess/pgn_record.h"
#include "damier/app/context.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/estimate.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/games/chess/pgn.h"

namespace damier::app {

namespace {

using games::chess::PgnGame;

constexpr std::size_t kShownErrors = 10;
constexpr std::array<std::string_view, 4> kPgnResults = {"1-0", "0-1", "1/2-1/2", "*"};

// Numbers of which only the extremes and the sum are kept.
struct NumberRange {
  std::int64_t count = 0, sum = 0;
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();

  void add(std::int64_t number) {
    ++count;
    sum += number;
    lowest = std::min(lowest, number);
    highest = std::max(highest, number);
  }
  double mean() const { return static_cast<double>(sum) / static_cast<double>(count); }
  Json json() const {
    if (count == 0) return nullptr;
    return {{"count", count}, {"mean", mean()}, {"lowest", lowest}, {"highest", highest}};
  }
};

// Of any number of games, in the memory of a few.
struct PgnSummary {
  std::array<std::int64_t, kPgnResults.size()> results = {};
  NumberRange plies;    // of a game
  NumberRange ratings;  // of a player in a game
  std::string first_date, last_date;
  std::int64_t dated = 0, own_starts = 0, foreign = 0, faulty = 0;
  std::vector<Error> errors;  // the first ones

  void add(const PgnGame& game) {
    const auto result = std::ranges::find(kPgnResults, game.result);
    ++results[static_cast<std::size_t>(result - kPgnResults.begin())];
    plies.add(static_cast<std::int64_t>(game.line.size()));
    own_starts += !game.tag("FEN").empty();
    foreign += !game.letters.empty();
    for (const char* tag : {"WhiteElo", "BlackElo"}) {
      constexpr int kMaxRating = 9999;
      const auto rating = parse_number<int>(game.tag(tag));
      if (rating && *rating > 0 && *rating <= kMaxRating) ratings.add(*rating);
    }
    add_date(game.tag("Date").empty() ? game.tag("UTCDate") : game.tag("Date"));
  }

  void add(const Error& error) {
    ++faulty;
    if (errors.size() < kShownErrors) errors.push_back(error);
  }

 private:
  // "2024.05.31"; what is not known of it is "??" and sorts behind.
  void add_date(std::string_view date) {
    constexpr std::size_t kLength = 10;
    if (date.size() != kLength || date.find_first_not_of("0123456789.?") != date.npos ||
        date.starts_with('?')) {
      return;
    }
    if (dated == 0 || date < first_date) first_date = date;
    if (dated == 0 || date > last_date) last_date = date;
    ++dated;
  }
};

std::int64_t positions_in(const PgnSummary& summary) {
  return summary.plies.sum + summary.plies.count;
}

std::string digits(std::int64_t number) {
  return grouped_digits(static_cast<std::uint64_t>(number));
}

void print_summary(const PgnSummary& summary, const InputFile& file, double seconds) {
  const auto games = static_cast<double>(summary.plies.count);
  print_output("{}: {} {}, {} faulty, {} bytes\n\n", printable(file.name()),
               digits(summary.plies.count),
               plural(static_cast<std::uint64_t>(summary.plies.count), "game"),
               digits(summary.faulty), grouped_digits(file.bytes_read()));
  for (std::size_t i = 0; i < kPgnResults.size(); ++i) {
    print_output("  {:<10} {:>14} {:>6.1f} %\n", kPgnResults[i], digits(summary.results[i]),
                 100 * static_cast<double>(summary.results[i]) / games);
  }
  // Where there are any.
  const auto line = [](std::string_view name, std::int64_t number, std::string_view remark) {
    if (number > 0) {
      print_output("  {:<10} {:>14}{}{}\n", name, digits(number), remark.empty() ? "" : "  ",
                   remark);
    }
  };
  const auto range = [](const NumberRange& numbers, std::string_view of) {
    return numbers.count == 0 ? std::string()
                              : fmt::format("{} to {}{}, {:.1f} on average", numbers.lowest,
                                            numbers.highest, of, numbers.mean());
  };
  print_output("  {:<10} {:>14}  {}\n", "plies", digits(summary.plies.sum),
               range(summary.plies, " a game"));
  line("positions", positions_in(summary), "");
  line("FEN", summary.own_starts, "games from a position of their own");
  line("letters", summary.foreign, "games with the pieces' letters of another language");
  line("ratings", summary.ratings.count, range(summary.ratings, ""));
  line("dates", summary.dated, fmt::format("{} to {}", summary.first_date, summary.last_date));
  if (summary.faulty > 0) print_output("\nfaulty games\n");
  for (const Error& error : summary.errors) print_output("  {}\n", error.text());
  const auto more = summary.faulty - std::ssize(summary.errors);
  if (more > 0) print_output("  and {} more\n", digits(more));
  print_output("\nread in {:.1f} s: {} games/s, {}B/s\n", seconds, short_number(games / seconds),
               short_number(static_cast<double>(file.bytes_read()) / seconds));
}

Json summary_json(const PgnSummary& summary, const InputFile& file, double seconds) {
  Json results = Json::object(), errors = Json::array();
  for (std::size_t i = 0; i < kPgnResults.size(); ++i) {
    results[std::string(kPgnResults[i])] = summary.results[i];
  }
  for (const Error& error : summary.errors) {
    errors.push_back(
        {{"line", error.where.line}, {"column", error.where.column}, {"message", error.message}});
  }
  const bool dated = summary.dated > 0;
  return {{"file", file.name()},
          {"bytes", file.bytes_read()},
          {"games", summary.plies.count},
          {"results", std::move(results)},
          {"plies", summary.plies.json()},
          {"positions", positions_in(summary)},
          {"own_starts", summary.own_starts},
          {"foreign_letters", summary.foreign},
          {"ratings", summary.ratings.json()},
          {"dates", dated ? Json{{"count", summary.dated},
                                 {"first", summary.first_date},
                                 {"last", summary.last_date}}
                          : Json(nullptr)},
          {"faulty", summary.faulty},
          {"faults", std::move(errors)},
          {"seconds", seconds}};
}

Result<int> describe_pgn(const DataRequest& request) {
  auto file = InputFile::open(request.file);
  if (interrupted()) return report_interrupted();
  if (!file) return file.error();
  std::istream in(file->get());
  games::chess::PgnReader reader(in, (*file)->name());
  PgnSummary summary;
  PgnGame game;
  const Stopwatch watch;
  {
    // A pipe does not say how much it will bring.
    Progress progress("data", (*file)->size().value_or(0), "B");
    std::uint64_t shown = 0;
    while (!interrupted()) {
      const auto next = reader.next(game);
      if (next && !*next) break;
      next ? summary.add(game) : summary.add(next.error());
      const std::uint64_t read = (*file)->bytes_read() - shown;
      progress.add(read, read);
      shown += read;
    }
  }
  if (interrupted()) return report_interrupted();
  TRY((*file)->status());
  if (summary.plies.count == 0) {
    const Error nothing{"has no game; expected Portable Game Notation", {(*file)->name()}};
    return summary.errors.empty() ? nothing : summary.errors.front();
  }
  const double seconds = watch.seconds();
  if (request.json) {
    print_json("pgn", summary_json(summary, **file, seconds));
  } else {
    print_summary(summary, **file, seconds);
  }
  return kDone;
}

}  // namespace

std::optional<Result<int>> pgn_data(const DataRequest& request) {
  const bool is_pgn = request.format ? *request.format == "pgn" : request.file.ends_with(".pgn");
  if (!is_pgn) return std::nullopt;
  return describe_pgn(request);
}

}  // namespace damier::app
