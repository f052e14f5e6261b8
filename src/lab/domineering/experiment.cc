#include "damier/lab/domineering/experiment.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/games/domineering/domineering.h"
#include "damier/learn/teacher.h"
#include "damier/model/model.h"
#include "damier/play/players/player_text.h"
#include "damier/search/monte_carlo.h"

namespace damier::lab {

namespace {

constexpr int kRevision = 1;
constexpr const char* kReportRecipe = "domineering-report";
constexpr std::size_t kAskedRows = 256;
constexpr const char* kUntried = ",last=untried";
constexpr const char* kBound = ",choice=bound,mean=zero";

std::string flat_text(std::int64_t playouts) {
  return playouts == 0 ? "random" : fmt::format("flat:{}", playouts);
}

// Three residual blocks behind a convolution.
std::string level_text(double dropout) {
  const std::string convolution =
      R"({"type":"conv2d","channels":32,"bias":false},{"type":"batch_norm"})";
  const std::string relu = R"({"type":"relu"})";
  std::string text = fmt::format("{},{}", convolution, relu);
  for (int block = 0; block < 3; ++block) {
    text += fmt::format(R"(,{{"type":"residual","layers":[{0},{1},{0}]}},{1})", convolution, relu);
    if (dropout > 0) text += fmt::format(R"(,{{"type":"dropout","rate":{:g}}})", dropout);
  }
  return text;
}

Result<ClassAccuracy> class_accuracy(Study& study, const learn::Recipe& recipe,
                                     const std::string& path) {
  const auto data = study.data(recipe);
  if (!data) return data.error();
  const auto model = model::open_model(path);
  if (!model) return model.error();
  const learn::RowRange rows = (*data)->rows(learn::Split::test);
  const auto labels = (*data)->values<std::int32_t>((*data)->column_index("label"), rows);
  if (!labels) return labels.error();
  const auto inputs = (*data)->values<float>((*data)->column_index("input"), rows);
  if (!inputs) return inputs.error();
  return model->visit([&](const auto& weights) {
    const auto network = model::network_copy(weights, weights.spec(), static_cast<int>(kAskedRows));
    const auto predictor = model::predict_with(*network);
    const auto width = static_cast<std::size_t>(predictor->spec().input.size());
    ClassAccuracy found;
    for (std::size_t at = 0; at < labels->size(); at += kAskedRows) {
      const std::size_t count = std::min(kAskedRows, labels->size() - at);
      predictor->run(std::span(*inputs).subspan(at * width, count * width), count);
      for (std::size_t i = 0; i < count; ++i) {
        const auto said = predictor->output(0, i);
        const auto best = std::max_element(said.begin(), said.end()) - said.begin();
        found.right += best == (*labels)[at + i];
        ++found.n;
      }
    }
    return found;
  });
}

// The teacher's moves again, by other random games: how often it names its own label.
Result<ClassAccuracy> asked_again(Study& study, const learn::Recipe& recipe) {
  using games::domineering::Domineering;
  const auto data = study.data(recipe);
  if (!data) return data.error();
  const auto teacher =
      learn::TeacherName::parse(recipe.task->text_option(recipe.data->generate, "oracle"));
  if (!teacher) return teacher.error();
  const learn::RowRange rows = (*data)->rows(learn::Split::test);
  const auto labels = (*data)->values<std::int32_t>((*data)->column_index("label"), rows);
  if (!labels) return labels.error();
  const int places = (*data)->column_index("position");
  const auto bytes = (*data)->values<std::int32_t>(places, rows);
  if (!bytes) return bytes.error();
  const std::size_t width = (*data)->columns()[static_cast<std::size_t>(places)].width;
  const Domineering game;
  std::vector<char> named(labels->size(), 0);
  study.pool().for_each(labels->size(), [&](std::size_t i) {
    if (interrupted()) return;
    std::string text;
    for (std::size_t k = 0; k < width && (*bytes)[i * width + k] != 0; ++k) {
      text += static_cast<char>((*bytes)[i * width + k]);
    }
    const auto state = game.parse_position(text);
    if (!state) return;  // the data were made here
    RandomStream random(study.seed(), "experiment.again", i);
    const search::BanditSearch<Domineering> bandit(static_cast<std::uint64_t>(teacher->amount),
                                                   {.c = teacher->c});
    const auto answer =
        bandit.answer(games::History<Domineering>(game, *state), {.random = &random});
    named[i] = index(game.action(*state, answer.best().move)) == (*labels)[i];
  });
  if (interrupted() || study.stopped()) return interruption();
  return ClassAccuracy{std::count(named.begin(), named.end(), 1), std::ssize(named)};
}

void add_network(Study& study, const learn::Recipe& recipe, DomineeringNetwork& into) {
  study.train("train " + into.name, recipe, study.seed(), into.trained);
  study.measure<ClassAccuracy>(
      {"accuracy of " + into.name, 0.5},
      [recipe] {
        return Json{{"measure", "accuracy"}, {"recipe", recipe.json}};
      },
      [&study, recipe, &into] { return class_accuracy(study, recipe, into.trained.model); },
      into.on_test);
}

// The matches of the study, all from the empty board: the players' own chance makes the games
// differ.
class DomineeringMatches {
 public:
  DomineeringMatches(Study& study, std::shared_ptr<const play::Toolkit> toolkit)
      : study_(study), toolkit_(std::move(toolkit)) {}

