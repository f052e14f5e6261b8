#include "damier/lab/minesweeper/tables.h"

#include <fmt/format.h>

#include "damier/base/text/program_name.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::lab {

namespace {

std::string won(const GameTally& tally) {
  return fmt::format("{:.1f}", 100 * tally.win_rate().value);
}
std::string mean(const GameTally& tally) { return fmt::format("{:.1f}", tally.mean_score().value); }
std::string or_nothing(const std::string& text) { return text.empty() ? "not given" : text; }

// "84.6 [83.4, 85.7]" with how it stands to the report's.
report::Cell win_cell(const GameTally& tally, double published) {
  const Estimate wins = tally.win_rate();
  return {fmt::format("{:.1f} [{:.1f}, {:.1f}]", 100 * wins.value, 100 * wins.interval.low,
                      100 * wins.interval.high),
          verdict_at_least(wins, published / 100)};
}

}  // namespace

report::Table trainings_table(const Published& published, const MinesweeperFindings& findings,
                              bool quick) {
  report::Table table;
  table.caption = "What each network learnt from";
  table.columns = {{"Network"},
                   {"Masked patches", report::Align::right},
                   {"Batch", report::Align::right},
                   {"Epochs", report::Align::right},
                   {"Parameters", report::Align::right},
                   {"Absolute error", report::Align::right},
                   {"Squared error", report::Align::right},
                   {"Training", report::Align::right},
                   {"Run"}};
  for (std::size_t i = 0; i < kLinks; ++i) {
    const PatchNetwork& network = findings.links[i];
    const PatchTraining& training = findings.plan.links[i];
    table.rows.push_back(
        {{std::string(link_name(static_cast<PatchLink>(i))), grouped(training.rows),
          grouped(static_cast<std::uint64_t>(training.batch)), fmt::format("{}", training.epochs),
          grouped(network.trained.parameters),
          fmt::format("{:.4f}", network.look.errors.absolute.value),
          fmt::format("{:.4f}", network.look.errors.squared.value),
          fmt::format("{:.0f} s", network.trained.seconds), network.trained.run}});
  }
  const std::string fresh = grouped(findings.plan.fresh);
  table.note = fmt::format(
      "Errors of the first four on {0} fresh masked patches, of the fifth on patches without "
      "duplicates that were kept apart, of the sixth on {0} fresh ones with flags, of the last on "
      "patches of other games. A run is shown by `{1}`.",
      fresh, kept_command("runs show RUN"));
  if (quick) {
    const auto rows = [&](const char* figure) {
      return grouped(static_cast<std::uint64_t>(published.value(figure)));
    };
    table.note += fmt::format(" The report has {} for the first and {} for the others.",
                              rows("first.rows"), rows("many.rows"));
  }
  return table;
}

report::Table scores_table(const Published& published, const MinesweeperFindings& findings) {
  report::Table table;
  table.caption = "Scores on 10x10 with 10 bombs";
  table.columns = {{"Player"},
                   {"Report: won (%)", report::Align::right},
                   {"Ours: won (%)", report::Align::right},
                   {"Report: mean", report::Align::right},
                   {"Ours: mean", report::Align::right},
                   {"Report: quartiles", report::Align::right},
                   {"Ours: quartiles", report::Align::right}};
  const auto add = [&](const std::string& name, const GameTally& tally) {
    const std::string key = "players." + name;
    table.rows.push_back(
        {{name, fmt::format("{:g}", published.value(key + ".wins")), won(tally),
          fmt::format("{:.0f}", published.value(key + ".mean")), mean(tally),
          or_nothing(published.cell("players", name, "quartiles")), tally.quartiles()}});
  };
  add("random", findings.random);
  for (std::size_t i = 0; i < kPlay; ++i) {
    add(std::string(link_name(static_cast<PatchLink>(i))), findings.links[i].look.games);
  }
  add("flags, tuned", findings.usual().copy);
  const GameTally& setting = findings.links[kFlags].tuned.front();
  table.rows.push_back(
      {{"its weights on fresh boards", fmt::format("{:g}", published.value("tuned.fresh")),
        won(setting), "", mean(setting), "", setting.quartiles()}});
  const auto plain = [&](const std::string& name, const GameTally& tally, bool strong) {
    table.rows.push_back({{name, "", won(tally), "", mean(tally), "", tally.quartiles()}, strong});
  };
  plain(std::string(link_name(kPlay)), findings.links[kPlay].look.games, false);
  plain("our network", findings.usual().ours, true);
  for (const CitedResult& cited : published.cited) {
    table.rows.push_back(
        {{fmt::format("cited: {}", cited.source), cited.value, "", "", "", "", ""}});
  }
  table.note = fmt::format(
      "{} games of ours ({} of our network), {:g} of the report's. A score is the number of safe "
      "cells opened; 90 is a win. The report's best player is the best of {:g} settings on the "
      "games that it was chosen on; beside \"its weights on fresh boards\" stands our copy at its "
      "setting. Patches from play: the same player, taught on positions met in play.",
      grouped(findings.plan.games), grouped(findings.plan.player_games), published.value("games"),
      published.value("tuned.settings"));
  return table;
}

