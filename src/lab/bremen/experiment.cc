#include "damier/lab/bremen/experiment.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/base/text/text.h"
#include "damier/exact/bremen/exact.h"
#include "damier/games/bremen/bremen.h"
#include "damier/lab/found.h"
#include "damier/lab/matches.h"
#include "damier/play/analysis/judged_positions.h"
#include "damier/play/contest/games.h"

namespace damier::lab {

using namespace games::bremen;

namespace {

constexpr int kRevision = 4;

// --- games ---

constexpr std::array<const char*, kAnimals> kAnimalNames = {"donkey", "dog", "cat", "rooster"};
constexpr std::array<const char*, kSize> kColumnNames = {"a", "b", "c", "d", "e"};
// Rank 5 above, as the mover sees the board: its own home row below.
constexpr std::array<const char*, kSize> kRowNames = {"5", "4", "3", "2", "1"};

struct BremenCounts {
  std::array<std::array<std::int64_t, kSquares>, kAnimals> arrivals = {};
  // Points of the side that put an animal on a column of its home row, and its games.
  std::array<std::array<double, kSize>, kAnimals> points = {};
  std::array<std::array<std::int64_t, kSize>, kAnimals> games = {};

  void add(const GameRow& game) {
    // Points of the first player.
    const double points_first = game.outcome == "first" ? 1 : game.outcome == "second" ? 0 : 0.5;
    const Bremen rules;
    State state = rules.initial();
    for (const std::string_view text : split(game.moves, ' ')) {
      const auto move = rules.parse_move(state, text);
      if (!move) return;  // the games were played here
      const int action = index(rules.action(state, *move));
      if (is_draft(*move)) {
        const auto animal = static_cast<std::size_t>(animal_of(*move));
        const auto column = static_cast<std::size_t>((action - kFirstDraftMove) % kSize);
        const bool first = state.side == games::Side::first;
        points[animal][column] += first ? points_first : 1 - points_first;
        ++games[animal][column];
      } else {
        ++arrivals[static_cast<std::size_t>(action / kSquares)]
                  [static_cast<std::size_t>(action % kSquares)];
      }
      rules.play(state, *move);
    }
  }

  // Which share of an animal's moves ends on each square.
  Json arrivals_map(std::size_t animal) const {
    double sum = 0;
    for (const std::int64_t n : arrivals[animal]) sum += static_cast<double>(n);
    Json map = map_of(kRowNames, kColumnNames, [&](std::size_t row, std::size_t col) {
      const auto n = static_cast<double>(arrivals[animal][kSize * row + col]);
      return sum > 0 ? Json(n / sum) : Json(nullptr);
    });
    map["moves"] = sum;
    return map;
  }