  void add(const std::string& player, const std::string& opponent, std::int64_t games,
           double seconds, MatchFindings& into) {
    add_match(
        study_,
        step(player, opponent, games, seconds, {player, opponent}, [player] { return player; }),
        into);
  }
  // Of a network that the study trains.
  void add(const DomineeringNetwork& network, const learn::Recipe& recipe,
           const std::string& opponent, std::int64_t games, double seconds, MatchFindings& into) {
    add_match(study_,
              step(network.name, opponent, games, seconds, {recipe.json, opponent},
                   [&network] { return "net:" + play::player_value(network.trained.model); }),
              into);
  }

 private:
  // The players are opened under their names: where a model's file lies does not change the games.
  MatchStep step(const std::string& name, const std::string& opponent, std::int64_t games,
                 double seconds, Json players, std::function<std::string()> player) const {
    MatchStep match;
    match.info = {fmt::format("{} against {}", name, opponent), seconds};
    match.players = std::move(players);
    match.games = games;
    match.open = [=, toolkit = toolkit_, seed = study_.seed()]() -> Result<play::Contest> {
      play::ContestPlan plan;
      plan.toolkit = toolkit;
      plan.games = games;
      plan.opening_plies = 0;
      plan.seed = seed;
      std::vector<play::OpenedPlayer> opened;
      for (const auto& [shown, text] : {std::pair(name, player()), {opponent, opponent}}) {
        auto one = play::open_player(*toolkit, text);
        if (!one) return std::move(one).error();
        one->name = shown;
        opened.push_back(*std::move(one));
      }
      return play::open_contest(std::move(plan), std::move(opened));
    };
    return match;
  }

