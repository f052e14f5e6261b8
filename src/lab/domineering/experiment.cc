#include "damier/lab/domineering/experiment.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/games/domineering/domineering.h"
#include "damier/lab/matches.h"
#include "damier/learn/teacher.h"
#include "damier/model/model.h"
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

// How often the label is named; by a network with the greatest of all outputs, legal or not.
struct ClassAccuracy {
  std::int64_t right = 0, n = 0;
};
void describe(auto& fields, Is<ClassAccuracy> auto& accuracy) {
  fields("right", accuracy.right);
  fields("n", accuracy.n);
}
Json findings_of(const ClassAccuracy& accuracy) {
  return estimate_json(share_estimate(accuracy.right, accuracy.n));
}

Result<ClassAccuracy> class_accuracy(Study& study, const learn::Recipe& recipe,
                                     const std::string& path) {
  const auto data = TRY(study.data(recipe));
  const auto model = TRY(model::open_model(path));
  const learn::RowRange rows = data->rows(learn::Split::test);
  const auto labels = TRY(data->values<std::int32_t>(data->column_index("label"), rows));
  const auto inputs = TRY(data->values<float>(data->column_index("input"), rows));
  return model.visit([&](const auto& weights) {
    const auto network = model::network_copy(weights, weights.spec(), static_cast<int>(kAskedRows));
    const auto predictor = model::predict_with(*network);
    const auto width = static_cast<std::size_t>(predictor->spec().input.size());
    ClassAccuracy found;
    for (std::size_t at = 0; at < labels.size(); at += kAskedRows) {
      const std::size_t count = std::min(kAskedRows, labels.size() - at);
      predictor->run(std::span(inputs).subspan(at * width, count * width), count);
      for (std::size_t i = 0; i < count; ++i) {
        const auto said = predictor->output(0, i);
        const auto best = std::max_element(said.begin(), said.end()) - said.begin();
        found.right += best == labels[at + i];
        ++found.n;
      }
    }
    return found;
  });
}

// The teacher's moves again, by other random games: how often it names its own label.
Result<ClassAccuracy> asked_again(Study& study, const learn::Recipe& recipe) {
  using games::domineering::Domineering;
  const auto data = TRY(study.data(recipe));
  const Domineering game;
  const auto teacher = TRY(learn::open_asked(
      game, recipe.task->text_option(recipe.data->generate, "teacher"), play::PlayerUse::one_best));
  const learn::RowRange rows = data->rows(learn::Split::test);
  const auto labels = TRY(data->values<std::int32_t>(data->column_index("label"), rows));
  const int places = data->column_index("position");
  const auto bytes = TRY(data->values<std::int32_t>(places, rows));
  const std::size_t width = data->columns()[static_cast<std::size_t>(places)].width;
  std::vector<char> named(labels.size(), 0);
  study.pool().for_each(labels.size(), [&](std::size_t i) {
    if (interrupted()) return;
    std::string text;
    for (std::size_t k = 0; k < width && bytes[i * width + k] != 0; ++k) {
      text += static_cast<char>(bytes[i * width + k]);
    }
    const auto state = game.parse_position(text);
    if (!state) return;  // the data were made here
    RandomStream random(study.seed(), "experiment.again", i);
    const auto lesson = learn::Teacher<Domineering>(game, teacher).teach(*state, random);
    named[i] = lesson && index(game.action(*state, lesson->move)) == labels[i];
  });
  if (interrupted() || study.stopped()) return interruption();
  return ClassAccuracy{std::count(named.begin(), named.end(), 1), std::ssize(named)};
}

struct DomineeringNetwork {
  std::string name;
  learn::Recipe recipe;
  TrainedNetwork trained;
  ClassAccuracy on_test;  // on boards as its data show them
};

Json findings_of(const DomineeringNetwork& network) {
  Json json = findings_of(network.trained);
  json["name"] = network.name;
  json["classes"] = findings_of(network.on_test);
  return json;
}

void add_network(Study& study, DomineeringNetwork& network) {
  study.train("train " + network.name, network.recipe, study.seed(), network.trained);
  study.measure<ClassAccuracy>(
      {"accuracy of " + network.name, 0.5},
      [&network] {
        return Json{{"measure", "accuracy"}, {"recipe", network.recipe.json}};
      },
      [&study, &network] { return class_accuracy(study, network.recipe, network.trained.model); },
      network.on_test);
}

