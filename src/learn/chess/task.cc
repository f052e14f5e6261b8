#include "damier/learn/chess/task.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/atomic_file.h"
#include "damier/games/chess/encoders.h"
#include "damier/games/chess/position_csv.h"
#include "damier/learn/chess/evaluation_networks.h"
#include "damier/learn/chess/piece_rows.h"
#include "damier/learn/chess/positions.h"
#include "damier/learn/chess/value_errors.h"
#include "damier/learn/game_task_impl.h"
#include "damier/learn/rows/data_report.h"

namespace damier::learn {

using namespace chess;

namespace {

constexpr std::string_view kGamesWord = "games";
constexpr std::string_view kCommentsWord = "comments";
constexpr std::string_view kOracleWord = "oracle";
constexpr std::uint64_t kUsualRows = 20'000;  // of games that are played for them
constexpr std::uint64_t kRowsRead = 1024;     // at a time

enum class BoardForm { features, raw_bytes, bytes, bits, mover, pieces };

// With or without rules behind it.
BoardForm form_of(std::string_view encoder) {
  const std::string_view name = encoder.substr(0, encoder.find(' '));
  if (name == "raw-bytes") return BoardForm::raw_bytes;
  if (name == "bytes") return BoardForm::bytes;
  if (name == "mover") return BoardForm::mover;
  if (name == "pieces") return BoardForm::pieces;
  return name == "bits" ? BoardForm::bits : BoardForm::features;
}

// The bytes that all forms but the features follow from: 97, or those of piece_rows.h. Those of the
// mover's view are of the board turned over with the colours exchanged where Black moves; the last
// one still tells who does.
template <class T>
void write_bytes(BoardForm form, const State& state, std::span<T> out) {
  if (form == BoardForm::pieces) {
    std::array<float, kPackedPieces> packed;
    pack_pieces(state, packed);
    std::transform(packed.begin(), packed.end(), out.begin(),
                   [](float byte) { return static_cast<T>(byte); });
    return;
  }
  const auto bytes = games::chess::encode_bytes(state);
  std::copy(bytes.begin(), bytes.end(), out.begin());
  if (form != BoardForm::mover || state.side == games::Side::first) return;
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    const std::size_t board = i / 8, rank = i % 8;
    out[i] = bytes[8 * (board ^ 1) + 7 - rank];
  }
}

// What a network reads, from those.
void write_inputs(BoardForm form, std::span<const float> bytes, std::span<float> out) {
  if (form == BoardForm::pieces) {
    return unpack_pieces(bytes.first<kPackedPieces>(), out.first<kPieceInputs>());
  }
  const auto boards = bytes.first(bytes.size() - 1);
  if (form != BoardForm::bits && form != BoardForm::mover) {
    const float scale = form == BoardForm::bytes ? 255.0f : 1.0f;
    std::transform(boards.begin(), boards.end(), out.begin(),
                   [&](float byte) { return byte / scale; });
  } else {
    // Of each board the eighth rank comes first, and its a-file is the lowest bit.
    for (std::size_t i = 0; i < boards.size(); ++i) {
      const auto byte = static_cast<unsigned>(boards[i]);
      const std::size_t rank = 7 - i % 8;
      for (std::size_t file = 0; file < 8; ++file) {
        out[i / 8 * games::chess::kSquares + 8 * rank + file] =
            static_cast<float>(byte >> file & 1);
      }
    }
  }
  if (form != BoardForm::mover) out.back() = bytes.back();
}

bool ends_in_sigmoid(const nn::NetworkSpec& spec, int head) {
  const nn::LayerSpec* last = spec.last_layer(static_cast<std::size_t>(head));
  return last != nullptr && last->is("sigmoid");
}

class ChessTask final : public GameTask<Chess> {
 public:
  std::vector<std::string> encoders() const override {
    return {"features", "bytes", "raw-bytes", "bits", "mover", "pieces"};
  }

  GenerateOptions defaults() const override {
    GenerateOptions options;
    options.split = "game";
    return options;
  }