  Json draft_map() const {
    return map_of(kAnimalNames, kColumnNames, [&](std::size_t animal, std::size_t col) {
      const auto n = static_cast<double>(games[animal][col]);
      return n > 0 ? Json(points[animal][col] / n) : Json(nullptr);
    });
  }
};

// {"count", "decided", "lengths": plies, "arrivals": {ANIMAL: map and "moves"}, "draft": map}; both
// as the side that moves sees the board.
Json bremen_game_findings(const play::GameRows& games) {
  BremenCounts counts;
  std::int64_t decided = 0;
  Json lengths = Json::array();
  for (const auto& game : games) {
    counts.add(*game);
    decided += game->outcome != "draw";
    lengths.push_back(static_cast<double>(game->plies));
  }
  Json findings = {{"count", games.size()},
                   {"decided", decided},
                   {"lengths", std::move(lengths)},
                   {"draft", counts.draft_map()}};
  for (std::size_t animal = 0; animal < kAnimals; ++animal) {
    findings["arrivals"][kAnimalNames[animal]] = counts.arrivals_map(animal);
  }
  return findings;
}

// {"rows": {ANIMAL: {COLUMN: plies until Blue has won, or "draw"}}, and the positions after a draft
// by what they are worth}.
Json bremen_first_placements() {
  const Bremen rules;
  const auto draft = exact::bremen::Draft::with_limit(rules.ply_limit());
  const auto& outcomes = draft->outcomes();
  Json findings = {
      {"columns", kColumnNames}, {"positions", outcomes.won + outcomes.drawn + outcomes.lost},
      {"won", outcomes.won},     {"lost", outcomes.lost},
      {"drawn", outcomes.drawn}, {"limit", rules.ply_limit()}};
  const State start = rules.initial();
  for (std::size_t animal = 0; animal < kAnimals; ++animal) {
    Json& row = findings["rows"][kAnimalNames[animal]];
    for (std::size_t col = 0; col < kSize; ++col) {
      const auto action = static_cast<int>(kFirstDraftMove + kSize * animal + col);
      State next = start;
      rules.play(next, *rules.move(start, games::action_at(action)));
      const games::Known known = draft->known(next);
      row[kColumnNames[col]] = known.verdict == games::Verdict::loss
                                   ? std::to_string(*known.plies + 1)
                                   : std::string("draw");
    }
  }
  return findings;
}

// --- networks ---

// How many moves throw away what a position is worth; `epoch` of a network that learns.
Json losses_of(const play::MoveQualities& moves, int epoch) {
  std::array<std::int64_t, 2> all = {}, lost = {};  // in drawn positions, in won ones
  for (const play::MoveQuality& move : moves.moves) {
    const std::size_t is_won = move.before.verdict == games::Verdict::win;
    ++all[is_won];
    lost[is_won] += !move.keeps();
  }
  return {{"epoch", epoch},
          {"all", estimate_json(moves.lost())},
          {"won", estimate_json(share_estimate(lost[1], all[1]))},
          {"drawn", estimate_json(share_estimate(lost[0], all[0]))}};
}

double share_lost(const Json& losses) { return losses["all"]["value"].get<double>(); }

// A recipe, the network that it becomes, and what was measured of it.
struct BremenNetwork {
  std::string list;  // of the plan: "ways"
  std::string way;   // "corrected"
  int number = 1;    // of its seed
  learn::Recipe recipe;
  Seed seed = Seed{1};
  TrainedNetwork trained = {};
  std::vector<MatchFindings> matches = {};  // by opponent
  MatchFindings against_corrected = {};     // none of the first network itself
  Json losses = {};  // by the epochs that were measured, the last one at last

  std::string name() const { return fmt::format("{}, seed {}", way, value_of(seed)); }
  std::string shown_name() const { return fmt::format("{}, seed {}", way, number); }
  const Json& lost() const { return losses[losses.size() - 1]; }
  // What decides how it plays.
  Json identity() const { return {{"recipe", recipe.json}, {"seed", value_of(seed)}}; }
  // The epochs in which it is measured, and the files of these.
  std::vector<int> epochs() const {
    std::vector<int> epochs;
    for (int epoch = 1; epoch <= recipe.epochs; ++epoch) {
      if (epoch % recipe.evaluate_every == 0 || epoch == recipe.epochs) epochs.push_back(epoch);
    }
    return epochs;
  }
  std::string file(int epoch) const {
    const std::filesystem::path folder = std::filesystem::path(trained.model).parent_path();
    return (folder / learn::weights_file(epoch)).string();
  }
};

// Adds the trainings and what is measured of their networks.
class BremenSteps {
 public:
  BremenSteps(Study& study, const BremenPlan& plan, SharedToolkit toolkit)
      : study_(study), plan_(plan), toolkit_(std::move(toolkit)) {}

