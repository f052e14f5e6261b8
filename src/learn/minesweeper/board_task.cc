#include "damier/learn/minesweeper/board_task.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/learn/rows/row_buffer.h"
#include "damier/model/minesweeper/board_encoder.h"
#include "damier/play/minesweeper/network.h"

namespace damier::learn {

namespace {

constexpr int kGames = 16;                   // worked on by one thread
constexpr std::int64_t kFruitless = 20'000;  // games after which rows are given up
constexpr std::string_view kNetPrefix = "net:";
constexpr std::uint64_t kEvaluatedRows = 4096;
constexpr Seed kEvaluatedSeed = Seed{20'250'101};

struct BoardPlayer {
  PositionMaker maker;
  std::optional<play::MinesweeperNetwork> network;
};

// Adds row `row` of `from`.
void add_row(RowBuffer& to, const BoardRows& from, std::size_t row) {
  to.add_row();
  const auto put = [&](std::string_view column, const auto& source) {
    using Value = typename std::remove_cvref_t<decltype(source)>::value_type;
    const auto place = to.last<Value>(column);
    std::copy_n(source.data() + row * place.size(), place.size(), place.begin());
  };
  put("input", from.input);
  put("bomb", from.bomb);
  put("masked", from.masked);
  put("win", from.win);
  put("tried", from.tried);
  put(kGroupColumn, from.group);
}

Result<std::optional<play::MinesweeperNetwork>> network_of(const GenerateOptions& options) {
  const Task& task = minesweeper_board_task();
  const std::string states = task.text_option(options, "states");
  if (!states.starts_with(kNetPrefix)) return std::optional<play::MinesweeperNetwork>();
  // One size for all boards: networks for every size would take much memory.
  play::MinesweeperNetworkOptions how;
  how.frame = model::board_frame(task.text_option(options, "encoder"));
  const auto model = TRY(model::open_model(states.substr(kNetPrefix.size())));
  auto network = TRY(play::MinesweeperNetwork::open(model, how));
  return std::optional<play::MinesweeperNetwork>(std::move(network));
}

GenerateOptions board_defaults() {
  GenerateOptions options;
  options.count = 100'000;
  options.split = "game";
  options.validation = options.test = 0.02;
  return options;
}

std::vector<TaskOption> board_options() {
  const BoardMix mix;
  return {
      {.name = "teacher",
       .default_value = "exact",
       .help = "who labels: exact counting",
       .choices = {"exact"},
       .kept_as = "oracle"},
      {"states",
       "play",
       "whose positions: the solver's in play, or those of a network's play",
       {"play", "net:MODEL"}},
      {"encoder", "board-16", "the frame that boards are laid into",
       model::minesweeper_board_encoders().names},
      {"board", "",
       "one board alone, as 10x10x10: rows, columns, bombs; empty: boards of many "
       "sizes"},
      {"smallest", mix.smallest, "smallest number of rows and of columns"},
      {"largest", 0, "largest number of them; 0: as many as the frame has"},
      {"least_density", mix.least_density, "the lowest share of bombs", {}, 0, 1},
      {"greatest_density", mix.greatest_density, "the highest share of bombs", {}, 0, 1},
      {"certain",
       mix.certain,
       "the probability that a position with a safe cell becomes a row; those that only counting "
       "finds, and guesses, always do",
       {},
       0,
       1},
      {"tries", mix.tries, "most cells opened by a guess, to play on from there", {}, 0, 1000},
      {"taken_back",
       mix.taken_back,
       "how often a fatal guess is taken back, so that crowded boards are seen half open",
       {},
       0,
       1},
  };
}

class MinesweeperBoardTask final : public Task {
 public:
  MinesweeperBoardTask()
      : Task(model::minesweeper_board_encoders(), {.defaults = board_defaults(),
                                                   .splits = {"game", "none"},
                                                   .options = board_options(),
                                                   .main_metric = "safe_choice"}) {}

  std::vector<Column> columns(const GenerateOptions& options) const override {
    using nn::DType;
    const std::uint64_t squares = squares_of(text_option(options, "encoder"));
    return {{"input", DType::u8, squares + 1}, {"bomb", DType::f32, squares},
            {"masked", DType::u8, squares},    {"win", DType::u8, squares},
            {"tried", DType::u8, squares},     {std::string(kGroupColumn), DType::i64, 1}};
  }

  // A number stands for kGames games.
  Result<RowsWork> rows_work(const GenerateOptions& options, ThreadPool& pool) const override {
    const auto mix = board_mix(options);
    if (!mix) return mix.error();
    auto opened = TRY(network_of(options));
    const auto network =
        std::make_shared<const std::optional<play::MinesweeperNetwork>>(std::move(opened));
    RowsWork rows;
    rows.rows = options.count;
    rows.fruitless = kFruitless / kGames;
    rows.facts = {{"options", Json::object()}, {"group", "game"}};
    rows.nothing = fmt::format("{} games gave no position to learn from", kFruitless);
    rows.worker =
        each_number(pool, [mix = *mix, network, seed = options.seed, columns = columns(options)] {
          const auto player = std::make_shared<BoardPlayer>(BoardPlayer{PositionMaker(mix), {}});
          if (*network) player->network.emplace((*network)->copy());
          return [player, seed, columns](std::uint64_t number) {
            const auto first = static_cast<std::int64_t>(number) * kGames;
            BoardRows played;
            if (player->network) {
              player->maker.play(seed, first, kGames, *player->network, played);
            } else {
              player->maker.play(seed, first, kGames, played);
            }
            RowBuffer made(columns);
            for (std::size_t row = 0; row < played.count(); ++row) add_row(made, played, row);
            return packed_rows(made);
          };
        });
    return rows;
  }