// Two players by random games.
struct PlayoutPair {
  std::string player, opponent;  // the weaker one first
  MatchFindings match;
  MatchFindings untried;  // the last move untried; not played by all pairs
};

// What was played with a value of c.
struct ExplorationPoint {
  double c = 0;
  MatchFindings ucb;            // against as many random games spread evenly
  MatchFindings bound;          // the same, both as the report's program has them
  MatchFindings network;        // against ucb
  MatchFindings network_bound;  // against ucb as the report's program has it
};

// About: a million random games a second for each player of a game of some 27 plies.
double match_seconds(std::int64_t games, std::int64_t playouts) {
  constexpr double kPlayoutsAGame = 14 * 22, kPlayoutRate = 8e6;
  return 0.2 + static_cast<double>(games * playouts) * kPlayoutsAGame / kPlayoutRate;
}

// The matches of the study, all from the empty board: the players' own chance makes the games
// differ.
class DomineeringMatches {
 public:
  DomineeringMatches(Study& study, const DomineeringPlan& plan, SharedToolkit toolkit)
      : study_(study), plan_(plan), toolkit_(std::move(toolkit)) {}

  void add_pairs(std::vector<PlayoutPair>& pairs) {
    constexpr std::int64_t kLong = 1000;
    // The list must not grow while its places are in use.
    pairs.reserve(plan_.players.size() * plan_.players.size());
    for (std::size_t i = 0; i < plan_.players.size(); ++i) {
      for (std::size_t j = i + 1; j < plan_.players.size(); ++j) {
        const PlayoutPlayer &player = plan_.players[i], &opponent = plan_.players[j];
        PlayoutPair& pair = pairs.emplace_back(PlayoutPair{player.name, opponent.name, {}, {}});
        const std::int64_t games = opponent.playouts > kLong ? plan_.long_games : plan_.games;
        const double seconds = match_seconds(games, opponent.playouts + player.playouts);
        const std::string one = flat_text(player.playouts), other = flat_text(opponent.playouts);
        add(one, other, games, seconds, pair.match);
        if (i == 0 || j != i + 1) continue;
        add(one + kUntried, other + kUntried, games, seconds, pair.untried);
      }
    }
  }

  void add_exploration(const DomineeringNetwork& network, std::vector<ExplorationPoint>& points) {
    points.resize(plan_.exploration.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      ExplorationPoint& point = points[i];
      point.c = plan_.exploration[i];
      const std::string ucb = fmt::format("ucb:{},c={:g}", plan_.playouts, point.c);
      const std::string evenly = flat_text(plan_.playouts);
      const double both = match_seconds(plan_.games, 3 * plan_.playouts);
      add(ucb, evenly, plan_.games, both, point.ucb);
      add(ucb + kBound, evenly + kUntried, plan_.games, both, point.bound);
      add(network, ucb, point.network);
      add(network, ucb + kBound, point.network_bound);
    }
  }

 private:
  void add(const std::string& player, const std::string& opponent, std::int64_t games,
           double seconds, MatchFindings& into) {
    add_match(study_, toolkit_,
              {.players = {player_of(toolkit_, player), player_of(toolkit_, opponent)},
               .identity = {player, opponent},
               .games = games,
               .seconds = seconds},
              into);
  }
  void add(const DomineeringNetwork& network, const std::string& opponent, MatchFindings& into) {
    const auto model = [&network] { return network.trained.model; };
    add_match(
        study_, toolkit_,
        {.players = {network_player(toolkit_, network.name, model), player_of(toolkit_, opponent)},
         .identity = {network.recipe.json, opponent},
         .games = plan_.games,
         .seconds = match_seconds(plan_.games, 2 * plan_.playouts)},
        into);
  }

  Study& study_;
  const DomineeringPlan& plan_;
  SharedToolkit toolkit_;
};

// --- findings -----------------------------------------------------------------------------------