  void add(BremenNetwork& network, const BremenNetwork& corrected) {
    study_.train("train " + network.name(), network.recipe, network.seed, network.trained);
    const auto player = [this](const BremenNetwork& one) {
      return network_player(toolkit_, one.name(), one.trained, one.identity());
    };
    const auto add_match = [&](MatchPlayer opponent, MatchFindings& into) {
      lab::add_match(study_, toolkit_,
                     {.players = {player(network), std::move(opponent)},
                      .games = plan_.games,
                      .opening_plies = plan_.opening_plies,
                      .seconds = 0.05 * static_cast<double>(plan_.games)},
                     into);
    };
    network.matches.resize(plan_.opponents.size());
    for (std::size_t i = 0; i < plan_.opponents.size(); ++i) {
      add_match(player_of(toolkit_, plan_.opponents[i]), network.matches[i]);
    }
    if (&network != &corrected) add_match(player(corrected), network.against_corrected);
    const auto players = [&network] {
      std::vector<std::string> texts;
      for (const int epoch : network.epochs()) {
        texts.push_back("net:" + play::player_value(network.file(epoch)));
      }
      return texts;
    };
    judge(network.name(), Json::array({network.identity(), Json(network.epochs())}),
          network.epochs(), players, network.losses);
  }

  void add_others(Json& into) {
    judge(
        "players", Json(plan_.others), std::vector<int>(plan_.others.size(), 0),
        [this] { return plan_.others; }, into);
  }

  void add_tournament(const BremenNetwork& network, Json& into) {
    const auto players = static_cast<double>(network.epochs().size() + plan_.opponents.size());
    study_.measure<Json>(
        {"tournament of " + network.name(),
         0.1 * static_cast<double>(plan_.tournament_games) * players * (players - 1) / 2},
        Json{{"measure", "tournament"},
             {"network", network.identity()},
             {"epochs", network.epochs()},
             {"opponents", Json(plan_.opponents)},
             {"games", plan_.tournament_games},
             {"opening", plan_.opening_plies}},
        [this, &network] { return play_off(network); }, into);
  }

 private:
  // How often the moves of players, or of one network at several epochs, throw something away. All
  // look at the same positions.
  void judge(const std::string& name, Json identity, std::vector<int> epochs,
             std::function<std::vector<std::string>()> players, Json& into) {
    study_.measure<Json>(
        {"value lost by " + name, 2e-4 * static_cast<double>(plan_.positions * epochs.size())},
        Json{{"measure", "regret"}, {"of", identity}, {"positions", plan_.positions}},
        [this, epochs, players]() -> Result<Json> {
          auto all =
              TRY(play::read_judged(play::judged_of("bremen"), "positions", toolkit_->game()));
          const auto positions = play::some_of(std::move(all), plan_.positions);
          std::size_t done = 0;
          const auto moves = TRY(play::judged_moves(
              *toolkit_, players(), positions, study_.seed(), study_.pool(), [&] {
                ++done;
                study_.tell(static_cast<double>(done) / static_cast<double>(positions.size()),
                            fmt::format("position {}/{}", done, positions.size()));
              }));
          if (study_.stopped()) return interruption();
          Json losses = Json::array();
          for (std::size_t i = 0; i < moves.size(); ++i) {
            losses.push_back(losses_of(moves[i], epochs[i]));
          }
          return losses;
        },
        into);
  }

  // Of the opponents, and of a network after each epoch that is measured: ratings, what the games
  // show, and the games.
  Result<Json> play_off(const BremenNetwork& network) {
    std::vector<MatchPlayer> players;
    for (const std::string& text : plan_.opponents) players.push_back(player_of(toolkit_, text));
    const std::vector<int> epochs = network.epochs();
    for (const int epoch : epochs) {
      players.push_back(player_of(toolkit_, "net:" + play::player_value(network.file(epoch))));
      players.back().name = fmt::format("epoch {}", epoch);
    }
    const auto contest =
        TRY(open_match(study_, toolkit_, players, plan_.tournament_games, plan_.opening_plies));
    const auto rows = TRY(play_games(study_, contest));
    const auto rated =
        TRY(play::rate_contest(contest, rows, play::Anchor{plan_.opponents.front(), 0}));
    Json found = {{"ratings", Json::array()},
                  {"rated", Json::object()},
                  {"tournament", bremen_game_findings(rows)},
                  {"csv", play::games_csv(rows)}};
    for (const std::string& opponent : plan_.opponents) {
      found["rated"][opponent] = rated.find(opponent)->elo;
    }
    for (std::size_t i = 0; i < epochs.size(); ++i) {
      const play::Rating& rating = *rated.find(players[plan_.opponents.size() + i].name);
      found["ratings"].push_back(
          Json::array({epochs[i], rating.elo, rating.interval.low, rating.interval.high}));
    }
    return found;
  }

