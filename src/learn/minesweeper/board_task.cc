#include "damier/learn/minesweeper/board_task.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/coordinates.h"
#include "damier/learn/rows/row_buffer.h"
#include "damier/model/minesweeper/board_encoder.h"
#include "damier/play/minesweeper/network.h"

namespace damier::learn {

namespace {

constexpr int kGames = 16;                   // worked on by one thread
constexpr std::int64_t kFruitless = 20'000;  // games after which rows are given up
constexpr std::string_view kNetPrefix = "net:";
constexpr int kMaxNumber = 4096;  // of a board in a text
constexpr std::uint64_t kEvaluatedRows = 4096;
constexpr Seed kEvaluatedSeed = Seed{20'250'101};

struct BoardPlayer {
  PositionMaker maker;
  std::optional<play::MinesweeperNetwork> network;
};

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
      number_option("least_density", mix.least_density, 0, 1, "the lowest share of bombs"),
      number_option("greatest_density", mix.greatest_density, 0, 1, "the highest share of bombs"),
      number_option("certain", mix.certain, 0, 1,
                    "the probability that a position with a safe cell becomes a row; those that "
                    "only counting finds, and guesses, always do"),
      number_option("tries", mix.tries, 0, 1000,
                    "most cells opened by a guess, to play on from there"),
      number_option(
          "taken_back", mix.taken_back, 0, 1,
          "how often a fatal guess is taken back, so that crowded boards are seen half open"),
  };
}

constexpr std::uint64_t kRowsAtOnce = 128;  // rows evaluated between two looks for an interrupt
constexpr double kFloor = 1e-7;  // probabilities nearer to 0 or 1 than this count as this

double log_loss(double truth, double logit) {
  const double probability = std::clamp(1 / (1 + std::exp(-logit)), kFloor, 1 - kFloor);
  return -truth * std::log(probability) - (1 - truth) * std::log(1 - probability);
}

// The figures of all rows; means are taken over the rows, of which each is a mean over its cells.
struct Tally {
  std::int64_t certain = 0, chosen_safe = 0;
  MeanLoss error, loss, excess, win_loss;

  void add(std::span<const float> truth, std::span<const float> masked,
           std::span<const float> logits) {
    double error_sum = 0, loss_sum = 0, least = 2;
    std::size_t cells = 0, chosen = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (masked[i] == 0) continue;
      const auto logit = static_cast<double>(logits[i]),
                 probability = static_cast<double>(truth[i]);
      error_sum += std::abs(1 / (1 + std::exp(-logit)) - probability);
      loss_sum += log_loss(probability, logit);
      least = std::min(least, probability);
      if (cells == 0 || logits[i] < logits[chosen]) chosen = i;
      ++cells;
    }
    if (cells == 0) return;
    error.add(error_sum / static_cast<double>(cells));
    loss.add(loss_sum / static_cast<double>(cells));
    if (least > 0) return excess.add(static_cast<double>(truth[chosen]) - least);
    ++certain;
    chosen_safe += truth[chosen] == 0;
  }

  void add_wins(std::span<const float> truth, std::span<const float> tried,
                std::span<const float> logits) {
    double sum = 0;
    int cells = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (tried[i] == 0) continue;
      sum += log_loss(static_cast<double>(truth[i]) / kWinParts, static_cast<double>(logits[i]));
      ++cells;
    }
    if (cells > 0) win_loss.add(sum / cells);
  }
};

