#include "damier/learn/chess/task.h"

#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/atomic_file.h"
#include "damier/games/chess/encoders.h"
#include "damier/learn/chess/positions.h"
#include "damier/learn/chess/value_errors.h"
#include "damier/learn/game_task_impl.h"
#include "damier/model/chess/encoders.h"

namespace damier::learn {

using namespace chess;

namespace {

constexpr std::string_view kGamesWord = "games";
constexpr std::string_view kCommentsWord = "comments";
constexpr std::string_view kTeacherWord = "teacher";
constexpr std::string_view kOracleWord = "oracle";  // the same, in older files
constexpr std::uint64_t kUsualRows = 20'000;        // of games that are played for them
constexpr std::uint64_t kRowsRead = 1024;           // at a time

// All that decides the rows of games.
struct Making {
  GamesPlan plan;
  GenerateOptions options;
  double by_result = 0;  // the share of the result in the target
  std::vector<Column> columns;
  std::shared_ptr<const model::Encoder<Chess>> encoder;
  std::vector<RecordedGame> games;        // of a PGN
  std::vector<ScoredPosition> positions;  // of a CSV
};

bool of_games(const Task& task, const GenerateOptions& options) {
  return task.text_option(options, "states") == kGamesWord;
}

// "engine:2000" and its like: so many nodes of our engine, or of the other one that is named. Games
// of searches of some thousand nodes need no more than a table of a MiB.
std::optional<std::int64_t> nodes_alone(std::string_view text) {
  constexpr std::string_view kEngine = "engine:";
  constexpr std::int64_t kMaxNodes = 1'000'000'000;
  if (!text.starts_with(kEngine)) return std::nullopt;
  const auto nodes = parse_integer(text.substr(kEngine.size()), 1, kMaxNodes, "the nodes");
  return nodes ? std::optional(*nodes) : std::nullopt;
}

// The text of a player that says scores.
Result<std::string> scorer_text(const Task& task, const GenerateOptions& options,
                                std::string_view option, const std::string& engine) {
  const std::string text = task.text_option(options, option);
  const auto nodes = nodes_alone(text);
  if (!nodes) {
    if (engine.empty()) return text;
    return Error{
        fmt::format("engine: labels by searches; expected --{} engine:NODES with it", option)};
  }
  if (!engine.empty()) return fmt::format("uci:{},nodes={}", play::player_value(engine), *nodes);
  return fmt::format("engine:nodes={},hash=1,eval={}", *nodes,
                     play::player_value(task.text_option(options, "eval")));
}

bool labels_by_comments(const Task& task, const GenerateOptions& options) {
  return task.text_option(options, "teacher") == kCommentsWord;
}

// Calls use(option, text) for the players of games.
template <class Use>
Status for_each_scorer(const Task& task, const GenerateOptions& options, const Use& use) {
  const std::string player = task.text_option(options, "player");
  const std::string engine = task.text_option(options, "engine");
  for (const std::string option : {"player", "teacher"}) {
    const bool is_player = option == "player";
    if (is_player && (player == kTeacherWord || player == kOracleWord)) continue;
    if (!is_player && labels_by_comments(task, options) && engine.empty()) continue;
    const auto text = TRY(scorer_text(task, options, option, is_player ? "" : engine));
    if (Status status = use(option, text); !status) {
      return Error(std::move(status).error()).in(option);
    }
  }
  return Done{};
}

Result<GamesPlan> plan_of(const Task& task, const GenerateOptions& options) {
  auto game = TRY(Chess::make(rules_in(options, Chess::options())));
  GamesPlan plan{.game = std::move(game), .seed = options.seed};
  const auto open = [&](const std::string& option, const std::string& text) -> Status {
    auto player = TRY(play::open_player(*play::toolkit_of(plan.game), text));
    if (player.is_human()) return Error{"a human says no scores; expected another player"};
    (option == "player" ? plan.player : plan.teacher) = std::move(player);
    return Done{};
  };
  TRY(for_each_scorer(task, options, open));
  plan.opening = task.option(options, "opening").get<int>();
  plan.even = task.option(options, "even").get<int>();
  plan.noise = task.option(options, "noise").get<double>();
  plan.share = task.option(options, "share").get<double>();
  plan.quiet = task.option(options, "quiet").get<bool>();
  plan.skip = task.option(options, "skip").get<int>();
  return plan;
}

Result<std::vector<Metric>> value_metrics(model::Predictor& network,
                                          const model::Encoder<Chess>& encoder, int head,
                                          const DataSet& data, Split split) {
  const auto stored = static_cast<std::size_t>(encoder.stored_width());
  // Both are White's, or, of pieces, both are those of the side to move.
  const bool as_scored = model::chess::ends_in_sigmoid(network.spec(), head);
  ValueErrors errors;
  std::vector<float> inputs;
  const auto use = [&](RowRange range) -> Status {
    const auto scores = TRY(column_of<float>(data, "score", 1, range));
    const auto numbers = TRY(column_of<float>(data, "input", stored, range));
    inputs.resize(scores.size() * encoder.width());
    expand_rows(encoder, numbers, inputs);
    network.run(inputs, scores.size());
    for (std::size_t row = 0; row < scores.size(); ++row) {
      const double said = network.output(static_cast<std::size_t>(head), row)[0];
      // Whatever the encoder, the last number of a row says whether White moves.
      const bool white_moves = numbers[(row + 1) * stored - 1] != 0;
      const double mover = (1 + said) / 2;
      errors.add(as_scored ? said : white_moves ? mover : 1 - mover, scores[row]);
    }
    return Done{};
  };
  TRY(for_each_block(data.rows(split), kRowsRead, use));
  return errors.metrics();
}

TaskFacts chess_facts() {
  TaskFacts facts = GameTask<Chess>::usual_facts({std::string(kGamesWord), "play", "reachable"});
  facts.defaults.split = "game";
  facts.curve_metrics = {std::string(kCentipawnsMetric), std::string(kRSquaredMetric),
                         std::string(kSignMetric), std::string(kSquaredMetric)};
  std::vector<TaskOption>& all = facts.options;
  for (TaskOption& option : all) {
    if (option.name == "teacher") {
      option.default_value = "engine:2000";
      option.help =
          "who labels: any player that says scores, as engine:nodes=2000 (engine:2000 with a small "
          "memory) or uci:stockfish,nodes=2000; comments: the evaluations in those of PGN; with "
          "states 'play' any player";
    }
    if (option.name == "noise") option.default_value = 0.1;
    if (option.name == "states") {
      option.help =
          "which positions: of games, each with its value alone, or met in play, with the best "
          "moves";
    }
  }
  all.push_back({"from", "", "states of games: read from this PGN, or a CSV of positions"});
  all.push_back(
      {"player", "engine:300",
       "states of games: who plays them, as engine:300; teacher: the player that labels"});
  all.push_back({"engine", "",
                 "states of games: another engine that labels in the place of ours, the command "
                 "of a program that speaks UCI, as stockfish"});
  all.push_back({"eval", std::string(model::chess::kHandWritten),
                 "states of games: how our engine evaluates positions: a network by name or "
                 "file; hand: the hand-written evaluation"});
  all.push_back(number_option("opening", 8, 0, 100,
                              "states of games: random moves at the start, or one more"));
  all.push_back(number_option(
      "even", 0, 0, kMaxCentipawns,
      "states of games: skip games whose first score exceeds this many centipawns; 0: keep all"));
  all.push_back(number_option("share", 0.25, 0.001, 1,
                              "states of games: the share of positions that become rows"));
  all.push_back(
      number_option("skip", 0, 0, 1000, "states of games: skip the first plies of a game"));
  all.push_back({"quiet", false,
                 "states of games: skip positions in check and those whose best move is a capture "
                 "or promotion"});
  all.push_back(number_option(
      "result", 0.0, 0, 1,
      "states of games: the share of the game's result in the target; the rest is the score"));
  return facts;
}

class ChessTask final : public GameTask<Chess> {
 public:
  ChessTask() : GameTask(chess_facts()) {}

