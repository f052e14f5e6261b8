#include "damier/learn/labels.h"

#include <algorithm>

#include <fmt/format.h>

namespace damier::learn {

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
      {"noise", 0.5, "states met in play: the share of random moves among the teacher's", {}, 0, 1},
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
  const auto append = [&](std::vector<Column> more) {
    for (Column& column : more) columns.push_back(std::move(column));
  };
  append(std::move(policy));
  append({{"moves", DType::u8, actions},
          {"legal", DType::u8, actions},
          {"value", DType::f32, 1},
          {"distance", DType::f32, 1},
          {"label", actions <= 256 ? DType::u8 : DType::i32, 1}});
  append(std::move(place));
  append({{std::string(kGroupColumn), DType::i64, 1}});
  return columns;
}

}  // namespace damier::learn
