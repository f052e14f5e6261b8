// How a game's task makes rows: its options, its columns, positions from play or listed, and what a
// teacher says of them. For whoever compiles a game's task.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/games/judged_line.h"
#include "damier/learn/game_symmetries.h"
#include "damier/learn/game_task.h"
#include "damier/learn/teacher.h"

namespace damier::learn {

namespace detail {

inline constexpr std::size_t kBlock = 32;          // positions taught by one teacher
inline constexpr std::uint64_t kRound = 64;        // games after which to look whether it goes on
inline constexpr std::uint64_t kFruitless = 2048;  // games without a new position that end the play
inline constexpr std::uint64_t kPlayed = 10'000;   // positions from play unless a count is given
inline constexpr int kMaxPlies = 1000;             // of a game
inline constexpr std::size_t kMaxBytes = std::size_t{1} << 30;  // of a file of positions

}  // namespace detail

// A position and what was said of it.
template <games::Game G>
struct GameTask<G>::Taught {
  State state;
  std::int64_t group = 0;
  std::optional<Lesson<G>> lesson;  // none where the teacher does not know
};

// All that decides the rows.
template <games::Game G>
struct GameTask<G>::Teaching {
  GenerateOptions options;
  std::vector<Column> columns;
  G game;
  std::string encoder;
  std::string states;
  TeacherName teacher;
  bool all_best = true;
  bool shown_after = false;
  double noise = 0;

