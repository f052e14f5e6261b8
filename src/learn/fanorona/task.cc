#include "damier/learn/fanorona/task.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "damier/base/interrupt.h"
#include "damier/base/text.h"
#include "damier/learn/task_checks.h"
#include "damier/search/alpha_beta.h"
#include "damier/solve/fanorona/table.h"

namespace damier::learn {

using namespace games::fanorona;
using solve::StateIndex;
using solve::Verdict;

namespace {

constexpr std::size_t kMoves = 81;
constexpr int kPhases = 7;
constexpr int kDeepest = 20;
constexpr int kEncoderVersion = 1;
constexpr std::size_t kChunk = 4096;  // rows handed to the sink at a time

int result_of(Verdict value) { return value == Verdict::win ? 1 : value == Verdict::loss ? -1 : 0; }

// The depth in "minimax:6"; 0 for "exact".
Result<int> oracle_depth(std::string_view oracle) {
  if (oracle == "exact") return 0;
  const auto parts = split(oracle, ':');
  if (parts[0] == "minimax" && parts.size() == 2) {
    const auto depth = parse_integer(parts[1], 1, kDeepest, "the depth");
    if (!depth) {
      return Error{fmt::format("oracle {}: {}", in_quotes(oracle), depth.error().message)};
    }
    return static_cast<int>(*depth);
  }
  const std::vector<std::string> known = {"exact", "minimax:DEPTH"};
  return unknown_name("oracle", oracle, known);
}

FanoronaLabel searched_label(const State& state, int depth, bool all_best) {
  search::AlphaBetaOptions options;
  options.depth = depth;
  options.table_bytes = std::size_t{1} << 14;  // cleared for every state
  options.all_best = all_best;
  search::AlphaBeta<Fanorona> searcher(Fanorona(), options);
  const auto report = searcher.search(games::History<Fanorona>(Fanorona(), state));
  const auto& best = report.best_move();
  FanoronaLabel label{best.move,
                      {},
                      result_of(best.proof),
                      best.proof == Verdict::unknown ? 0 : std::max(0, best.distance)};
  for (const auto& move : report.moves) {
    const bool as_good = all_best && move.score && best.score && *move.score == *best.score;
    if (as_good || move.move == best.move) label.best.push_back(move.move);
  }
  return label;
}

// The states that may be drawn from, in their numbers' order.
std::vector<StateIndex> candidates(const std::string& which) {
  const auto& table = solve::fanorona_table();
  std::vector<StateIndex> all;
  if (which == "reachable") {
    all = table.reachable_from(table.game().initial());
    std::sort(all.begin(), all.end());
  } else {
    all.resize(solve::FanoronaIndexer::kStates);
    for (StateIndex i = 0; i < all.size(); ++i) all[i] = i;
  }
  std::erase_if(all, [&](StateIndex i) {
    return table.game().outcome(table.indexer().state_at(i)) != games::Outcome::ongoing;
  });
  return all;
}

int phase_of(const State& state) { return kSetSize[state.moved]; }

// Draws `count` of the states, as evenly as they allow from each class of the balance.
std::vector<StateIndex> drawn(std::vector<StateIndex> states, const GenerateOptions& options) {
  RandomStream(options.seed, "generate").shuffle(std::span(states));
  if (options.count == 0 || options.count >= states.size()) return states;
  const auto count = static_cast<std::size_t>(options.count);
  const bool by_phase = options.balance == "phase" || options.balance == "both";
  const bool by_class = options.balance == "class" || options.balance == "both";
  if (by_phase || by_class) {
    const auto& table = solve::fanorona_table();
    std::vector<std::vector<StateIndex>> cells(kPhases * 3);
    for (const StateIndex i : states) {
      const int phase = by_phase ? phase_of(table.indexer().state_at(i)) : 0;
      const int result = by_class ? 1 + result_of(table.value_at(i).value) : 0;
      cells[static_cast<std::size_t>(phase * 3 + result)].push_back(i);
    }
    states.clear();
    for (std::size_t round = 0; states.size() < count; ++round) {
      for (const auto& cell : cells) {
        if (round < cell.size() && states.size() < count) states.push_back(cell[round]);
      }
    }
    RandomStream(options.seed, "generate.mix").shuffle(std::span(states));
  }
  states.resize(count);
  return states;
}

// The rows of one split that wait for the sink.
struct Rows {
  std::vector<float> input, policy, value, distance;
  std::vector<std::uint8_t> moves, legal, label, phase;
  std::vector<std::int32_t> state;
  std::vector<std::int64_t> group;

