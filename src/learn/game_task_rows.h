// How the task of a game makes its rows: positions from play, listed or read from a file, with what
// a teacher says of them.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/games/judged_line.h"
#include "damier/learn/game_task.h"

namespace damier::learn {

namespace detail {

inline constexpr std::size_t kBlock = 32;          // positions taught by one teacher
inline constexpr std::uint64_t kRound = 64;        // games after which to look whether it goes on
inline constexpr std::uint64_t kFruitless = 2048;  // games without a new position that end the play
inline constexpr std::uint64_t kPlayed = 10'000;   // positions from play unless a count is given
inline constexpr int kMaxPlies = 1000;             // of a game
inline constexpr std::size_t kMaxBytes = std::size_t{1} << 30;  // of a file of positions

// The same, with an error in the place of rows when a player cannot go on.
template <class Answer>
auto with_errors(Answer answer) {
  return [answer = std::move(answer)](std::uint64_t number) -> std::string {
    try {
      return answer(number);
    } catch (const play::PlayerError& error) {
      return packed_error(Error{error.what(), {}, ErrorKind::failure});
    }
  };
}

}  // namespace detail

// All that decides the rows.
template <games::Game G>
struct GameTask<G>::Teaching {
  GenerateOptions options;
  std::vector<Column> columns;
  std::shared_ptr<const Encoder> encoder;
  bool all_best = true;
  bool shown_after = false;
  double noise = 0;
  play::OpenedPlayer teacher = {};

