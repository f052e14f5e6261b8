#include "damier/learn/minesweeper/board_task.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/learn/minesweeper/board_encoding.h"
#include "damier/learn/minesweeper/network.h"
#include "damier/learn/occlusion.h"
#include "damier/learn/rows/row_buffer.h"

namespace damier::learn {

namespace {

constexpr int kBoardEncoderVersion = 1;
constexpr int kGames = 16;                   // worked on by one thread
constexpr std::int64_t kFruitless = 20'000;  // games after which rows are given up
constexpr std::string_view kNetPrefix = "net:";
constexpr std::uint64_t kEvaluatedRows = 4096;
constexpr Seed kEvaluatedSeed = Seed{20'250'101};

struct BoardPlayer {
  PositionMaker maker;
  std::optional<MinesweeperNetwork> network;
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

Result<std::optional<MinesweeperNetwork>> network_of(const GenerateOptions& options) {
  const Task& task = minesweeper_board_task();
  const std::string states = task.text_option(options, "states");
  if (!states.starts_with(kNetPrefix)) return std::optional<MinesweeperNetwork>();
  // One size for all boards: networks for every size would take much memory.
  MinesweeperNetworkOptions how;
  how.frame = board_frame(task.text_option(options, "encoder"));
  const auto model = open_model(states.substr(kNetPrefix.size()));
  if (!model) return model.error();
  auto network = MinesweeperNetwork::open(*model, how);
  if (!network) return std::move(network).error();
  return std::optional<MinesweeperNetwork>(*std::move(network));
}

class MinesweeperBoardTask : public Task {
 public:
  std::string_view name() const override { return "minesweeper"; }
  std::vector<std::string> encoders() const override { return board_encoders(); }
  nn::Shape input_shape(std::string_view encoder) const override {
    const int frame = board_frame(encoder);
    return {kBoardPlanes, frame, frame, true};
  }
  int encoder_version(std::string_view) const override { return kBoardEncoderVersion; }

  bool expands(std::string_view) const override { return true; }
  std::uint64_t stored_width(std::string_view encoder) const override {
    return squares_of(encoder) + 1;
  }
  void expand(std::string_view, std::span<const float> stored,
              std::span<float> planes) const override {
    expand_board(stored.first(stored.size() - 1), static_cast<int>(stored.back()), planes);
  }

