#include "damier/lab/minesweeper/tables.h"

#include <fmt/format.h>

#include "damier/lab/minesweeper/tasks.h"

namespace damier::lab {

namespace {

using published::kScores;

// Rows of figures beside published ones.
class Rows {
 public:
  void wins(const std::string& what, const GameTally& tally, double published, bool judged = true) {
    const Estimate metric = tally.win_rate();
    add(what + ": games won", percent(published), metric,
        judged ? verdict_at_least(metric, published / 100) : report::Verdict::none);
  }
  void score(const std::string& what, const GameTally& tally, double published,
             bool judged = true) {
    const Estimate metric = tally.mean_score();
    add(what + ": mean score", fmt::format("{:g}", published), metric,
        judged ? verdict_at_least(metric, published) : report::Verdict::none);
  }
  void error(const std::string& what, const Estimate& metric, double published) {
    add(what, fmt::format("{:g}", published), metric, verdict_at_most(metric, published));
  }
  void share(const std::string& what, const Estimate& metric, double published,
             bool more_is_better) {
    add(what, percent(published), metric,
        more_is_better ? verdict_at_least(metric, published / 100)
                       : verdict_at_most(metric, published / 100));
  }
  void plain(const std::string& what, double value, double published) {
    add(what, percent(published), bare_estimate(EstimateKind::share, value, 0),
        report::Verdict::none);
  }
  std::vector<Comparison> take() { return std::move(rows_); }

 private:
  static std::string percent(double value) { return fmt::format("{:g} %", value); }
  void add(std::string what, std::string published, const Estimate& metric,
           report::Verdict verdict) {
    rows_.push_back({std::move(what), Yardstick::published, std::move(published), metric, verdict});
  }

