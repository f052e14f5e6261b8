#include "damier/learn/minesweeper/patch_task.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::learn {

namespace {

using games::minesweeper::Minesweeper;

constexpr std::uint64_t kMaxRows = 1'000'000'000;
constexpr double kMaxMasks = 10'000;
constexpr double kMaxPool = 100'000'000;

constexpr std::uint64_t kPatchesAtOnce = 4096;

// A mean over rows that come in groups: the groups are independent, their rows are not.
class GroupedMean {
 public:
  void add(double value) { sum_ += value, ++count_; }
  void end_group() {
    groups_.push_back({sum_, static_cast<double>(count_)});
    sum_ = 0;
    count_ = 0;
  }

  Estimate estimate(EstimateKind kind) const {
    double sum = 0, count = 0;
    for (const auto& group : groups_) sum += group[0], count += group[1];
    if (count == 0) return {0, {0, 1}, 0, kind};
    const double mean = sum / count;
    double squares = 0;
    for (const auto& group : groups_) {
      const double off = group[0] - mean * group[1];
      squares += off * off;
    }
    const double reach = kNormal95 * std::sqrt(squares) / count;
    return {mean,
            {std::max(0.0, mean - reach), std::min(1.0, mean + reach)},
            static_cast<std::int64_t>(count),
            kind};
  }

 private:
  std::vector<std::array<double, 2>> groups_;  // sum, count
  double sum_ = 0;
  std::int64_t count_ = 0;
};

Status read_order(const std::string& text, PatchOptions& into) {
  const auto parts = split(text, ':');
  if (parts[0] == "alternate" && parts.size() == 2) {
    const auto run = parse_integer(parts[1], 1, kMaxRows, "the run");
    if (!run) return Error{fmt::format("order {}: {}", in_quotes(text), run.error().message)};
    into.order = PatchOrder::alternate;
    into.run = static_cast<std::uint64_t>(*run);
    return Done{};
  }
  const std::vector<std::string> known = {"mixed", "safe-first", "bombs-first", "alternate:ROWS"};
  const auto at = std::find(known.begin(), known.end() - 1, text);
  if (at == known.end() - 1) return unknown_name("order", text, known);
  into.order = static_cast<PatchOrder>(at - known.begin());
  return Done{};
}

// What no single option tells.
Status check_together(const PatchOptions& options, std::string_view encoder) {
  const Minesweeper& game = options.game;
  if (!options.play && std::min(game.rows(), game.cols()) <= options.diameter) {
    return Error{
        fmt::format("board: has {} x {} cells; expected {} rows and columns at least for "
                    "{}, or source 'play'",
                    game.rows(), game.cols(), options.diameter + 1, encoder)};
  }
  if (game.bombs() < 1 || game.cells() - game.bombs() < 2) {
    return Error{"board: expected a bomb and two safe cells at least"};
  }
  if (options.play && !options.duplicates) {
    return Error{"duplicates: source 'play' has nothing to compare; expected true"};
  }
  if (options.bomb_share >= 0) return Done{};
  if (!options.play) return Error{"bomb_share: -1, as the boards have it, needs source 'play'"};
  if (options.order == PatchOrder::mixed) return Done{};
  return Error{"bomb_share: -1, as the boards have it, needs order 'mixed'"};
}

std::vector<TaskOption> patch_options() {
  return {
      {.name = "teacher",
       .default_value = "exact",
       .help = "who labels: the board itself",
       .choices = {"exact"},
       .kept_as = "oracle"},
      {"encoder", "patch-5", "the square that the network sees",
       model::minesweeper_patch_encoders().names},
      {"board", "10x10x10", "the board, ROWSxCOLSxBOMBS"},
      {"bomb_share", 0.5, "share of patches with a bomb in the centre; -1: as boards have it"},
      number_option("masks", 10, 1, kMaxMasks,
                    "masks of each patch, or sights of each board in play"),
      {"flags", false, "bombs that would be seen are flagged, instead of masked"},
      {"duplicates", true, "the same patch may come twice"},
      number_option("pool", 0, 0, kMaxPool,
                    "without duplicates: distinct patches of each kind that the rows' are drawn "
                    "from; 0: the first ones found are taken"),
      {"source",
       "report",
       "report: the report's generator; play: boards in play",
       {"report", "play"}},
      {"order", "mixed", "of the rows: mixed, safe-first, bombs-first, alternate:ROWS"},
  };
}

class MinesweeperPatchTask final : public Task {
 public:
  MinesweeperPatchTask()
      : Task(model::minesweeper_patch_encoders(), {.defaults = {.count = 1'000'000},
                                                   .splits = {"class", "none"},
                                                   .options = patch_options(),
                                                   .main_metric = "accuracy"}) {}

  std::vector<Column> columns(const GenerateOptions& options) const override {
    using nn::DType;
    return {{"input", DType::u8, encoder(text_option(options, "encoder")).value()->stored_width()},
            {"bomb", DType::u8, 1},
            {"uncovered", DType::u8, 1},
            {std::string(kGroupColumn), DType::i64, 1}};
  }

