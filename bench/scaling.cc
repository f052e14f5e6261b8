// How self-play scales: the pace of games, messages and lessons, measured here, and what follows
// for many machines, simulated.

#include "bench/scaling.h"

#include <algorithm>

#include "bench/suite.h"
#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/text/progress.h"
#include "damier/learn/sources/self_play/shared_games.h"
#include "damier/learn/train/training_run.h"
#include "damier/model/predictor.h"
#include "damier/nn/training.h"

namespace damier::bench {

namespace {

constexpr int kFewAtOnce = 4;
constexpr std::uint64_t kGamesAtATime = 64;
constexpr std::uint64_t kMaxGames = 65536;  // of a generation that is simulated

// What is measured: fewer simulations a move than are simulated, at the same pace.
struct ScalingCase {
  const char* name;
  const char* recipe;
  std::vector<std::string> settings;
  int simulations;  // a move
  int measured;     // of them
};

std::vector<ScalingCase> scaling_cases() {
  const std::string block =
      R"({"type":"residual","layers":[{"type":"conv2d","channels":32,"bias":false},{"type":"batch_norm"},)"
      R"({"type":"relu"},{"type":"conv2d","channels":32,"bias":false},{"type":"batch_norm"}]},{"type":"relu"})";
  return {{"fanorona, dense layers of 128", "fanorona-self-play", {}, 32, 32},
          {"domineering 8x8, 3 residual blocks of 32",
           "domineering-self-play",
           {"network.input=[3,8,8]",
            "network.layers=[{\"type\":\"conv2d\",\"channels\":32},{\"type\":\"relu\"}," + block +
                "," + block + "," + block + ",{\"type\":\"flatten\"}]"},
           32,
           4}};
}

// Keeps the answers of a worker.
class AnswerBook final : public NumberedWork {
 public:
  explicit AnswerBook(std::uint64_t first, std::uint64_t count)
      : next_(numbers_from(first, count)), ahead_(next_()) {}
  std::optional<std::uint64_t> next() override {
    const auto number = ahead_;
    if (ahead_) ahead_ = next_();
    return number;
  }
  bool wait() override { return ahead_.has_value() && !interrupted(); }
  void answer(std::uint64_t, std::string bytes) override { answers.push_back(std::move(bytes)); }

  std::vector<std::string> answers;

 private:
  std::function<std::optional<std::uint64_t>()> next_;
  std::optional<std::uint64_t> ahead_;
};

// What is measured with one recipe.
struct MeasuredPlay {
  const learn::Recipe& recipe;
  Seed seed;
  learn::PlayingNetwork network;
  ThreadPool pool{1};