  std::vector<TaskOption> options() const override {
    auto all = GameTask::options();
    for (TaskOption& option : all) {
      if (option.name == "oracle") {
        option.default_value = "engine:2000";
        option.help =
            "who labels: our engine with so many nodes, the evaluations in the comments of PGN, or "
            "with states 'play' a search of so many plies or simulations";
        option.choices.insert(option.choices.begin(), {"engine:NODES", std::string(kCommentsWord)});
      }
      if (option.name == "noise") option.default_value = 0.1;
      if (option.name == "states") {
        option.help =
            "which positions: of games, each with its value alone, or met in play, with the best "
            "moves";
      }
    }
    all.push_back({"from", "", "states of games: read from this PGN, or a CSV of positions"});
    all.push_back({"player",
                   "engine:300",
                   "states of games: who plays them; oracle: the search that labels",
                   {"engine:NODES", std::string(kOracleWord)}});
    all.push_back({"engine", "",
                   "states of games: another engine that labels in the place of ours, the command "
                   "of a program that speaks UCI, as stockfish"});
    all.push_back({"eval", std::string(kHandWritten),
                   "states of games: how our engine evaluates positions: a network by name or "
                   "file; hand: the hand-written evaluation"});
    all.push_back(
        {"opening", 8, "states of games: random moves at the start, or one more", {}, 0, 100});
    all.push_back(
        {"even",
         0,
         "states of games: skip games whose first score exceeds this many centipawns; 0: keep all",
         {},
         0,
         kMaxCentipawns});
    all.push_back(
        {"share", 0.25, "states of games: the share of positions that become rows", {}, 0.001, 1});
    all.push_back({"skip", 0, "states of games: skip the first plies of a game", {}, 0, 1000});
    all.push_back({"quiet", false,
                   "states of games: skip positions in check and those whose best move is a "
                   "capture or promotion"});
    all.push_back(
        {"result",
         0.0,
         "states of games: the share of the game's result in the target; the rest is the score",
         {},
         0,
         1});
    return all;
  }

  nn::Shape shape_of(const Chess& game, std::string_view encoder) const override {
    switch (form_of(encoder)) {
      case BoardForm::features:
        return GameTask::shape_of(game, encoder);
      case BoardForm::bits:
        return nn::Shape{games::chess::kBitInputs};
      case BoardForm::mover:
        return nn::Shape{games::chess::kBitInputs - 1};
      case BoardForm::pieces:
        return nn::Shape{kPieceInputs};
      default:
        return nn::Shape{games::chess::kByteInputs};
    }
  }
  void encode(const Chess& game, std::string_view encoder, const State& state,
              std::span<float> out) const override {
    const BoardForm form = form_of(encoder);
    if (form == BoardForm::features) return GameTask::encode(game, encoder, state, out);
    std::vector<float> bytes(stored_width(encoder));
    write_bytes<float>(form, state, bytes);
    write_inputs(form, bytes, out);
  }

  bool expands(std::string_view encoder) const override {
    return form_of(encoder) != BoardForm::features;
  }
  std::uint64_t stored_width(std::string_view encoder) const override {
    if (form_of(encoder) == BoardForm::pieces) return kPackedPieces;
    return expands(encoder) ? games::chess::kByteInputs : GameTask::stored_width(encoder);
  }
  void store(const Chess& game, std::string_view encoder, const State& state,
             std::span<float> out) const override {
    if (!expands(encoder)) return GameTask::store(game, encoder, state, out);
    write_bytes(form_of(encoder), state, out);
  }
  void expand(std::string_view encoder, std::span<const float> stored,
              std::span<float> planes) const override {
    write_inputs(form_of(encoder), stored, planes);
  }

  // The bytes have none that is worth the trouble.
  std::vector<SymmetryMaps> symmetries(std::string_view encoder) const override {
    if (!expands(encoder)) return GameTask::symmetries(encoder);
    return {SymmetryMaps{}};
  }

