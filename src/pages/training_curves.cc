#include "damier/pages/training_curves.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "damier/base/numbers/estimate.h"
#include "damier/base/text/language.h"
#include "damier/base/text/text.h"

namespace damier::pages {

namespace {

using Curves = std::map<std::string, report::Curve>;

Curves curves_of(const std::vector<MetricRow>& metrics) {
  Curves curves;
  for (const MetricRow& row : metrics) {
    report::Curve& curve = curves[row.name];
    curve.name = row.name;
    curve.points.push_back({static_cast<double>(row.step), row.value});
  }
  return curves;
}

// A curve has only names and values: its kind is that of the figure measured in the end.
EstimateKind measured_kind(const std::string& name, const Json& summary) {
  for (const auto& [set, metrics] : summary["metrics"].items()) {
    const Json* metric = metrics.find(name);
    const auto estimate = metric == nullptr ? std::nullopt : estimate_in(*metric);
    if (estimate) return estimate->kind;
  }
  return EstimateKind::number;
}

// Where a curve is drawn: those of one title share a chart.
struct Place {
  std::string title, axis;  // English: looked up when they are drawn
  std::string name;         // of the curve
  bool share = false;
};

constexpr const char *kLoss = "Loss", *kAccuracy = "Accuracy", *kShare = "Share";
constexpr std::string_view kScorePrefix = "score_";

Place place_of(const std::string& name, const Json& summary) {
  if (name.ends_with("loss")) return {kLoss, kLoss, name};
  if (name.starts_with(kScorePrefix)) {
    return {"Score in matches", "Points a game",
            tr_format("score against {}", name.substr(kScorePrefix.size())), true};
  }
  if (name == "gate_score") {
    return {"Score in matches", "Points a game", tr("score against the network before"), true};
  }
  if (name == "draws" || name == "first_wins") {
    return {"How the games ended", "Share of the games", name, true};
  }
  if (name == "plies") return {"Length of the games", "Moves", name};
  if (name == "wrong_resignations") return {"Wrong resignations", kShare, name, true};
  switch (measured_kind(name, summary)) {
    case EstimateKind::loss:
      return {kLoss, kLoss, name};
    case EstimateKind::share:
      return {kAccuracy, kShare, name, true};
    default:
      return {name, name, name};
  }
}

// Shares in percent.
report::Curve drawn_curve(report::Curve curve, const Place& place, std::string name) {
  curve.name = std::move(name);
  for (report::CurvePoint& point : curve.points) point.y *= place.share ? 100 : 1;
  return curve;
}

std::string_view counted_label(std::string_view unit) {
  if (unit == "epoch") return "Epoch";
  return unit == "generation" ? "Generation" : "Epoch or generation";
}

// Whole epochs, also where there are few.
report::Axis counted_axis(const Curves& curves, std::string_view unit) {
  constexpr double kFew = 4;
  report::Axis axis = {.label = tr(counted_label(unit))};
  double last = 0;
  for (const auto& [name, curve] : curves) {
    for (const report::CurvePoint& point : curve.points) last = std::max(last, point.x);
  }
  if (last < kFew) axis.low = 0, axis.high = kFew;
  return axis;
}

// The number in "generation 8"; nothing for a player that is no network of the run.
std::optional<std::int64_t> counted_number(std::string_view player) {
  for (const std::string_view unit : {"generation ", "epoch "}) {
    if (!player.starts_with(unit)) continue;
    const auto number = parse_integer(player.substr(unit.size()), 0, 1'000'000, unit);
    if (number) return *number;
  }
  return std::nullopt;
}

// The strength of the generations by their numbers.
report::Curve strength_curve(const play::RatingTable& table, std::string name) {
  report::Curve curve{.name = std::move(name)};
  for (const play::Rating& rating : table.ratings) {
    const auto number = counted_number(rating.player);
    if (!number) continue;
    curve.points.push_back(
        {static_cast<double>(*number), rating.elo, rating.interval.low, rating.interval.high});
  }
  std::ranges::sort(curve.points, {}, &report::CurvePoint::x);
  return curve;
}

// The same, and the others as levels to be reached.
report::LineChart strength_chart(const play::RatingTable& table, std::string_view unit) {
  report::LineChart chart;
  for (const play::Rating& rating : table.ratings) {
    if (!counted_number(rating.player)) chart.references.push_back({rating.player, rating.elo});
  }
  chart.curves.push_back(strength_curve(table, "elo"));
  chart.x = {.label = tr(counted_label(unit))};
  chart.y = {.label = "Elo"};
  return chart;
}

}  // namespace

bool is_speed(std::string_view name) { return name.ends_with("per_second"); }

std::string_view counted_unit(const Run& run) {
  return run.request.config["settings"].contains("generations") ? "generation" : "epoch";
}

std::optional<play::RatingTable> rated_generations(std::span<const GameRow> games) {
  const auto named = [&](std::string_view name) {
    return std::ranges::any_of(
        games, [&](const GameRow& game) { return game.first == name || game.second == name; });
  };
  const bool has_networks = std::ranges::any_of(games, [](const GameRow& game) {
    return counted_number(game.first) || counted_number(game.second);
  });
  if (!has_networks) return std::nullopt;
  std::string opponent;  // of the first game
  if (!games.empty()) opponent = games[0].first;
  if (counted_number(opponent)) opponent = games[0].second;
  for (const std::string& anchor : {std::string("random"), std::string("generation 0"), opponent}) {
    if (!named(anchor)) continue;
    auto table = play::rate_games(games, play::Anchor{anchor, 0});
    if (table) return *std::move(table);
  }
  return std::nullopt;
}

report::Section training_curves(const Run& run, const std::vector<MetricRow>& metrics,
                                std::span<const GameRow> games) {
  const Curves curves = curves_of(metrics);
  const std::string_view unit = counted_unit(run);
  // The loss and what was measured first; the others in the order of their titles.
  std::vector<std::pair<Place, report::LineChart>> charts;
  const auto chart_of = [&](const Place& place) -> report::LineChart& {
    for (auto& [other, chart] : charts) {
      if (other.title == place.title) return chart;
    }
    return charts.emplace_back(place, report::LineChart{}).second;
  };
  for (const auto& [name, drawn] : curves) {
    if (is_speed(name)) continue;
    const Place place = place_of(name, run.summary);
    chart_of(place).curves.push_back(drawn_curve(drawn, place, place.name));
  }
  const auto rank = [](const Place& place) {
    return place.title == kLoss ? 0 : place.title == kAccuracy ? 1 : 2;
  };
  std::ranges::stable_sort(charts, {}, [&](const auto& chart) { return rank(chart.first); });
  report::Section section{tr("Curves")};
  for (auto& [place, chart] : charts) {
    // A curve alone gives the axis its name.
    const bool alone = chart.curves.size() == 1 && place.axis == kShare;
    chart.x = counted_axis(curves, unit);
    chart.y = {.label = alone ? place.name : tr(place.axis), .unit = place.share ? "%" : ""};
    section.blocks.push_back(report::PageFigure{
        {tr_format("{} by {}", tr(place.title), tr(unit)), "", std::move(chart)}});
  }
  if (const auto table = rated_generations(games)) {
    section.blocks.push_back(report::PageFigure{
        {tr_format("{} by {}", tr("Strength"), tr(unit)),
         unit == "generation"
             ? tr("From the matches between generations and against others; the "
                  "band is the 95 % interval.")
             : tr("From the matches against others; the band is the 95 % interval."),
         strength_chart(*table, unit)}});
  }
  return section;
}

std::string StoredTraining::name() const {
  return fmt::format("{} {}", text_in(run.request.config, "recipe"), run.name);
}

report::Section compared_curves(std::span<const StoredTraining> trainings) {
  std::set<std::string_view> units;
  for (const StoredTraining& training : trainings) units.insert(counted_unit(training.run));
  const std::string_view unit = units.size() == 1 ? *units.begin() : "epoch or generation";
  std::map<std::string, report::LineChart> charts;  // by the name of what was measured
  std::set<std::string> losses;                     // those of them that are losses
  report::LineChart strengths;
  for (const StoredTraining& training : trainings) {
    for (auto& [metric, curve] : curves_of(training.metrics)) {
      if (is_speed(metric)) continue;
      const Place place = place_of(metric, training.run.summary);
      report::LineChart& chart = charts[place.name];
      chart.y = {.label = place.axis == kShare ? place.name : tr(place.axis),
                 .unit = place.share ? "%" : ""};
      if (place.axis == kLoss) losses.insert(place.name);
      chart.curves.push_back(drawn_curve(std::move(curve), place, training.name()));
    }
    if (const auto table = rated_generations(training.games)) {
      strengths.curves.push_back(strength_curve(*table, training.name()));
    }
  }
  report::Section section{tr("Curves")};
  const auto add = [&](const std::string& title, const std::string& caption,
                       report::LineChart chart) {
    chart.x = {.label = tr(counted_label(unit))};
    section.blocks.push_back(report::PageFigure{{title, caption, std::move(chart)}});
  };
  // What more of them have comes first, and losses, which may differ in kind, after the rest.
  for (std::size_t count = trainings.size(); count > 0; --count) {
    for (const bool loss : {false, true}) {
      for (const auto& [name, chart] : charts) {
        if (chart.curves.size() != count || losses.contains(name) != loss) continue;
        const std::string caption =
            count > 1 ? "" : tr_format("Measured in {} alone.", chart.curves.front().name);
        add(tr_format("{} by {}", name, tr(unit)), caption, chart);
      }
    }
  }
  strengths.y = {.label = "Elo"};
  if (!strengths.curves.empty()) {
    add(tr_format("{} by {}", tr("Strength"), tr(unit)),
        tr("Each from its own matches; the band is the 95 % interval."), std::move(strengths));
  }
  return section;
}

}  // namespace damier::pages
