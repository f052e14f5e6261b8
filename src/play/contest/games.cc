#include "damier/play/contest/games.h"

#include <utility>
#include <vector>

#include "damier/base/files/bytes.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/play/contest/sent_game.h"

namespace damier::play {

namespace {

std::string packed_row(const GameRow& row) {
  ByteWriter bytes;
  bytes.text(row.first).text(row.second).number(row.pair.value_or(0)).text(row.opening);
  bytes.text(row.outcome).number(row.plies).text(row.moves).number(row.seconds);
  bytes.text(row.start).text(row.ending).text(row.notes);
  return bytes.take();
}

GameRow unpacked_row(std::uint64_t number, std::string_view packed) {
  ByteReader bytes(packed);
  GameRow row;
  row.number = static_cast<std::int64_t>(number);
  row.first = bytes.text();
  row.second = bytes.text();
  row.pair = bytes.number<std::int64_t>();
  row.opening = bytes.text();
  row.outcome = bytes.text();
  row.plies = bytes.number<std::int64_t>();
  row.moves = bytes.text();
  row.seconds = bytes.number<double>();
  row.start = bytes.text();
  row.ending = bytes.text();
  row.notes = bytes.text();
  return row;
}

Worker games_of(std::shared_ptr<const Contest> contest, ThreadPool& pool) {
  return each_number(pool, [contest = std::move(contest)] {
    return [contest](std::uint64_t number) {
      return packed_row(play_game(*contest, static_cast<std::int64_t>(number)));
    };
  });
}

std::string contest_order(const Contest& contest) {
  ByteWriter bytes;
  send_game(bytes, contest.toolkit->game());
  bytes.number(contest.games).number(contest.opening_plies).number(contest.neighbours);
  bytes.number<std::uint8_t>(contest.gauntlet ? 1 : 0);
  bytes.number(value_of(contest.seed));
  bytes.text(contest.time ? time_control_text(*contest.time) : "");
  bytes.text(adjudication_text(contest.adjudication));
  bytes.number<std::uint64_t>(contest.book.size());
  for (const Opening& opening : contest.book) {
    bytes.text(opening.position).text(join(opening.moves, " "));
  }
  for (const std::string& player : contest.players) bytes.text(player);
  return bytes.take();
}

}  // namespace

Result<Worker> contest_worker(std::string_view order, const Registry& registry, ThreadPool& pool) {
  ByteReader bytes(order);
  auto toolkit = TRY(sent_game(bytes, registry));
  ContestPlan plan;
  plan.toolkit = std::move(toolkit);
  plan.games = bytes.number<std::int64_t>();
  plan.opening_plies = bytes.number<int>();
  plan.neighbours = bytes.number<int>();
  plan.gauntlet = bytes.number<std::uint8_t>() != 0;
  plan.seed = Seed{bytes.number<std::uint64_t>()};
  if (const std::string_view time = bytes.text(); !time.empty()) {
    plan.time = TRY(parse_time_control(time));
  }
  if (const std::string_view rules = bytes.text(); !rules.empty()) {
    plan.adjudication = TRY(parse_adjudication(rules));
  }
  for (auto count = bytes.number<std::uint64_t>(); count > 0 && bytes.good(); --count) {
    Opening opening{std::string(bytes.text()), {}};
    const std::string_view moves = bytes.text();
    if (!moves.empty()) {
      for (const std::string_view move : split(moves, ' ')) opening.moves.emplace_back(move);
    }
    plan.book.push_back(std::move(opening));
  }
  while (!bytes.at_end()) plan.players.emplace_back(bytes.text());
  auto contest = TRY(open_contest(std::move(plan)));
  return games_of(std::make_shared<const Contest>(std::move(contest)), pool);
}

Status share_contest(const Contest& contest, GameRows& rows, ThreadPool& pool,
                     const std::function<bool(const GameRow&)>& on_game, Ranks& ranks) {
  rows.resize(static_cast<std::size_t>(contest.total_games()));
  std::vector<std::uint64_t> missing;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]) missing.push_back(i);
  }
  SharedWork work;
  work.kind = kContestWork;
  if (ranks.size() > 1) work.order = contest_order(contest);
  // The contest of the caller, who waits.
  work.worker = games_of({std::shared_ptr<const void>(), &contest}, pool);
  work.count = missing.size();
  work.numbers = [&, next = std::size_t{0}]() mutable -> std::optional<std::uint64_t> {
    if (next == missing.size()) return std::nullopt;
    return missing[next++];
  };
  work.take = [&](std::uint64_t number, std::string_view bytes) -> Result<bool> {
    auto& place = rows[static_cast<std::size_t>(number)];
    place = unpacked_row(number, bytes);
    TRY(check_row(contest, *place));
    return on_game(*place);
  };
  auto status = ranks.share(work);
  // The caller knows of an interrupt; what was played counts.
  if (!status && status.error().kind == ErrorKind::interrupted) return Done{};
  return status;
}

void play_contest(const Contest& contest, GameRows& rows, ThreadPool& pool,
                  const std::function<bool(const GameRow&)>& on_game) {
  // In one process no row comes from elsewhere, so that none can be wrong.
  share_contest(contest, rows, pool, on_game, no_other_ranks()).value();
}

}  // namespace damier::play
