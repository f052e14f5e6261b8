// How fast a network plays against itself, beside the same network that answers and does nothing
// else, on the same threads. A simulation is set beside one answer.

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/suite.h"
#include "bench/workloads.h"
#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/text.h"
#include "damier/learn/train/recipe.h"
#include "damier/model/predictor.h"
#include "damier/nn/training.h"

namespace damier::bench {

namespace {

using learn::SelfPlayFigures, learn::SelfPlayOptions;
using SharedWeights = std::shared_ptr<const nn::Network<float>>;

constexpr double kGoalOfSelfPlay = 0.75;  // times the network alone

struct SelfPlayWorkload {
  std::string title;
  learn::Recipe recipe;
  SharedWeights weights;
};

Result<SelfPlayWorkload> self_play_workload(const std::string& game, const SuiteRequest& request) {
  SelfPlayWorkload workload;
  learn::Settings settings;
  if (game == "domineering") {
    workload.title = "domineering 8x8, W4's network";
    settings.push_back("network=" + w4_for_play());
  } else {
    workload.title = fmt::format("{}, the network of {}-self-play", game, game);
  }
  // Convolutions are fastest when few boards pass at a time. Fresh networks play long games of
  // Brême: with short searches they take long enough.
  if (game != "fanorona") settings.push_back("self_play.games_at_once=16");
  if (game == "bremen") settings.push_back("simulations=16");
  if (request.effort.quick())
    settings.insert(settings.end(), {"simulations=4", "self_play.games_at_once=4"});
  settings.insert(settings.end(), request.settings.begin(), request.settings.end());
  auto recipe = learn::find_recipe(game + "-self-play", settings);
  if (!recipe) return std::move(recipe).error();
  workload.recipe = *std::move(recipe);
  auto network =
      std::make_shared<nn::Network<float>>(workload.recipe.network, 1, nn::Use::inference);
  nn::initialise(*network, workload.recipe.initialisation, request.seed);
  workload.weights = std::move(network);
  return workload;
}

// Answers of the network alone: every thread has one, all with the same weights.
Work answers_alone(const SharedWeights& weights, int batch, ThreadPool& pool, Seed seed) {
  std::vector<std::shared_ptr<nn::Network<float>>> networks;
  for (int i = 0; i < pool.size(); ++i) {
    networks.push_back(model::network_copy(*weights, weights->spec(), batch));
    networks.back()->freeze();
  }
  const int samples = networks.front()->batch();
  std::vector<float> inputs(static_cast<std::size_t>(samples * weights->spec().input.size()));
  RandomStream random(seed, "bench.self_play");
  for (float& value : inputs) value = static_cast<float>(random.uniform());
  // Enough for each call that waiting for the other threads does not count.
  constexpr int kAnswers = 2048;
  const int passes = (kAnswers + samples - 1) / samples;
  return [=, &pool] {
    pool.for_each(networks.size(), [&](std::size_t i) {
      for (int pass = 0; pass < passes && !interrupted(); ++pass) {
        networks[i]->set_inputs(inputs, samples);
        networks[i]->forward();
      }
    });
    return networks.size() * static_cast<std::uint64_t>(passes * samples);
  };
}

// Twice as many games as are played at once, so that the end of the last ones, when batches are
// small, has its share. What they tell is added to `figures`.
Work played_games(const SelfPlayWorkload& workload, const SelfPlayOptions& options,
                  ThreadPool& pool, Seed seed, SelfPlayFigures& figures) {
  return [&workload, &pool, &figures, seed, options] {
    const learn::SelfPlayRecipe& own = *workload.recipe.self_play;
    const learn::Task& task = *workload.recipe.task;
    learn::MemoryRows rows(task.self_play_columns(own.encoder).value());
    const auto network = model::predict_with<float>(workload.weights, options.games_at_once);
    const auto games = static_cast<std::uint64_t>(2 * options.games_at_once * pool.size());
    const auto played =
        task.self_play(options, {own.encoder, seed, 0, 0, games}, *network, pool, rows);
    if (!played) return std::uint64_t{0};  // interrupted
    add_figures(figures, *played);
    return played->simulations;
  };
}

// The rates of some kinds of work, one after the other in every repetition.
std::vector<Rate> rates_of(const std::vector<Work>& all, const Effort& effort) {
  std::vector<std::vector<double>> rates(all.size());
  for (int i = 0; i < effort.repetitions && !interrupted(); ++i) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      rates[k].push_back(rate_of_work(all[k], effort)());
    }
  }
  std::vector<Rate> result;
  for (auto& one : rates) result.push_back(summary(std::move(one)));
  return result;
}