  // generate() has seen that there is one.
  std::unique_ptr<Teacher<G>> new_teacher() const {
    return make_teacher(game, teacher, all_best).value();
  }
  // A teacher that draws by lot does so anew in every `game_number`.
  std::optional<Lesson<G>> teach(Teacher<G>& by, const State& state,
                                 std::uint64_t game_number = 0) const {
    RandomStream random(options.seed, "teach", game.hash(state) ^ mix64(game_number));
    return by.teach(state, random);
  }
};

template <games::Game G>
Result<typename GameTask<G>::Reading> GameTask<G>::reading(std::string_view encoder) const {
  const auto space = encoder.find(' ');
  const std::string base(encoder.substr(0, space));
  if (auto status = Task::check_encoder(base); !status) return std::move(status).error();
  auto rules = space == encoder.npos ? Result(games::OptionValues{})
                                     : games::parse_options(encoder.substr(space + 1));
  if (!rules) return std::move(rules).error();
  auto game = G::make(*rules);
  if (!game) return std::move(game).error();
  return Reading{*std::move(game), base};
}

template <games::Game G>
Status GameTask<G>::check_encoder(std::string_view encoder) const {
  auto read = reading(encoder);
  if (!read) return std::move(read).error();
  return Done{};
}

template <games::Game G>
nn::Shape GameTask<G>::input_shape(std::string_view encoder) const {
  const auto read = reading(encoder);
  return read ? shape_of(read->game, read->encoder) : nn::Shape{};
}

template <games::Game G>
nn::Shape GameTask<G>::shape_of(const G& game, std::string_view) const {
  const games::FeatureShape shape = game.feature_shape();
  return {shape.planes, shape.rows, shape.cols, shape.rows * shape.cols > 1};
}

template <games::Game G>
void GameTask<G>::encode(const G& game, std::string_view, const State& state,
                         std::span<float> out) const {
  game.write_features(state, out);
}

template <games::Game G>
Result<std::vector<float>> GameTask<G>::encode_text(std::string_view encoder,
                                                    std::string_view position) const {
  const auto read = reading(encoder);
  if (!read) return read.error();
  const auto state = read->game.parse_position(position);
  if (!state) return state.error();
  std::vector<float> numbers(static_cast<std::size_t>(shape_of(read->game, read->encoder).size()));
  encode(read->game, read->encoder, *state, numbers);
  return numbers;
}

template <games::Game G>
std::vector<TaskOption> GameTask<G>::options() const {
  return usual_options(exact::kHasSource<G> ? "exact" : "minimax:3", teacher_names(), state_words(),
                       encoders(), G::options());
}

template <games::Game G>
Result<G> GameTask<G>::game_of(const GenerateOptions& options) const {
  return G::make(rules_in(options, G::options()));
}

template <games::Game G>
std::string GameTask<G>::encoder_of(const GenerateOptions& options) const {
  return encoder_under(text_option(options, "encoder"), game_of(options).value().option_values(),
                       G::make({}).value().option_values());
}

template <games::Game G>
Status GameTask<G>::check_together(const GenerateOptions& options) const {
  const auto teacher = TeacherName::parse(text_option(options, "oracle"));
  if (!teacher) return teacher.error();
  const auto game = game_of(options);
  if (!game) return game.error();
  if (options.split == "game" && text_option(options, "states") != "play") {
    return Error{
        fmt::format("the split 'game' needs positions from play; expected states 'play', "
                    "not {}",
                    in_quotes(text_option(options, "states")))};
  }
  if (!exact::kHasSource<G> && teacher->kind == TeacherName::Kind::exact) {
    if (auto made = make_teacher(*game, *teacher, true); !made) return std::move(made).error();
  }
  return Done{};
}

template <games::Game G>
std::vector<Column> GameTask<G>::place_columns(const G& game) const {
  // Texts of positions have about the same length.
  const std::size_t usual = game.position_text(game.initial()).size();
  return {{"position", nn::DType::u8, 2 * usual + 32}};
}

template <games::Game G>
std::vector<Column> GameTask<G>::columns(const GenerateOptions& options) const {
  const G game = game_of(options).value();
  const std::string encoder = text_option(options, "encoder");
  // A short form is of small whole numbers.
  const Column input = expands(encoder)
                           ? Column{"input", nn::DType::u8, stored_width(encoder)}
                           : Column{"input", nn::DType::f32,
                                    static_cast<std::uint64_t>(shape_of(game, encoder).size())};
  return columns_around(input, policy_columns(game, encoder), output_count(game, encoder),
                        place_columns(game));
}

template <games::Game G>
void GameTask<G>::write_more(const Reading& reading, const State& state, const Lesson<G>&,
                             RowBuffer& rows) const {
  const std::string text = reading.game.position_text(state);
  const auto place = rows.last<std::uint8_t>("position");
  std::copy_n(text.begin(), std::min(text.size(), place.size()), place.begin());
}

template <games::Game G>
void GameTask<G>::add_row(const Teaching& teaching, const Taught& taught, RowBuffer& rows) const {
  const G& game = teaching.game;
  const Lesson<G>& lesson = *taught.lesson;
  const auto place = [&](Move move) {
    return static_cast<std::size_t>(output_of(game, teaching.encoder, taught.state, move));
  };
  rows.add_row();
  State shown = taught.state;
  if (teaching.shown_after) game.play(shown, lesson.move);
  if (expands(teaching.encoder)) {
    std::vector<float> numbers(stored_width(teaching.encoder));
    store(game, teaching.encoder, shown, numbers);
    std::copy(numbers.begin(), numbers.end(), rows.last<std::uint8_t>("input").begin());
  } else {
    encode(game, teaching.encoder, shown, rows.last<float>("input"));
  }
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
  write_more({game, teaching.encoder}, taught.state, lesson, rows);
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
Result<RowsWork> GameTask<G>::listed_rows(std::shared_ptr<const Teaching> teaching,
                                          ThreadPool& pool) const {
  auto all = listed(teaching->game, teaching->states);
  if (!all) return std::move(all).error();
  const auto states =
      std::make_shared<const std::vector<State>>(drawn(*std::move(all), teaching->options));
  RowsWork rows;
  rows.numbers = (states->size() + detail::kBlock - 1) / detail::kBlock;
  rows.worker = each_number(pool, [this, teaching, states] {
    return [this, teaching, states](std::uint64_t block) {
      const auto teacher = teaching->new_teacher();
      const std::size_t end = std::min<std::size_t>(states->size(), (block + 1) * detail::kBlock);
      RowBuffer made(teaching->columns);
      for (std::size_t i = block * detail::kBlock; i < end && !interrupted(); ++i) {
        const State& state = (*states)[i];
        Taught one = {state, group_of(teaching->game, state), teaching->teach(*teacher, state)};
        if (!one.lesson) continue;
        if (!teaching->all_best) one.lesson->best.assign(1, one.lesson->move);
        add_row(*teaching, one, made);
      }
      return packed_rows(made);
    };
  });
  return rows;
}

// All moves that keep the value are taught.
template <games::Game G>
Result<std::vector<typename GameTask<G>::Taught>> GameTask<G>::judged(
    const G& game, const std::string& file) const {
  const auto text = read_file(file, detail::kMaxBytes);
  if (!text) return text.error();
  std::vector<Taught> all;
  const auto read = [&](std::string_view text_line) -> Status {
    const auto line = games::read_judged_line(text_line);
    if (!line) return line.error();
    const auto state = game.parse_position(line->position);
    if (!state) return state.error();
    if (game.outcome(*state) != games::Outcome::ongoing) {
      return Error{fmt::format("the game is over in {}", in_quotes(line->position))};
    }
    Lesson<G> lesson{{}, {}, value_of(line->known.verdict), line->known.plies.value_or(0)};
    for (const games::JudgedMove& move : line->moves) {
      const auto parsed = game.parse_move(*state, move.text);
      if (!parsed) return parsed.error();
      if (move.known.verdict == line->known.verdict) lesson.best.push_back(*parsed);
    }
    lesson.move = lesson.best.front();
    all.push_back({*state, group_of(game, *state), std::move(lesson)});
    return Done{};
  };
  int number = 0;
  for (const std::string_view line : split(*text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    if (auto status = read(trim(line)); !status) {
      return Error{status.error().message, {file, number}};
    }
  }
  if (all.empty()) return Error{"no positions", {file}};
  return all;
}

template <games::Game G>
Result<RowsWork> GameTask<G>::judged_rows(std::shared_ptr<const Teaching> teaching,
                                          const std::string& file, ThreadPool& pool) const {
  auto read = judged(teaching->game, file);
  if (!read) return std::move(read).error();
  RandomStream(teaching->options.seed, "generate").shuffle(std::span(*read));
  const std::uint64_t count = teaching->options.count;
  if (count > 0 && count < read->size())
    read->erase(read->begin() + static_cast<std::ptrdiff_t>(count), read->end());
  const auto all = std::make_shared<const std::vector<Taught>>(*std::move(read));
  RowsWork rows;
  rows.numbers = (all->size() + detail::kBlock - 1) / detail::kBlock;
  rows.worker = each_number(pool, [this, teaching, all] {
    return [this, teaching, all](std::uint64_t block) {
      const std::size_t end = std::min<std::size_t>(all->size(), (block + 1) * detail::kBlock);
      RowBuffer made(teaching->columns);
      for (std::size_t i = block * detail::kBlock; i < end; ++i) {
        Taught one = (*all)[i];
        if (!teaching->all_best) one.lesson->best.assign(1, one.lesson->move);
        add_row(*teaching, one, made);
      }
      return packed_rows(made);
    };
  });
  return rows;
}

// A game between players who follow the teacher but for some random moves: its positions follow
// from the seed and its number alone.
template <games::Game G>
std::vector<typename GameTask<G>::Taught> GameTask<G>::play_game(const Teaching& teaching,
                                                                 std::uint64_t number) const {
  const G& game = teaching.game;
  const bool by_game = teaching.options.split == "game";
  const auto teacher = teaching.new_teacher();
  RandomStream random(teaching.options.seed, "play", number);
  games::History<G> history(game, game.initial());
  std::vector<Taught> taught;
  for (int ply = 0; ply < detail::kMaxPlies; ++ply) {
    if (history.outcome() != games::Outcome::ongoing || interrupted()) break;
    const State& state = history.state();
    auto lesson = teaching.teach(*teacher, state, number);
    const auto moves = game.legal_moves(state);
    Move move = moves[static_cast<std::size_t>(random.below(moves.size()))];
    if (random.uniform() >= teaching.noise && lesson) {
      move = lesson->best[static_cast<std::size_t>(random.below(lesson->best.size()))];
    }
    if (!teaching.all_best && lesson) lesson->best.assign(1, lesson->move);
    const std::int64_t group =
        by_game ? static_cast<std::int64_t>(mix64(number + 1)) : group_of(game, state);
    taught.push_back({state, group, std::move(lesson)});
    history.play(move);
  }
  return taught;
}

template <games::Game G>
RowsWork GameTask<G>::played_rows(std::shared_ptr<const Teaching> teaching,
                                  std::function<Games()> own, ThreadPool& pool) const {
  RowsWork rows;
  rows.rows = teaching->options.count == 0 ? detail::kPlayed : teaching->options.count;
  rows.distinct = true;
  rows.round = detail::kRound;
  rows.fruitless = detail::kFruitless;
  rows.worker = each_number(pool, [this, teaching, own] {
    Games play = [this, teaching](std::uint64_t number) { return play_game(*teaching, number); };
    if (own) play = own();
    return [this, teaching, play](std::uint64_t number) {
      RowBuffer made(teaching->columns);
      std::vector<std::uint64_t> keys;
      for (const Taught& one : play(number)) {
        if (!one.lesson) continue;
        add_row(*teaching, one, made);
        keys.push_back(teaching->game.hash(one.state));
      }
      return packed_rows(made, keys);
    };
  });
  return rows;
}

template <games::Game G>
Result<RowsWork> GameTask<G>::rows_work(const GenerateOptions& options, ThreadPool& pool) const {
  auto game = game_of(options);
  if (!game) return std::move(game).error();
  const auto oracle = TeacherName::parse(text_option(options, "oracle"));
  if (!oracle) return oracle.error();
  const auto teaching = std::make_shared<const Teaching>(Teaching{
      options, columns(options), *std::move(game), text_option(options, "encoder"),
      text_option(options, "states"), *oracle, text_option(options, "target") == "all-best",
      text_option(options, "shown") == "after", option(options, "noise").template get<double>()});
  const std::string file = judged_file(options);
  // Found out before the work: a game may be too large for its teacher.
  if (file.empty()) {
    const auto teacher = make_teacher(teaching->game, teaching->teacher, true);
    if (!teacher) return teacher.error();
  }
  auto own = own_games(teaching->game, options);
  auto rows = !file.empty() ? judged_rows(teaching, file, pool)
              : own || teaching->states == "play"
                  ? Result(played_rows(teaching, std::move(own), pool))
                  : listed_rows(teaching, pool);
  if (!rows) return rows;
  Json rules = Json::object();
  for (const auto& [name, value] : teaching->game.option_values()) rules[name] = value;
  rows->facts = {
      {"options", std::move(rules)},
      {"group", options.split == "game" ? "game" : "symmetry class, colours exchanged or not"}};
  return rows;
}

template <games::Game G>
std::vector<typename G::State> GameTask<G>::probed_states(const G& game) const {
  constexpr std::uint64_t kGames = 100;
  return met_in_random_games(game, "symmetry.probe", kGames);
}

template <games::Game G>
std::vector<SymmetryMaps> GameTask<G>::symmetries(std::string_view encoder) const {
  const auto read = reading(encoder);
  if (!read) return {SymmetryMaps{}};
  const nn::Shape shape = shape_of(read->game, read->encoder);
  auto all = probed_symmetries(read->game, {shape.channels, shape.rows, shape.cols},
                               std::span<const State>(probed_states(read->game)),
                               [&](const State& state, std::span<float> out) {
                                 encode(read->game, read->encoder, state, out);
                               });
  if (all.empty()) all.emplace_back();
  return all;
}

}  // namespace damier::learn