  std::vector<Column> columns(const GenerateOptions& options) const override {
    if (!of_games(options)) return GameTask::columns(options);
    using nn::DType;
    const std::string encoder = text_option(options, "encoder");
    const Chess game = reading(encoder_of(options)).value().game;
    const auto width = stored_width(encoder);
    if (form_of(encoder) == BoardForm::pieces) {
      return {{"input", DType::u8, width},
              {"score", DType::f32, 1},
              {"result", DType::f32, 1},
              {std::string(kGroupColumn), DType::i64, 1}};
    }
    std::vector<Column> columns = {{"input", expands(encoder) ? DType::u8 : DType::f32, width},
                                   {"target", DType::f32, 1},
                                   {"score", DType::f32, 1},
                                   {"result", DType::f32, 1},
                                   {"value", DType::f32, 1}};
    for (Column& column : place_columns(game)) columns.push_back(std::move(column));
    columns.push_back({std::string(kGroupColumn), DType::i64, 1});
    return columns;
  }

  Result<RowsWork> rows_work(const GenerateOptions& options, ThreadPool& pool) const override {
    if (!of_games(options)) return GameTask::rows_work(options, pool);
    auto plan = plan_of(options);
    if (!plan) return std::move(plan).error();
    const auto making = std::make_shared<Making>(Making{
        *std::move(plan), options, columns(options), text_option(options, "encoder"), {}, {}});
    RowsWork rows;
    rows.rows = options.count > 0 ? options.count : std::numeric_limits<std::uint64_t>::max();
    rows.distinct = true;
    const std::string from = text_option(options, "from");
    if (from.ends_with(".csv")) {
      auto read = read_position_rows(from);
      if (!read) return std::move(read).error();
      making->positions = *std::move(read);
      rows.numbers = making->positions.size();
    } else if (!from.empty()) {
      auto read = read_recorded_games(from);
      if (!read) return std::move(read).error();
      making->games = *std::move(read);
      rows.numbers = making->games.size();
      rows.nothing = fmt::format("{}: no position of {} has what is asked for; expected {}", from,
                                 counted(making->games.size(), "game"),
                                 making->plan.oracle ? "moves" : "[%eval …] in comments");
    } else if (options.count == 0) {
      rows.rows = kUsualRows;
    }
    // Found out before the work: another engine may not be there.
    if (auto made = ScoredGames::make(making->plan); !made) return std::move(made).error();
    rows.worker = each_number(pool, [this, making]() -> Answerer {
      auto made = std::make_shared<Result<ScoredGames>>(ScoredGames::make(making->plan));
      return [this, making, made](std::uint64_t number) {
        if (!*made) return packed_error(made->error());
        return answer(*making, **made, number);
      };
    });
    rows.facts = {{"group", from.ends_with(".csv") ? "row" : "game"}};
    return rows;
  }

  std::vector<std::string> curve_metrics() const override {
    return {std::string(kCentipawnsMetric), std::string(kRSquaredMetric), std::string(kSignMetric),
            std::string(kSquaredMetric)};
  }

  float value_said(const MoveHeads& heads, const Predictor& model, std::size_t row,
                   const State& state) const override {
    const float said = GameTask::value_said(heads, model, row, state);
    if (!ends_in_sigmoid(model.spec(), heads.value)) return said;
    const float white = 2 * said - 1;
    if (model.spec().input == nn::Shape{kPieceInputs}) return white;  // the mover's already
    return state.side == games::Side::first ? white : -white;
  }

  Result<std::vector<Metric>> evaluate(Predictor& model, std::string_view encoder,
                                       std::string_view set) const override {
    return GameTask::evaluate(model, encoder, set);
  }
  // Rows that hold scores are compared with those.
  Result<std::vector<Metric>> evaluate(Predictor& model, std::string_view encoder,
                                       const DataSet& data, Split split) const override {
    if (data.column_index("score") < 0) return GameTask::evaluate(model, encoder, data, split);
    const auto read = reading(encoder);
    if (!read) return read.error();
    const auto heads = heads_of(*read, model.spec());
    if (!heads) return heads.error();
    if (heads->value < 0) {
      return Error{"the network has no head 'value'; expected one, as the rows hold values alone",
                   {data.source()}};
    }
    return value_metrics(model, encoder, heads->value, data, split);
  }

