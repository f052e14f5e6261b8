#include "damier/app/eval/model.h"

#include <memory>

#include <fmt/format.h>

#include "damier/app/terminal/terminal.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/learn/train/recipe.h"
#include "damier/model/library.h"
#include "damier/model/model.h"
#include "damier/play/contest/games.h"
#include "damier/play/players/player_text.h"

namespace damier::app {

namespace {

constexpr int kBatch = 256;

// Data of more rows than these is not made again, but some rows of its kind are, from another seed.
constexpr std::uint64_t kMaxRowsAgain = 300'000;
constexpr std::uint64_t kFreshRows = 4000;

struct EvaluatedSet {
  std::string name;   // "reachable"
  std::string about;  // for people
  std::vector<Metric> metrics;
};

Result<model::Model> open_checked(const std::string& name, const learn::Tasks& tasks,
                                  std::shared_ptr<const learn::Task>& task) {
  const auto path = TRY(model::model_path(name));
  auto model = model::open_model(path);
  if (!model) return model;
  const std::string_view game = model->origin("game"), named = model->origin("task");
  task = TRY(tasks.find(named.empty() ? game : named).in(path));
  TRY(encoder_of(*model, task->encoders()));
  return model;
}

// The rows of the model's own data that it never learnt from, made again.
Result<std::vector<EvaluatedSet>> held_out(const model::Model& model, const learn::Task& task,
                                           model::Predictor& evaluated, ThreadPool& pool,
                                           Ranks& ranks) {
  std::vector<EvaluatedSet> sets;
  const auto json =
      parse_json(model.origin("generate").empty() ? "null" : model.origin("generate"), model.path);
  if (!json || !json->is_object()) return sets;
  const auto options = learn::read_generate_options(task, *json, model.path);
  if (!options) return options.error();
  if (options->split == "none" || options->test == 0) return sets;
  if (options->count > kMaxRowsAgain) {
    learn::GenerateOptions fresh = *options;
    fresh.count = kFreshRows;
    fresh.split = "none";
    fresh.seed = Seed{~value_of(options->seed)};
    const auto rows = TRY(learn::generate_in_memory(task, fresh, pool, ranks));
    auto metrics =
        TRY(task.evaluate(evaluated, model.origin("encoder"), rows, learn::Split::training));
    sets.push_back({"fresh", "rows as it learnt from, made with another seed", std::move(metrics)});
    return sets;
  }
  const auto data = TRY(learn::generate_in_memory(task, *options, pool, ranks));
  auto metrics = TRY(task.evaluate(evaluated, model.origin("encoder"), data, learn::Split::test));
  sets.push_back({"held_out", "held-out rows, of which it learnt nothing", std::move(metrics)});
  return sets;
}

Result<std::vector<EvaluatedSet>> evaluate(const model::Model& model, const learn::Task& task,
                                           const std::optional<std::string>& file, ThreadPool& pool,
                                           Ranks& ranks) {
  const std::string encoder(model.origin("encoder"));
  const auto evaluated = predict_with(model, kBatch);
  std::vector<EvaluatedSet> sets;
  if (file) {
    const auto data = TRY(learn::DataSet::open(*file));
    if (text_in(data.info(), "encoder") != encoder) {
      return Error{fmt::format("is encoded as {}; expected {}, as the model reads it",
                               in_quotes(text_in(data.info(), "encoder")), in_quotes(encoder)),
                   {*file}};
    }
    for (std::size_t i = 0; i < learn::kSplits; ++i) {
      const auto split = static_cast<learn::Split>(i);
      if (data.rows(split).count == 0) continue;
      auto metrics = TRY(task.evaluate(*evaluated, encoder, data, split));
      const std::string name(name_of(split));
      sets.push_back({name, fmt::format("{} of {}", name, *file), std::move(metrics)});
    }
    return sets;
  }
  auto own = held_out(model, task, *evaluated, pool, ranks);
  if (!own) return own;
  sets = *std::move(own);
  for (const std::string& set : task.evaluated_sets()) {
    auto metrics = TRY(task.evaluate(*evaluated, encoder, set));
    sets.push_back({set, set, std::move(metrics)});
  }
  return sets;
}

Result<EvaluatedSet> play_strongest(const model::Model& model, std::uint64_t games, Seed seed,
                                    const Context& context, ThreadPool& pool) {
  const auto game = TRY(make_game(context, {.game = std::string(model.origin("game"))}));
  play::ContestPlan plan;
  plan.toolkit = context.registry.toolkit(game);
  const std::string opponent = plan.toolkit->strongest_player();
  plan.players = {"net:" + play::player_value(model.path), opponent};
  plan.games = static_cast<std::int64_t>(games);
  plan.seed = seed;
  const play::Contest& contest = TRY(play::open_contest(std::move(plan)));
  Progress progress("playing", games, "games");
  play::GameRows rows(games);
  auto status = share_contest(
      contest, rows, pool,
      [&](const GameRow&) {
        progress.add(1, 1);
        return true;
      },
      *context.ranks);
  if (!status) return std::move(status).error();
  if (interrupted()) return EvaluatedSet{};
  const auto score = play::score_between(contest, rows, 0, 1);
  const play::Record& all = score.tally.record();
  const auto n = static_cast<std::int64_t>(games);
  return EvaluatedSet{"against_" + opponent,
                      fmt::format("games against {}", opponent),
                      {{"not_lost", share_estimate(n - all.losses, n)},
                       {"score", play::score_estimate(score.tally)}}};
}

// How good its moves are where the solver knows, in positions of other players' games. A game whose
// table knows every state is evaluated on all of them already.
Result<std::vector<play::MoveQualities>> evaluate_own_moves(const model::Model& model,
                                                            const EvalModelArguments& arguments,
                                                            Seed seed, const Context& context,
                                                            ThreadPool& pool) {
  const auto game = TRY(make_game(context, {.game = std::string(model.origin("game"))}));
  const auto toolkit = context.registry.toolkit(game);
  EvalMovesArguments moves = arguments.moves;
  const bool asked = !moves.players.empty() || !moves.from.empty() || moves.positions;
  if (!asked && (arguments.data || !toolkit->is_solved() || toolkit->knows_every_state())) {
    return std::vector<play::MoveQualities>{};
  }
  moves.players.insert(moves.players.begin(), "net:" + play::player_value(model.path));
  return evaluate_moves(game, moves, seed, pool, context);
}

}  // namespace

Result<std::string> game_of_model(const std::string& path) {
  const auto model = TRY(model::open_model(path));
  if (model.origin("game").empty()) {
    return Error{fmt::format("does not say which game it plays; `{} inspect` shows what it says",
                             program_name()),
                 {path}};
  }
  return std::string(model.origin("game"));
}

Result<int> eval_model(const EvalModelArguments& arguments, const Context& context) {
  std::shared_ptr<const learn::Task> task;
  const auto model = TRY(open_checked(arguments.model, context.registry.tasks(), task));
  const Seed seed{context.seed_option.value_or(1)};
  ThreadPool pool(context.thread_count());
  const Stopwatch watch;
  auto sets = TRY(evaluate(model, *task, arguments.data, pool, *context.ranks));
  if (arguments.games > 0) {
    auto games = TRY(play_strongest(model, arguments.games, seed, context, pool));
    sets.push_back(std::move(games));
  }
  if (interrupted()) return report_interrupted();
  auto moves = evaluate_own_moves(model, arguments, seed, context, pool);
  if (!moves && interrupted()) return report_interrupted();
  if (!moves) return moves.error();
  const double seconds = watch.seconds();
  if (context.json) {
    Json metrics = Json::object();
    for (const EvaluatedSet& set : sets) {
      const Json own = metrics_json(set.metrics);
      for (const auto& [name, metric] : own.items()) metrics[set.name + "." + name] = metric;
    }
    for (std::size_t i = 0; i < moves->size(); ++i) {
      const std::string set = i == 0 ? "other_games" : "other_games." + (*moves)[i].player;
      for (const Metric& metric : metrics_by_phase((*moves)[i])) {
        metrics[set + "." + metric.name] = estimate_json(metric);
      }
    }
    print_json("eval", {{"model", model.path},
                        {"task", task->name()},
                        {"metrics", std::move(metrics)},
                        {"seed", value_of(seed)},
                        {"seconds", seconds}});
    return kDone;
  }
  print_output("{}: {}, encoder {}\n", model.path, task->name(), model.origin("encoder"));
  for (const EvaluatedSet& set : sets) {
    print_output("  {}\n", set.about);
    for (const Metric& metric : set.metrics) {
      print_output("    {:<15} {} of {}\n", metric.name, estimate_text(metric), metric.n);
    }
  }
  if (!moves->empty()) print_output("{}\n", fitting(about_moves(arguments.moves)));
  for (const play::MoveQualities& one : *moves) print_moves(one);
  print_output("{:.1f} s, seed {}\n", seconds, value_of(seed));
  return kDone;
}

}  // namespace damier::app
