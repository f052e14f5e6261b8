// The findings on Les Tacticiens de Brême as tables and as a page.

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/exact/bremen/draft.h"
#include "damier/games/bremen/bremen.h"
#include "damier/games/history.h"
#include "damier/lab/bremen/experiment.h"
#include "damier/lab/charts.h"

namespace damier::lab {

using namespace games::bremen;

namespace {

constexpr std::array<const char*, kAnimals> kAnimalNames = {"donkey", "dog", "cat", "rooster"};

// Of the same way with every seed.
std::vector<const BremenNetwork*> seeds_of(const BremenFindings& findings, std::size_t way) {
  std::vector<const BremenNetwork*> networks;
  for (std::size_t i = way; i < findings.ways.size(); i += findings.plan.ways.size()) {
    networks.push_back(&findings.ways[i]);
  }
  return networks;
}

report::Table bremen_table(const BremenFindings& findings, std::string caption,
                           const std::vector<const BremenNetwork*>& networks, std::string note) {
  report::Table table;
  table.caption = std::move(caption);
  table.columns = {{"Network"}};
  for (const std::string& opponent : findings.plan.opponents) {
    table.columns.push_back({"Against " + opponent, report::Align::right});
  }
  for (const char* column :
       {"Against made right", "Regret", "Decided games", "Plies a game", "Seconds"}) {
    table.columns.push_back({column, report::Align::right});
  }
  for (const BremenNetwork* network : networks) {
    report::Row row{{fmt::format("{}, seed {}", network->name, network->seed)}};
    auto& cells = row.cells;
    for (const MatchFindings& match : network->matches) {
      cells.push_back(with_reach(match.score(), 1));
    }
    const bool itself = network->against_right.record.games() == 0;
    cells.push_back(itself ? "—" : with_reach(network->against_right.score(), 1));
    cells.push_back(with_reach(network->regret().all(), 1));
    cells.push_back(fmt::format("{:.0f}", 100 * network->decided()));
    cells.push_back(fmt::format("{:.0f}", network->last("plies")));
    cells.push_back(fmt::format("{:.0f}", network->trained.seconds));
    table.rows.push_back(std::move(row));
  }
  table.note = std::move(note);
  return table;
}

report::Table ways_table(const BremenFindings& findings) {
  std::vector<const BremenNetwork*> networks;
  for (std::size_t way = 0; way < findings.plan.ways.size(); ++way) {
    for (const BremenNetwork* network : seeds_of(findings, way)) networks.push_back(network);
  }
  return bremen_table(
      findings, "The report's system, as its public code has it and made right (%)", networks,
      fmt::format(
          "Points in {} games of the network alone, a draw being half a point. Regret: how many of "
          "its moves throw away what the position is worth, by the exact solution, in {} positions "
          "where the choice matters. Decided games and plies: of the last epoch of the training. "
          "Seconds: of the training. After ±: half of the 95 % interval.",
          findings.plan.games, grouped(findings.plan.positions)));
}

// Everybody's regret, from the weakest that was asked to the strongest.
report::Table regret_table(const BremenFindings& findings) {
  report::Table table;
  table.caption = "Moves that throw something away (%)";
  table.columns = {{"Player"},
                   {"Won positions", report::Align::right},
                   {"Drawn positions", report::Align::right},
                   {"All", report::Align::right}};
  std::vector<std::pair<std::string, const BremenRegret*>> all;
  for (std::size_t i = 0; i < findings.others.list.size(); ++i) {
    all.emplace_back(findings.plan.others[i], &findings.others.list[i]);
  }
  for (const auto* list : {&findings.ways, &findings.mistakes, &findings.wishes}) {
    for (const BremenNetwork& network : *list) {
      all.emplace_back(fmt::format("{}, seed {}", network.name, network.seed), &network.regret());
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.second->all().value > b.second->all().value;
  });
  for (const auto& [name, regret] : all) {
    table.rows.push_back({{name, with_reach(regret->wins(), 1), with_reach(regret->draws(), 1),
                           with_reach(regret->all(), 1)}});
  }
  table.note = fmt::format(
      "{} positions of positions/bremen.txt, none of which anybody has learnt from, whose every "
      "move the exact solution of the whole game knows; all look at the same ones. The networks "
      "that ship, bremen (net) and bremen-small, learnt from that solution on a graphics card.",
      grouped(findings.others.list.front().won + findings.others.list.front().drawn));
  return table;
}

report::Table variants_table(const BremenFindings& findings, std::string caption,
                             const std::vector<BremenNetwork>& variants) {
  std::vector<const BremenNetwork*> networks = {&findings.ways.front()};
  for (const BremenNetwork& network : variants) networks.push_back(&network);
  return bremen_table(findings, std::move(caption), networks,
                      "The columns are those of the table before. The first line is the same "
                      "network as there.");
}

// By epoch, in percent.
using ByEpoch = std::vector<std::pair<int, double>>;

ByEpoch figure_of(const BremenNetwork& network, std::string_view figure, bool turned) {
  const TrainedFigure* found = network.trained.figure(figure);
  if (found == nullptr) return {};
  ByEpoch values;
  for (const auto& [epoch, value] : found->by_epoch) {
    values.emplace_back(epoch, 100 * (turned ? 1 - value : value));
  }
  return values;
}
ByEpoch regret_of(const BremenNetwork& network) {
  ByEpoch values;
  for (const BremenRegret& regret : network.regrets.list) {
    values.emplace_back(regret.epoch, 100 * regret.all().value);
  }
  return values;
}

// The mean of several seeds, with the lowest and the highest of them.
report::Curve curve_of(std::string name, const std::vector<ByEpoch>& seeds) {
  std::map<int, std::vector<double>> at;
  for (const ByEpoch& one : seeds) {
    for (const auto& [epoch, value] : one) at[epoch].push_back(value);
  }
  report::Curve curve{std::move(name)};
  for (const auto& [epoch, values] : at) {
    double sum = 0;
    for (const double value : values) sum += value;
    report::CurvePoint point{static_cast<double>(epoch), sum / static_cast<double>(values.size())};
    if (values.size() > 1) {
      point.low = *std::min_element(values.begin(), values.end());
      point.high = *std::max_element(values.begin(), values.end());
    }
    curve.points.push_back(point);
  }
  return curve;
}

// Something of the trainings over their epochs, their way and ours.
template <class Values>
report::LineChart ways_chart(const BremenFindings& findings, std::string label,
                             const Values& values_of) {
  report::LineChart chart;
  chart.x = {.label = "Epoch", .whole = true};
  chart.bands = report::Bands::ranges;
  chart.y = percent_axis(std::move(label), true);
  for (std::size_t way = 0; way < findings.plan.ways.size(); ++way) {
    std::vector<ByEpoch> seeds;
    for (const BremenNetwork* network : seeds_of(findings, way)) {
      seeds.push_back(values_of(*network));
    }
    chart.curves.push_back(curve_of(findings.plan.ways[way].name, seeds));
  }
  return chart;
}

std::string seeds_words(const BremenFindings& findings) {
  return fmt::format("The mean of {} seeds, with the lowest and the highest.", findings.plan.seeds);
}

report::Figure regret_figure(const BremenFindings& findings) {
  auto chart = ways_chart(findings, "Moves that throw something away", regret_of);
  for (std::size_t i = 0; i < findings.others.list.size(); ++i) {
    chart.references.push_back(
        {findings.plan.others[i], 100 * findings.others.list[i].all().value});
  }
  return {"Regret while learning, by the exact solution", seeds_words(findings), chart};
}

report::Figure score_figure(const BremenFindings& findings, const std::string& opponent) {
  auto chart = ways_chart(findings, "Points", [&](const BremenNetwork& network) {
    return figure_of(network, "score_" + opponent, false);
  });
  chart.y.high = 100;
  chart.references = {{"even", 50}};
  return {"Points against " + opponent + " while learning",
          "The network alone, in the few games that the training itself plays. " +
              seeds_words(findings),
          chart};
}

report::Figure decided_figure(const BremenFindings& findings) {
  const auto decided = [](const BremenNetwork& network) {
    return figure_of(network, "draws", true);
  };
  auto chart = ways_chart(findings, "Games with a winner", decided);
  chart.y.high = 100;
  for (const BremenNetwork& network : findings.wishes) {
    if (network.name.find("result alone") == std::string::npos && network.name != "even replay") {
      continue;
    }
    chart.curves.push_back(curve_of(network.name, {decided(network)}));
  }
  return {"Decided games over the training",
          "Of the games that ended in the epoch. " + seeds_words(findings), chart};
}

report::Figure elo_figure(const BremenFindings& findings) {
  report::LineChart chart;
  chart.x = {.label = "Epoch", .whole = true};
  chart.y = {.label = "Strength above random", .unit = "Elo"};
  report::Curve curve{"made right, seed 1"};
  for (const BremenRating& rating : findings.tournament.ratings) {
    if (rating.epoch > 0) {
      curve.points.push_back(
          {static_cast<double>(rating.epoch), rating.elo, rating.low, rating.high});
    } else {
      chart.references.push_back({rating.player, rating.elo});
    }
  }
  chart.curves = {std::move(curve)};
  return {"A tournament between the epochs of one training",
          "Every network met every other and the opponents, sides swapped; with 95 % intervals.",
          chart};
}

// --- what the games of the tournament show -----------------------------------------------------

struct BremenCounts {
  std::array<std::array<std::int64_t, kSquares>, kAnimals> arrivals = {};  // as the mover sees it
  // Points of the side that put an animal on a column of its home row, as it sees it, and games.
  std::array<std::array<double, kSize>, kAnimals> points = {};
  std::array<std::array<std::int64_t, kSize>, kAnimals> games = {};
  std::vector<double> plies;
  std::int64_t decided = 0;
};

// Points of the first player.
double points_of(const BremenGame& game) {
  return game.outcome == "first" ? 1 : game.outcome == "second" ? 0 : 0.5;
}

BremenCounts counts_of(const BremenTournament& tournament) {
  BremenCounts counts;
  const Bremen rules;
  for (const BremenGame& game : tournament.games) {
    State state = rules.initial();
    for (const std::string_view text : split(game.moves, ' ')) {
      const auto move = rules.parse_move(state, text);
      if (!move) break;  // the games were played here
      const bool first = state.side == games::Side::first;
      const int action = index(rules.action(state, *move));
      if (is_draft(*move)) {
        const auto animal = static_cast<std::size_t>(animal_of(*move));
        const auto column = static_cast<std::size_t>((action - kFirstDraftMove) % kSize);
        counts.points[animal][column] += first ? points_of(game) : 1 - points_of(game);
        ++counts.games[animal][column];
      } else {
        ++counts.arrivals[static_cast<std::size_t>(action / kSquares)]
                         [static_cast<std::size_t>(action % kSquares)];
      }
      rules.play(state, *move);
    }
    counts.plies.push_back(static_cast<double>(game.plies));
    counts.decided += game.outcome != "draw";
  }
  return counts;
}

// Rank 5 above, as the mover sees the board: its own home row below.
std::vector<std::string> row_names() { return {"5", "4", "3", "2", "1"}; }
std::vector<std::string> column_names() { return {"a", "b", "c", "d", "e"}; }

report::Figure arrivals_figure(const BremenCounts& counts, std::size_t animal) {
  report::HeatMap map;
  map.rows = row_names();
  map.columns = column_names();
  map.square_cells = true;
  map.color = {.label = "Moves that end there", .unit = "%"};
  double sum = 0;
  for (const std::int64_t n : counts.arrivals[animal]) sum += static_cast<double>(n);
  for (std::size_t row = 0; row < kSize; ++row) {
    auto& values = map.values.emplace_back();
    for (std::size_t col = 0; col < kSize; ++col) {
      const auto n = static_cast<double>(counts.arrivals[animal][kSize * row + col]);
      values.push_back(sum > 0 ? 100 * n / sum : report::kMissing);
    }
  }
  return {fmt::format("Where the {} goes", kAnimalNames[animal]),
          fmt::format("{} moves, as the mover sees the board: its home row is below.",
                      grouped(static_cast<std::uint64_t>(sum))),
          map};
}

report::Figure draft_figure(const BremenCounts& counts) {
  report::HeatMap map;
  map.columns = column_names();
  map.color = {.label = "Points of whoever put it there", .unit = "%"};
  map.middle = 50;
  for (std::size_t animal = 0; animal < kAnimals; ++animal) {
    map.rows.emplace_back(kAnimalNames[animal]);
    auto& values = map.values.emplace_back();
    for (std::size_t col = 0; col < kSize; ++col) {
      const auto n = static_cast<double>(counts.games[animal][col]);
      values.push_back(n > 0 ? 100 * counts.points[animal][col] / n : report::kMissing);
    }
  }
  return {"Points by opening draft",
          "Which column of the home row an animal was put on, as its side sees the board.", map};
}

report::Figure lengths_figure(const BremenCounts& counts) {
  report::Histogram histogram;
  histogram.x = {.label = "Plies of a game, the draft among them"};
  histogram.counts_label = "Games";
  histogram.samples = {{"tournament", counts.plies}};
  return {"How long the games are", "", histogram};
}

report::Section games_section(const BremenFindings& findings) {
  const BremenCounts counts = counts_of(findings.tournament);
  report::Section section{
      "The games of the tournament",
      {report::Paragraph{fmt::format(
          "{} games, {} of them with a winner. All of them, move by move, are in `games.csv` "
          "beside the study's journal.",
          grouped(findings.tournament.games.size()), grouped(counts.decided))}}};
  for (std::size_t animal = 0; animal < kAnimals; ++animal) {
    section.blocks.push_back(report::PageFigure{arrivals_figure(counts, animal)});
  }
  section.blocks.push_back(report::PageFigure{lengths_figure(counts)});
  return section;
}

// Blue's first placement: how many plies its win takes.
report::Table first_placements_table() {
  const Bremen rules;
  const auto draft = exact::bremen::Draft::with_limit(rules.ply_limit());
  report::Table table;
  table.caption = "Blue's first placement, exactly: plies until Blue has won";
  table.columns = {{"Animal"}};
  for (const std::string& column : column_names()) {
    table.columns.push_back({column + "1", report::Align::right});
  }
  table.rows.resize(kAnimals);
  const State start = rules.initial();
  for (std::size_t animal = 0; animal < kAnimals; ++animal) {
    auto& cells = table.rows[animal].cells;
    cells = {kAnimalNames[animal]};
    for (int col = 0; col < kSize; ++col) {
      const int action = kFirstDraftMove + kSize * static_cast<int>(animal) + col;
      State next = start;
      rules.play(next, *rules.move(start, games::action_at(action)));
      const games::Known known = draft->known(next);
      cells.push_back(known.verdict == games::Verdict::loss ? std::to_string(*known.plies + 1)
                                                            : "draw");
    }
  }
  const auto& outcomes = draft->outcomes();
  table.note = fmt::format(
      "The eight placements count. Of the {} positions after a draft Blue wins {}, loses {}, and "
      "{} are drawn under the limit of {} plies. The command solve bremen tells it of any "
      "placement.",
      grouped(outcomes.won + outcomes.drawn + outcomes.lost), grouped(outcomes.won),
      grouped(outcomes.lost), grouped(outcomes.drawn), rules.ply_limit());
  return table;
}

report::Section ways_section(const BremenFindings& findings) {
  report::Section section{
      "Their way and ours",
      {report::Paragraph{
           "The report's two networks, one for the draft and one for the play, learn by Q-learning "
           "from the same games. In its public code the value of a next position counts after the "
           "end of a game too; the best next move is taken among illegal ones; the opponent's "
           "values count as one's own; there is no target network; Red sees the board turned, but "
           "its actions are not; and the input does not say which animal must move. Made right, "
           "none of that is so. All else is alike, rewards for stacks and prioritised replay too, "
           "and "
           "each way was trained with several seeds."},
       report::PageTable{ways_table(findings)}, report::PageFigure{regret_figure(findings)}}};
  for (const std::string& opponent : findings.plan.opponents) {
    section.blocks.push_back(report::PageFigure{score_figure(findings, opponent)});
  }
  return section;
}

report::Section draws_section(const BremenFindings& findings) {
  return {
      "Draws by length",
      {report::Paragraph{
           "Games at random hardly ever end: the rules call them drawn after 300 plies, and nearly "
           "all early games of a training are cut off like that. A network cannot see how many "
           "plies are left, so the last move of such a game says nothing about its position: it is "
           "not learnt from (`limit_draws`), and all moves before it are worth what follows, as in "
           "any game. Only the draft, which is worth the result, counts it as a draw. Two wishes "
           "of the "
           "report do the rest: rewards for stacks (`shaping`), which make games end and change no "
           "best move, as what a stack earns is paid back when it is lost; and prioritised replay, "
           "which draws the rare moves that decide a game more often than the many that do not. "
           "The "
           "last curves are without one of them, or both."},
       report::PageFigure{decided_figure(findings)}}};
}

std::vector<std::string> limits() {
  return {
      "The report prints no figure of its networks' strength: there is nothing to compare ours "
      "with but its system itself, done again.",
      "Its code fixes more than it says: sizes of memory and batch, how often it learns and how "
      "long. Where they are not known, both ways have what `bremen-dqn` has.",
      "After the end of a game the public code looks at the final position. Here the last position "
      "before it stands for that one, as nobody has to move in the final one.",
      "Networks alone repeat themselves, so games begin with some placements at random.",
      "Regret counts moves that change what the position is worth, win, draw or loss, not how many "
      "plies a win takes longer; in positions where every move is as good nothing can be lost, and "
      "there are none of these here."};
}

constexpr std::string_view kBremenQuick =
    "This is the *quick* version: networks that have hardly begun to learn, and few games.";

std::string lead_of(const BremenFindings& findings) {
  const BremenNetwork &right = findings.ways[0], &theirs = findings.ways[1];
  return fmt::format(
      "Learnt from as many moves, the report's system scores **{}** against random moves when it "
      "is made right, and {} as its public code has it; that one scores {} against the other.",
      percent_text(right.matches.front().score()), percent_text(theirs.matches.front().score()),
      percent_text(theirs.against_right.score()));
}

}  // namespace

Result<ExperimentResult> present_bremen(const Published& published, const BremenFindings& findings,
                                        const ExperimentOptions& options) {
  auto comparisons = compare(published, measured_bremen(findings));
  if (!comparisons) return std::move(comparisons).error();
  const auto mistakes =
      variants_table(findings, "Made right but for one mistake (%)", findings.mistakes);
  const auto wishes = variants_table(findings, "What the report wished for (%)", findings.wishes);
  ExperimentResult result;
  result.comparisons = *std::move(comparisons);
  result.tables = {ways_table(findings), mistakes, wishes, regret_table(findings)};
  report::Page& report = result.report;
  report.title = "Les Tacticiens de Brême: two networks that learn from the same games";
  report.subtitle = "A report's system as its code has it, made right, and with what it wished for";
  report.lead = lead_of(findings);
  report.sections = {
      ways_section(findings),
      {"What each mistake costs", {report::PageTable{mistakes}}},
      {"What the report wished for",
       {report::Paragraph{
            "The report ends with a list of improvements: prioritised replay, other rewards than "
            "victory and defeat, residual networks and attention, PPO, games in parallel, "
            "tournaments between versions. Each is a recipe, or a setting of one. Prioritised "
            "replay, "
            "rewards for stacks, double Q-learning and 128 games at once are part of `bremen-dqn` "
            "already, so those lines show what is lost without."},
        report::PageTable{wishes}}},
      draws_section(findings),
      {"Strength over the training", {report::PageFigure{elo_figure(findings)}}},
      {"Regret of every player", {report::PageTable{regret_table(findings)}}},
      {"The draft",
       {report::Paragraph{
            "The whole game is solved, and the program knows its draft. Blue wins with every first "
            "placement but one. Games of networks that have learnt a while tell less: the map "
            "below has those of the tournament."},
        report::PageTable{first_placements_table()},
        report::PageFigure{draft_figure(counts_of(findings.tournament))}}},
      games_section(findings),
      {"All figures", {comparison_block(result.comparisons, options)}}};
  finish_report(report, published, options, limits(), kBremenQuick);
  return result;
}

}  // namespace damier::lab