  const G& game() const { return encoder->game(); }
  // A teacher that draws by lot does so anew in every `game_number`.
  std::optional<Lesson<G>> teach(Teacher<G>& by, const State& state,
                                 std::uint64_t game_number = 0) const {
    RandomStream random(options.seed, "teach", game().hash(state) ^ mix64(game_number));
    return by.teach(state, random);
  }
};

template <games::Game G>
Result<std::shared_ptr<const model::Encoder<G>>> GameTask<G>::encoder_in(
    const GenerateOptions& options) const {
  const auto game = TRY(G::make(rules_in(options, G::options())));
  return model::make_encoder(game, text_option(options, "encoder"));
}

template <games::Game G>
Status GameTask<G>::check_together(const GenerateOptions& options) const {
  const auto encoder = TRY(encoder_in(options));
  const std::string states = text_option(options, "states");
  if (options.split == "game" && states != "play") {
    return Error{
        fmt::format("the split 'game' needs positions from play; expected states 'play', not {}",
                    in_quotes(states))};
  }
  if (!judged_file(options).empty()) return Done{};
  return check_asked(encoder->game(), text_option(options, "teacher")).in("teacher");
}

template <games::Game G>
std::vector<Column> GameTask<G>::place_columns(const G& game) const {
  // Texts of positions have about the same length.
  const std::size_t usual = game.position_text(game.initial()).size();
  return {{"position", nn::DType::u8, 2 * usual + 32}};
}

template <games::Game G>
std::vector<Column> GameTask<G>::columns(const GenerateOptions& options) const {
  const auto encoder = encoder_in(options).value();
  // A short form is of small whole numbers.
  const Column input{"input", encoder->expands() ? nn::DType::u8 : nn::DType::f32,
                     encoder->stored_width()};
  return columns_around(input, policy_columns(*encoder), encoder->output_count(),
                        place_columns(encoder->game()));
}

template <games::Game G>
void GameTask<G>::write_more(const Encoder& encoder, const State& state, const Lesson<G>&,
                             RowBuffer& rows) const {
  const std::string text = encoder.game().position_text(state);
  const auto place = rows.last<std::uint8_t>("position");
  std::copy_n(text.begin(), std::min(text.size(), place.size()), place.begin());
}

template <games::Game G>
void GameTask<G>::write_input(const Encoder& encoder, const State& state, RowBuffer& rows) {
  if (!encoder.expands()) return encoder.encode(state, rows.last<float>("input"));
  std::vector<float> numbers(encoder.stored_width());
  encoder.store(state, numbers);
  std::ranges::copy(numbers, rows.last<std::uint8_t>("input").begin());
}

template <games::Game G>
void GameTask<G>::add_row(const Teaching& teaching, const Taught<G>& taught,
                          RowBuffer& rows) const {
  const G& game = teaching.game();
  const Encoder& encoder = *teaching.encoder;
  Lesson<G> lesson = *taught.lesson;
  if (!teaching.all_best) lesson.best.assign(1, lesson.move);
  const auto place = [&](Move move) {
    return static_cast<std::size_t>(encoder.output_of(taught.state, move));
  };
  rows.add_row();
  State shown = taught.state;
  if (teaching.shown_after) game.play(shown, lesson.move);
  write_input(encoder, shown, rows);
  const auto moves = rows.last<std::uint8_t>("moves"), legal = rows.last<std::uint8_t>("legal");
  for (const Move move : lesson.best) moves[place(move)] = 1;
  for (const Move move : game.legal_moves(taught.state)) legal[place(move)] = 1;
  rows.last<float>("value")[0] = static_cast<float>(lesson.value);
  rows.last<float>("distance")[0] = static_cast<float>(lesson.distance);
  if (moves.size() <= 256) {
    rows.last<std::uint8_t>("label")[0] = static_cast<std::uint8_t>(place(lesson.move));
  } else {
    rows.last<std::int32_t>("label")[0] = static_cast<std::int32_t>(place(lesson.move));
  }
  write_more(encoder, taught.state, lesson, rows);
  rows.last<std::int64_t>(kGroupColumn)[0] = taught.group;
}

template <games::Game G>
std::int64_t GameTask<G>::group_of(const G& game, const State& state) const {
  std::uint64_t least = ~std::uint64_t{0};
  for (const games::Symmetry symmetry : game.symmetries(state)) {
    least = std::min(least, game.hash(game.transformed(state, symmetry)));
  }
  return static_cast<std::int64_t>(mix64(least + 1));
}

template <games::Game G>
Result<std::vector<typename G::State>> GameTask<G>::listed(const G& game, std::string_view) const {
  const auto space = exact::reachable_space(game, exact::kMaxStates);
  if (space == nullptr) {
    return Error{
        fmt::format("{} has more than {} positions: too many to be listed; expected "
                    "states 'play'",
                    G::facts().name, exact::kMaxStates)};
  }
  std::vector<State> states;
  for (exact::StateIndex i = 0; i < space->indexer().state_count(); ++i) {
    const State state = space->indexer().state_at(i);
    if (game.outcome(state) == games::Outcome::ongoing) states.push_back(state);
  }
  return states;
}

template <games::Game G>
std::vector<typename G::State> GameTask<G>::drawn(std::vector<State> states,
                                                  const GenerateOptions& options) const {
  RandomStream(options.seed, "generate").shuffle(std::span(states));
  if (options.count > 0 && options.count < states.size()) states.resize(options.count);
  return states;
}

template <games::Game G>
Result<std::vector<typename G::State>> GameTask<G>::states_in(const G& game, const DataSet& data,
                                                              Split split) const {
  const std::uint64_t width = place_columns(game)[0].width;
  const auto bytes = TRY(column_of<std::int32_t>(data, "position", width, data.rows(split)));
  std::vector<State> states;
  for (std::size_t at = 0; at < bytes.size(); at += width) {
    std::string text;
    for (std::size_t i = at; i < at + width && bytes[i] != 0; ++i) {
      text += static_cast<char>(bytes[i]);
    }
    auto state = TRY(game.parse_position(text).in(data.source()));
    if (game.outcome(state) != games::Outcome::ongoing) {
      return Error{fmt::format("the column 'position' holds {}; expected a position that is not "
                               "over",
                               in_quotes(text)),
                   {data.source()}};
    }
    states.push_back(state);
  }
  return states;
}

// All moves that keep the value are taught.
template <games::Game G>
Result<std::vector<Taught<G>>> GameTask<G>::judged(const G& game, const std::string& file) const {
  const auto text = TRY(read_file(file, detail::kMaxBytes));
  std::vector<Taught<G>> all;
  const auto read = [&](std::string_view text_line) -> Status {
    const auto line = TRY(games::read_judged_line(text_line));
    const auto state = TRY(game.parse_position(line.position));
    if (game.outcome(state) != games::Outcome::ongoing) {
      return Error{fmt::format("the game is over in {}", in_quotes(line.position))};
    }
    Lesson<G> lesson{{}, {}, value_of(line.known.verdict), line.known.plies.value_or(0)};
    for (const games::JudgedMove& move : line.moves) {
      const auto parsed = TRY(game.parse_move(state, move.text));
      if (move.known.verdict == line.known.verdict) lesson.best.push_back(parsed);
    }
    lesson.move = lesson.best.front();
    all.push_back({state, group_of(game, state), std::move(lesson)});
    return Done{};
  };
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    if (auto status = read(trim(line)); !status) {
      return Error{status.error().message, {file, number}};
    }
  }
  if (all.empty()) return Error{"no positions", {file}};
  return all;
}