// How a network's probabilities compare with the exact ones.
Result<std::vector<Metric>> evaluate_boards(model::Predictor& network, std::string_view encoder,
                                            const DataSet& data, Split split) {
  const auto reader = TRY(model::minesweeper_board_encoders().find(encoder));
  const auto squares = static_cast<std::size_t>(reader->shape().squares());
  const auto& heads = network.spec().heads;
  const auto head = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(heads, name, &nn::HeadSpec::name) -
                                    heads.begin());
  };
  const std::size_t bomb_head = head("bomb"), win_head = head("win");
  const bool knows_wins = win_head < heads.size();
  if (bomb_head == heads.size()) return Error{"the network has no head 'bomb'"};
  Tally tally;
  std::vector<float> inputs;
  const auto use = [&](RowRange range) -> Status {
    const auto count = static_cast<std::size_t>(range.count);
    const auto stored = TRY(column_of<float>(data, "input", squares + 1, range));
    const auto bomb = TRY(column_of<float>(data, "bomb", squares, range));
    const auto masked = TRY(column_of<float>(data, "masked", squares, range));
    inputs.resize(count * reader->width());
    expand_rows(*reader, stored, inputs);
    network.run(inputs, count);
    const auto part = [&](const std::vector<float>& values, std::size_t row) {
      return std::span(values).subspan(row * squares, squares);
    };
    for (std::size_t row = 0; row < count; ++row) {
      tally.add(part(bomb, row), part(masked, row), network.output(bomb_head, row));
    }
    if (!knows_wins) return Done{};
    const auto win = TRY(column_of<float>(data, "win", squares, range));
    const auto tried = TRY(column_of<float>(data, "tried", squares, range));
    for (std::size_t row = 0; row < count; ++row) {
      tally.add_wins(part(win, row), part(tried, row), network.output(win_head, row));
    }
    return Done{};
  };
  TRY(for_each_block(data.rows(split), kRowsAtOnce, use));
  std::vector<Metric> metrics = {{"safe_choice", share_estimate(tally.chosen_safe, tally.certain)},
                                 tally.excess.metric("guess_excess"),
                                 tally.error.metric("bomb_error"),
                                 tally.loss.metric("bomb_loss")};
  if (knows_wins) metrics.push_back(tally.win_loss.metric("win_loss"));
  return metrics;
}

class MinesweeperBoardTask final : public Task {
 public:
  MinesweeperBoardTask()
      : Task(model::minesweeper_board_encoders(),
             {.defaults = {.count = 100'000, .split = "game", .validation = 0.02, .test = 0.02},
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
    const auto mix = TRY(board_mix(options));
    auto opened = TRY(network_of(options));
    const auto network =
        std::make_shared<const std::optional<play::MinesweeperNetwork>>(std::move(opened));
    RowsWork rows;
    rows.rows = options.count;
    rows.fruitless = kFruitless / kGames;
    rows.facts = {{"options", Json::object()}, {"group", "game"}};
    rows.nothing = fmt::format("{} games gave no position to learn from", kFruitless);
    rows.worker =
        each_number(pool, [mix, network, seed = options.seed, columns = columns(options)] {
          const auto player = std::make_shared<BoardPlayer>(BoardPlayer{PositionMaker(mix), {}});
          if (*network) player->network.emplace((*network)->copy());
          return [player, seed, columns](std::uint64_t number) {
            const auto first = static_cast<std::int64_t>(number) * kGames;
            RowBuffer made(columns);
            if (player->network) {
              player->maker.play(seed, first, kGames, *player->network, made);
            } else {
              player->maker.play(seed, first, kGames, made);
            }
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
  if (const auto size = games::parse_board_size(text, true)) {
    const auto [rows, cols, bombs] = *size;
    const auto [least, most] = std::minmax({rows, cols, bombs});
    if (least >= 1 && most <= kMaxNumber && bombs < rows * cols)
      return BoardSize{rows, cols, bombs};
  }
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
  mix.smallest = TRY(whole("smallest", 2, mix.frame));
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
  const BoardSize size = TRY(parse_board_size(board));
  if (size.rows > mix.frame || size.cols > mix.frame) {
    return Error{fmt::format("board {}; expected {}x{} cells at most, what the encoder '{}' holds",
                             in_quotes(board), mix.frame, mix.frame, encoder)};
  }
  if (size.bombs > kMaxBombs) {
    return Error{fmt::format("board {}; expected {} bombs at most", in_quotes(board), kMaxBombs)};
  }
  mix.board = size;
  return mix;
}

const Task& minesweeper_board_task() {
  static const MinesweeperBoardTask task;
  return task;
}

}  // namespace damier::learn
