#include "damier/lab/bremen/experiment.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/play/analysis/judged_positions.h"
#include "damier/play/contest/games_csv.h"
#include "damier/play/players/player_text.h"

namespace damier::lab {

namespace {

constexpr int kRevision = 3;

// What decides how a network plays.
Json identity_of(const learn::Recipe& recipe, Seed seed) {
  return {{"recipe", recipe.json}, {"seed", value_of(seed)}};
}

// A recipe and the network that it becomes.
struct PlannedNetwork {
  learn::Recipe recipe;
  Seed seed;
  BremenNetwork* into;

  Json identity() const { return identity_of(recipe, seed); }
};

std::string player_of(const std::string& model) { return "net:" + play::player_value(model); }

// The epochs in which the recipe measures its network, which are kept.
std::vector<int> measured_epochs(const learn::Recipe& recipe) {
  std::vector<int> epochs;
  for (int epoch = 1; epoch <= recipe.epochs; ++epoch) {
    if (epoch % recipe.evaluate_every == 0 || epoch == recipe.epochs) epochs.push_back(epoch);
  }
  return epochs;
}

// Adds the trainings and what is measured of their networks.
class BremenSteps {
 public:
  BremenSteps(Study& study, const BremenPlan& plan, std::shared_ptr<const play::Toolkit> toolkit)
      : study_(study), plan_(plan), toolkit_(std::move(toolkit)) {}

  void add(const PlannedNetwork& network, const PlannedNetwork& right) {
    BremenNetwork& into = *network.into;
    const std::string name = step_name(network);
    study_.train("train " + name, network.recipe, network.seed, into.trained);
    into.matches.resize(plan_.opponents.size());
    for (std::size_t i = 0; i < plan_.opponents.size(); ++i) {
      const std::string& opponent = plan_.opponents[i];
      add_match(
          study_,
          match(
              name, opponent, {network.identity(), opponent},
              [&into] { return player_of(into.trained.model); }, [opponent] { return opponent; }),
          into.matches[i]);
    }
    if (network.into != right.into) {
      add_match(study_,
                match(
                    name, step_name(right), {network.identity(), right.identity()},
                    [&into] { return player_of(into.trained.model); },
                    [&right = *right.into] { return player_of(right.trained.model); }),
                into.against_right);
    }
  }

  // How often the moves of a network throw something away, after each epoch that was measured.
  void add_regrets(const PlannedNetwork& network) {
    const std::vector<int> epochs = measured_epochs(network.recipe);
    BremenNetwork& into = *network.into;
    judge(
        step_name(network), {network.identity(), Json(epochs)},
        [&into, epochs] {
          std::vector<std::string> players;
          for (const int epoch : epochs) players.push_back(player_of(kept_file(into, epoch)));
          return players;
        },
        [epochs](std::size_t i) { return epochs[i]; }, epochs.size(), into.regrets);
  }
  void add_others(BremenRegrets& into) {
    judge(
        "players", Json(plan_.others), [this] { return plan_.others; },
        [](std::size_t) { return 0; }, plan_.others.size(), into);
  }

  void add_tournament(const PlannedNetwork& network, std::vector<int> epochs,
                      BremenTournament& into) {
    study_.measure<BremenTournament>(
        {"tournament of " + step_name(network),
         0.1 * static_cast<double>(plan_.tournament_games) * pairings(epochs.size())},
        [this, network, epochs] {
          return Json{{"measure", "tournament"},         {"network", network.identity()},
                      {"epochs", Json(epochs)},          {"opponents", Json(plan_.opponents)},
                      {"games", plan_.tournament_games}, {"opening", plan_.opening_plies}};
        },
        [this, &trained = *network.into, epochs] { return play_off(trained, epochs); }, into);
  }

