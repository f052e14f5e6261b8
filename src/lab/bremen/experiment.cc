#include "damier/lab/bremen/experiment.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/lab/bremen/games.h"
#include "damier/lab/matches.h"
#include "damier/play/analysis/judged_positions.h"
#include "damier/play/contest/games_csv.h"

namespace damier {

// What a journal keeps of a game.
void describe(auto& fields, Is<GameRow> auto& game) {
  fields("first", game.first);
  fields("second", game.second);
  fields("opening", game.opening);
  fields("outcome", game.outcome);
  fields("moves", game.moves);
  fields("plies", game.plies);
}

namespace lab {

namespace {

constexpr int kRevision = 3;

// How many moves throw away what a position is worth.
struct BremenLosses {
  int epoch = 0;  // of a network that learns
  std::int64_t won = 0, won_lost = 0, drawn = 0, drawn_lost = 0;

  Estimate all() const { return share_estimate(won_lost + drawn_lost, won + drawn); }
};
void describe(auto& fields, Is<BremenLosses> auto& losses) {
  fields("epoch", losses.epoch);
  fields("won", losses.won);
  fields("won_lost", losses.won_lost);
  fields("drawn", losses.drawn);
  fields("drawn_lost", losses.drawn_lost);
}
// Of several players, or of one network at several epochs.
struct BremenLossList {
  std::vector<BremenLosses> list;
};
void describe(auto& fields, Is<BremenLossList> auto& losses) { fields("list", losses.list); }

Json findings_of(const BremenLosses& losses) {
  return {{"all", estimate_json(losses.all())},
          {"won", estimate_json(share_estimate(losses.won_lost, losses.won))},
          {"drawn", estimate_json(share_estimate(losses.drawn_lost, losses.drawn))}};
}

// Of one network at several epochs, and of the opponents.
struct BremenRating {
  std::string player;
  int epoch = 0;  // 0 of a player that did not learn
  double elo = 0, low = 0, high = 0;
};
void describe(auto& fields, Is<BremenRating> auto& rating) {
  fields("player", rating.player);
  fields("epoch", rating.epoch);
  fields("elo", rating.elo);
  fields("low", rating.low);
  fields("high", rating.high);
}
struct BremenTournament {
  std::vector<BremenRating> ratings;
  std::vector<GameRow> games;
};
void describe(auto& fields, Is<BremenTournament> auto& tournament) {
  fields("ratings", tournament.ratings);
  fields("games", tournament.games);
}

// A recipe, the network that it becomes, and what was measured of it.
struct BremenNetwork {
  std::string way;  // "corrected"
  int number = 1;   // of its seed
  learn::Recipe recipe;
  Seed seed = Seed{1};
  TrainedNetwork trained;
  std::vector<MatchFindings> matches;  // by opponent
  MatchFindings against_corrected;     // none of the first network itself
  BremenLossList losses;               // by the epochs that were measured, the last one at last

  std::string name() const { return fmt::format("{}, seed {}", way, value_of(seed)); }
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
    network.matches.resize(plan_.opponents.size());
    for (std::size_t i = 0; i < plan_.opponents.size(); ++i) {
      const std::string& opponent = plan_.opponents[i];
      add_match(network, player_of(toolkit_, opponent), opponent, network.matches[i]);
    }
    if (&network != &corrected) {
      add_match(network, player(corrected), corrected.identity(), network.against_corrected);
    }
    add_losses(network);
  }

  void add_others(BremenLossList& into) {
    judge(
        "players", Json(plan_.others), plan_.others.size(),
        [this](std::size_t i) { return plan_.others[i]; }, [](std::size_t) { return 0; }, into);
  }

  void add_tournament(const BremenNetwork& network, BremenTournament& into) {
    const auto players = static_cast<double>(network.epochs().size() + plan_.opponents.size());
    study_.measure<BremenTournament>(
        {"tournament of " + network.name(),
         0.1 * static_cast<double>(plan_.tournament_games) * players * (players - 1) / 2},
        [this, &network] {
          return Json{{"measure", "tournament"},         {"network", network.identity()},
                      {"epochs", network.epochs()},      {"opponents", Json(plan_.opponents)},
                      {"games", plan_.tournament_games}, {"opening", plan_.opening_plies}};
        },
        [this, &network] { return play_off(network); }, into);
  }

 private:
  MatchPlayer player(const BremenNetwork& network) const {
    return network_player(toolkit_, network.name(), [&network] { return network.trained.model; });
  }