  // Of positions with their value: as the report has them.
  Status write_text(const DataSet& data, const std::filesystem::path& path) const override {
    if (data.column_index("target") < 0) return GameTask::write_text(data, path);
    auto file = AtomicFile::create(path);
    if (!file) return std::move(file).error();
    std::ostringstream text;
    games::chess::PositionCsvWriter writer(text);
    const Chess game;
    for (std::size_t i = 0; i < kSplits; ++i) {
      const auto split = static_cast<Split>(i);
      if (data.rows(split).count == 0) continue;
      const auto states = states_in(game, data, split);
      if (!states) return states.error();
      const auto targets = column_of<float>(data, "target", 1, data.rows(split));
      if (!targets) return targets.error();
      for (std::size_t row = 0; row < states->size(); ++row) {
        writer.write((*states)[row], (*targets)[row]);
        if (row % kRowsRead != 0) continue;
        if (auto status = file->write(text.str()); !status) return status;
        text.str("");
      }
    }
    if (auto status = file->write(text.str()); !status) return status;
    return file->finish();
  }

 protected:
  std::vector<std::string> state_words() const override {
    return {std::string(kGamesWord), "play", "reachable"};
  }

  Status check_together(const GenerateOptions& options) const override {
    const std::string oracle = text_option(options, "oracle");
    const std::string from = text_option(options, "from");
    if (!of_games(options)) {
      if (oracle.starts_with("engine:") || oracle == kCommentsWord) {
        return Error{
            fmt::format("oracle {}: is for states 'games'; expected minimax:DEPTH, "
                        "ucb:PLAYOUTS or uct:SIMULATIONS",
                        oracle)};
      }
      for (const char* word : {"from", "engine"}) {
        if (text_option(options, word).empty()) continue;
        return Error{fmt::format("{}: is for states 'games'; expected no --states with it", word)};
      }
      return GameTask::check_together(options);
    }
    if (!from.empty() && !from.ends_with(".pgn") && !from.ends_with(".csv")) {
      return Error{fmt::format("from {}: expected a file of games, .pgn, or of positions, .csv",
                               in_quotes(from))};
    }
    if (oracle == kCommentsWord && !from.ends_with(".pgn")) {
      return Error{"oracle comments: has none to read; expected games, --from FILE.pgn"};
    }
    const auto plan = plan_of(options);
    return plan ? Status(Done{}) : Status(plan.error());
  }

 private:
  // All that decides the rows of games.
  struct Making {
    GamesPlan plan;
    GenerateOptions options;
    std::vector<Column> columns;
    std::string encoder;
    std::vector<RecordedGame> games;        // of a PGN
    std::vector<ScoredPosition> positions;  // of a CSV
  };

  bool of_games(const GenerateOptions& options) const {
    return text_option(options, "states") == kGamesWord;
  }

  Result<GamesPlan> plan_of(const GenerateOptions& options) const {
    auto game = Chess::make(rules_in(options, Chess::options()));
    if (!game) return std::move(game).error();
    GamesPlan plan{.game = *std::move(game), .seed = options.seed};
    const auto network = evaluation_network(text_option(options, "eval"));
    if (!network) return Error(network.error()).in("eval");
    const std::string engine = text_option(options, "engine");
    if (text_option(options, "player") != kOracleWord) {
      auto player = ScorerName::parse(text_option(options, "player"), "player");
      if (!player) return std::move(player).error();
      player->network = *network;
      plan.player = *std::move(player);
    }
    const std::string oracle = text_option(options, "oracle");
    if (oracle == kCommentsWord && !engine.empty()) {
      return Error{"engine: labels by searches; expected --oracle engine:NODES with it"};
    }
    if (oracle != kCommentsWord) {
      if (!oracle.starts_with("engine:")) {
        return Error{
            fmt::format("oracle {}: labels states 'play'; expected --states play with it, "
                        "or engine:NODES",
                        oracle)};
      }
      auto name = ScorerName::parse(oracle, "oracle");
      if (!name) return std::move(name).error();
      name->command = engine;
      name->network = *network;
      plan.oracle = *std::move(name);
    }
    plan.opening = option(options, "opening").get<int>();
    plan.even = option(options, "even").get<int>();
    plan.noise = option(options, "noise").get<double>();
    plan.share = option(options, "share").get<double>();
    plan.quiet = option(options, "quiet").get<bool>();
    plan.skip = option(options, "skip").get<int>();
    return plan;
  }

