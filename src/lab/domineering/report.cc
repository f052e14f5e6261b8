// The findings on domineering as tables and as a page.

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/lab/charts.h"
#include "damier/lab/domineering/experiment.h"

namespace damier::lab {

namespace {

std::string published_cell(const Published& published, const std::string& name) {
  const auto figure = published.figure(name);
  return figure ? fmt::format("{:g}", figure->value) : "—";
}

std::string point_name(double c, const char* column) {
  return fmt::format("exploration.{:g}.{}", c, column);
}

report::Table networks_table(const Published& published, const DomineeringFindings& findings) {
  report::Table table;
  table.caption = "The teacher's move named on games that were not learnt from (%)";
  table.columns = {{"Network"},
                   {"Published", report::Align::right},
                   {"64 classes", report::Align::right},
                   {"Legal moves", report::Align::right},
                   {"Learnt from", report::Align::right}};
  const auto add = [&](const DomineeringNetwork& network, const std::string& row,
                       const std::string& shown) {
    const TrainedNetwork& trained = network.trained;
    table.rows.push_back({{shown, published_cell(published, "networks." + row + ".accuracy"),
                           with_reach(network.on_test.share(), 1),
                           with_reach(trained.metric("test", "label_accuracy"), 1),
                           with_reach(trained.metric("training", "label_accuracy"), 1)}});
  };
  for (std::size_t i = 0; i < findings.networks.size(); ++i) {
    const std::string& row = findings.plan.networks[i];
    const auto figure = [&](const char* column) {
      return published.value(fmt::format("networks.{}.{}", row, column));
    };
    add(findings.networks[i], row,
        fmt::format("{}: {}, dropout {:g}", row,
                    counted(static_cast<int>(figure("levels")), "level"), figure("dropout")));
  }
  const std::string& player = findings.plan.player;
  add(findings.after, player, player + ", after the move");
  const DomineeringNetwork& first = findings.networks.front();
  table.note = fmt::format(
      "64 classes: the greatest output is the teacher's move, the report's measure. Legal moves: "
      "the same among legal moves, on the board before the move, which is how a network plays. "
      "Learnt from: the same on training rows. After ±: half of the 95 % interval. {} has {} "
      "parameters, {} {}.",
      first.name, grouped(first.trained.parameters), findings.player().name,
      grouped(findings.player().trained.parameters));
  return table;
}

report::Table playouts_table(const Published& published, const DomineeringFindings& findings) {
  report::Table table;
  table.caption = "Players by random games against each other: games won by the player (%)";
  table.columns = {{"Player"},
                   {"Against"},
                   {"Published", report::Align::right},
                   {"Ours", report::Align::right},
                   {"First", report::Align::right},
                   {"Second", report::Align::right},
                   {"Untried, first", report::Align::right},
                   {"Untried, second", report::Align::right}};
  for (const PlayoutPair& pair : findings.pairs) {
    const bool both = pair.untried.record.games() > 0;
    const auto text = [](const Estimate& score) { return with_reach(score, 1); };
    table.rows.push_back(
        {{pair.player, pair.opponent,
          published_cell(published, fmt::format("playouts.{}.{}", pair.player, pair.opponent)),
          text(pair.match.score()), text(pair.match.score_first()), text(pair.match.score_second()),
          both ? text(pair.untried.score_first()) : "—",
          both ? text(pair.untried.score_second()) : "—"}});
  }
  table.note = fmt::format(
      "{} games each, {} against 10K. First and second: the games in which the player moved first, "
      "as Vertical, or second; ours: both together. Untried: the last move of the list stays "
      "untried, as in the report's program (flat:N,last=untried).",
      findings.plan.games, findings.plan.long_games);
  return table;
}

report::Table exploration_table(const Published& published, const DomineeringFindings& findings) {
  report::Table table;
  table.caption = "UCB against 100 random games for every move, by c: games won by UCB (%)";
  table.columns = {{"c", report::Align::right},
                   {"Published", report::Align::right},
                   {"Ours", report::Align::right},
                   {"Ours, first", report::Align::right},
                   {"Program's, first", report::Align::right},
                   {"Program's, both sides", report::Align::right}};
  for (const ExplorationPoint& point : findings.exploration) {
    table.rows.push_back(
        {{fmt::format("{:g}", point.x), published_cell(published, point_name(point.x, "ucb")),
          with_reach(point.ucb.score(), 1), with_reach(point.ucb.score_first(), 1),
          with_reach(point.bound.score_first(), 1), with_reach(point.bound.score(), 1)}});
  }
  table.note = fmt::format(
      "{0} games each, half of them as first player. Ours: ucb:{1},c=X against flat:{1}. The "
      "program's: ucb:{1},c=X,choice=bound,mean=zero against flat:{1},last=untried.",
      findings.plan.games, findings.plan.playouts);
  return table;
}

report::Table network_games_table(const Published& published, const DomineeringFindings& findings) {
  report::Table table;
  table.caption = fmt::format("Network {} against UCB, by c: games won by the network (%)",
                              findings.plan.player);
  table.columns = {{"c", report::Align::right},
                   {"Published", report::Align::right},
                   {"100 less UCB's", report::Align::right},
                   {"Program's", report::Align::right},
                   {"Ours", report::Align::right},
                   {"First", report::Align::right},
                   {"Second", report::Align::right}};
  for (const ExplorationPoint& point : findings.exploration) {
    const auto ucb = published.figure(point_name(point.x, "ucb"));
    table.rows.push_back(
        {{fmt::format("{:g}", point.x), published_cell(published, point_name(point.x, "network")),
          ucb ? fmt::format("{:g}", 100 - ucb->value) : "—",
          with_reach(point.network_bound.score(), 1), with_reach(point.network.score(), 1),
          with_reach(point.network.score_first(), 1),
          with_reach(point.network.score_second(), 1)}});
  }
  table.note = fmt::format(
      "{0} games each. Program's: against ucb:{1},c=X,choice=bound,mean=zero. Ours: against "
      "ucb:{1},c=X; first and second: those in which the network moved first, or second. 100 less "
      "UCB's: what the table before leaves to UCB's opponent.",
      findings.plan.games, findings.plan.playouts);
  return table;
}

report::Figure accuracy_figure(const Published& published, const DomineeringFindings& findings) {
  std::vector<BesidePublished> bars;
  for (std::size_t i = 0; i < findings.networks.size(); ++i) {
    bars.push_back({findings.networks[i].name,
                    published.value(fmt::format("networks.{}.accuracy", findings.plan.networks[i])),
                    findings.networks[i].on_test.share()});
  }
  bars.push_back({"after the move",
                  published.value(fmt::format("networks.{}.accuracy", findings.plan.player)),
                  findings.after.on_test.share()});
  return {
      "Accuracy over 64 classes",
      "On games that were not learnt from, with 95 % intervals for ours. The last pair: network "
      "4, shown the board after the move as in the report's data.",
      beside_published(bars, percent_axis("Teacher's move named", true))};
}

report::Figure learning_figure(const DomineeringFindings& findings) {
  std::vector<NamedNetwork> networks;
  for (const DomineeringNetwork& one : findings.networks) {
    networks.push_back({one.name, &one.trained});
  }
  return {"Accuracy by epoch", "On the validation games, among legal moves.",
          learning_chart(networks, "Teacher's move named")};
}

report::Figure loss_figure(const DomineeringFindings& findings) {
  const DomineeringNetwork& player = findings.player();
  return {fmt::format("Loss of {} by epoch", player.name),
          fmt::format("What is learnt by heart does not help on other games. The weights of epoch "
                      "{}, of the best accuracy on the validation games, are kept.",
                      player.trained.kept_epoch),
          loss_chart(player.trained)};
}

report::Figure pairs_figure(const Published& published, const DomineeringFindings& findings) {
  report::BarChart chart;
  chart.y = percent_axis("Games won by the one with fewer", true);
  chart.categories_label = "Random games for every move";
  chart.series = {{"the report"},
                  {"ours, sides swapped"},
                  {"last move untried, fewer first"},
                  {"last move untried, fewer second"}};
  for (const PlayoutPair& pair : findings.pairs) {
    if (pair.untried.record.games() == 0) continue;
    chart.categories.push_back(fmt::format("{} against {}", pair.player, pair.opponent));
    const auto theirs = published.figure(fmt::format("playouts.{}.{}", pair.player, pair.opponent));
    chart.series[0].bars.push_back({theirs ? theirs->value : report::kMissing});
    chart.series[1].bars.push_back(bar_of(pair.match.score()));
    chart.series[2].bars.push_back(bar_of(pair.untried.score_first()));
    chart.series[3].bars.push_back(bar_of(pair.untried.score_second()));
  }
  chart.references = {{"even", 50}};
  return {"More random games, and who moves first", "With 95 % intervals for ours.", chart};
}

// A sweep over c: what was published, then ours.
report::Figure sweep_figure(const Published& published, const DomineeringFindings& findings,
                            const char* column, std::string title, std::string label,
                            std::vector<report::Curve> ours) {
  report::LineChart chart;
  chart.x = {.label = "c, how much UCB explores"};
  chart.y = percent_axis(std::move(label), true);
  chart.y.high = 100;
  report::Curve theirs{"the report"};
  for (const ExplorationPoint& point : findings.exploration) {
    const auto figure = published.figure(point_name(point.x, column));
    if (figure) theirs.points.push_back({point.x, figure->value});
  }
  chart.curves.push_back(std::move(theirs));
  for (report::Curve& curve : ours) chart.curves.push_back(std::move(curve));
  chart.references = {{"even", 50}};
  return {std::move(title),
          fmt::format("{} games a point with 95 % intervals for ours; the report's come from {:g}.",
                      findings.plan.games, published.value("games")),
          chart};
}

report::Figure exploration_figure(const Published& published, const DomineeringFindings& findings) {
  const auto& points = findings.exploration;
  return sweep_figure(
      published, findings, "ucb", "UCB against random games spread evenly", "Games won by UCB",
      {curve_over("ours, sides swapped", points,
                  [](const ExplorationPoint& point) { return point.ucb.score(); }),
       curve_over("as in the program, UCB first", points,
                  [](const ExplorationPoint& point) { return point.bound.score_first(); })});
}

report::Figure network_games_figure(const Published& published,
                                    const DomineeringFindings& findings) {
  const auto& points = findings.exploration;
  return sweep_figure(
      published, findings, "network", "The network against UCB", "Games won by the network",
      {curve_over("against ours", points,
                  [](const ExplorationPoint& point) { return point.network.score(); }),
       curve_over("against the program's", points,
                  [](const ExplorationPoint& point) { return point.network_bound.score(); })});
}

// At how many points the published gains of network and UCB add up to 100.
std::size_t complements(const Published& published, const DomineeringFindings& findings) {
  std::size_t count = 0;
  for (const ExplorationPoint& point : findings.exploration) {
    const auto ucb = published.figure(point_name(point.x, "ucb"));
    const auto network = published.figure(point_name(point.x, "network"));
    count += ucb && network && ucb->value + network->value == 100;
  }
  return count;
}

std::string lead_of(const DomineeringFindings& findings) {
  std::string text = fmt::format(
      "A network that imitates a bandit names its move in **{}** of positions from games that it "
      "has not seen",
      percent_text(findings.player().on_test.share()));
  if (!findings.pairs.empty()) {
    const PlayoutPair& last = findings.pairs.back();
    text += fmt::format(
        ". With sides swapped, {} random games a move win {} against {}: more of them are {}",
        last.opponent,
        percent_text(bare_estimate(EstimateKind::share, 1 - last.match.score().value, 0)),
        last.player,
        last.match.score().value < 0.5 ? "not worse, as the report has it, but better"
                                       : "not better here either");
  }
  return text +
         ". Faults in the report's program explain its tables of games: put back in, they bring "
         "out nearly what it printed.";
}

report::Section networks_section(const Published& published, const DomineeringFindings& findings) {
  return {
      "The networks",
      {report::Paragraph{fmt::format(
           "A bandit with {:g} random games for every legal move and c = {:g} plays both sides of "
           "whole games, and each of its moves is a label: {} positions of all phases, three "
           "planes (taken cells, free cells, player), split by game into training, validation and "
           "test as 60 : 20 : 20. A *level* is three residual blocks of two convolutions over the "
           "board.",
           published.value("data.playouts"), published.value("data.exploration"),
           grouped(static_cast<std::uint64_t>(published.value("data.rows"))))},
       report::PageTable{networks_table(published, findings)},
       report::PageFigure{accuracy_figure(published, findings)},
       report::Paragraph{
           "The two figures do not measure the same thing. The report's program writes the board "
           "into its data *after* it has played the move, so its networks learn to say which "
           "domino was laid last, and meet the board before the move only when they play. The last "
           "row of the table is such a network: the first figure is the report's measure, the "
           "second says how often it names the teacher's move on boards that it has to move on."},
       report::Paragraph{fmt::format(
           "The labels are partly chance: the teacher itself, asked again with other random games, "
           "names its own move in {} of these positions.",
           percent_text(findings.again.share()))},
       report::PageFigure{learning_figure(findings)}, report::PageFigure{loss_figure(findings)}}};
}

report::Section playouts_section(const Published& published, const DomineeringFindings& findings) {
  return {
      "More random games",
      {report::Paragraph{
           "The report's odd result is that 10K random games a move lose to 1K. Its program "
           "explains it. The loop over the moves ends one too early: the last move of the list is "
           "never tried and stays at 0. A player that sees every other move lose therefore plays "
           "that one, whatever it is, and the more games it plays, the surer it is of being "
           "behind. On the empty board that is the one who moves second, and in the report's "
           "table the one with more games always does: sides were not swapped. With the fault put "
           "back in, whoever moves first wins, with 1K games and with 10K; without it, and with "
           "sides swapped, more games are better."},
       report::PageTable{playouts_table(published, findings)},
       report::PageFigure{pairs_figure(published, findings)}}};
}

report::Section exploration_section(const Published& published,
                                    const DomineeringFindings& findings) {
  return {
      "How much to explore",
      {report::Paragraph{
           "UCB spends as many random games in all as the player with 100 for every move, each on "
           "the move with the greatest mean + c·√(ln t / n). The report finds a best c and a steep "
           "fall behind it. The fall comes from the end of its program, which plays the move of "
           "the greatest *bound*: the more is explored, the more equal the bounds are in the end, "
           "and the nearer this is to a move at random. Who plays the move that was tried most "
           "loses little by exploring more."},
       report::PageTable{exploration_table(published, findings)},
       report::PageFigure{exploration_figure(published, findings)}}};
}

report::Section network_games_section(const Published& published,
                                      const DomineeringFindings& findings) {
  return {
      "The network against its teacher",
      {report::Paragraph{fmt::format(
           "Network {} alone, without any search, against UCB over the same c. The published gain "
           "rises with c because that UCB gets weaker; against one that plays its most tried move "
           "a network has no such help. In {} of {} published points the gain and that of UCB in "
           "the table before add up to exactly 100, more often than chance would have it.",
           findings.plan.player, complements(published, findings), findings.exploration.size())},
       report::PageTable{network_games_table(published, findings)},
       report::PageFigure{network_games_figure(published, findings)}}};
}

std::vector<std::string> limits() {
  return {
      "All games begin on the empty board; the players' own chance makes them differ. Scores with "
      "sides swapped come from pairs of games, one with each side.",
      "The report leaves open the channels, the optimiser and the epochs of its networks, and how "
      "its levels are joined. What the recipe `domineering-report` has for them is our choice, "
      "made with figures of seed 1 in sight. Its "
      "own networks convolve over the planes, ours over the board.",
      "A position that came before in another game is left out, so no test position was learnt "
      "from; mirror images may be in two splits.",
      "The report's program has one fault more that we did not put back in: as Horizontal its "
      "bandit tries the moves that are best for Vertical. It then loses nearly every game, which "
      "its printed figures do not show.",
      "Moves are listed row by row here and column by column in the report's program, so the move "
      "that stays untried is another one."};
}

constexpr std::string_view kQuickLimits =
    "This is the *quick* version: few epochs, few games. Its intervals are wide.";

}  // namespace

Result<ExperimentResult> present_domineering(const Published& published,
                                             const DomineeringFindings& findings,
                                             const ExperimentOptions& options) {
  auto comparisons = compare(published, measured_domineering(findings));
  if (!comparisons) return std::move(comparisons).error();
  ExperimentResult result;
  result.comparisons = *std::move(comparisons);
  result.tables = {networks_table(published, findings), playouts_table(published, findings),
                   exploration_table(published, findings),
                   network_games_table(published, findings)};
  report::Page& report = result.report;
  report.title = "Domineering: random games, a bandit, and the network that imitates it";
  report.subtitle = "A report's three tables again, and what in its program made them so";
  report.lead = lead_of(findings);
  report.sections = {
      networks_section(published, findings),
      playouts_section(published, findings),
      exploration_section(published, findings),
      network_games_section(published, findings),
      {"All figures beside the published ones", {comparison_block(result.comparisons, options)}}};
  finish_report(report, published, options, limits(), kQuickLimits);
  return result;
}

}  // namespace damier::lab