  std::vector<Comparison> rows_;
};

std::string name_of(published::Player player) { return std::string(kScores[player].name); }

std::string rounded(double value) { return fmt::format("{:.0f}", value); }

std::string quartiles_of(const GameTally& tally) {
  const report::BoxSummary box = report::box_summary(tally.values());
  return fmt::format("{:g} / {:g} / {:g}", box.lower_quartile, box.median, box.upper_quartile);
}

// "84.6 [83.4, 85.7]" with how it stands to the report's.
report::Cell win_cell(const GameTally& tally, double published) {
  const Estimate wins = tally.win_rate();
  return {fmt::format("{:.1f} [{:.1f}, {:.1f}]", 100 * wins.value, 100 * wins.interval.low,
                      100 * wins.interval.high),
          verdict_at_least(wins, published / 100)};
}

std::string share_text(const GameTally& tally) {
  return fmt::format("{:.1f}", 100 * tally.score_share().value);
}

report::Table boards_table(const MinesweeperFindings& findings,
                           const std::vector<BoardFindings>& boards, BoardFigure figure,
                           const std::string& of) {
  const bool wins = figure == BoardFigure::wins;
  report::Table table;
  table.caption = fmt::format("{} by {}", wins ? "Games won" : "Mean scores", of);
  table.columns = {{"Board"},
                   {"Bombs (%)", report::Align::right},
                   {"The report (%)", report::Align::right},
                   {"Our copy (%)", report::Align::right},
                   {"Our network (%)", report::Align::right}};
  for (const BoardFindings& found : boards) {
    const double cells = found.board.side * found.board.side;
    const auto cell = [&](const GameTally& tally) {
      return wins ? win_cell(tally, found.board.wins) : report::Cell(share_text(tally));
    };
    table.rows.push_back(
        {{board_text(found.board), fmt::format("{:.1f}", 100 * found.board.bombs / cells),
          fmt::format("{:g}", wins ? found.board.wins : found.board.score), cell(found.copy),
          cell(found.ours)},
         board_text(found.board) == board_text(kUsualBoard)});
  }
  table.note = fmt::format(
      "{} games each of our copy, {} of our network, 1,000 of the report's. Our copy is the "
      "report's "
      "network with flags, trained here, at a playful level of {:g} and a threshold of {:g}; our "
      "network is {}.",
      grouped_digits(static_cast<std::uint64_t>(findings.plan.games)),
      grouped_digits(static_cast<std::uint64_t>(findings.plan.player_games)), findings.playful,
      findings.threshold, findings.plan.player);
  table.note += wins ? " In brackets the 95 % interval."
                     : " A score is the share of the safe cells that were opened.";
  return table;
}

}  // namespace

std::vector<Comparison> minesweeper_comparisons(const MinesweeperFindings& findings) {
  Rows rows;
  rows.wins("random player", findings.random, published::kRandom.wins, false);
  rows.score("random player", findings.random, published::kRandom.mean, false);
  for (std::size_t i = 0; i < kMinesweeperNetworks; ++i) {
    const std::string name(kScores[i].name);
    rows.wins(name, findings.networks[i].games, kScores[i].wins);
    rows.score(name, findings.networks[i].games, kScores[i].mean);
  }
  const published::Scores& best = kScores[published::kTuned];
  rows.wins("flags at the report's 1.15 and 0.96", findings.report_setting, best.wins);
  rows.score("flags at the report's 1.15 and 0.96", findings.report_setting, best.mean);
  rows.wins(fmt::format("flags, tuned here ({:g} and {:g})", findings.playful, findings.threshold),
            findings.tuned, best.wins);
  rows.score("flags, tuned here", findings.tuned, best.mean);
  rows.wins(fmt::format("our network ({})", findings.plan.player), findings.ours, best.wins);
  rows.score("our network", findings.ours, best.mean);

  const auto errors_of = [&](published::Player player) -> const PatchErrors& {
    return findings.networks[player].errors;
  };
  const auto means = [&](published::Player player, double absolute, double squared) {
    rows.error(name_of(player) + ": mean absolute error", errors_of(player).absolute, absolute);
    rows.error(name_of(player) + ": mean squared error", errors_of(player).squared, squared);
  };
  means(published::kFirst, 0.182, 0.115);
  const PatchErrors& first = errors_of(published::kFirst);
  rows.share("first: errors below 0.1", first.below_01, 62, true);
  rows.share("first: errors above 0.2", first.above_02, 28, false);
  rows.share("first: errors above 0.6", first.above_06, 12, false);
  rows.share("first: errors above 0.9", first.above_09, 5, false);
  means(published::kMany, 0.179, 0.096);
  rows.share("more patches: errors above 0.6", errors_of(published::kMany).above_06, 6, false);
  means(published::kTrained, 0.119, 0.062);
  rows.share("batch and epochs: errors below 0.1", errors_of(published::kTrained).below_01, 73,
             true);
  rows.share("batch and epochs: errors above 0.6", errors_of(published::kTrained).above_06, 6,
             false);
  means(published::kDistinct, 0.145, 0.071);
  rows.share("no duplicates: errors below 0.1", errors_of(published::kDistinct).below_01, 67, true);
  rows.share("no duplicates: errors above 0.6", errors_of(published::kDistinct).above_06, 4, false);
  rows.plain("duplicates among safe patches", findings.safe_duplicates, published::kSafeDuplicates);
  rows.plain("duplicates among patches with a bomb", findings.bomb_duplicates,
             published::kBombDuplicates);
  return rows.take();
}

report::Table trainings_table(const MinesweeperFindings& findings) {
  report::Table table;
  table.caption = "What each network learnt from";
  table.columns = {{"Network"},
                   {"Masked patches", report::Align::right},
                   {"Batch", report::Align::right},
                   {"Epochs", report::Align::right},
                   {"Parameters", report::Align::right},
                   {"Absolute error", report::Align::right},
                   {"Squared error", report::Align::right},
                   {"Training", report::Align::right}};
  for (std::size_t i = 0; i < kMinesweeperNetworks; ++i) {
    const PatchNetwork& network = findings.networks[i];
    const PatchTraining& training = findings.plan.networks[i];
    table.rows.push_back(
        {{std::string(kScores[i].name), grouped_digits(training.rows),
          grouped_digits(static_cast<std::uint64_t>(training.batch)),
          fmt::format("{}", training.epochs), grouped_digits(network.network.parameters),
          fmt::format("{:.4f}", network.errors.absolute.value),
          fmt::format("{:.4f}", network.errors.squared.value),
          fmt::format("{:.0f} s", network.network.seconds)}});
  }
  table.note =
      "Errors of the first four on 100,000 fresh masked patches, of the fifth on patches without "
      "duplicates that were kept apart, of the last on 100,000 fresh ones with flags.";
  if (findings.quick) {
    table.note +=
        " The report has 1,000,000 for the first and 10,000,000 for the others, six times through.";
  }
  return table;
}

report::Table scores_table(const MinesweeperFindings& findings) {
  report::Table table;
  table.caption = "Scores on 10x10 with 10 bombs";
  table.columns = {{"Player"},
                   {"Report: won (%)", report::Align::right},
                   {"Ours: won (%)", report::Align::right},
                   {"Report: mean", report::Align::right},
                   {"Ours: mean", report::Align::right},
                   {"Report: quartiles", report::Align::right},
                   {"Ours: quartiles", report::Align::right}};
  const auto won = [](const GameTally& tally) {
    return fmt::format("{:.1f}", 100 * tally.win_rate().value);
  };
  const auto add = [&](const published::Scores& theirs, const GameTally& tally) {
    table.rows.push_back({{std::string(theirs.name), fmt::format("{:g}", theirs.wins), won(tally),
                           rounded(theirs.mean), fmt::format("{:.1f}", tally.mean_score().value),
                           theirs.quartiles.empty() ? "not given" : std::string(theirs.quartiles),
                           quartiles_of(tally)}});
  };
  add(published::kRandom, findings.random);
  for (std::size_t i = 0; i < kMinesweeperNetworks; ++i) {
    add(kScores[i], findings.networks[i].games);
  }
  add(kScores[published::kTuned], findings.tuned);
  const GameTally& ours = findings.ours;
  table.rows.push_back({{"our network", "", won(ours), "",
                         fmt::format("{:.1f}", ours.mean_score().value), "", quartiles_of(ours)},
                        true});
  table.note = fmt::format(
      "{} games of ours ({} of our network), 1,000 of the report's. A score is the number of safe "
      "cells opened; 90 is a win.",
      grouped_digits(static_cast<std::uint64_t>(findings.plan.games)),
      grouped_digits(static_cast<std::uint64_t>(findings.plan.player_games)));
  return table;
}

report::Table sizes_table(const MinesweeperFindings& findings, BoardFigure figure) {
  return boards_table(findings, findings.sizes, figure, "size of the board (the report's table 3)");
}

report::Table densities_table(const MinesweeperFindings& findings, BoardFigure figure) {
  return boards_table(findings, findings.densities, figure,
                      "number of bombs (the report's table 4)");
}

}  // namespace damier::lab