// The two rows of a workload on so many threads: without the memory of evaluations, and with it.
std::vector<Row> self_play_rows(const SelfPlayWorkload& workload, int threads,
                                const SuiteRequest& request) {
  ThreadPool pool(threads);
  SelfPlayOptions options = workload.recipe.self_play->play;
  SelfPlayFigures figures[2];
  std::vector<Work> works;
  for (const bool cache : {false, true}) {
    options.cache = cache;
    works.push_back(played_games(workload, options, pool, request.seed, figures[cache]));
  }
  const auto batch_of = [](const SelfPlayFigures& one) {
    return static_cast<double>(one.evaluations) / static_cast<double>(one.passes);
  };
  works[0]();  // warms up, and shows the batch that the games reach
  std::vector<int> batches = {16, 64, 256};
  if (interrupted()) return {};
  batches.push_back(static_cast<int>(std::lround(batch_of(figures[0]))));
  for (const int batch : batches) {
    works.push_back(answers_alone(workload.weights, batch, pool, request.seed));
  }
  const std::vector<Rate> rates = rates_of(works, request.effort);
  if (interrupted()) return {};
  std::size_t best = 2;
  Json alone = Json::array();
  std::vector<std::string> shown;
  for (std::size_t k = 2; k < rates.size(); ++k) {
    if (rates[k].median > rates[best].median) best = k;
    alone.push_back({{"batch", batches[k - 2]}, {"rate", rates[k].median}});
    shown.push_back(fmt::format("{} {}", batches[k - 2], short_number(rates[k].median)));
  }
  std::vector<Row> rows;
  for (const bool cache : {false, true}) {
    const SelfPlayFigures& one = figures[cache];
    Row row{fmt::format("{}, {}, cache {}", workload.title, counted(threads, "thread"),
                        cache ? "on" : "off"),
            "simulations", rates[cache],
            fmt::format("the network alone, batch {}", batches[best - 2]), rates[best]};
    // A quick run plays too few games at once to be judged.
    if (!cache && !request.effort.quick()) row.goal_ratio = kGoalOfSelfPlay;
    const auto simulations = static_cast<double>(one.simulations);
    const double evaluations = row.ours.median * static_cast<double>(one.evaluations) / simulations;
    const double certain = static_cast<double>(one.certain) / simulations;
    const double cached = static_cast<double>(one.cached) / simulations;
    const double at_batch = row.ours.median / rates.back().median;
    row.facts = {{"threads", threads},
                 {"cache", cache},
                 {"games", one.games},
                 {"positions", one.positions},
                 {"simulations", one.simulations},
                 {"evaluations", one.evaluations},
                 {"certain", one.certain},
                 {"cached", one.cached},
                 {"evaluations_per_second", evaluations},
                 {"batch", batch_of(one)},
                 {"ratio_at_batch", at_batch},
                 {"network_alone", alone}};
    row.note = fmt::format(
        "  {} evaluations/s in batches of {:.1f} on average; of the simulations {:.1f} % ended "
        "where the result is certain, {:.1f} % were in the cache",
        short_number(evaluations), batch_of(one), 100 * certain, 100 * cached);
    if (!cache) {
      row.note += fmt::format("\n  the network alone, by batch: {} /s; {:.2f} times the last",
                              join(shown, ", "), at_batch);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Result<SuiteReport> bench_self_play(const SuiteRequest& request) {
  SuiteReport report;
  report.head =
      "Games of fresh networks against themselves; a simulation is set beside one answer of the "
      "network alone.";
  for (const std::string& game : request.games) {
    const auto workload = self_play_workload(game, request);
    if (!workload) return workload.error();
    for (const int threads : request.threads) {
      for (Row& row : self_play_rows(*workload, threads, request)) {
        report.rows.push_back(std::move(row));
        request.on_row();
      }
    }
  }
  report.note =
      "Elsewhere: about 3,000 simulations/s a core with a network (a widely used AlphaZero fork, "
      "its own figure), 15 k/s without one (OpenSpiel's tree search in C++).";
  return report;
}

}  // namespace damier::bench