Json findings_of(const PlayoutPair& pair) {
  Json json = {
      {"player", pair.player}, {"opponent", pair.opponent}, {"match", findings_of(pair.match)}};
  if (pair.untried.record.games() > 0) json["untried"] = findings_of(pair.untried);
  return json;
}

// `published` is where the two published figures add up to 100, and what one leaves to the other.
Json findings_of(const ExplorationPoint& point, const Published& published) {
  Json json = {{"ucb", findings_of(point.ucb)},
               {"bound", findings_of(point.bound)},
               {"network", findings_of(point.network)},
               {"network_bound", findings_of(point.network_bound)}};
  const auto figure = [&](const char* column) {
    return published.figure(fmt::format("exploration.{:g}.{}", point.c, column));
  };
  const auto ucb = figure("ucb"), network = figure("network");
  if (ucb) json["left_by_ucb"] = 100 - ucb->value;
  json["adds_up"] = ucb && network && ucb->value + network->value == 100;
  return json;
}

}  // namespace

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

Result<Json> study_domineering(const Published& published, const DomineeringPlan& plan,
                               const ExperimentOptions& options, const ExperimentContext& context) {
  // Whatever is wrong is told before the work.
  std::vector<DomineeringNetwork> networks;
  for (const std::string& network : plan.networks) {
    auto recipe = TRY(domineering_recipe(published, plan, network));
    networks.push_back({"network " + network, std::move(recipe), {}, {}});
  }
  // The network that plays, taught boards after the move.
  DomineeringPlan after_plan = plan;
  after_plan.settings.emplace_back("data.generate.shown=after");
  auto after_recipe = TRY(domineering_recipe(published, after_plan, plan.player));
  DomineeringNetwork after = {
      "network " + plan.player + " after the move", std::move(after_recipe), {}, {}};
  const auto entry = TRY(context.registry.find("domineering"));
  auto game = TRY(entry->make({}));

  auto study = TRY(open_study("domineering", kRevision, options, context));
  for (DomineeringNetwork& network : networks) add_network(study, network);
  ClassAccuracy again;  // the teacher, by other random games
  const learn::Recipe& first = networks.front().recipe;
  study.measure<ClassAccuracy>(
      {"the teacher asked again", 1},
      [&] {
        return Json{{"measure", "again"}, {"recipe", first.json}};
      },
      [&] { return asked_again(study, first); }, again);
  add_network(study, after);
  DomineeringMatches matches(study, plan, context.registry.toolkit(std::move(game)));
  std::vector<PlayoutPair> pairs;
  matches.add_pairs(pairs);
  const auto player = std::find(plan.networks.begin(), plan.networks.end(), plan.player);
  std::vector<ExplorationPoint> exploration;
  matches.add_exploration(networks[static_cast<std::size_t>(player - plan.networks.begin())],
                          exploration);
  TRY(study.run());

  Json findings = {{"player", plan.player},         {"games", plan.games},
                   {"long_games", plan.long_games}, {"playouts", plan.playouts},
                   {"again", findings_of(again)},   {"networks", Json::object()},
                   {"pairs", Json::object()},       {"exploration", Json::object()}};
  for (std::size_t i = 0; i < networks.size(); ++i) {
    findings["networks"][plan.networks[i]] = findings_of(networks[i]);
  }
  findings["after"][plan.player] = findings_of(after);
  findings["after"][plan.player]["is_after"] = true;
  for (const PlayoutPair& pair : pairs) {
    findings["pairs"][fmt::format("{}-{}", pair.player, pair.opponent)] = findings_of(pair);
  }
  const double weaker = pairs.back().match.score().value;
  findings["last"] = findings_of(pairs.back());
  findings["last"].update(
      {{"won_by_more", estimate_json(bare_estimate(EstimateKind::share, 1 - weaker, 0))},
       {"more_is_better", weaker < 0.5}});
  std::int64_t add_up = 0;
  for (const ExplorationPoint& point : exploration) {
    const Json& json = findings["exploration"][fmt::format("{:g}", point.c)] =
        findings_of(point, published);
    add_up += json["adds_up"].get<bool>();
  }
  findings["add_up"] = {{"count", add_up}, {"points", exploration.size()}};
  return findings;
}

}  // namespace damier::lab