// A number stands for a block of positions; the teacher says what is missing.
template <games::Game G>
RowsWork GameTask<G>::listed_rows(std::shared_ptr<const Teaching> teaching,
                                  std::vector<Taught<G>> positions, ThreadPool& pool) const {
  const auto all = std::make_shared<const std::vector<Taught<G>>>(std::move(positions));
  RowsWork rows;
  rows.numbers = (all->size() + detail::kBlock - 1) / detail::kBlock;
  rows.worker = each_number(pool, [this, teaching, all] {
    return detail::with_errors([this, teaching, all](std::uint64_t block) {
      std::optional<Teacher<G>> teacher;
      if (!all->front().lesson) teacher.emplace(teaching->game(), teaching->teacher);
      const std::size_t end = std::min<std::size_t>(all->size(), (block + 1) * detail::kBlock);
      RowBuffer made(teaching->columns);
      for (std::size_t i = block * detail::kBlock; i < end && !interrupted(); ++i) {
        Taught<G> one = (*all)[i];
        if (teacher) {
          one.group = group_of(teaching->game(), one.state);
          one.lesson = teaching->teach(*teacher, one.state);
        }
        if (one.lesson) add_row(*teaching, one, made);
      }
      return packed_rows(made);
    });
  });
  return rows;
}

// A game between players who follow the teacher but for some random moves: its positions follow
// from the seed and its number alone.
template <games::Game G>
std::vector<Taught<G>> GameTask<G>::play_game(const Teaching& teaching,
                                              std::uint64_t number) const {
  const G& game = teaching.game();
  const bool by_game = teaching.options.split == "game";
  Teacher<G> teacher(game, teaching.teacher);
  RandomStream random(teaching.options.seed, "play", number);
  games::History<G> history(game, game.initial());
  std::vector<Taught<G>> taught;
  for (int ply = 0; ply < detail::kMaxPlies; ++ply) {
    if (history.outcome() != games::Outcome::ongoing || interrupted()) break;
    const State& state = history.state();
    auto lesson = teaching.teach(teacher, state, number);
    Move move = random_move(history, random);
    if (random.uniform() >= teaching.noise && lesson) {
      move = lesson->best[static_cast<std::size_t>(random.below(lesson->best.size()))];
    }
    const std::int64_t group =
        by_game ? static_cast<std::int64_t>(mix64(number + 1)) : group_of(game, state);
    taught.push_back({state, group, std::move(lesson)});
    history.play(move);
  }
  return taught;
}

template <games::Game G>
RowsWork GameTask<G>::played_rows(std::shared_ptr<const Teaching> teaching,
                                  std::function<TaughtByNumber<G>()> own, ThreadPool& pool) const {
  RowsWork rows;
  rows.rows = teaching->options.count == 0 ? detail::kPlayed : teaching->options.count;
  rows.distinct = true;
  rows.round = detail::kRound;
  rows.fruitless = detail::kFruitless;
  rows.worker = each_number(pool, [this, teaching, own] {
    TaughtByNumber<G> play = [this, teaching](std::uint64_t number) {
      return play_game(*teaching, number);
    };
    if (own) play = own();
    return detail::with_errors([this, teaching, play](std::uint64_t number) {
      RowBuffer made(teaching->columns);
      std::vector<std::uint64_t> keys;
      for (const Taught<G>& one : play(number)) {
        if (!one.lesson) continue;
        add_row(*teaching, one, made);
        keys.push_back(teaching->game().hash(one.state));
      }
      return packed_rows(made, keys);
    });
  });
  return rows;
}

template <games::Game G>
Result<RowsWork> GameTask<G>::rows_work(const GenerateOptions& options, ThreadPool& pool) const {
  auto encoder = TRY(encoder_in(options));
  Teaching teaching = {options,
                       columns(options),
                       std::move(encoder),
                       text_option(options, "target") == "all-best",
                       text_option(options, "shown") == "after",
                       option(options, "noise").template get<double>()};
  const G game = teaching.game();
  const std::string file = judged_file(options), which = text_option(options, "states");
  std::vector<Taught<G>> positions;
  auto own = own_games(game, options);
  if (!file.empty()) {
    positions = TRY(judged(game, file));
    RandomStream(options.seed, "generate").shuffle(std::span(positions));
    if (options.count > 0 && options.count < positions.size()) {
      positions.erase(positions.begin() + static_cast<std::ptrdiff_t>(options.count),
                      positions.end());
    }
  } else {
    using play::PlayerUse;
    teaching.teacher =
        TRY(open_asked(game, text_option(options, "teacher"),
                       teaching.all_best ? PlayerUse::every_best : PlayerUse::one_best)
                .in("teacher"));
  }
  const bool plays = file.empty() && (own || which == "play");
  if (file.empty() && !plays) {
    auto all = TRY(listed(game, which));
    for (const State& state : drawn(std::move(all), options)) {
      positions.push_back({state, 0, std::nullopt});
    }
  }
  const auto shared = std::make_shared<const Teaching>(std::move(teaching));
  RowsWork rows = plays ? played_rows(shared, std::move(own), pool)
                        : listed_rows(shared, std::move(positions), pool);
  Json rules = Json::object();
  for (const auto& [name, value] : game.option_values()) rules[name] = value;
  rows.facts = {
      {"options", std::move(rules)},
      {"group", options.split == "game" ? "game" : "symmetry class, colours exchanged or not"}};
  return rows;
}

}  // namespace damier::learn
