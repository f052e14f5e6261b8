#include "damier/lab/domineering/experiment.h"

#include <algorithm>
#include <list>

#include <fmt/format.h>

#include "damier/exact/domineering/exact.h"
#include "damier/games/domineering/domineering.h"
#include "damier/lab/matches.h"
#include "damier/learn/teacher.h"
#include "damier/model/model.h"

namespace damier::lab {

namespace {

constexpr int kRevision = 2;
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

// How often a network names the label with the greatest of all outputs, legal or not.
Result<Estimate> class_accuracy(Study& study, const learn::Recipe& recipe,
                                const std::string& path) {
  const auto data = TRY(study.data(recipe));
  const auto model = TRY(model::open_model(path));
  const learn::RowRange rows = data->rows(learn::Split::test);
  const auto labels = TRY(data->values<std::int32_t>(data->column_index("label"), rows));
  const auto inputs = TRY(data->values<float>(data->column_index("input"), rows));
  const auto predictor = model::predict_with(model, static_cast<int>(kAskedRows));
  const auto width = static_cast<std::size_t>(predictor->spec().input.size());
  std::int64_t right = 0;
  for (std::size_t at = 0; at < labels.size(); at += kAskedRows) {
    const std::size_t count = std::min(kAskedRows, labels.size() - at);
    predictor->run(std::span(inputs).subspan(at * width, count * width), count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto said = predictor->output(0, i);
      right += std::ranges::max_element(said) - said.begin() == labels[at + i];
    }
  }
  return share_estimate(right, std::ssize(labels));
}

// The teacher's moves again, by other random games: how often it names its own label.
Result<Estimate> asked_again(Study& study, const learn::Recipe& recipe) {
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
  return share_estimate(std::ranges::count(named, 1), std::ssize(named));
}

struct DomineeringNetwork {
  std::string name;
  learn::Recipe recipe;
  TrainedNetwork trained;
  Estimate on_test;  // on boards as its data show them
};

Json findings_of(const DomineeringNetwork& network) {
  Json json = findings_of(network.trained);
  json["name"] = network.name;
  json["classes"] = estimate_json(network.on_test);
  return json;
}

void add_network(Study& study, DomineeringNetwork& network) {
  study.train("train " + network.name, network.recipe, study.seed(), network.trained);
  study.measure<Estimate>(
      {"accuracy of " + network.name, 0.5},
      Json{{"measure", "accuracy"}, {"recipe", network.recipe.json}},
      [&study, &network] { return class_accuracy(study, network.recipe, network.trained.model); },
      network.on_test);
}

// About: a million random games a second for each player of a game of some 27 plies.
double match_seconds(std::int64_t games, std::int64_t playouts) {
  constexpr double kPlayoutsAGame = 14 * 22, kPlayoutRate = 8e6;
  return 0.2 + static_cast<double>(games * playouts) * kPlayoutsAGame / kPlayoutRate;
}

// A match, and where it stands in the findings: "pairs", "1K-10K", "match".
struct PlacedMatch {
  const char* table;
  std::string row, column;
  MatchFindings found;
};

// The matches of the study, all from the empty board: the players' own chance makes the games
// differ. The list does not move what is in it.
void add_matches(Study& study, const DomineeringPlan& plan, const SharedToolkit& toolkit,
                 const DomineeringNetwork& network, std::list<PlacedMatch>& matches) {
  const auto add = [&](const char* table, const std::string& row, const char* column,
                       MatchPlayer player, const std::string& opponent, std::int64_t games,
                       double seconds) {
    add_match(study, toolkit,
              {.players = {std::move(player), player_of(toolkit, opponent)},
               .games = games,
               .seconds = seconds},
              matches.emplace_back(PlacedMatch{table, row, column, {}}).found);
  };
  constexpr std::int64_t kLong = 1000;
  for (std::size_t i = 0; i < plan.players.size(); ++i) {
    for (std::size_t j = i + 1; j < plan.players.size(); ++j) {
      const PlayoutPlayer &player = plan.players[i], &opponent = plan.players[j];
      const std::string row = fmt::format("{}-{}", player.name, opponent.name);
      const std::int64_t games = opponent.playouts > kLong ? plan.long_games : plan.games;
      const double seconds = match_seconds(games, opponent.playouts + player.playouts);
      const std::string one = flat_text(player.playouts), other = flat_text(opponent.playouts);
      add("pairs", row, "match", player_of(toolkit, one), other, games, seconds);
      if (i == 0 || j != i + 1) continue;
      add("pairs", row, "untried", player_of(toolkit, one + kUntried), other + kUntried, games,
          seconds);
    }
  }
  const std::string evenly = flat_text(plan.playouts);
  const double both = match_seconds(plan.games, 3 * plan.playouts),
               alone = match_seconds(plan.games, 2 * plan.playouts);
  const auto taught = network_player(toolkit, network.name, network.trained, network.recipe.json);
  for (const double c : plan.exploration) {
    const std::string row = fmt::format("{:g}", c);
    const std::string ucb = fmt::format("ucb:{},c={:g}", plan.playouts, c);
    // Against as many random games spread evenly; `bound`: both as the report's program has them.
    add("exploration", row, "ucb", player_of(toolkit, ucb), evenly, plan.games, both);
    add("exploration", row, "bound", player_of(toolkit, ucb + kBound), evenly + kUntried,
        plan.games, both);
    add("exploration", row, "network", taught, ucb, plan.games, alone);
    add("exploration", row, "network_bound", taught, ucb + kBound, plan.games, alone);
  }
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
  const auto game = TRY(context.registry.make("domineering"));

  auto study = TRY(open_study("domineering", kRevision, options, context));
  for (DomineeringNetwork& network : networks) add_network(study, network);
  Estimate again;  // the teacher, by other random games
  const learn::Recipe& first = networks.front().recipe;
  study.measure<Estimate>(
      {"the teacher asked again", 1}, Json{{"measure", "again"}, {"recipe", first.json}},
      [&] { return asked_again(study, first); }, again);
  add_network(study, after);
  std::list<PlacedMatch> matches;
  const auto player = std::ranges::find(plan.networks, plan.player) - plan.networks.begin();
  add_matches(study, plan, context.registry.toolkit(game),
              networks[static_cast<std::size_t>(player)], matches);
  TRY(study.run());

  Json findings = {{"player", plan.player},         {"games", plan.games},
                   {"long_games", plan.long_games}, {"playouts", plan.playouts},
                   {"again", estimate_json(again)}, {"networks", Json::object()},
                   {"pairs", Json::object()},       {"exploration", Json::object()}};
  for (std::size_t i = 0; i < networks.size(); ++i) {
    findings["networks"][plan.networks[i]] = findings_of(networks[i]);
  }
  findings["after"][plan.player] = findings_of(after);
  findings["after"][plan.player]["is_after"] = true;
  for (const PlayoutPlayer& one : plan.players) {
    for (const PlayoutPlayer& other : plan.players) {
      if (&one >= &other) continue;
      findings["pairs"][fmt::format("{}-{}", one.name, other.name)] = {{"player", one.name},
                                                                       {"opponent", other.name}};
    }
  }
  for (const PlacedMatch& match : matches) {
    findings[match.table][match.row][match.column] = findings_of(match.found);
  }
  const auto& [last, pair] = findings["pairs"].items().back();
  const double weaker = estimate_in(pair["match"]["score"])->value;
  findings["last"] = Json(pair);
  findings["last"].update(
      {{"won_by_more", estimate_json(bare_estimate(EstimateKind::share, 1 - weaker, 0))},
       {"more_is_better", weaker < 0.5}});
  // Where the two published figures add up to 100, and what one leaves to the other.
  std::int64_t add_up = 0;
  for (const double c : plan.exploration) {
    Json& json = findings["exploration"][fmt::format("{:g}", c)];
    const auto figure = [&](const char* column) {
      return published.figure(fmt::format("exploration.{:g}.{}", c, column));
    };
    const auto ucb = figure("ucb"), network = figure("network");
    if (ucb) json["left_by_ucb"] = 100 - ucb->value;
    const bool adds_up = ucb && network && ucb->value + network->value == 100;
    json["adds_up"] = adds_up;
    add_up += adds_up;
  }
  findings["add_up"] = {{"count", add_up}, {"points", plan.exploration.size()}};
  return findings;
}

}  // namespace damier::lab