  Study& study_;
  const BremenPlan& plan_;
  SharedToolkit toolkit_;
};

// --- findings -----------------------------------------------------------------------------------

Json findings_of(const BremenNetwork& network, const BremenPlan& plan) {
  Json json = findings_of(network.trained);
  const auto last = [&](std::string_view name) {
    const ByEpoch curve = network.trained.curve(name);
    return curve.empty() ? 0 : curve.back().second;
  };
  json.update({{"name", network.shown_name()},
               {"way", network.way},
               {"lost", network.lost()},
               {"decided", 100 * (1 - last("draws"))},
               {"length", last("plies")},
               {"matches", Json::object()}});
  for (std::size_t i = 0; i < plan.opponents.size(); ++i) {
    json["matches"][plan.opponents[i]] = findings_of(network.matches[i]);
  }
  json["weak"] = findings_of(network.matches.front());
  json["strong"] = findings_of(network.matches.back());
  if (network.against_corrected.record.games() > 0) {
    json["against_corrected"] = findings_of(network.against_corrected);
  }
  return json;
}

// How some networks of one way learnt: {"name", "lost", "decided", "scores": {OPPONENT: points}}.
// A point has the mean of the networks and, of several, the lowest and the highest of them.
Json learning_of(std::span<const BremenNetwork> networks, const std::string& way,
                 const BremenPlan& plan) {
  const auto over = [&](const std::function<ByEpoch(const BremenNetwork&)>& values_of) {
    std::map<int, std::vector<double>> at;
    for (const BremenNetwork& network : networks) {
      if (network.way != way) continue;
      for (const auto& [epoch, value] : values_of(network)) at[epoch].push_back(value);
    }
    Json points = Json::array();
    for (const auto& [epoch, values] : at) {
      const double sum = std::accumulate(values.begin(), values.end(), 0.0);
      Json point = Json::array({epoch, sum / static_cast<double>(values.size())});
      if (values.size() > 1) {
        point.push_back(std::ranges::min(values));
        point.push_back(std::ranges::max(values));
      }
      points.push_back(std::move(point));
    }
    return points;
  };
  Json json = {{"name", way}};
  json["lost"] = over([](const BremenNetwork& network) {
    ByEpoch values;
    for (const Json& losses : network.losses) {
      values.emplace_back(losses["epoch"].get<int>(), share_lost(losses));
    }
    return values;
  });
  json["decided"] = over([](const BremenNetwork& network) {
    ByEpoch values = network.trained.curve("draws");
    for (auto& [epoch, value] : values) value = 1 - value;
    return values;
  });
  for (const std::string& opponent : plan.opponents) {
    json["scores"][opponent] = over(
        [&](const BremenNetwork& network) { return network.trained.curve("score_" + opponent); });
  }
  return json;
}

// `networks`: seed by seed the ways, then faults, then extensions; `others` as in the plan.
Json document_of(const std::vector<BremenNetwork>& networks, const Json& others,
                 const Json& tournament, const BremenPlan& plan) {
  Json json = {{"games", plan.games},
               {"positions", plan.positions},
               {"seeds", plan.seeds},
               {"opponents", plan.opponents},
               {"search", plan.opponents.back()},
               {"strongest", plan.others.back()},
               {"corrected", findings_of(networks.front(), plan)},
               {"as_published", findings_of(networks[1], plan)},
               {"ways", Json::array()},
               {"faults", Json::array()},
               {"extensions", Json::array()},
               {"learning", Json::array()},
               {"without", Json::array()}};
  std::vector<std::pair<std::string, Json>> losses;  // of all, the weakest first
  for (std::size_t i = 0; i < plan.others.size(); ++i) {
    losses.emplace_back(plan.others[i], others[i]);
    json["others"][plan.others[i]] = others[i];
  }
  json["weakest_lost"] = losses.front().second;
  json["strongest_lost"] = losses.back().second;
  for (const BremenNetwork& network : networks) {
    losses.emplace_back(network.shown_name(), network.lost());
  }
  std::ranges::stable_sort(losses, std::greater(),
                           [](const auto& one) { return share_lost(one.second); });
  for (auto& [name, lost] : losses) json["losses"][name] = std::move(lost);
  for (const BremenVariant& way : plan.ways) {
    for (const BremenNetwork& network : networks) {
      if (network.way == way.name) json["ways"].push_back(findings_of(network, plan));
    }
    json["learning"].push_back(learning_of(networks, way.name, plan));
  }
  for (const char* list : {"faults", "extensions"}) json[list].push_back(json["corrected"]);
  const BremenNetwork* best = nullptr;
  for (const BremenNetwork& network : networks) {
    if (network.list == "ways") continue;
    json[network.list].push_back(findings_of(network, plan));
    if (network.list == "faults") continue;
    const auto score = [](const BremenNetwork& one) { return one.matches.back().score().value; };
    if (best == nullptr || score(network) > score(*best)) best = &network;
    // Without what makes games end.
    if (network.way.find("result alone") != std::string::npos || network.way == "even replay") {
      json["without"].push_back(learning_of(networks, network.way, plan));
    }
  }
  json["best"] = findings_of(*best, plan);
  for (const char* key : {"ratings", "rated", "tournament"}) json[key] = tournament[key];
  json["placements"] = bremen_first_placements();
  return json;
}

// The recipes of the plan. PPO has no memory, so what is said of it is left out.
Result<std::vector<BremenNetwork>> networks_of(const BremenPlan& plan, Seed seed) {
  std::vector<BremenNetwork> networks;
  const auto add = [&](const char* list, const std::vector<BremenVariant>& variants,
                       int number) -> Status {
    for (const BremenVariant& variant : variants) {
      learn::Settings settings = plan.settings;
      if (variant.recipe == "bremen-ppo") {
        std::erase_if(settings, [](const std::string& one) {
          return one.starts_with("reinforcement.begin=") ||
                 one.starts_with("reinforcement.replay=");
        });
      }
      settings.insert(settings.end(), variant.settings.begin(), variant.settings.end());
      const auto recipe = TRY(learn::find_recipe(variant.recipe, settings));
      networks.push_back({list, variant.name, number, recipe,
                          Seed{value_of(seed) + static_cast<std::uint64_t>(number - 1)}});
    }
    return Done{};
  };
  for (int number = 1; number <= plan.seeds; ++number) TRY(add("ways", plan.ways, number));
  TRY(add("faults", plan.faults, 1));
  TRY(add("extensions", plan.extensions, 1));
  return networks;
}

}  // namespace

Result<Json> study_bremen(const Published&, const BremenPlan& plan,
                          const ExperimentOptions& options, const ExperimentContext& context) {
  // Whatever is wrong is told before the work.
  auto networks = TRY(networks_of(plan, options.seed));
  Json others, tournament;
  const auto game = TRY(context.registry.make("bremen"));

  auto study = TRY(open_study("bremen", kRevision, options, context));
  BremenSteps steps(study, plan, context.registry.toolkit(game));
  for (BremenNetwork& network : networks) steps.add(network, networks.front());
  steps.add_others(others);
  steps.add_tournament(networks.front(), tournament);
  TRY(study.run());
  const auto folder = TRY(experiment_folder("bremen", options));
  TRY(write_file_atomically(folder / "games.csv", tournament["csv"].text()));
  return document_of(networks, others, tournament, plan);
}

}  // namespace damier::lab