report::Table seeds_table(const Published& published, const MinesweeperFindings& findings) {
  report::Table table;
  table.caption = "Trainings with other seeds: games won (%) on 10x10 with 10 bombs";
  table.columns = {{"Network"},
                   {"Published", report::Align::right},
                   {"Trainings", report::Align::right},
                   {"Mean", report::Align::right},
                   {"Lowest", report::Align::right},
                   {"Highest", report::Align::right}};
  const auto add = [&](const std::string& name, const std::string& published_text,
                       const std::vector<Estimate>& by_seed) {
    const SeedSpread spread = spread_of(by_seed);
    table.rows.push_back({{name, published_text, std::to_string(spread.seeds),
                           fmt::format("{:.1f}", 100 * spread.mean.value),
                           fmt::format("{:.1f}", 100 * spread.lowest),
                           fmt::format("{:.1f}", 100 * spread.highest)}});
  };
  for (std::size_t i = 0; i < kLinks; ++i) {
    const auto link = static_cast<PatchLink>(i);
    const std::string name(link_name(link));
    add(name, link == kPlay ? "" : published.text(fmt::format("players.{}.wins", name)),
        findings.links[i].wins_by_seed());
  }
  add("flags at the report's setting",
      fmt::format("{}; on fresh boards {}", published.text("players.flags, tuned.wins"),
                  published.text("tuned.fresh")),
      win_rates(findings.links[kFlags].tuned));
  table.note = fmt::format(
      "{} games each, the same for all. The patches are drawn anew with every seed too.",
      grouped(findings.plan.games));
  return table;
}

const std::vector<std::string>& boards_of(const MinesweeperPlan& plan, const std::string& name) {
  return name == "sizes" ? plan.sizes : plan.densities;
}

report::Table boards_table(const Published& published, const MinesweeperFindings& findings,
                           const std::string& name, const std::string& column) {
  const bool wins = column == "wins";
  report::Table table;
  table.caption = fmt::format("{} by {}", wins ? "Games won" : "Mean scores",
                              name == "sizes" ? "size of the board (the report's table 3)"
                                              : "number of bombs (the report's table 4)");
  table.columns = {{"Board"},
                   {"Bombs (%)", report::Align::right},
                   {"The report (%)", report::Align::right},
                   {"Our copy (%)", report::Align::right},
                   {"Our network (%)", report::Align::right}};
  for (const std::string& board : boards_of(findings.plan, name)) {
    const auto game = games::minesweeper::Minesweeper::make({{"board", board}});
    if (!game) continue;  // the study has read them all
    const double theirs = published.value(fmt::format("{}.{}.{}", name, board, column));
    const auto cell = [&](const GameTally& tally) {
      return wins ? win_cell(tally, theirs)
                  : report::Cell(fmt::format("{:.1f}", 100 * tally.score_share().value));
    };
    const BoardFindings& found = findings.boards.at(board);
    table.rows.push_back({{board, fmt::format("{:.1f}", 100.0 * game->bombs() / game->cells()),
                           fmt::format("{:g}", theirs), cell(found.copy), cell(found.ours)},
                          &found == &findings.usual()});
  }
  table.note = fmt::format(
      "{} games each of our copy, {} of our network, {:g} of the report's. Our copy is the "
      "report's network with flags, trained here, at a playful level of {:g} and a threshold of "
      "{:g}; our network is {}.",
      grouped(findings.plan.games), grouped(findings.plan.player_games), published.value("games"),
      findings.chosen.row, findings.chosen.column, findings.plan.player);
  table.note += wins ? " In brackets the 95 % interval."
                     : " A score is the share of the safe cells that were opened.";
  return table;
}

}  // namespace damier::lab
