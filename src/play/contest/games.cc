#include "damier/play/contest/games.h"

#include <utility>

#include <fmt/format.h>

#include "damier/base/files/bytes.h"

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

template <class T>
Result<T> sent(ByteReader& bytes) {
  const auto json = TRY(parse_json(bytes.text(), "the order of a contest"));
  return read_described<T>(json, "the order of a contest");
}

Worker games_of(std::shared_ptr<const Contest> contest, ThreadPool& pool) {
  return each_number(pool, [contest = std::move(contest)] {
    return [contest](std::uint64_t number) {
      return packed_row(play_game(*contest, static_cast<std::int64_t>(number)));
    };
  });
}

// In quotes where it would be taken for something else.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

}  // namespace

Result<Worker> contest_worker(std::string_view order, const Registry& registry, ThreadPool& pool) {
  ByteReader bytes(order);
  auto toolkit = TRY(sent_game(bytes, registry));
  const Seed seed{bytes.number<std::uint64_t>()};
  auto book = TRY(sent<std::vector<Opening>>(bytes));
  auto plan = TRY(sent<ContestPlan>(bytes));
  plan.toolkit = std::move(toolkit);
  plan.seed = seed;
  plan.book = std::move(book);
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
  if (ranks.size() > 1) {
    ByteWriter order;
    send_game(order, contest.toolkit->game());
    order.number(value_of(contest.seed)).text(dump_line(json_of(contest.book)));
    work.order = order.text(dump_line(json_of<ContestPlan>(contest))).take();
  }
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

std::string games_csv(const GameRows& rows) {
  std::string text = "number,first,second,opening,outcome,plies,moves\n";
  for (const auto& row : rows) {
    if (!row) continue;
    text += fmt::format("{},{},{},{},{},{},{}\n", row->number, csv_cell(row->first),
                        csv_cell(row->second), csv_cell(row->opening), row->outcome, row->plies,
                        csv_cell(row->moves));
  }
  return text;
}

}  // namespace damier::play