  Study& study_;
  std::shared_ptr<const play::Toolkit> toolkit_;
};

// About: a million random games a second for each player of a game of some 27 plies.
double match_seconds(std::int64_t games, std::int64_t playouts) {
  constexpr double kPlayoutsAGame = 14 * 22, kPlayoutRate = 8e6;
  return 0.2 + static_cast<double>(games * playouts) * kPlayoutsAGame / kPlayoutRate;
}

void add_pairs(DomineeringMatches& matches, const DomineeringPlan& plan,
               std::vector<PlayoutPair>& pairs) {
  constexpr std::int64_t kLong = 1000;
  // The list must not grow while its places are in use.
  pairs.reserve(plan.players.size() * plan.players.size());
  for (std::size_t i = 0; i < plan.players.size(); ++i) {
    for (std::size_t j = i + 1; j < plan.players.size(); ++j) {
      const PlayoutPlayer &player = plan.players[i], &opponent = plan.players[j];
      PlayoutPair& pair = pairs.emplace_back();
      pair.player = player.name;
      pair.opponent = opponent.name;
      const std::int64_t games = opponent.playouts > kLong ? plan.long_games : plan.games;
      const double seconds = match_seconds(games, opponent.playouts + player.playouts);
      const std::string one = flat_text(player.playouts), other = flat_text(opponent.playouts);
      matches.add(one, other, games, seconds, pair.match);
      if (i == 0 || j != i + 1) continue;
      matches.add(one + kUntried, other + kUntried, games, seconds, pair.untried);
    }
  }
}

}  // namespace

DomineeringPlan domineering_plan(const Published& published, bool quick) {
  DomineeringPlan plan;
  for (const PublishedRow& row : published.table("networks").rows)
    plan.networks.push_back(row.name);
  plan.players = {{"random", 0}, {"10", 10}, {"100", 100}, {"1K", 1000}, {"10K", 10'000}};
  plan.exploration = published.sweep("exploration").numbers();
  if (!quick) return plan;
  plan.settings = {"epochs=4"};
  plan.games = 60;
  plan.long_games = 20;
  return plan;
}

Result<learn::Recipe> domineering_recipe(const Published& published, const DomineeringPlan& plan,
                                         const std::string& network) {
  const auto figure = [&](const char* column) {
    return published.value(fmt::format("networks.{}.{}", network, column));
  };
  std::vector<std::string> levels(static_cast<std::size_t>(figure("levels")),
                                  level_text(figure("dropout")));
  learn::Settings settings = {fmt::format("network.layers=[{}]", fmt::join(levels, ","))};
  settings.insert(settings.end(), plan.settings.begin(), plan.settings.end());
  return learn::find_recipe(kReportRecipe, settings);
}

const DomineeringNetwork& DomineeringFindings::player() const {
  const auto at = std::find(plan.networks.begin(), plan.networks.end(), plan.player);
  return networks[static_cast<std::size_t>(at - plan.networks.begin())];
}

Result<DomineeringFindings> study_domineering(const Published& published,
                                              const DomineeringPlan& plan,
                                              const ExperimentOptions& options,
                                              const ExperimentContext& context) {
  // Whatever is wrong is told before the work.
  std::vector<learn::Recipe> recipes;
  for (const std::string& network : plan.networks) {
    auto recipe = domineering_recipe(published, plan, network);
    if (!recipe) return std::move(recipe).error();
    recipes.push_back(*std::move(recipe));
  }
  DomineeringPlan after_plan = plan;
  after_plan.settings.emplace_back("data.generate.shown=after");
  const auto after = domineering_recipe(published, after_plan, plan.player);
  if (!after) return after.error();
  const auto entry = context.registry.find("domineering");
  if (!entry) return entry.error();
  auto game = (*entry)->make({});
  if (!game) return std::move(game).error();

  auto study = open_study("domineering", kRevision, options, context);
  if (!study) return std::move(study).error();
  DomineeringFindings findings;
  findings.plan = plan;
  findings.networks.resize(plan.networks.size());
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    findings.networks[i].name = "network " + plan.networks[i];
    add_network(*study, recipes[i], findings.networks[i]);
  }
  study->measure<ClassAccuracy>(
      {"the teacher asked again", 1},
      [&] {
        return Json{{"measure", "again"}, {"recipe", recipes.front().json}};
      },
      [&] { return asked_again(*study, recipes.front()); }, findings.again);
  findings.after.name = "network " + plan.player + " after the move";
  add_network(*study, *after, findings.after);

  DomineeringMatches matches(*study, context.registry.toolkit(*std::move(game)));
  add_pairs(matches, plan, findings.pairs);
  const DomineeringNetwork& player = findings.player();
  const auto& recipe = recipes[static_cast<std::size_t>(&player - findings.networks.data())];
  findings.exploration.resize(plan.exploration.size());
  for (std::size_t i = 0; i < plan.exploration.size(); ++i) {
    ExplorationPoint& point = findings.exploration[i];
    point.x = plan.exploration[i];
    const std::string ucb = fmt::format("ucb:{},c={:g}", plan.playouts, point.x);
    const std::string evenly = flat_text(plan.playouts);
    const double both = match_seconds(plan.games, 3 * plan.playouts);
    const double one = match_seconds(plan.games, 2 * plan.playouts);
    matches.add(ucb, evenly, plan.games, both, point.ucb);
    matches.add(ucb + kBound, evenly + kUntried, plan.games, both, point.bound);
    matches.add(player, recipe, ucb, plan.games, one, point.network);
    matches.add(player, recipe, ucb + kBound, plan.games, one, point.network_bound);
  }
  if (auto status = study->run(); !status) return std::move(status).error();
  return findings;
}

Measured measured_domineering(const DomineeringFindings& findings) {
  Measured measured;
  auto& figures = measured.figures;
  for (std::size_t i = 0; i < findings.networks.size(); ++i) {
    figures["network." + findings.plan.networks[i]] = findings.networks[i].on_test.share();
  }
  figures["teacher.again"] = findings.again.share();
  figures["after.accuracy"] = findings.after.on_test.share();
  figures["after.played"] = findings.after.trained.metric("test", "label_accuracy");
  for (const PlayoutPair& pair : findings.pairs) {
    if (pair.untried.record.games() == 0) continue;
    const std::string name = fmt::format("{}-{}", pair.player, pair.opponent);
    figures["playouts." + name] = pair.match.score();
    figures["untried." + name] = pair.untried.score_first();
  }
  for (const ExplorationPoint& point : findings.exploration) {
    figures[fmt::format("ucb.{:g}", point.x)] = point.ucb.score();
    figures[fmt::format("bound.{:g}", point.x)] = point.bound.score_first();
    figures[fmt::format("net.{:g}", point.x)] = point.network_bound.score();
    figures[fmt::format("fair.{:g}", point.x)] = point.network.score();
  }
  return measured;
}

Result<ExperimentResult> run_domineering(const Published& published,
                                         const ExperimentOptions& options,
                                         const ExperimentContext& context) {
  const auto findings =
      study_domineering(published, domineering_plan(published, options.quick), options, context);
  if (!findings) return findings.error();
  return present_domineering(published, *findings, options);
}

}  // namespace damier::lab