  GenerateOptions defaults() const override {
    GenerateOptions options;
    options.count = 100'000;
    options.split = "game";
    options.validation = options.test = 0.02;
    return options;
  }
  std::vector<TaskOption> options() const override {
    const BoardMix mix;
    return {
        {"oracle", "exact", "who labels: exact counting", {"exact"}},
        {"states",
         "play",
         "whose positions: the solver's in play, or those of a network's play",
         {"play", "net:MODEL"}},
        {"encoder", "board-16", "the frame that boards are laid into", encoders()},
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
    auto opened = network_of(options);
    if (!opened) return std::move(opened).error();
    const auto network =
        std::make_shared<const std::optional<MinesweeperNetwork>>(*std::move(opened));
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

  std::vector<SymmetryMaps> symmetries(std::string_view encoder) const override {
    return board_symmetries(board_frame(encoder));
  }

  std::vector<std::string> evaluated_sets() const override {
    return {"6x6x4", "8x8x6", "9x9x10", "10x10x10", "12x12x14", "16x16x40"};
  }
  std::string_view main_metric() const override { return "safe_choice"; }

  Status check_network(const nn::NetworkSpec& spec, std::string_view encoder) const override {
    if (auto status = check_input(*this, spec, encoder); !status) return status;
    bool knows_bombs = false;
    for (std::size_t i = 0; i < spec.heads.size(); ++i) {
      const std::string& head = spec.heads[i].name;
      if (head != "bomb" && head != "win") continue;
      knows_bombs = knows_bombs || head == "bomb";
      if (spec.head_shape(i).size() == spec.input.squares()) continue;
      return Error{fmt::format("the head '{}' has {} outputs; expected {}, one for each cell", head,
                               spec.head_shape(i).size(), spec.input.squares())};
    }
    if (!knows_bombs) return Error{"the network has no head 'bomb'"};
    return Done{};
  }

  Result<std::vector<Metric>> evaluate(Predictor& model, std::string_view encoder,
                                       std::string_view set) const override {
    GenerateOptions options = defaults();
    options.more = {{"board", set}, {"encoder", encoder}};
    options.count = kEvaluatedRows;
    options.split = "none";
    options.seed = kEvaluatedSeed;
    ThreadPool pool(1);
    const auto data = generate_in_memory(*this, options, pool);
    if (!data) return data.error();
    return evaluate_boards(model, encoder, *data, Split::training);
  }

  Result<std::vector<Metric>> evaluate(Predictor& model, std::string_view encoder,
                                       const DataSet& data, Split split) const override {
    return evaluate_boards(model, encoder, data, split);
  }

  Result<Occlusion> occlude(const Model& model, const games::OptionValues&,
                            std::string_view position) const override {
    if (auto status = check_model(model, *this); !status) return std::move(status).error();
    const auto board = games::minesweeper::Minesweeper().parse_observation(position);
    if (!board) return board.error();
    return occluded(model, *board);
  }

 private:
  // Asked about the masked cells; the cell of which nothing is known is wall.
  static Result<Occlusion> occluded(const Model& model,
                                    const games::minesweeper::Observation& board) {
    const int frame = board_frame(model.origin("encoder"));
    if (board.rows > frame || board.cols > frame) {
      return Error{fmt::format("the board has {}x{} cells; expected at most {}x{} here", board.rows,
                               board.cols, frame, frame)};
    }
    const std::size_t cells = board.cells.size();
    const auto square_of = [&](std::size_t cell) {
      const int at = static_cast<int>(cell);
      return static_cast<std::size_t>(at / board.cols * frame + at % board.cols);
    };
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(frame * frame), kWallCode);
    Occlusion found;
    std::vector<std::size_t> asked;  // squares
    for (std::size_t cell = 0; cell < cells; ++cell) {
      codes[square_of(cell)] = board_code(board.cells[cell]);
      if (codes[square_of(cell)] != kMaskedCode) continue;
      asked.push_back(square_of(cell));
      found.actions.push_back(games::action_at(static_cast<int>(cell)));
    }
    const auto width = static_cast<std::size_t>(model.spec().input.size());
    std::vector<float> rows((cells + 1) * width);
    const auto row_of = [&](std::size_t row) {
      return std::span(rows).subspan(row * width, width);
    };
    expand_board<std::uint8_t>(codes, board.bombs, row_of(0));
    found.inputs.assign(row_of(0).begin(), row_of(0).end());
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::uint8_t code = std::exchange(codes[square_of(cell)], kWallCode);
      expand_board<std::uint8_t>(codes, board.bombs, row_of(cell + 1));
      codes[square_of(cell)] = code;
    }
    const auto network = predict_with(model, kGames);
    network->run(rows, cells + 1);
    std::size_t bomb = 0;
    while (network->spec().heads[bomb].name != "bomb") ++bomb;  // check_model has seen it
    for (std::size_t row = 0; row <= cells; ++row) {
      for (const std::size_t square : asked) {
        found.answers.push_back(1 / (1 + std::exp(-network->output(bomb, row)[square])));
      }
    }
    return found;
  }

  Status check_together(const GenerateOptions& options) const override {
    if (options.count == 0) {
      return Error{"the count is 0; expected a number of rows: not all boards can be listed"};
    }
    if (auto mix = board_mix(options); !mix) return std::move(mix).error();
    if (auto network = network_of(options); !network) return std::move(network).error();
    return Done{};
  }

  static std::uint64_t squares_of(std::string_view encoder) {
    const auto frame = static_cast<std::uint64_t>(board_frame(encoder));
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
  mix.frame = board_frame(encoder);
  const auto smallest = whole("smallest", 2, mix.frame);
  if (!smallest) return smallest.error();
  mix.smallest = *smallest;
  const auto largest = whole("largest", 0, mix.frame);
  if (!largest) return largest.error();
  mix.largest = *largest == 0 ? mix.frame : *largest;
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