  void add_match(const BremenNetwork& network, MatchPlayer opponent, Json identity,
                 MatchFindings& into) {
    lab::add_match(study_, toolkit_,
                   {.players = {player(network), std::move(opponent)},
                    .identity = Json::array({network.identity(), std::move(identity)}),
                    .games = plan_.games,
                    .opening_plies = plan_.opening_plies,
                    .seconds = 0.05 * static_cast<double>(plan_.games)},
                   into);
  }

  // How often the moves of a network throw something away, after each epoch that was measured.
  void add_losses(BremenNetwork& network) {
    const std::vector<int> epochs = network.epochs();
    judge(
        network.name(), Json::array({network.identity(), Json(epochs)}), epochs.size(),
        [&network, epochs](std::size_t i) {
          return "net:" + play::player_value(network.file(epochs[i]));
        },
        [epochs](std::size_t i) { return epochs[i]; }, network.losses);
  }

  // All players look at the same positions.
  void judge(const std::string& name, Json identity, std::size_t count,
             std::function<std::string(std::size_t)> player_at,
             std::function<int(std::size_t)> epoch_at, BremenLossList& into) {
    study_.measure<BremenLossList>(
        {"value lost by " + name, 2e-4 * static_cast<double>(plan_.positions * count)},
        [this, identity] {
          return Json{{"measure", "regret"}, {"of", identity}, {"positions", plan_.positions}};
        },
        [this, count, player_at, epoch_at]() -> Result<BremenLossList> {
          auto all =
              TRY(play::read_judged(play::judged_of("bremen"), "positions", toolkit_->game()));
          const auto positions = play::some_of(std::move(all), plan_.positions);
          std::vector<std::string> players;
          for (std::size_t i = 0; i < count; ++i) players.push_back(player_at(i));
          std::size_t done = 0;
          const auto moves =
              play::judged_moves(*toolkit_, players, positions, study_.seed(), study_.pool(), [&] {
                ++done;
                study_.tell(static_cast<double>(done) / static_cast<double>(positions.size()),
                            fmt::format("position {}/{}", done, positions.size()));
              });
          if (!moves) return moves.error();
          if (study_.stopped()) return interruption();
          BremenLossList losses;
          for (std::size_t i = 0; i < moves->size(); ++i) {
            BremenLosses& one = losses.list.emplace_back();
            one.epoch = epoch_at(i);
            for (const play::MoveQuality& move : (*moves)[i].moves) {
              const bool is_won = move.before.verdict == games::Verdict::win;
              ++(is_won ? one.won : one.drawn);
              (is_won ? one.won_lost : one.drawn_lost) += !move.keeps();
            }
          }
          return losses;
        },
        into);
  }

  Result<BremenTournament> play_off(const BremenNetwork& network) {
    std::vector<MatchPlayer> players;
    std::vector<int> epochs(plan_.opponents.size(), 0);
    for (const std::string& text : plan_.opponents) players.push_back(player_of(toolkit_, text));
    for (const int epoch : network.epochs()) {
      players.push_back(network_player(toolkit_, fmt::format("epoch {}", epoch),
                                       [&network, epoch] { return network.file(epoch); }));
      epochs.push_back(epoch);
    }
    const auto contest =
        TRY(open_match(study_, toolkit_, players, plan_.tournament_games, plan_.opening_plies));
    const auto rows = TRY(play_games(study_, contest));
    const auto rated =
        TRY(play::rate_contest(contest, rows, play::Anchor{plan_.opponents.front(), 0}));
    BremenTournament found;
    for (std::size_t i = 0; i < players.size(); ++i) {
      const play::Rating& rating = *rated.find(players[i].name);
      found.ratings.push_back(
          {rating.player, epochs[i], rating.elo, rating.interval.low, rating.interval.high});
    }
    for (const auto& row : rows) found.games.push_back(*row);
    return found;
  }