  Status flush(Split split, RowSink& sink) {
    if (group.empty()) return Done{};
    const auto bytes = [](const auto& values) { return std::as_bytes(std::span(values)); };
    const std::array<std::span<const std::byte>, 10> rows = {
        bytes(input),    bytes(policy), bytes(moves), bytes(legal), bytes(value),
        bytes(distance), bytes(label),  bytes(phase), bytes(state), bytes(group)};
    auto status = sink.append(split, rows);
    *this = {};
    return status;
  }
};

void add_row(Rows& rows, const GenerateOptions& options, std::size_t input_size, StateIndex index,
             std::int64_t group, const FanoronaLabel& label) {
  const auto& table = solve::fanorona_table();
  const State state = table.indexer().state_at(index);
  rows.input.resize(rows.input.size() + input_size);
  encode_fanorona(options.encoder, state, std::span(rows.input).last(input_size));
  rows.policy.resize(rows.policy.size() + 2 * kPoints);
  rows.moves.resize(rows.moves.size() + kMoves);
  rows.legal.resize(rows.legal.size() + kMoves);
  const auto policy = std::span(rows.policy).last(2 * kPoints);
  const float share = 1.0f / static_cast<float>(label.best.size());
  for (const Move move : label.best) {
    policy[static_cast<std::size_t>(from_of(move))] += share;
    policy[static_cast<std::size_t>(kPoints + to_of(move))] += share;
    std::span(rows.moves).last(kMoves)[static_cast<std::size_t>(move)] = 1;
  }
  for (const Move move : table.game().legal_moves(state)) {
    std::span(rows.legal).last(kMoves)[static_cast<std::size_t>(move)] = 1;
  }
  rows.value.push_back(static_cast<float>(label.value));
  rows.distance.push_back(static_cast<float>(label.distance));
  rows.label.push_back(static_cast<std::uint8_t>(label.move));
  rows.phase.push_back(static_cast<std::uint8_t>(phase_of(state)));
  rows.state.push_back(static_cast<std::int32_t>(index));
  rows.group.push_back(group);
}

class FanoronaTask : public Task {
 public:
  std::string_view name() const override { return "fanorona"; }
  std::vector<std::string> encoders() const override { return {"flat", "planes"}; }
  nn::Shape input_shape(std::string_view encoder) const override {
    return encoder == "planes" ? nn::Shape{6, 3, 3, true} : nn::Shape{46};
  }
  int encoder_version(std::string_view) const override { return kEncoderVersion; }

  Status check(const GenerateOptions& options) const override {
    if (auto depth = oracle_depth(options.oracle); !depth) return std::move(depth).error();
    const std::array<std::pair<std::string_view, const std::string*>, 5> words = {
        {{"choice of states", &options.states},
         {"target", &options.target},
         {"encoder", &options.encoder},
         {"balance", &options.balance},
         {"split", &options.split}}};
    const std::array<std::vector<std::string>, 5> known = {{{"all", "reachable"},
                                                            {"all-best", "one"},
                                                            encoders(),
                                                            {"none", "phase", "class", "both"},
                                                            {"class", "none"}}};
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (auto status = check_word(words[i].first, *words[i].second, known[i]); !status) {
        return status;
      }
    }
    if (auto status = check_shares(options); !status) return status;
    if (options.balance != "none" && options.count == 0) {
      return Error{"a balanced choice needs a count: all states have the balance that they have"};
    }
    return Done{};
  }

  std::vector<Column> columns(const GenerateOptions& options) const override {
    using nn::DType;
    const auto inputs = static_cast<std::uint64_t>(input_shape(options.encoder).size());
    return {{"input", DType::f32, inputs}, {"policy", DType::f32, 2 * kPoints},
            {"moves", DType::u8, kMoves},  {"legal", DType::u8, kMoves},
            {"value", DType::f32, 1},      {"distance", DType::f32, 1},
            {"label", DType::u8, 1},       {"phase", DType::u8, 1},
            {"state", DType::i32, 1},      {std::string(kGroupColumn), DType::i64, 1}};
  }