  std::vector<Column> columns(const GenerateOptions& options) const override {
    if (!of_games(*this, options)) return GameTask::columns(options);
    using nn::DType;
    const auto encoder = encoder_in(options).value();
    const auto width = encoder->stored_width();
    if (model::chess::reads_pieces(encoder->name())) {
      return {{"input", DType::u8, width},
              {"score", DType::f32, 1},
              {"result", DType::f32, 1},
              {std::string(kGroupColumn), DType::i64, 1}};
    }
    std::vector<Column> columns = {{"input", encoder->expands() ? DType::u8 : DType::f32, width},
                                   {"target", DType::f32, 1},
                                   {"score", DType::f32, 1},
                                   {"result", DType::f32, 1},
                                   {"value", DType::f32, 1}};
    for (Column& column : place_columns(encoder->game())) columns.push_back(std::move(column));
    columns.push_back({std::string(kGroupColumn), DType::i64, 1});
    return columns;
  }

  Result<RowsWork> rows_work(const GenerateOptions& options, ThreadPool& pool) const override {
    if (!of_games(*this, options)) return GameTask::rows_work(options, pool);
    auto plan = TRY(plan_of(*this, options));
    const auto making = std::make_shared<Making>(Making{std::move(plan),
                                                        options,
                                                        option(options, "result").get<double>(),
                                                        columns(options),
                                                        encoder_in(options).value(),
                                                        {},
                                                        {}});
    RowsWork rows;
    rows.rows = options.count > 0 ? options.count : std::numeric_limits<std::uint64_t>::max();
    rows.distinct = true;
    const std::string from = text_option(options, "from");
    if (from.ends_with(".csv")) {
      making->positions = TRY(read_position_rows(from));
      rows.numbers = making->positions.size();
    } else if (!from.empty()) {
      making->games = TRY(read_recorded_games(from));
      rows.numbers = making->games.size();
      rows.nothing = fmt::format("{}: no position of {} has what is asked for; expected {}", from,
                                 counted(making->games.size(), "game"),
                                 making->plan.teacher ? "moves" : "[%eval …] in comments");
    } else if (options.count == 0) {
      rows.rows = kUsualRows;
    }
    rows.worker = each_number(pool, [this, making]() -> Answerer {
      return detail::with_errors(
          [this, making](std::uint64_t number) { return answer(*making, number); });
    });
    rows.facts = {{"group", from.ends_with(".csv") ? "row" : "game"}};
    return rows;
  }

