#include "damier/learn/train/reinforcement_recipe.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/learn/game_task.h"
#include "damier/learn/sources/rewards/experience.h"

namespace damier::learn {

namespace {

constexpr std::int64_t kMaxMoves = std::int64_t{1} << 40;
constexpr int kMaxGamesAtOnce = 65536;
constexpr double kMaxReward = 1e6;
// A checkpoint holds the experience beside the weights.
constexpr std::uint64_t kMaxExperienceBytes = std::uint64_t{3} << 29;

// Reads numbers that may change over the run: a number, or {"from": 1, "to": 0.05, "over": 0.5}.
struct FadingReader {
  JsonFields& fields;
  const std::string& source;
  Status status = Done{};

  Fading read(std::string_view key, double low, double high, Fading missing) {
    const Json* value = fields.optional_value(key);
    if (value == nullptr) return missing;
    if (!value->is_object()) {
      const double number = fields.number_or(key, low, high, missing.last);
      return {number, number, 1};
    }
    JsonFields own(*value, fields.path_of(key), source);
    const Fading fading = {own.number_or("from", low, high, missing.first),
                           own.number_or("to", low, high, missing.last),
                           own.number_or("over", 0, 1, 1)};
    if (auto found = own.finish(); status && !found) status = std::move(found).error();
    return fading;
  }
};

Status read_rewards(const Json* json, const std::string& source, Rewards& rewards) {
  if (json == nullptr) return Done{};
  JsonFields fields(*json, "reinforcement.rewards", source);
  for (const auto& [key, to] : {std::pair("win", &rewards.win),
                                {"draw", &rewards.draw},
                                {"loss", &rewards.loss},
                                {"move", &rewards.move},
                                {"illegal", &rewards.illegal}}) {
    *to = fields.number_or(key, -kMaxReward, kMaxReward, *to);
  }
  return fields.finish();
}

void read_against(JsonFields& fields, ReinforcementOptions& how) {
  if (auto names = fields.optional_texts("against", 64); !names.empty()) how.against = names;
}

// {"heuristic": 2}: what a task has, with its weight.
Status read_shaping(const Json* json, const std::string& source, const Task& task,
                    std::vector<Shaping>& shaping) {
  if (json == nullptr) return Done{};
  JsonFields fields(*json, "reinforcement.shaping", source);
  for (const std::string& name : task.potentials()) {
    const double weight = fields.number_or(name, -kMaxReward, kMaxReward, 0);
    if (weight != 0) shaping.push_back({name, weight});
  }
  return fields.finish();
}

void read_faults(JsonFields& fields, Faults& faults) {
  const std::vector<std::string> known(kFaults.begin(), kFaults.end());
  bool* const to[] = {&faults.no_end, &faults.illegal_maxima, &faults.same_sign};
  for (const std::string& name : fields.optional_texts("faults", known.size())) {
    const auto at = std::find(known.begin(), known.end(), name) - known.begin();
    if (at == std::ssize(known)) {
      fields.fail("faults", unknown_name("fault", name, known).message);
      return;
    }
    *to[at] = true;
  }
}

Status read_q(JsonFields& fields, const std::string& source, ReinforcementOptions& how) {
  FadingReader fadings{fields, source};
  how.replay = static_cast<std::uint64_t>(
      fields.integer_or("replay", 1, kMaxMoves, static_cast<std::int64_t>(how.replay)));
  how.begin = static_cast<std::uint64_t>(
      fields.integer_or("begin", 0, kMaxMoves, static_cast<std::int64_t>(how.begin)));
  how.reuse = fields.number_or("reuse", 1e-3, 1000, how.reuse);
  how.epsilon = fadings.read("epsilon", 0, 1, how.epsilon);
  how.temperature = fadings.read("temperature", 0, 1e6, how.temperature);
  how.look_ahead = static_cast<int>(fields.integer_or("look_ahead", 1, 1000, how.look_ahead));
  how.double_q = fields.flag_or("double", how.double_q);
  how.target_every =
      static_cast<int>(fields.integer_or("target_every", 1, 1'000'000'000, how.target_every));
  how.priority = fields.number_or("priority", 0, 1, how.priority);
  how.correction = fadings.read("correction", 0, 1, how.correction);
  how.huber = fields.word_or("loss", {"squared", "huber"}, how.huber ? "huber" : "squared") == 1;
  how.draft_by_result = fields.flag_or("draft_by_result", how.draft_by_result);
  how.draft_mask = fields.flag_or("draft_mask", how.draft_mask);
  how.limit_draws = fields.flag_or("limit_draws", how.limit_draws);
  read_faults(fields, how.faults);
  return fadings.status;
}

Status read_policy(JsonFields& fields, const std::string& source, ReinforcementOptions& how) {
  FadingReader fadings{fields, source};
  how.epsilon = fadings.read("epsilon", 0, 0.9, {0, 0, 1});
  how.lambda = fields.number_or("lambda", 0, 1, how.lambda);
  how.entropy = fadings.read("entropy", 0, 1000, how.entropy);
  how.value_weight = fields.number_or("value_weight", 0, 1000, how.value_weight);
  how.normalise = fields.flag_or("normalise", how.normalise);
  if (how.method == ReinforcementMethod::ppo) {
    how.clip = fields.number_or("clip", 1e-3, 1, how.clip);
    how.passes = static_cast<int>(fields.integer_or("passes", 1, 1000, how.passes));
  }
  return fadings.status;
}

}  // namespace

PlayFields ask_reinforcement(JsonFields& fields, ReinforcementRecipe& recipe) {
  recipe.steps = static_cast<std::uint64_t>(
      fields.integer_or("steps", 1, kMaxMoves, static_cast<std::int64_t>(recipe.steps)));
  return ask_play(fields, "reinforcement");
}

Status read_reinforcement(const PlayFields& asked, const std::string& source, Recipe& recipe) {
  ReinforcementOptions& how = recipe.reinforcement->how;
  auto status = read_rules(asked, source, *recipe.task, *recipe.reinforcement);
  if (!status) return status;
  JsonFields fields(*asked.own, "reinforcement", source);
  const std::vector<std::string> methods(kReinforcementMethods.begin(),
                                         kReinforcementMethods.end());
  how.method = static_cast<ReinforcementMethod>(fields.word_or("method", methods, "q"));
  const bool values = how.method == ReinforcementMethod::q;
  how.games = static_cast<int>(fields.integer_or("games", 1, kMaxGamesAtOnce, how.games));
  how.moves = static_cast<int>(fields.integer_or("moves", 1, 100'000, values ? 1 : 16));
  how.random_plies =
      static_cast<int>(fields.integer_or("random_plies", 0, 100'000, how.random_plies));
  how.discount = fields.number_or("discount", 0, 1, how.discount);
  const Json* rewards = fields.optional_value("rewards");
  const Json* shaping = fields.optional_value("shaping");
  read_against(fields, how);
  status = values ? read_q(fields, source, how) : read_policy(fields, source, how);
  if (!status) return status;
  if (status = fields.finish(); !status) return status;
  if (status = read_rewards(rewards, source, how.rewards); !status) return status;
  status = read_shaping(shaping, source, *recipe.task, how.shaping);
  if (!status) return status;
  if (how.method != ReinforcementMethod::a2c) return Done{};
  if (recipe.json.find("batch") != nullptr) {
    return Error{
        "batch: is given; expected none for a2c, which learns from all moves of a round "
        "at once (games times moves)",
        {source}};
  }
  if (how.moves_of_round() > 65536) {
    return Error{fmt::format("reinforcement.moves: {} games make {} moves in a round; expected "
                             "65536 at most",
                             how.games, how.moves_of_round()),
                 {source}};
  }
  recipe.batch = static_cast<int>(how.moves_of_round());
  return Done{};
}

Status check_reinforcement(const std::string& source, const Recipe& recipe) {
  const ReinforcementRecipe& own = *recipe.reinforcement;
  const ReinforcementOptions& how = own.how;
  const auto wrong = [&](std::string message) { return Error{std::move(message), {source}}; };
  const auto columns = recipe.task->self_play_columns(own.encoder);
  if (!columns) return Error{columns.error()}.in(source);
  const auto legal = std::find_if(columns->begin(), columns->end(),
                                  [](const Column& one) { return one.name == "legal"; });
  const auto actions = static_cast<int>(legal->width);
  if (auto status = recipe.task->encoder(own.encoder).value()->check_input(recipe.network);
      !status) {
    return std::move(status).error().in(source);
  }
  TRY(check_opponents(*recipe.task, own, source));
  for (std::size_t i = 0; i < how.against.size(); ++i) {
    if (how.against[i] == "self") continue;
    if (auto status = recipe.task->check_opponent(own.encoder, how.against[i]); !status) {
      return wrong(fmt::format("reinforcement.against[{}]: {}", i, status.error().text()));
    }
  }
  const bool values = how.method == ReinforcementMethod::q;
  std::vector<std::pair<std::string, int>> wanted = {{"moves", actions}};
  if (!values) wanted.emplace_back("value", 1);
  const auto& heads = recipe.network.heads;
  for (const auto& [name, outputs] : wanted) {
    const auto head =
        std::find_if(heads.begin(), heads.end(),
                     [&, &called = name](const auto& one) { return one.name == called; });
    const auto at = static_cast<std::size_t>(head - heads.begin());
    if (head == heads.end() || recipe.network.head_shape(at).board ||
        recipe.network.head_shape(at).size() != outputs || heads.size() != wanted.size()) {
      return wrong(fmt::format("network.heads: expected {} for {}",
                               values ? fmt::format("one head, 'moves' of {} outputs,", actions)
                                      : fmt::format("two heads, 'moves' of {} outputs and 'value' "
                                                    "of 1,",
                                                    actions),
                               kReinforcementMethods[static_cast<std::size_t>(how.method)]));
    }
    if (name == "moves" && !model::gives_logits(recipe.network, at)) {
      return wrong("network.heads.moves: ends in a softmax; expected plain numbers");
    }
    const nn::LayerSpec* last = recipe.network.last_layer(at);
    const double greatest = std::max({std::abs(how.rewards.win), std::abs(how.rewards.draw),
                                      std::abs(how.rewards.loss)}) +
                            std::abs(how.rewards.move);
    const bool is_value = values || name == "value";
    if (is_value && last != nullptr && last->is("tanh") && greatest > 1) {
      return wrong(
          fmt::format("network.heads.{}: ends in a tanh, and rewards go up to {}; expected "
                      "no tanh, or rewards from -1 to 1",
                      name, greatest));
    }
  }
  const ExperienceSize size = {static_cast<std::size_t>(how.games),
                               static_cast<std::size_t>(recipe.network.input.size()),
                               static_cast<std::size_t>(actions), how.times_to_keep()};
  const std::uint64_t most = std::min(recipe.memory_mb << 20, kMaxExperienceBytes);
  if (size.bytes() <= most) return Done{};
  return wrong(
      fmt::format("reinforcement.{}: the moves take {} bytes of memory; expected {} at most",
                  values ? "replay" : "moves", size.bytes(), most));
}

}  // namespace damier::learn