  Result<Json> generate(const GenerateOptions& options, ThreadPool& pool,
                        RowSink& sink) const override {
    const int depth = *oracle_depth(options.oracle);
    const bool all_best = options.target == "all-best";
    const auto& table = solve::fanorona_table();
    const std::vector<StateIndex> states = drawn(candidates(options.states), options);
    const auto input_size = static_cast<std::size_t>(input_shape(options.encoder).size());
    std::array<Rows, kSplits> waiting;
    std::vector<FanoronaLabel> labels(std::min(kChunk, states.size()));
    std::vector<std::int64_t> groups(labels.size());
    for (std::size_t at = 0; at < states.size(); at += kChunk) {
      if (interrupted()) return Error{"interrupted", {}, ErrorKind::failure};
      const std::size_t count = std::min(kChunk, states.size() - at);
      pool.for_each(count, [&](std::size_t i) {
        const State state = table.indexer().state_at(states[at + i]);
        groups[i] = fanorona_group(state);
        labels[i] =
            depth == 0 ? exact_fanorona_label(state) : searched_label(state, depth, all_best);
        if (!all_best) labels[i].best.assign(1, labels[i].move);
      });
      for (std::size_t i = 0; i < count; ++i) {
        const Split split = split_of(groups[i], options);
        add_row(waiting[static_cast<std::size_t>(split)], options, input_size, states[at + i],
                groups[i], labels[i]);
      }
      for (std::size_t split = 0; split < kSplits; ++split) {
        if (auto status = waiting[split].flush(static_cast<Split>(split), sink); !status) {
          return std::move(status).error();
        }
      }
    }
    return Json{{"options", Json::object()}, {"group", "symmetry class, colours exchanged or not"}};
  }

  std::vector<SymmetryMaps> symmetries(std::string_view encoder) const override {
    return fanorona_symmetries(encoder);
  }

  std::vector<std::string> judged_sets() const override { return {"all", "reachable"}; }
  std::string_view main_metric() const override { return "value_kept"; }

  Status check_network(const nn::NetworkSpec& spec, std::string_view encoder) const override {
    if (spec.input != input_shape(encoder)) {
      return Error{
          fmt::format("the network's input is {}; expected {}, what the encoder '{}' gives",
                      spec.input.text(), input_shape(encoder).text(), encoder)};
    }
    const JudgedModel model{spec, {}};
    auto metrics = judge_fanorona(model, encoder, {}, {});
    if (!metrics) return std::move(metrics).error();
    return Done{};
  }

  Result<std::vector<Metric>> judge(const JudgedModel& model, std::string_view encoder,
                                    std::string_view set) const override {
    std::vector<State> states;
    std::vector<int> labels;
    for (const StateIndex i : candidates(std::string(set))) {
      states.push_back(solve::fanorona_table().indexer().state_at(i));
      labels.push_back(static_cast<int>(exact_fanorona_label(states.back()).move));
    }
    return judge_fanorona(model, encoder, states, labels);
  }

  Result<std::vector<Metric>> judge(const JudgedModel& model, std::string_view encoder,
                                    const DataSet& data, Split split) const override {
    const auto numbers = column_of(data, "state", split);
    if (!numbers) return numbers.error();
    const auto labels = column_of(data, "label", split);
    if (!labels) return labels.error();
    const auto& table = solve::fanorona_table();
    std::vector<State> states;
    for (const int number : *numbers) {
      const bool good = number >= 0 && number < static_cast<int>(solve::FanoronaIndexer::kStates);
      if (good) states.push_back(table.indexer().state_at(static_cast<StateIndex>(number)));
      if (!good || table.game().outcome(states.back()) != games::Outcome::ongoing) {
        return Error{fmt::format("the column 'state' holds {}; expected the number of a state that "
                                 "is not over",
                                 number),
                     {data.source()}};
      }
    }
    return judge_fanorona(model, encoder, states, *labels);
  }

 private:
  static Result<std::vector<int>> column_of(const DataSet& data, std::string_view name,
                                            Split split) {
    const int column = data.column_index(name);
    if (column < 0 || data.columns()[static_cast<std::size_t>(column)].width != 1) {
      return Error{fmt::format("has no column '{}' of width 1", name), {data.source()}};
    }
    return data.values<std::int32_t>(column, data.rows(split));
  }
};

}  // namespace

FanoronaLabel exact_fanorona_label(const State& state) {
  const auto& table = solve::fanorona_table();
  auto best = table.best_moves(state);
  const solve::ExactValue value = table.value(state);
  const Move first = best.front();
  return {first, std::move(best), result_of(value.value), value.distance};
}

const Task& fanorona_task() {
  static const FanoronaTask task;
  return task;
}

}  // namespace damier::learn
