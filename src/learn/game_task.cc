#include "damier/learn/game_task.h"

namespace damier::learn {

namespace {

// A number as a win, a draw or a loss.
int class_of(float value) { return value > 0.5f ? 1 : value < -0.5f ? -1 : 0; }

}  // namespace

std::vector<Metric> metrics_of(const Evaluation& evaluation) {
  const auto n = static_cast<std::int64_t>(evaluation.rows.size());
  std::int64_t kept = 0, shortest = 0, named = 0, said = 0, right = 0;
  MeanLoss loss;
  for (const EvaluatedRow& row : evaluation.rows) {
    kept += row.kept;
    shortest += row.shortest;
    named += row.named;
    loss.add(row.loss);
    said += row.said.has_value();
    right += row.said && class_of(*row.said) == class_of(row.value);
  }
  std::vector<Metric> metrics = {{"value_kept", share_estimate(kept, n)}};
  if (evaluation.exact) {
    metrics.push_back({"shortest", share_estimate(shortest, n)});
    metrics.push_back(loss.metric("regret"));
  }
  metrics.push_back({"label_accuracy", share_estimate(named, n)});
  if (said > 0) metrics.push_back({"value_accuracy", share_estimate(right, n)});
  return metrics;
}

std::vector<TaskOption> usual_options(std::string_view teacher, std::vector<std::string> states,
                                      std::vector<std::string> encoders,
                                      std::span<const games::Option> rules) {
  const std::string first_states = states.front(), first_encoder = encoders.front();
  std::vector<TaskOption> all = {
      {.name = "teacher",
       .default_value = teacher,
       .help = "who labels: exact, the solution, or any player, as minimax:4, uct:1000, net:MODEL",
       .kept_as = "oracle"},
      {"states", first_states,
       "which positions: met in play, all that can be reached, or what the game lists",
       std::move(states)},
      {"target",
       "all-best",
       "which moves are taught: every best one, or the teacher's one",
       {"all-best", "one"}},
      {"encoder", first_encoder, "what the network sees", std::move(encoders)},
      {"shown",
       "before",
       "the position that it sees: before the taught move or, as one report has it, after it",
       {"before", "after"}},
      number_option("noise", 0.5, 0, 1,
                    "states met in play: the share of random moves among the teacher's"),
  };
  for (const games::Option& option : rules) {
    all.push_back({std::string(option.name), std::string(option.default_value),
                   Text::of("a rule: {} ({})", Text(option.help), Text(option.expected))});
    all.back().is_rule = true;
  }
  return all;
}

games::OptionValues rules_in(const GenerateOptions& options, std::span<const games::Option> rules) {
  games::OptionValues values;
  for (const games::Option& option : rules) {
    if (const Json* value = options.more.find(option.name)) {
      values.emplace_back(option.name, value->text());
    }
  }
  return values;
}

std::vector<Column> columns_around(Column input, std::vector<Column> policy, int outputs,
                                   std::vector<Column> place) {
  using nn::DType;
  const auto actions = static_cast<std::uint64_t>(outputs);
  std::vector<Column> columns = {std::move(input)};
  columns.insert(columns.end(), policy.begin(), policy.end());
  columns.insert(columns.end(), {{"moves", DType::u8, actions},
                                 {"legal", DType::u8, actions},
                                 {"value", DType::f32, 1},
                                 {"distance", DType::f32, 1},
                                 {"label", actions <= 256 ? DType::u8 : DType::i32, 1}});
  columns.insert(columns.end(), place.begin(), place.end());
  columns.push_back({std::string(kGroupColumn), DType::i64, 1});
  return columns;
}

}  // namespace damier::learn