 private:
  // Everybody looks at the same positions.
  void judge(const std::string& name, Json identity,
             std::function<std::vector<std::string>()> players,
             std::function<int(std::size_t)> epoch_of, std::size_t count, BremenRegrets& into) {
    study_.measure<BremenRegrets>(
        {"regret of " + name, 2e-4 * static_cast<double>(plan_.positions * count)},
        [this, identity] {
          return Json{{"measure", "regret"}, {"of", identity}, {"positions", plan_.positions}};
        },
        [this, players, epoch_of]() -> Result<BremenRegrets> {
          auto all = play::read_judged(play::judged_of("bremen"), "positions", toolkit_->game());
          if (!all) return std::move(all).error();
          const auto positions = play::some_of(*std::move(all), plan_.positions);
          std::size_t done = 0;
          const auto moves = play::judged_moves(
              *toolkit_, players(), positions, study_.seed(), study_.pool(), [&] {
                ++done;
                study_.tell(static_cast<double>(done) / static_cast<double>(positions.size()),
                            fmt::format("position {}/{}", done, positions.size()));
              });
          if (!moves) return moves.error();
          if (study_.stopped()) return interruption();
          BremenRegrets regrets;
          for (std::size_t i = 0; i < moves->size(); ++i) {
            BremenRegret& regret = regrets.list.emplace_back();
            regret.epoch = epoch_of(i);
            for (const play::MoveQuality& move : (*moves)[i].moves) {
              const bool is_won = move.before.verdict == games::Verdict::win;
              ++(is_won ? regret.won : regret.drawn);
              (is_won ? regret.won_lost : regret.drawn_lost) += !move.keeps();
            }
          }
          return regrets;
        },
        into);
  }
  static std::string kept_file(const BremenNetwork& network, int epoch) {
    const std::filesystem::path folder = std::filesystem::path(network.trained.model).parent_path();
    return (folder / learn::weights_file(epoch)).string();
  }

  static std::string step_name(const PlannedNetwork& network) {
    return fmt::format("{}, seed {}", network.into->name, value_of(network.seed));
  }
  double pairings(std::size_t epochs) const {
    const auto players = static_cast<double>(epochs + plan_.opponents.size());
    return players * (players - 1) / 2;
  }

  play::ContestPlan contest_plan(std::int64_t games) const {
    play::ContestPlan plan;
    plan.toolkit = toolkit_;
    plan.games = games;
    plan.opening_plies = plan_.opening_plies;
    plan.seed = study_.seed();
    return plan;
  }
  // Opened under a name: where a model's file lies does not change the games.
  Result<play::OpenedPlayer> opened(const std::string& shown, const std::string& text) const {
    auto player = play::open_player(*toolkit_, text);
    if (player) player->name = shown;
    return player;
  }

  MatchStep match(const std::string& name, const std::string& opponent, Json players,
                  std::function<std::string()> one, std::function<std::string()> other) const {
    MatchStep step;
    step.info = {fmt::format("{} against {}", name, opponent),
                 0.05 * static_cast<double>(plan_.games)};
    step.players = std::move(players);
    step.games = plan_.games;
    step.opening_plies = plan_.opening_plies;
    step.open = [=, this]() -> Result<play::Contest> {
      auto player = opened(name, one());
      if (!player) return std::move(player).error();
      auto against = opened(opponent, other());
      if (!against) return std::move(against).error();
      return play::open_contest(contest_plan(plan_.games),
                                {*std::move(player), *std::move(against)});
    };
    return step;
  }

  Result<BremenTournament> play_off(const BremenNetwork& network, const std::vector<int>& epochs) {
    std::vector<play::OpenedPlayer> players;
    const auto add = [&](const std::string& shown, const std::string& text) -> Status {
      auto player = opened(shown, text);
      if (!player) return std::move(player).error();
      players.push_back(*std::move(player));
      return Done{};
    };
    for (const std::string& opponent : plan_.opponents) {
      if (auto status = add(opponent, opponent); !status) return std::move(status).error();
    }
    for (const int epoch : epochs) {
      auto status = add(fmt::format("epoch {}", epoch), player_of(kept_file(network, epoch)));
      if (!status) return std::move(status).error();
    }
    const auto contest = play::open_contest(contest_plan(plan_.tournament_games), players);
    if (!contest) return contest.error();
    play::GameRows rows;
    std::int64_t done = 0;
    play::play_contest(*contest, rows, study_.pool(), [&](const GameRow&) {
      ++done;
      study_.tell(static_cast<double>(done) / static_cast<double>(contest->total_games()),
                  fmt::format("game {}/{}", done, contest->total_games()));
      return !study_.stopped();
    });
    if (study_.stopped() || interrupted()) return interruption();
    const auto rated = play::rate_contest(*contest, rows, play::Anchor{plan_.opponents.front(), 0});
    if (!rated) return rated.error();
    BremenTournament found;
    for (std::size_t i = 0; i < players.size(); ++i) {
      const play::Rating& rating = *rated->find(players[i].name);
      const bool learns = i >= plan_.opponents.size();
      found.ratings.push_back({rating.player, learns ? epochs[i - plan_.opponents.size()] : 0,
                               rating.elo, rating.interval.low, rating.interval.high});
    }
    for (const auto& row : rows) {
      found.games.push_back(
          {row->first, row->second, row->opening, row->outcome, row->moves, row->plies});
    }
    return found;
  }