  learn::SelfPlayGames games(std::uint64_t first, std::uint64_t count) const {
    return {recipe.self_play->encoder, seed, 0, first, count};
  }
  Result<Worker> worker(int at_once) {
    learn::SelfPlayOptions options = recipe.self_play->play;
    options.games_at_once = at_once;
    return recipe.task->self_play_worker(options, games(0, 0), *network.predictor, pool);
  }
};

// Simulations a second on one thread.
Row play_row(std::string name, const Worker& worker, const Effort& effort) {
  std::uint64_t next = 0;
  return measure_alone(
      std::move(name), "simulations",
      [&] {
        AnswerBook book(next, kGamesAtATime);
        next += kGamesAtATime;
        if (!worker.run(book)) return std::uint64_t{0};
        std::uint64_t simulations = 0;
        for (const std::string& answer : book.answers) {
          simulations += learn::unpacked_figures(answer).simulations;
        }
        return simulations;
      },
      0, effort);
}

// All that the simulation needs, measured with one recipe; a row for each pace.
Result<ScalingModel> measured_model(const ScalingCase& scaled, const SuiteRequest& request,
                                    const std::function<double(Row)>& add) {
  std::vector<std::string> settings = scaled.settings;
  settings.push_back(fmt::format("simulations={}", scaled.measured));
  const auto recipe = learn::find_recipe(scaled.recipe, settings);
  if (!recipe) return recipe.error();
  const learn::SelfPlayRecipe& own = *recipe->self_play;
  auto network = std::make_shared<nn::Network<float>>(recipe->network, 1, nn::Use::inference);
  nn::initialise(*network, recipe->initialisation, request.seed);
  MeasuredPlay play = {
      *recipe, request.seed,
      learn::playing_network<float>(*recipe, std::shared_ptr<const nn::Network<float>>(network))};
  ScalingModel model;
  model.games_at_once = own.play.games_at_once;
  const auto many = play.worker(model.games_at_once), few = play.worker(kFewAtOnce);
  if (!many) return many.error();
  if (!few) return few.error();
  const auto named = [&](const std::string& what) {
    return fmt::format("{}: {}", scaled.name, what);
  };
  const auto at_once = [&](int games) {
    return named(fmt::format("one thread, {} games at once", games));
  };
  const double fast = add(play_row(at_once(model.games_at_once), *many, request.effort));
  const double slow = add(play_row(at_once(kFewAtOnce), *few, request.effort));
  // Seconds of a pass with so many games: two points of a straight line.
  const double long_pass = model.games_at_once / fast, short_pass = kFewAtOnce / slow;
  model.game_seconds = (long_pass - short_pass) / (model.games_at_once - kFewAtOnce);
  model.pass_seconds = std::max(0.0, short_pass - kFewAtOnce * model.game_seconds);

  AnswerBook book(0, 2 * kGamesAtATime);
  if (auto status = many->run(book); !status) return std::move(status).error();
  if (interrupted()) return interruption();
  double positions = 0;
  for (const std::string& answer : book.answers) {
    const auto figures = learn::unpacked_figures(answer);
    model.simulations.push_back(static_cast<double>(figures.simulations) * scaled.simulations /
                                scaled.measured);
    model.game_bytes += static_cast<double>(answer.size());
    positions += static_cast<double>(figures.positions);
  }
  const auto played = static_cast<double>(book.answers.size());
  model.game_bytes /= played;
  const auto repeat = [&book](NumberedWork& work) -> Status {
    while (work.wait()) {
      const auto number = work.next();
      if (number) work.answer(*number, book.answers[*number % book.answers.size()]);
    }
    return Done{};
  };
  const auto columns = recipe->task->self_play_columns(own.encoder);
  if (!columns) return columns.error();
  model.taking_seconds = 1 / add(measure_alone(
                                 named("rank 0 takes what was played"), "games",
                                 [&]() -> std::uint64_t {
                                   learn::MemoryRows rows(*columns);
                                   const auto games = play.games(0, 8 * kGamesAtATime);
                                   const auto taken = learn::collect_games(
                                       games, rows, {.worker = {1, repeat}}, no_other_ranks());
                                   return taken ? games.count : 0;
                                 },
                                 0, request.effort));
  // A small generation, for the pace of its lessons.
  settings.insert(settings.end(),
                  {"generations=1", "games=64", "evaluation={\"every\":1,\"games\":2}"});
  const auto lessons = learn::find_recipe(scaled.recipe, settings);
  if (!lessons) return lessons.error();
  ThreadPool pool;
  const auto result = learn::train(*lessons, request.seed, pool);
  if (!result) return result.error();
  if (!result->finished) return interruption();
  const double pace = result->samples_per_second;
  Row row;
  row.name = named(fmt::format("lessons on {} threads", pool.size()));
  row.unit = "samples";
  row.ours = {pace, pace, pace};
  add(std::move(row));
  model.learning_seconds = own.reuse * positions / played / pace;
  const auto weights = play.network.weights();
  if (!weights) return weights.error();
  model.weight_bytes = static_cast<double>(weights->size());
  return model;
}

std::string bytes_text(double bytes) { return short_number(bytes) + "B"; }

// The smallest generation, a power of 2, in which the threads are at full tables nine tenths of the
// time; or the largest that is tried.
std::uint64_t enough_games(const ScalingModel& model, int machines) {
  std::uint64_t games = 256;
  while (games < kMaxGames && simulate_generation(model, machines, games).playing_share < 0.9) {
    games *= 2;
  }
  return games;
}

}  // namespace

Result<SuiteReport> bench_scaling(const SuiteRequest& request) {
  SuiteReport report;
  const auto add = [&](Row row) {
    report.rows.push_back(std::move(row));
    if (request.on_row) request.on_row();
    return report.rows.back().ours.median;
  };
  Json cases = Json::array();
  for (const ScalingCase& scaled : scaling_cases()) {
    const auto model = measured_model(scaled, request, add);
    if (!model) return model.error();
    report.note += fmt::format(
        "{}, {} simulations a move\n{} a game, {} of weights to a machine, {:.2g} ms of lessons a "
        "game; {} threads a machine,\none gigabit a second, {} ms a message\n\n{:>8}  {:>7}  {:>9} "
        " "
        "{:>7}  {:>8}  {:>11}  {:>10}  {:>9}\n",
        scaled.name, scaled.simulations, bytes_text(model->game_bytes),
        bytes_text(model->weight_bytes), model->learning_seconds * 1e3, model->threads,
        model->latency * 1e3, "machines", "games", "playing", "at work", "weights", "to rank 0",
        "messages", "lessons");
    Json rows = Json::array();
    for (const int machines : {1, 2, 4, 10, 40, 100}) {
      if (interrupted()) return interruption();
      const std::uint64_t games = enough_games(*model, machines);
      const ScalingFigures figures = simulate_generation(*model, machines, games);
      report.note += fmt::format(
          "{:>8}  {:>7}  {:>7.2f} s  {:>5.0f} %  {:>6.2f} s  {:>9}/s  {:>8}/s  {:>7.1f} s\n",
          machines, games, figures.playing_seconds, 100 * figures.playing_share,
          figures.weight_seconds, bytes_text(figures.bytes_per_second),
          short_number(figures.messages_per_second), figures.learning_seconds);
      rows.push_back({{"machines", machines},
                      {"games", games},
                      {"playing_seconds", figures.playing_seconds},
                      {"playing_share", figures.playing_share},
                      {"weight_seconds", figures.weight_seconds},
                      {"bytes_per_second", figures.bytes_per_second},
                      {"messages_per_second", figures.messages_per_second},
                      {"learning_seconds", figures.learning_seconds}});
    }
    report.note += "\n";
    cases.push_back({{"name", scaled.name},
                     {"game_bytes", model->game_bytes},
                     {"weight_bytes", model->weight_bytes},
                     {"simulated", std::move(rows)}});
  }
  report.facts = {{"cases", std::move(cases)}};
  return report;
}

}  // namespace damier::bench