  Study& study_;
  const BremenPlan& plan_;
  SharedToolkit toolkit_;
};

// --- findings -----------------------------------------------------------------------------------

Json findings_of(const BremenNetwork& network, const BremenPlan& plan) {
  Json json = findings_of(network.trained);
  const auto last = [&](std::string_view curve) {
    const TrainedCurve* found = network.trained.curve(curve);
    return found == nullptr || found->by_epoch.empty() ? 0 : found->by_epoch.back().second;
  };
  json.update({{"name", fmt::format("{}, seed {}", network.way, network.number)},
               {"way", network.way},
               {"lost", findings_of(network.losses.list.back())},
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

using ByEpoch = std::vector<std::pair<int, double>>;

// The mean of several networks, with the lowest and the highest of them, as points.
Json curve_of(const std::vector<ByEpoch>& networks) {
  std::map<int, std::vector<double>> at;
  for (const ByEpoch& one : networks) {
    for (const auto& [epoch, value] : one) at[epoch].push_back(value);
  }
  Json points = Json::array();
  for (const auto& [epoch, values] : at) {
    double sum = 0;
    for (const double value : values) sum += value;
    Json point = Json::array({epoch, sum / static_cast<double>(values.size())});
    if (values.size() > 1) {
      point.push_back(*std::min_element(values.begin(), values.end()));
      point.push_back(*std::max_element(values.begin(), values.end()));
    }
    points.push_back(std::move(point));
  }
  return points;
}

// How some networks of one way learnt: {"name", "lost", "decided", "scores": {OPPONENT: points}}.
Json learning_of(std::span<const BremenNetwork> networks, const std::string& way,
                 const BremenPlan& plan) {
  const auto over = [&](const std::function<ByEpoch(const BremenNetwork&)>& values_of) {
    std::vector<ByEpoch> all;
    for (const BremenNetwork& network : networks) {
      if (network.way == way) all.push_back(values_of(network));
    }
    return curve_of(all);
  };
  const auto told = [](const BremenNetwork& network, std::string_view name) {
    const TrainedCurve* found = network.trained.curve(name);
    return found == nullptr ? ByEpoch() : found->by_epoch;
  };
  Json json = {{"name", way}};
  json["lost"] = over([](const BremenNetwork& network) {
    ByEpoch values;
    for (const BremenLosses& losses : network.losses.list) {
      values.emplace_back(losses.epoch, losses.all().value);
    }
    return values;
  });
  json["decided"] = over([&](const BremenNetwork& network) {
    ByEpoch values = told(network, "draws");
    for (auto& [epoch, value] : values) value = 1 - value;
    return values;
  });
  for (const std::string& opponent : plan.opponents) {
    json["scores"][opponent] =
        over([&](const BremenNetwork& network) { return told(network, "score_" + opponent); });
  }
  return json;
}

// All players whose moves were judged, the weakest first.
Json sorted_losses(std::vector<std::pair<std::string, const BremenLosses*>> all) {
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.second->all().value > b.second->all().value;
  });
  Json list = Json::object();
  for (const auto& [name, losses] : all) list[name] = findings_of(*losses);
  return list;
}

struct BremenFindings {
  std::vector<BremenNetwork> networks;  // seed by seed the ways, then faults, then extensions
  std::size_t ways = 0, faults = 0;     // how many of each
  BremenLossList others;                // in the order of the plan
  BremenTournament tournament;

  std::span<const BremenNetwork> of_ways() const { return std::span(networks).first(ways); }
  std::span<const BremenNetwork> of_faults() const {
    return std::span(networks).subspan(ways, faults);
  }
  std::span<const BremenNetwork> of_extensions() const {
    return std::span(networks).subspan(ways + faults);
  }
};

Json document_of(const BremenFindings& findings, const BremenPlan& plan,
                 const play::GameRows& games) {
  const BremenNetwork& corrected = findings.networks.front();
  Json json = {{"games", plan.games},
               {"positions", plan.positions},
               {"seeds", plan.seeds},
               {"opponents", plan.opponents},
               {"search", plan.opponents.back()},
               {"strongest", plan.others.back()},
               {"corrected", findings_of(corrected, plan)},
               {"as_published", findings_of(findings.networks[1], plan)},
               {"ways", Json::array()},
               {"faults", Json::array()},
               {"extensions", Json::array()},
               {"learning", Json::array()},
               {"without", Json::array()}};
  std::vector<std::pair<std::string, const BremenLosses*>> losses;
  for (std::size_t i = 0; i < plan.others.size(); ++i) {
    losses.emplace_back(plan.others[i], &findings.others.list[i]);
    json["others"][plan.others[i]] = findings_of(findings.others.list[i]);
  }
  json["weakest_lost"] = findings_of(findings.others.list.front());
  json["strongest_lost"] = findings_of(findings.others.list.back());
  for (const BremenNetwork& network : findings.networks) {
    losses.emplace_back(fmt::format("{}, seed {}", network.way, network.number),
                        &network.losses.list.back());
  }
  json["losses"] = sorted_losses(std::move(losses));
  for (const BremenVariant& way : plan.ways) {
    for (const BremenNetwork& network : findings.of_ways()) {
      if (network.way == way.name) json["ways"].push_back(findings_of(network, plan));
    }
    json["learning"].push_back(learning_of(findings.of_ways(), way.name, plan));
  }
  for (const char* list : {"faults", "extensions"}) json[list].push_back(json["corrected"]);
  for (const BremenNetwork& network : findings.of_faults()) {
    json["faults"].push_back(findings_of(network, plan));
  }
  const BremenNetwork* best = nullptr;
  for (const BremenNetwork& network : findings.of_extensions()) {
    json["extensions"].push_back(findings_of(network, plan));
    const auto score = [](const BremenNetwork& one) { return one.matches.back().score().value; };
    if (best == nullptr || score(network) > score(*best)) best = &network;
    // Without what makes games end.
    if (network.way.find("result alone") != std::string::npos || network.way == "even replay") {
      json["without"].push_back(learning_of(findings.of_extensions(), network.way, plan));
    }
  }
  json["best"] = findings_of(*best, plan);
  json["ratings"] = Json::array();
  json["rated"] = Json::object();
  for (const BremenRating& rating : findings.tournament.ratings) {
    if (rating.epoch > 0) {
      json["ratings"].push_back(Json::array({rating.epoch, rating.elo, rating.low, rating.high}));
    } else {
      json["rated"][rating.player] = rating.elo;
    }
  }
  json["tournament"] = bremen_game_findings(games);
  json["placements"] = bremen_first_placements();
  return json;
}

// The recipes of the plan. PPO has no memory, so what is said of it is left out.
Result<std::vector<BremenNetwork>> networks_of(const BremenPlan& plan, Seed seed) {
  std::vector<BremenNetwork> networks;
  const auto add = [&](const BremenVariant& variant, int number) -> Status {
    learn::Settings settings = plan.settings;
    if (variant.recipe == "bremen-ppo") {
      std::erase_if(settings, [](const std::string& one) {
        return one.starts_with("reinforcement.begin=") || one.starts_with("reinforcement.replay=");
      });
    }
    settings.insert(settings.end(), variant.settings.begin(), variant.settings.end());
    auto recipe = TRY(learn::find_recipe(variant.recipe, settings));
    BremenNetwork& network = networks.emplace_back();
    network.way = variant.name;
    network.number = number;
    network.recipe = std::move(recipe);
    network.seed = Seed{value_of(seed) + static_cast<std::uint64_t>(number - 1)};
    return Done{};
  };
  for (int number = 1; number <= plan.seeds; ++number) {
    for (const BremenVariant& way : plan.ways) {
      TRY(add(way, number));
    }
  }
  for (const auto* list : {&plan.faults, &plan.extensions}) {
    for (const BremenVariant& variant : *list) {
      TRY(add(variant, 1));
    }
  }
  return networks;
}

}  // namespace

Result<Json> study_bremen(const Published&, const BremenPlan& plan,
                          const ExperimentOptions& options, const ExperimentContext& context) {
  // Whatever is wrong is told before the work.
  BremenFindings findings;
  auto networks = TRY(networks_of(plan, options.seed));
  findings.networks = std::move(networks);
  findings.ways = plan.ways.size() * static_cast<std::size_t>(plan.seeds);
  findings.faults = plan.faults.size();
  const auto entry = TRY(context.registry.find("bremen"));
  auto game = TRY(entry->make({}));

  auto study = TRY(open_study("bremen", kRevision, options, context));
  BremenSteps steps(study, plan, context.registry.toolkit(std::move(game)));
  for (BremenNetwork& network : findings.networks) steps.add(network, findings.networks.front());
  steps.add_others(findings.others);
  steps.add_tournament(findings.networks.front(), findings.tournament);
  TRY(study.run());
  play::GameRows games;
  for (GameRow& game_row : findings.tournament.games) {
    game_row.number = static_cast<std::int64_t>(games.size());
    games.emplace_back(game_row);
  }
  const auto folder = TRY(experiment_folder("bremen", options));
  TRY(write_file_atomically(folder / "games.csv", play::games_csv(games)));
  return document_of(findings, plan, games);
}

}  // namespace lab
}  // namespace damier