  std::string answer(const Making& making, ScoredGames& games, std::uint64_t number) const {
    RowBuffer rows(making.columns);
    std::vector<std::uint64_t> keys;
    const auto add = [&](const ScoredPosition& one) {
      const std::int64_t by_game = static_cast<std::int64_t>(mix64(number + 1));
      add_value_row(
          making, one,
          making.options.split == "class" ? group_of(making.plan.game, one.state) : by_game, rows);
      keys.push_back(one.state.hash);
    };
    if (!making.positions.empty()) {
      add(making.positions[number]);
      return packed_rows(rows, keys);
    }
    const auto scored =
        making.games.empty() ? games.play(number) : games.score(making.games[number], number);
    if (!scored) return packed_error(scored.error());
    for (const ScoredPosition& one : *scored) add(one);
    return packed_rows(rows, keys);
  }

  void add_value_row(const Making& making, const ScoredPosition& one, std::int64_t group,
                     RowBuffer& rows) const {
    rows.add_row();
    if (expands(making.encoder)) {
      write_bytes(form_of(making.encoder), one.state, rows.last<std::uint8_t>("input"));
    } else {
      encode(making.plan.game, making.encoder, one.state, rows.last<float>("input"));
    }
    rows.last<std::int64_t>(kGroupColumn)[0] = group;
    if (form_of(making.encoder) == BoardForm::pieces) {
      const bool white_moves = one.state.side == games::Side::first;
      rows.last<float>("score")[0] = static_cast<float>(white_moves ? one.score : -one.score);
      rows.last<float>("result")[0] = static_cast<float>(white_moves ? one.result : 1 - one.result);
      return;
    }
    const double expected = expected_of(one.score);
    const double by_result = option(making.options, "result").get<double>();
    const double target = (1 - by_result) * expected + by_result * one.result;
    const double white = 2 * target - 1;
    const auto put = [&](std::string_view column, double number) {
      rows.last<float>(column)[0] = static_cast<float>(number);
    };
    put("target", target);
    put("score", one.score);
    put("result", one.result);
    put("value", one.state.side == games::Side::first ? white : -white);
    write_more({making.plan.game, making.encoder}, one.state, {}, rows);
  }

  Result<std::vector<Metric>> value_metrics(Predictor& model, std::string_view encoder, int head,
                                            const DataSet& data, Split split) const {
    const auto stored = static_cast<std::size_t>(stored_width(encoder));
    const auto width = static_cast<std::size_t>(input_shape(encoder).size());
    // Both are White's, or, of pieces, both are those of the side to move.
    const bool as_scored = ends_in_sigmoid(model.spec(), head);
    const RowRange all = data.rows(split);
    ValueErrors errors;
    std::vector<float> inputs;
    for (std::uint64_t done = 0; done < all.count; done += kRowsRead) {
      if (interrupted()) return interruption();
      const RowRange range = {all.first + done, std::min(kRowsRead, all.count - done)};
      const auto scores = column_of<float>(data, "score", 1, range);
      if (!scores) return scores.error();
      const auto numbers = column_of<float>(data, "input", stored, range);
      if (!numbers) return numbers.error();
      inputs.resize(scores->size() * width);
      for (std::size_t row = 0; row < scores->size(); ++row) {
        const auto from = std::span(*numbers).subspan(row * stored, stored);
        const auto to = std::span(inputs).subspan(row * width, width);
        if (expands(encoder)) {
          expand(encoder, from, to);
        } else {
          std::copy(from.begin(), from.end(), to.begin());
        }
      }
      model.run(inputs, scores->size());
      for (std::size_t row = 0; row < scores->size(); ++row) {
        const double said = model.output(static_cast<std::size_t>(head), row)[0];
        // Whatever the encoder, the last number of a row says whether White moves.
        const bool white_moves = (*numbers)[(row + 1) * stored - 1] != 0;
        const double mover = (1 + said) / 2;
        errors.add(as_scored ? said : white_moves ? mover : 1 - mover, (*scores)[row]);
      }
    }
    return errors.metrics();
  }
};

}  // namespace

template class GameTask<Chess>;

template <>
const GameTask<Chess>& game_task() {
  static const ChessTask task;
  return task;
}

}  // namespace damier::learn
