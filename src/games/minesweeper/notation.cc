// Minesweeper's texts: options, boards, moves, rules, picture.

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/coordinates.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::games::minesweeper {

namespace {

constexpr std::array<Preset, 3> kPresets = {{
    {"beginner", "board", "9x9x10"},
    {"intermediate", "board", "16x16x40"},
    {"expert", "board", "16x30x99"},
}};

constexpr std::array<Option, 2> kOptions = {{
    {"board", "9x9x10", "ROWSxCOLSxBOMBS, up to 64x64", "the size of the board and its bombs"},
    {"first", "safe", "safe|opening|any",
     "the first cell opened: never a bomb; always a zero; or not protected"},
}};

constexpr std::string_view kForm = "a cell as c4 to open, !c4 to flag, *c4 to chord";

Result<Code> parse_code(char c) {
  if (c >= '0' && c <= '8') return static_cast<Code>(c - '0');
  if (c == '#') return Code::masked;
  if (c == 'F') return Code::flag;
  if (c == '*') return Code::bomb;
  return Error{fmt::format("{} is no cell; expected 0 to 8, #, F or *", in_quotes({&c, 1}))};
}

Result<Observation> parse_header(std::string_view line) {
  std::vector<int> numbers;
  for (const std::string_view word : split(trim(line), ' ')) {
    if (word.empty()) continue;
    const auto number = parse_integer(word, 0, kMaxSide * kMaxSide, "header");
    if (!number) break;
    numbers.push_back(static_cast<int>(*number));
  }
  if (numbers.size() != 3 || std::ranges::count(line, ' ') < 2) {
    return Error{fmt::format("the header is {}; expected 'rows cols bombs', as '9 9 10'",
                             in_quotes(trim(line)))};
  }
  Observation board{numbers[0], numbers[1], numbers[2], {}};
  if (board.rows < 1 || board.rows > kMaxSide || board.cols < 1 || board.cols > kMaxSide) {
    return Error{fmt::format("the board is {} x {}; expected 1x1 to {}x{}", board.rows, board.cols,
                             kMaxSide, kMaxSide)};
  }
  if (board.bombs > board.rows * board.cols) {
    return Error{fmt::format("{} on {}; expected {} at most", counted(board.bombs, "bomb"),
                             counted(board.rows * board.cols, "cell"), board.rows * board.cols)};
  }
  return board;
}

// Errors that one cell and its neighbours, or a count, can show.
Status check_counts(const Observation& board) {
  const auto total = [&](Code code) { return std::ranges::count(board.cells, code); };
  const auto flags = total(Code::flag), shown = total(Code::bomb), masked = total(Code::masked);
  // Flags may be wrong, so they are not added to the bombs that are seen.
  if (flags > board.bombs || shown > board.bombs) {
    return Error{fmt::format("{} {}; expected {} at most, one for each bomb",
                             std::max(flags, shown), flags > shown ? "flags" : "visible bombs",
                             board.bombs)};
  }
  if (shown + flags + masked < board.bombs) {
    return Error{fmt::format("{} can hold a bomb; expected {} at least, the bombs",
                             counted(shown + flags + masked, "cell"), board.bombs)};
  }
  for (int row = 0; row < board.rows; ++row) {
    for (int col = 0; col < board.cols; ++col) {
      if (!is_number(board.at(row, col))) continue;
      int bombs = 0, unknown = 0;
      for (int r = std::max(0, row - 1); r <= std::min(board.rows - 1, row + 1); ++r) {
        for (int c = std::max(0, col - 1); c <= std::min(board.cols - 1, col + 1); ++c) {
          bombs += board.at(r, c) == Code::bomb;
          unknown += board.at(r, c) == Code::masked || board.at(r, c) == Code::flag;
        }
      }
      const int number = static_cast<int>(board.at(row, col));
      if (number < bombs || number > bombs + unknown) {
        return Error{fmt::format("the number {} cannot be right; {} to {} bombs are around it",
                                 number, bombs, bombs + unknown),
                     {"", row + 2, col + 1}};
      }
    }
  }
  return Done{};
}

}  // namespace

const Facts& Minesweeper::facts() {
  static constexpr Facts kFacts = {
      .name = "minesweeper",
      .title = "Minesweeper",
      .summary = "open every cell but the bombs; the numbers count the bombs around",
      .rules =
          R"(A board of rows x columns hides bombs. An open cell shows how many of its eight neighbours hide
one; opening a zero opens its neighbours in turn. Opening a bomb loses, opening every other
cell wins. The first cell opened is never a bomb (rule option first=opening makes it a zero,
first=any protects nothing). Flags mark suspected bombs, no more of them than bombs, and cannot
be opened; a chord on a number with as many flags around it opens its other neighbours.

Sizes:     beginner 9x9x10, intermediate 16x16x40, expert 16x30x99, or --board ROWSxCOLSxBOMBS.
Move:      column letter and row number, a1 is the top left: c4 opens, !c4 sets or lifts a flag,
           *c4 chords. Words work too: open c4, flag c4, chord c4.
Board:     a header "rows cols bombs", then one line a row: 0 to 8, # masked, F flag, * bomb.)",
      .move_notation = kForm,
      .players = 1,
      .hidden_information = true,
      .sides = {"player", "board"},
  };
  return kFacts;
}

std::span<const Option> Minesweeper::options() { return kOptions; }
std::span<const Preset> Minesweeper::presets() { return kPresets; }

Result<Minesweeper> Minesweeper::make(const OptionValues& values) {
  const OptionReader reader(kOptions, values);
  TRY(reader.check());
  std::string_view board = reader.text("board");
  for (const Preset& preset : kPresets) {
    if (board == preset.name) board = preset.value;
  }
  const auto [rows, cols, bombs] = TRY(parse_board_size(board, true));
  if (rows < 1 || rows > kMaxSide || cols < 1 || cols > kMaxSide) {
    return Error{fmt::format("board {} is {} x {} cells; expected 1x1 to {}x{}", board, rows, cols,
                             kMaxSide, kMaxSide)};
  }
  const auto rule = TRY(reader.choice("first"));
  const auto first = static_cast<FirstClick>(rule);
  const int kept_free = first == FirstClick::any       ? 0
                        : first == FirstClick::opening ? std::min(3, rows) * std::min(3, cols)
                                                       : 1;
  const int most = std::max(0, rows * cols - kept_free);
  if (bombs > most) {
    return Error{fmt::format("board {} has {} on {}; expected {} at most with first={}", board,
                             counted(bombs, "bomb"), counted(rows * cols, "cell"), most,
                             reader.text("first"))};
  }
  return Minesweeper(rows, cols, bombs, first);
}

OptionValues Minesweeper::option_values() const {
  constexpr std::array<std::string_view, 3> kNames = {"safe", "opening", "any"};
  return {{"board", fmt::format("{}x{}x{}", rows_, cols_, bombs_)},
          {"first", std::string(kNames[static_cast<std::size_t>(first_)])}};
}

Observation Minesweeper::observe(const State& state) const {
  Observation view{rows_, cols_, bombs_, {}};
  view.cells.reserve(static_cast<std::size_t>(cells()));
  for (int cell = 0; cell < cells(); ++cell) {
    const int row = cell / cols_, col = cell % cols_;
    const bool shown = bit(state.open, row, col);
    const bool bomb = bit(state.bombs, row, col);
    // A lost game shows its bombs.
    view.cells.push_back(bit(state.flags, row, col)      ? Code::flag
                         : bomb && (shown || state.lost) ? Code::bomb
                         : shown ? static_cast<Code>(number(state, row, col))
                                 : Code::masked);
  }
  return view;
}

std::string Minesweeper::observation_text(const Observation& observation) const {
  std::string text =
      fmt::format("{} {} {}\n", observation.rows, observation.cols, observation.bombs);
  for (int row = 0; row < observation.rows; ++row) {
    for (int col = 0; col < observation.cols; ++col) {
      const Code code = observation.at(row, col);
      text += is_number(code)        ? static_cast<char>('0' + static_cast<int>(code))
              : code == Code::masked ? '#'
              : code == Code::flag   ? 'F'
                                     : '*';
    }
    text += '\n';
  }
  return text;
}

Result<Observation> Minesweeper::parse_observation(std::string_view text) const {
  const auto lines = split(trim(text), '\n');
  auto board = parse_header(lines.front());
  if (!board) return Error{board.error().message, {"", 1, 0}};
  const int rows = static_cast<int>(lines.size()) - 1;
  if (rows != board->rows) {
    return Error{
        fmt::format("{}; expected {} as the header says", counted(rows, "row"), board->rows),
        {"", static_cast<int>(lines.size()), 0}};
  }
  for (int row = 0; row < rows; ++row) {
    const std::string_view line = trim(lines[at(row) + 1]);
    if (std::ssize(line) != board->cols) {
      return Error{fmt::format("{}; expected {} as the header says", counted(line.size(), "cell"),
                               board->cols),
                   {"", row + 2, 0}};
    }
    for (int col = 0; col < board->cols; ++col) {
      const auto code = parse_code(line[at(col)]);
      if (!code) return Error{code.error().message, {"", row + 2, col + 1}};
      board->cells.push_back(*code);
    }
  }
  TRY(check_counts(*board));
  return board;
}

std::string Minesweeper::move_text(const State&, Move move) const {
  constexpr std::array<std::string_view, 3> kSigns = {"", "!", "*"};
  return fmt::format("{}{}", kSigns[static_cast<std::size_t>(move.act)],
                     cell_name({move.cell / cols_, move.cell % cols_}));
}

Result<Move> Minesweeper::parse_move(const State& state, std::string_view text) const {
  const std::string_view whole = trim(text);
  constexpr std::pair<std::string_view, Act> kPrefixes[] = {
      {"open ", Act::open}, {"flag ", Act::flag}, {"chord ", Act::chord}, {"!", Act::flag},
      {"*", Act::chord},    {"o ", Act::open},    {"f ", Act::flag},      {"c ", Act::chord}};
  Act act = Act::open;
  std::string_view name = whole;
  for (const auto& [prefix, meaning] : kPrefixes) {
    if (!whole.starts_with(prefix)) continue;
    act = meaning;
    name = trim(whole.substr(prefix.size()));
    break;
  }
  const auto cell = parse_cell(name, rows_, cols_);
  if (!cell) {
    return Error::of(Text::of("{} is not a move; expected {}, from a1 to {}", in_quotes(whole),
                              Text(kForm), cell_name({rows_ - 1, cols_ - 1})));
  }
  const Move move{act, static_cast<std::uint16_t>(cell->row * cols_ + cell->col)};
  if (is_legal(state, move)) return move;
  const auto refuse = [&](const Text& why) {
    return Error::of(Text::of(act == Act::open   ? "{} cannot be opened: {}"
                              : act == Act::flag ? "{} cannot be flagged: {}"
                                                 : "{} cannot be chorded: {}",
                              cell_name(*cell), why));
  };
  if (outcome(state) != Outcome::ongoing) return refuse("the game is over");
  if (act == Act::chord) {
    return refuse("it must be an open number with that many flags around it and cells to open");
  }
  if (bit(state.open, cell->row, cell->col)) return refuse("it is open already");
  if (act == Act::open) return refuse("it is flagged; lift the flag first");
  return refuse(Text::of("all {} flags are set, one for each bomb", bombs_));
}

Picture Minesweeper::picture(const State& state, std::span<const Move> played) const {
  Picture picture{.rows = rows_, .cols = cols_, .ruled = false};
  for (int row = 0; row < rows_; ++row) picture.row_labels.push_back(std::to_string(row + 1));
  for (int col = 0; col < cols_; ++col) picture.col_labels.push_back(column_name(col));
  const Observation view = observe(state);
  int flags = 0;
  for (std::size_t cell = 0; cell < view.cells.size(); ++cell) {
    const Code code = view.cells[cell];
    Cell& shown = picture.cells.emplace_back();
    if (code == Code::masked || code == Code::flag) shown.shade = Shade::covered;
    if (code == Code::flag) {
      ++flags;
      shown.tokens = {{"flag", std::nullopt}};
    } else if (code == Code::bomb) {
      const auto [row, col] = std::div(static_cast<int>(cell), cols_);
      shown.tokens = {{"bomb", std::nullopt, bit(state.open, row, col) ? "exploded" : ""}};
    } else if (const int number = static_cast<int>(code); number > 0) {
      shown.tokens = {{fmt::format("number-{}", number), std::nullopt}};
    }
  }
  if (!played.empty() && picture.cells[played.back().cell].shade == Shade::none) {
    picture.cells[played.back().cell].shade = Shade::highlight;
  }
  picture.caption = Text::of("{}, {}, {} of {} safe cells open", Text::counted(bombs_, "bomb"),
                             Text::counted(flags, "flag"), score(state), cells() - bombs_);
  return picture;
}

Gesture Minesweeper::gesture(const State&, Move move) const {
  constexpr std::string_view kKinds[] = {"open", "flag", "chord"};
  return {kKinds[static_cast<std::size_t>(move.act)], {move.cell}};
}

std::string Minesweeper::ending(const State& state) const {
  return state.lost ? "a bomb was opened" : "every safe cell is open";
}

std::vector<Figure> Minesweeper::figures(const State& state) const {
  if (!state.dealt) return {};
  const bool won = outcome(state) == Outcome::first_wins;
  return {{"score", static_cast<double>(score(state))},
          {"3BV", static_cast<double>(three_bv(state)), won}};
}

}  // namespace damier::games::minesweeper