  // Making a patch takes no longer than sending it.
  Result<Json> generate(const GenerateOptions& options, ThreadPool& pool, RowSink& sink,
                        Ranks&) const override {
    const auto read = TRY(read_patch_options(options));
    return write_patch_rows(read, options, pool, sink);
  }

  std::vector<std::string> evaluated_sets() const override { return {"fresh", "fresh-flags"}; }

  Result<std::vector<Metric>> evaluate(model::Predictor& network, std::string_view encoder,
                                       std::string_view set) const override {
    ThreadPool pool(1);
    const auto data =
        TRY(generate_in_memory(*this, fresh_patches(encoder, set == "fresh-flags"), pool));
    return evaluate(network, encoder, data, Split::training);
  }

  Result<std::vector<Metric>> evaluate(model::Predictor& network, std::string_view encoder,
                                       const DataSet& data, Split split) const override {
    auto patches = TRY(evaluate_patches(network, encoder, data, split));
    return patch_metrics(std::move(patches));
  }

 private:
  Status check_together(const GenerateOptions& options) const override {
    TRY(read_patch_options(options));
    return Done{};
  }
};

}  // namespace

Result<PatchOptions> read_patch_options(const GenerateOptions& options) {
  const Task& task = minesweeper_patch_task();
  const auto more = [&](std::string_view name) { return task.option(options, name); };
  if (options.count < 1 || options.count > kMaxRows) {
    return Error{fmt::format("the count is {}; expected from 1 to {} masked patches", options.count,
                             kMaxRows)};
  }
  PatchOptions read;
  const std::string encoder = more("encoder").text();
  read.diameter = model::patch_diameter(encoder);
  read.game = TRY(Minesweeper::make({{"board", more("board").text()}}));
  read.bomb_share = more("bomb_share").get<double>();
  if (read.bomb_share != -1 && !(read.bomb_share >= 0 && read.bomb_share <= 1)) {
    return Error{fmt::format("bomb_share is {}; expected from 0 to 1, or -1", read.bomb_share)};
  }
  read.masks = more("masks").get<int>();
  read.flags = more("flags").get<bool>();
  read.duplicates = more("duplicates").get<bool>();
  read.play = more("source") == "play";
  read.pool = more("pool").get<std::uint32_t>();
  if (read.pool > 0 && read.duplicates) {
    return Error{
        "pool: only patches without duplicates are drawn from one; expected duplicates false"};
  }
  TRY(read_order(more("order").text(), read));
  TRY(check_together(read, encoder));
  return read;
}

GenerateOptions fresh_patches(std::string_view encoder, bool flags) {
  GenerateOptions options = minesweeper_patch_task().defaults();
  options.count = 100'000;
  options.split = "none";
  options.seed = Seed{RandomStream(Seed{2018}, "minesweeper.fresh")()};
  options.more = {{"encoder", encoder}, {"flags", flags}};
  return options;
}

Result<std::vector<EvaluatedPatch>> evaluate_patches(model::Predictor& network,
                                                     std::string_view encoder, const DataSet& data,
                                                     Split split) {
  const auto head = TRY(model::PatchHead::find(network.spec()));
  const auto reader = TRY(model::minesweeper_patch_encoders().find(encoder));
  const auto width = static_cast<std::size_t>(network.spec().input.size());
  std::vector<EvaluatedPatch> patches;
  std::vector<float> inputs;
  const auto use = [&](RowRange range) -> Status {
    const auto stored = TRY(column_of<float>(data, "input", width, range));
    const auto bomb = TRY(column_of<std::int32_t>(data, "bomb", 1, range));
    const auto uncovered = TRY(column_of<std::int32_t>(data, "uncovered", 1, range));
    const auto group = TRY(column_of<std::int64_t>(data, kGroupColumn, 1, range));
    inputs.resize(stored.size());
    reader->expand(stored, inputs);
    network.run(inputs, bomb.size());
    for (std::size_t i = 0; i < bomb.size(); ++i) {
      patches.push_back({group[i], head.probability(network.output(head.head)[i]),
                         static_cast<std::uint8_t>(uncovered[i]), bomb[i] != 0});
    }
    return Done{};
  };
  TRY(for_each_block(data.rows(split), kPatchesAtOnce, use));
  return patches;
}

std::vector<Metric> patch_metrics(std::vector<EvaluatedPatch> patches) {
  std::ranges::sort(patches, {}, &EvaluatedPatch::group);
  GroupedMean right, absolute, squared;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const double error = patches[i].error();
    right.add((patches[i].probability >= 0.5f) == patches[i].bomb ? 1 : 0);
    absolute.add(error);
    squared.add(error * error);
    if (i + 1 < patches.size() && patches[i + 1].group == patches[i].group) continue;
    for (GroupedMean* mean : {&right, &absolute, &squared}) mean->end_group();
  }
  return {{"accuracy", right.estimate(EstimateKind::share)},
          {"mean_absolute_error", absolute.estimate(EstimateKind::loss)},
          {"mean_squared_error", squared.estimate(EstimateKind::loss)}};
}

const Task& minesweeper_patch_task() {
  static const MinesweeperPatchTask task;
  return task;
}

}  // namespace damier::learn