  std::vector<std::string> evaluated_sets() const override {
    return {"6x6x4", "8x8x6", "9x9x10", "10x10x10", "12x12x14", "16x16x40"};
  }

  Result<std::vector<Metric>> evaluate(model::Predictor& network, std::string_view encoder,
                                       std::string_view set) const override {
    GenerateOptions options = defaults();
    options.more = {{"board", set}, {"encoder", encoder}};
    options.count = kEvaluatedRows;
    options.split = "none";
    options.seed = kEvaluatedSeed;
    ThreadPool pool(1);
    const auto data = TRY(generate_in_memory(*this, options, pool));
    return evaluate_boards(network, encoder, data, Split::training);
  }

  Result<std::vector<Metric>> evaluate(model::Predictor& network, std::string_view encoder,
                                       const DataSet& data, Split split) const override {
    return evaluate_boards(network, encoder, data, split);
  }

 private:
  Status check_together(const GenerateOptions& options) const override {
    if (options.count == 0) {
      return Error{"the count is 0; expected a number of rows: not all boards can be listed"};
    }
    TRY(board_mix(options));
    TRY(network_of(options));
    return Done{};
  }

  static std::uint64_t squares_of(std::string_view encoder) {
    const auto frame = static_cast<std::uint64_t>(model::board_frame(encoder));
    return frame * frame;
  }
};

}  // namespace

Result<BoardSize> parse_board_size(std::string_view text) {
  const auto parts = split(text, 'x');
  std::array<int, 3> numbers = {};
  bool good = parts.size() == numbers.size();
  for (std::size_t i = 0; good && i < numbers.size(); ++i) {
    const auto number = parse_integer(parts[i], 1, 4096, text);
    good = number.ok();
    if (good) numbers[i] = static_cast<int>(*number);
  }
  if (good && numbers[2] < numbers[0] * numbers[1])
    return BoardSize{numbers[0], numbers[1], numbers[2]};
  return Error{
      fmt::format("board {}; expected ROWSxCOLUMNSxBOMBS, as 10x10x10, with a cell that "
                  "holds no bomb",
                  in_quotes(text))};
}

Result<BoardMix> board_mix(const GenerateOptions& options) {
  const Task& task = minesweeper_board_task();
  const auto value = [&](std::string_view name) { return task.option(options, name); };
  const auto whole = [&](std::string_view name, int low, int high) -> Result<int> {
    const Json found = value(name);
    if (found.is_whole_in(low, high)) return found.get<int>();
    return Error{fmt::format("{} is {}; expected a whole number from {} to {}", name,
                             dump_line(found), low, high)};
  };
  BoardMix mix;
  const std::string encoder = task.text_option(options, "encoder");
  mix.frame = model::board_frame(encoder);
  const auto smallest = TRY(whole("smallest", 2, mix.frame));
  mix.smallest = smallest;
  const auto largest = TRY(whole("largest", 0, mix.frame));
  mix.largest = largest == 0 ? mix.frame : largest;
  if (mix.smallest > mix.largest) {
    return Error{fmt::format("smallest is {}; expected no more than largest, {}", mix.smallest,
                             mix.largest)};
  }
  mix.tries = value("tries").get<int>();
  for (const auto& [name, to] :
       {std::pair("least_density", &mix.least_density),
        std::pair("greatest_density", &mix.greatest_density), std::pair("certain", &mix.certain),
        std::pair("taken_back", &mix.taken_back)}) {
    *to = value(name).get<double>();
  }
  if (mix.least_density > mix.greatest_density) {
    return Error{fmt::format("least_density is {}; expected no more than greatest_density, {}",
                             mix.least_density, mix.greatest_density)};
  }
  const auto board = value("board").get<std::string>();
  if (board.empty()) {
    const int cells = mix.largest * mix.largest;
    const auto bombs = std::min<long>(cells - 1, std::lround(mix.greatest_density * cells));
    if (bombs <= kMaxBombs) return mix;
    return Error{
        fmt::format("greatest_density is {}: {} bombs on boards of {}x{}; expected {} at "
                    "most",
                    mix.greatest_density, bombs, mix.largest, mix.largest, kMaxBombs)};
  }
  const auto size = parse_board_size(board);
  if (!size) return size.error();
  if (size->rows > mix.frame || size->cols > mix.frame) {
    return Error{fmt::format("board {}; expected {}x{} cells at most, what the encoder '{}' holds",
                             in_quotes(board), mix.frame, mix.frame, encoder)};
  }
  if (size->bombs > kMaxBombs) {
    return Error{fmt::format("board {}; expected {} bombs at most", in_quotes(board), kMaxBombs)};
  }
  mix.board = *size;
  return mix;
}

const Task& minesweeper_board_task() {
  static const MinesweeperBoardTask task;
  return task;
}

}  // namespace damier::learn
