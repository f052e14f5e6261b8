#include "damier/app/chess/pgn_record.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <istream>

#include <fmt/chrono.h>

#include "damier/app/game_record.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/games/any_game_impl.h"
#include "damier/games/chess/chess.h"
#include "damier/games/chess/pgn.h"
#include "damier/play/contest/contest.h"

namespace damier::app {

namespace {

using games::Outcome;
using games::chess::Chess;
using games::chess::PgnGame;
using games::chess::RuleOptions;

constexpr std::string_view pgn_result(Outcome outcome) {
  constexpr std::string_view kResults[] = {"*", "1-0", "0-1", "1/2-1/2"};
  return kResults[static_cast<int>(outcome)];
}

void add_note(const play::MoveNote& note, bool white, games::chess::PgnPly& ply) {
  ply.clock = note.clock;
  const auto value = note.mate ? note.mate : note.score;
  if (value) ply.eval = {note.mate.has_value(), white ? *value : -*value};
}

// The four fields of a position; operations such as "bm Nf3;" follow them, or the clocks.
std::string epd_position(std::string_view line) {
  std::string position;
  std::size_t fields = 0;
  for (const std::string_view word : split(line, ' ')) {
    if (word.empty()) continue;
    const bool is_clock = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    if (fields >= 6 || (fields >= 4 && !is_clock)) break;
    position += fmt::format("{}{}", fields == 0 ? "" : " ", word);
    ++fields;
  }
  // One number alone is not a pair of clocks.
  if (fields == 5) position.resize(position.rfind(' '));
  return position;
}

Result<std::vector<play::Opening>> read_epd(std::istream& in, const std::string& source) {
  std::vector<play::Opening> openings;
  const Chess rules(games::chess::kNoDraws);
  StreamLines lines(in);
  while (lines.next()) {
    const std::string_view line = trim(lines.line());
    if (line.empty() || line.starts_with('#')) continue;
    const auto state = rules.parse_position(epd_position(line));
    if (!state) return Error{state.error().message, {source, static_cast<int>(lines.number())}};
    if (openings.size() == kMaxOpenings) {
      return Error{fmt::format("has more than {} positions", kMaxOpenings), {source}};
    }
    openings.push_back({rules.position_text(*state), {}});
  }
  return openings;
}

// Whether none of the moves comes after the end of the game.
bool allows_all(const RuleOptions& rules, const PgnGame& game) {
  games::History<Chess> history(Chess(rules), game.start);
  for (const auto& ply : game.line) {
    if (history.outcome() != Outcome::ongoing) return false;
    history.play(ply.move);
  }
  return true;
}

// Players may go on where a draw could be claimed; then the game is one of looser rules.
games::OptionValues rules_for(const PgnGame& game) {
  constexpr std::array<RuleOptions, 2> kStricter = {RuleOptions{},
                                                    RuleOptions{.repetitions = 5, .move_rule = 75}};
  for (const RuleOptions& rules : kStricter) {
    if (allows_all(rules, game)) return Chess(rules).option_values();
  }
  return Chess(games::chess::kNoDraws).option_values();
}

std::string title_of(const PgnGame& game) {
  const auto known = [&](std::string_view tag) {
    const std::string_view value = game.tag(tag);
    return value.find_first_not_of("?.-") == value.npos ? std::string_view() : value;
  };
  std::string title;
  if (!known("White").empty() || !known("Black").empty()) {
    const auto name = [&](std::string_view tag) { return known(tag).empty() ? "?" : known(tag); };
    title = fmt::format("{} – {}", name("White"), name("Black"));
  }
  for (const char* tag : {"Event", "Date"}) {
    if (known(tag).empty()) continue;
    title += fmt::format("{}{}", title.empty() ? "" : ", ", known(tag));
  }
  return title + fmt::format("{}{}", title.empty() ? "" : ", ", game.result);
}

PgnGame pgn_game(const games::Session& session, const GameFormat::Names& names) {
  const auto& history = games::history_of<Chess>(session);
  const auto today = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  PgnGame game;
  game.tags = {{"Event", std::string(names.event)},
               {"Site", "?"},
               {"Date", fmt::format("{:%Y.%m.%d}", fmt::localtime(today))},
               {"Round", std::string(names.round)},
               {"White", std::string(names.players[0])},
               {"Black", std::string(names.players[1])}};
  game.start = history.start();
  if (!names.time_control.empty()) {
    game.tags.push_back({"TimeControl", std::string(names.time_control)});
  }
  if (!names.ending.empty()) {
    const bool on_time = names.ending == play::kLostOnTime;
    const bool is_called = names.ending == play::kAdjudicated;
    game.tags.push_back({"Termination", on_time     ? "time forfeit"
                                        : is_called ? "adjudication"
                                                    : "abandoned"});
  }
  const auto notes = play::parse_notes(names.notes);
  for (std::size_t i = 0; i < history.moves().size(); ++i) {
    games::chess::PgnPly ply;
    ply.move = history.moves()[i];
    if (notes && i < notes->size()) {
      add_note((*notes)[i], history.states()[i].side == games::Side::first, ply);
    }
    game.line.push_back(std::move(ply));
  }
  game.result = pgn_result(session.outcome());
  if (!names.ending.empty()) {
    game.result = pgn_result(names.outcome == "draw"    ? Outcome::draw
                             : names.outcome == "first" ? Outcome::first_wins
                                                        : Outcome::second_wins);
    if (!game.line.empty()) game.line.back().comment = names.ending;
  }
  return game;
}

// A line of moves in SAN as a variation of the move that was played in `state`.
games::chess::PgnLine variation_of(const std::vector<std::string>& moves,
                                   games::chess::State state) {
  const Chess rules(games::chess::kNoDraws);
  games::chess::PgnLine line;
  for (const std::string& text : moves) {
    const auto move = rules.parse_move(state, text);
    if (!move) break;
    line.emplace_back().move = *move;
    rules.play(state, *move);
  }
  return line;
}

// NAGs of inaccuracies, mistakes and blunders: "?!", "?", "??".
constexpr std::array<std::uint8_t, 4> kGradeNags = {0, 6, 2, 4};

void add_remark(const GameFormat::Remark& remark, const games::chess::State& before,
                games::chess::PgnPly& ply) {
  add_note({remark.score, remark.mate}, before.side == games::Side::first, ply);
  if (remark.grade == 0) return;
  // A verdict that stands there already is replaced.
  std::erase_if(ply.nags, [](std::uint8_t nag) { return nag >= 1 && nag <= 6; });
  ply.nags.insert(ply.nags.begin(), kGradeNags[static_cast<std::size_t>(remark.grade)]);
  if (remark.better.empty()) return;
  ply.comment +=
      fmt::format("{}{} was better.", ply.comment.empty() ? "" : " ", remark.better.front());
  ply.variations.insert(ply.variations.begin(), variation_of(remark.better, before));
}

// Reads on to game `number`, counted from 1; those before may be broken.
Status read_game(games::chess::PgnReader& reader, const std::string& source, std::int64_t number,
                 PgnGame& game) {
  for (std::int64_t at = 1; at <= number; ++at) {
    if (interrupted()) return interruption();
    const auto next = reader.next(game);
    if (!next && at == number) return next.error();
    if (!next || *next) continue;
    if (at == 1) return Error{"has no game; expected Portable Game Notation", {source}};
    return too_few_games(source, at - 1, number);
  }
  return Done{};
}

// At most `most` of its moves, as text.
std::vector<std::string> move_texts(const Chess& rules, const PgnGame& game, std::size_t most) {
  std::vector<std::string> texts;
  auto state = game.start;
  for (const auto& ply : game.line) {
    if (texts.size() == most) break;
    texts.push_back(rules.move_text(state, ply.move));
    rules.play(state, ply.move);
  }
  return texts;
}

}  // namespace

std::string pgn_of(const games::Session& session, const GameFormat::Names& names) {
  return games::chess::pgn_text(pgn_game(session, names)) + "\n";
}

Result<std::string> annotated_pgn(const games::Session& session, const GameFormat::Names& names,
                                  const std::optional<std::string>& file, std::int64_t number,
                                  const GameFormat::Annotations& annotations) {
  PgnGame game = pgn_game(session, names);
  if (file) {
    auto input = TRY(InputFile::open(*file));
    std::istream in(input.get());
    games::chess::PgnReader reader(in, input->name());
    TRY(read_game(reader, *file, number, game));
  }
  const Chess rules(games::chess::kNoDraws);
  auto state = game.start;
  for (std::size_t i = 0; i < game.line.size(); ++i) {
    if (i < annotations.moves.size()) add_remark(annotations.moves[i], state, game.line[i]);
    rules.play(state, game.line[i].move);
  }
  game.comment += (game.comment.empty() ? "" : " ") + annotations.comment;
  return games::chess::pgn_text(game);
}

Result<GameFormat::Record> read_pgn_record(std::istream& in, const std::string& source,
                                           std::int64_t number) {
  games::chess::PgnReader reader(in, source, {.variations = false, .comments = false});
  PgnGame game;
  TRY(read_game(reader, source, number, game));
  if (game.line.size() > games::kMaxSavedMoves) {
    return Error{
        fmt::format("has {} moves; expected at most {}", game.line.size(), games::kMaxSavedMoves),
        {source, static_cast<int>(game.at_line)}};
  }
  const Chess rules(games::chess::kNoDraws);
  return GameFormat::Record{.rules = rules_for(game),
                            .position = rules.position_text(game.start),
                            .moves = move_texts(rules, game, game.line.size()),
                            .title = title_of(game)};
}

Result<std::vector<play::Opening>> read_chess_book(std::istream& in, const std::string& source,
                                                   int plies) {
  const bool is_pgn = source.ends_with(".pgn") || (!source.ends_with(".epd") && in.peek() == '[');
  if (!is_pgn) return read_epd(in, source);
  games::chess::PgnReader reader(in, source, {.variations = false, .comments = false});
  const Chess rules(games::chess::kNoDraws);
  const std::string usual = rules.position_text(rules.initial());
  std::vector<play::Opening> openings;
  PgnGame game;
  while (true) {
    if (interrupted()) return interruption();
    const auto next = TRY(reader.next(game));
    if (!next) return openings;
    if (openings.size() == kMaxOpenings) {
      return Error{fmt::format("has more than {} games", kMaxOpenings), {source}};
    }
    play::Opening opening{rules.position_text(game.start), {}};
    if (opening.position == usual) opening.position.clear();
    opening.moves = move_texts(rules, game, static_cast<std::size_t>(plies));
    openings.push_back(std::move(opening));
  }
}

}  // namespace damier::app