  Study& study_;
  const BremenPlan& plan_;
  std::shared_ptr<const play::Toolkit> toolkit_;
};

Status write_games(const std::filesystem::path& path, const BremenTournament& tournament) {
  play::GameRows rows;
  for (const BremenGame& game : tournament.games) {
    GameRow row;
    row.number = static_cast<std::int64_t>(rows.size());
    row.first = game.first;
    row.second = game.second;
    row.opening = game.opening;
    row.outcome = game.outcome;
    row.plies = game.plies;
    row.moves = game.moves;
    rows.emplace_back(std::move(row));
  }
  return write_file_atomically(path, play::games_csv(rows));
}

}  // namespace

BremenPlan bremen_plan(bool quick) {
  BremenPlan plan;
  const std::string dqn = "bremen-dqn";
  // Both have what keeps draws from drowning all else, so that the mistakes alone differ.
  const std::string priority = "reinforcement.priority=0.6";
  plan.ways = {
      {"made right", dqn},
      {"public code", "bremen-published", {priority, R"(reinforcement.shaping={"heuristic": 5})"}}};
  const auto fault = [](const char* name) {
    return learn::Settings{fmt::format(R"(reinforcement.faults=["{}"])", name)};
  };
  plan.mistakes = {
      {"no end", dqn, fault("no_end")},
      {"maxima over illegal moves", dqn, fault("illegal_maxima")},
      {"the same sign", dqn, fault("same_sign")},
      {"no target network", dqn, {"reinforcement.target_every=1", "reinforcement.double=false"}},
      {"actions not turned, no forced animal",
       "bremen-published",
       {"reinforcement.faults=[]", "reinforcement.draft_mask=true", "reinforcement.temperature=0",
        "reinforcement.double=true", "reinforcement.target_every=200", "reinforcement.loss=huber",
        "reinforcement.limit_draws=false", R"(reinforcement.rewards={"win": 1, "loss": -1})",
        priority, R"(reinforcement.shaping={"heuristic": 0.05})"}},
  };
  const std::string even = "reinforcement.priority=0", result_alone = "reinforcement.shaping={}";
  plan.wishes = {
      {"result alone, even replay", dqn, {even, result_alone}},
      {"even replay", dqn, {even}},
      {"result alone", dqn, {result_alone}},
      {"rewards for retreats too",
       dqn,
       {R"(reinforcement.shaping={"heuristic": 0.05, "retreat": 0.05})"}},
      {"one network for both values", dqn, {"reinforcement.double=false"}},
      {"softmax sampling", dqn, {"reinforcement.temperature=0.1"}},
      {"8 games at once", dqn, {"reinforcement.games=8"}},
      {"residual", "bremen-dqn-residual"},
      {"attention", "bremen-dqn-attention"},
      {"PPO", "bremen-ppo"},
  };
  plan.settings = {"epochs=50", "evaluation.every=10", "evaluation.models=true"};
  if (!quick) return plan;
  plan.settings = {"epochs=4",
                   "steps=8000",
                   "reinforcement.begin=2000",
                   "reinforcement.replay=30000",
                   "evaluation.every=1",
                   "evaluation.games=20",
                   "evaluation.models=true"};
  plan.games = 20;
  plan.positions = 1000;
  plan.tournament_games = 8;
  return plan;
}

double BremenNetwork::last(std::string_view figure) const {
  const TrainedFigure* found = trained.figure(figure);
  return found == nullptr || found->by_epoch.empty() ? 0 : found->by_epoch.back().second;
}
double BremenNetwork::decided() const { return 1 - last("draws"); }

Result<BremenFindings> study_bremen(const BremenPlan& plan, const ExperimentOptions& options,
                                    const ExperimentContext& context) {
  BremenFindings findings;
  findings.plan = plan;
  // The lists must not grow while their places are in use.
  findings.ways.resize(plan.ways.size() * static_cast<std::size_t>(plan.seeds));
  findings.mistakes.resize(plan.mistakes.size());
  findings.wishes.resize(plan.wishes.size());
  // Whatever is wrong is told before the work.
  std::vector<PlannedNetwork> networks;
  const auto add = [&](const BremenVariant& variant, int seed, BremenNetwork& into) -> Status {
    learn::Settings settings = plan.settings;
    // PPO has no memory.
    if (variant.recipe == "bremen-ppo") {
      std::erase_if(settings, [](const std::string& one) {
        return one.starts_with("reinforcement.begin=") || one.starts_with("reinforcement.replay=");
      });
    }
    settings.insert(settings.end(), variant.settings.begin(), variant.settings.end());
    auto recipe = learn::find_recipe(variant.recipe, settings);
    if (!recipe) return std::move(recipe).error();
    into.name = variant.name;
    into.seed = seed;
    networks.push_back({*std::move(recipe),
                        Seed{value_of(options.seed) + static_cast<std::uint64_t>(seed - 1)},
                        &into});
    return Done{};
  };
  for (std::size_t i = 0; i < findings.ways.size(); ++i) {
    const auto seed = static_cast<int>(i / plan.ways.size()) + 1;
    auto status = add(plan.ways[i % plan.ways.size()], seed, findings.ways[i]);
    if (!status) return std::move(status).error();
  }
  for (std::size_t i = 0; i < plan.mistakes.size(); ++i) {
    auto status = add(plan.mistakes[i], 1, findings.mistakes[i]);
    if (!status) return std::move(status).error();
  }
  for (std::size_t i = 0; i < plan.wishes.size(); ++i) {
    auto status = add(plan.wishes[i], 1, findings.wishes[i]);
    if (!status) return std::move(status).error();
  }
  const auto entry = context.registry.find("bremen");
  if (!entry) return entry.error();
  auto game = (*entry)->make({});
  if (!game) return std::move(game).error();

  auto study = open_study("bremen", kRevision, options, context);
  if (!study) return std::move(study).error();
  BremenSteps steps(*study, plan, context.registry.toolkit(*std::move(game)));
  for (const PlannedNetwork& network : networks) {
    steps.add(network, networks.front());
    steps.add_regrets(network);
  }
  steps.add_others(findings.others);
  steps.add_tournament(networks.front(), measured_epochs(networks.front().recipe),
                       findings.tournament);
  if (auto status = study->run(); !status) return std::move(status).error();
  const auto folder = experiment_folder("bremen", options);
  if (!folder) return folder.error();
  findings.games_file = (*folder / "games.csv").string();
  if (auto status = write_games(findings.games_file, findings.tournament); !status) {
    return std::move(status).error();
  }
  return findings;
}

Measured measured_bremen(const BremenFindings& findings) {
  Measured measured;
  auto& figures = measured.figures;
  const BremenNetwork &right = findings.ways[0], &theirs = findings.ways[1];
  for (const auto& [name, network] : {std::pair("right", &right), {"public", &theirs}}) {
    figures[fmt::format("{}.random", name)] = network->matches.front().score();
    figures[fmt::format("{}.search", name)] = network->matches.back().score();
    figures[fmt::format("{}.regret", name)] = network->regret().all();
  }
  figures["public.right"] = theirs.against_right.score();
  // The first and the last of those that are judged beside: the weakest and the strongest.
  figures["random.regret"] = findings.others.list.front().all();
  figures["others.regret"] = findings.others.list.back().all();
  const auto best = std::max_element(
      findings.wishes.begin(), findings.wishes.end(), [](const auto& a, const auto& b) {
        return a.matches.back().score().value < b.matches.back().score().value;
      });
  figures["best.random"] = best->matches.front().score();
  figures["best.search"] = best->matches.back().score();
  figures["best.right"] = best->against_right.score();
  figures["best.regret"] = best->regret().all();
  measured.words = {{"search", findings.plan.opponents.back()},
                    {"best", best->name},
                    {"strongest", findings.plan.others.back()}};
  return measured;
}

Result<ExperimentResult> run_bremen(const Published& published, const ExperimentOptions& options,
                                    const ExperimentContext& context) {
  const auto findings = study_bremen(bremen_plan(options.quick), options, context);
  if (!findings) return findings.error();
  return present_bremen(published, *findings, options);
}

}  // namespace damier::lab