  // Of positions with their value: as the report has them.
  Status write_text(const DataSet& data, const std::filesystem::path& path) const override {
    if (data.column_index("target") < 0) return GameTask::write_text(data, path);
    auto file = TRY(AtomicFile::create(path));
    std::ostringstream text;
    games::chess::PositionCsvWriter writer(text);
    const Chess game;
    for (std::size_t i = 0; i < kSplits; ++i) {
      const auto split = static_cast<Split>(i);
      if (data.rows(split).count == 0) continue;
      const auto states = TRY(states_in(game, data, split));
      const auto targets = TRY(column_of<float>(data, "target", 1, data.rows(split)));
      for (std::size_t row = 0; row < states.size(); ++row) {
        writer.write(states[row], targets[row]);
        if (row % kRowsRead != 0) continue;
        TRY(file.write(text.str()));
        text.str("");
      }
    }
    TRY(file.write(text.str()));
    return file.finish();
  }

  // Rows that hold scores are compared with those.
  using GameTask::evaluate;
  Result<std::vector<Metric>> evaluate(model::Predictor& network, std::string_view encoder,
                                       const DataSet& data, Split split) const override {
    if (data.column_index("score") < 0) return GameTask::evaluate(network, encoder, data, split);
    const auto read = TRY(model::find_encoder<Chess>(encoder));
    const auto heads = TRY(read->heads_of(network.spec()));
    if (heads.value < 0) {
      return Error{"the network has no head 'value'; expected one, as the rows hold values alone",
                   {data.source()}};
    }
    return value_metrics(network, *read, heads.value, data, split);
  }

 private:
  Status check_together(const GenerateOptions& options) const override {
    const std::string teacher = text_option(options, "teacher");
    const std::string from = text_option(options, "from");
    if (!of_games(*this, options)) {
      if (nodes_alone(teacher) || teacher == kCommentsWord) {
        return Error{
            fmt::format("teacher {}: is for states 'games'; expected a player, as minimax:3 or "
                        "engine:nodes=2000",
                        teacher)};
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
    if (teacher == kCommentsWord && !from.ends_with(".pgn")) {
      return Error{"teacher comments: has none to read; expected games, --from FILE.pgn"};
    }
    return for_each_scorer(*this, options, [](const std::string&, const std::string& text) {
      return check_asked(Chess(), text);
    });
  }

  void add_value_row(const Making& making, const ScoredPosition& one, std::int64_t group,
                     RowBuffer& rows) const {
    rows.add_row();
    write_input(*making.encoder, one.state, rows);
    rows.last<std::int64_t>(kGroupColumn)[0] = group;
    if (model::chess::reads_pieces(making.encoder->name())) {
      const bool white_moves = one.state.side == games::Side::first;
      rows.last<float>("score")[0] = static_cast<float>(white_moves ? one.score : -one.score);
      rows.last<float>("result")[0] = static_cast<float>(white_moves ? one.result : 1 - one.result);
      return;
    }
    const double expected = expected_of(one.score);
    const double target = (1 - making.by_result) * expected + making.by_result * one.result;
    const double white = 2 * target - 1;
    const auto put = [&](std::string_view column, double number) {
      rows.last<float>(column)[0] = static_cast<float>(number);
    };
    put("target", target);
    put("score", one.score);
    put("result", one.result);
    put("value", one.state.side == games::Side::first ? white : -white);
    write_more(*making.encoder, one.state, {}, rows);
  }

  std::string answer(const Making& making, std::uint64_t number) const {
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
    for (const ScoredPosition& one :
         making.games.empty() ? play_scored(making.plan, number)
                              : score_recorded(making.plan, making.games[number], number)) {
      add(one);
    }
    return packed_rows(rows, keys);
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
