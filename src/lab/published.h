// What was published, as data: experiments/NAME.json says where an experiment comes from, every
// figure that its source prints, which of ours stands beside which of theirs, and how much is done.
//
// A figure is known by its name: "first.absolute_error" stands alone, "sizes.6x6x4.wins" is a cell
// of the table "sizes". Shares are written in percent, as they were printed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/json/described.h"

namespace damier::lab {

struct PublishedSource {
  std::string authors, title, place;
  std::optional<std::string> year, url;

  std::string text() const;  // "Authors: Title (Place, Year)"
};

struct PublishedFigure {
  std::string name;
  std::string kind;  // as kind_text(EstimateKind) has it
  double value = 0;
  std::optional<double> reach;  // half of its interval, where one is known
};

struct PublishedColumn {
  std::string name;
  std::string kind;  // or "text"
};
struct PublishedRow {
  std::string name;
  std::vector<Json> cells;  // null: not printed
};
struct PublishedTable {
  std::string name;
  std::vector<PublishedColumn> columns;
  std::vector<PublishedRow> rows;
};

// How much of it is done, as the study reads it (read_plan): the whole, and what differs in a quick
// version.
struct PublishedPlan {
  Json full = Json::object(), quick = Json::object();
};

// A result of others that the source itself compares with.
struct CitedResult {
  std::string what, value, source;
  std::optional<std::string> url;
};

// A line of `damier reproduce`; without a figure: the source gives none.
struct ListedFigure {
  std::string what;
  std::optional<std::string> figure;
};

// One of our figures, by its path in the study's findings (found.h), beside a published one or a
// goal.
struct PublishedComparison {
  std::string ours;
  std::string what;  // with {paths}
  std::optional<std::string> published;
  std::optional<double> goal;         // in percent for shares; ours, since nothing was published
  std::optional<std::string> better;  // "higher", "lower": which way a figure is as good
};

struct ExperimentSeconds {
  double full = 0, quick = 0;  // on two cores of an ordinary machine
};

struct Published {
  std::string name;  // of the file
  std::string title;
  PublishedSource source;
  ExperimentSeconds seconds;
  std::vector<ListedFigure> listed;
  std::vector<PublishedFigure> figures;
  std::vector<PublishedTable> tables;
  PublishedPlan plan;
  std::vector<CitedResult> cited;
  std::vector<PublishedComparison> comparisons;

  // The figure of that name, alone or in a table; nothing where it was not printed.
  std::optional<PublishedFigure> figure(std::string_view figure_name) const;
  // The same for a name that stands in the file: a programming error where it does not.
  double value(std::string_view figure_name) const;
  std::string text(std::string_view figure_name) const;  // "18.2 %"
  // A cell of a column of texts, "players.first.quartiles"; empty where nothing was printed.
  std::string cell(std::string_view cell_name) const;
};

// Reads and checks the whole: unknown keys, figures that are named but missing, rows of another
// length than their table's columns.
Result<Published> read_published(std::string_view text, const std::string& name);

// Name and text of each NAME.json and NAME.md in experiments/, by name; the build puts them into
// the library.
std::span<const std::pair<std::string_view, std::string_view>> builtin_experiments();
std::span<const std::pair<std::string_view, std::string_view>> builtin_words();
Result<Published> find_published(std::string_view name);

// "18.2 %", "0.182": as it was printed.
std::string printed(const PublishedFigure& figure);

// The plan of a study, a type that describes itself.
template <class Plan>
Result<Plan> read_plan(const Published& published, bool quick) {
  Json plan = published.plan.full;
  if (quick) plan.update(published.plan.quick);
  return read_described<Plan>(plan, "experiments/" + published.name + ".json: plan");
}

void describe(auto& fields, Is<PublishedSource> auto& source) {
  fields("authors", source.authors);
  fields("title", source.title);
  fields("place", source.place);
  fields("year", source.year);
  fields("url", source.url);
}
void describe(auto& fields, Is<PublishedFigure> auto& figure) {
  fields("name", figure.name);
  fields("kind", figure.kind);
  fields("value", figure.value);
  fields("reach", figure.reach);
}
void describe(auto& fields, Is<PublishedColumn> auto& column) {
  fields("name", column.name);
  fields("kind", column.kind);
}
void describe(auto& fields, Is<PublishedRow> auto& row) {
  fields("name", row.name);
  fields("cells", row.cells);
}
void describe(auto& fields, Is<PublishedTable> auto& table) {
  fields("name", table.name);
  fields("columns", table.columns);
  fields("rows", table.rows);
}
void describe(auto& fields, Is<PublishedPlan> auto& plan) {
  fields("full", plan.full);
  fields.optional("quick", plan.quick);
}
void describe(auto& fields, Is<CitedResult> auto& cited) {
  fields("what", cited.what);
  fields("value", cited.value);
  fields("source", cited.source);
  fields("url", cited.url);
}
void describe(auto& fields, Is<ListedFigure> auto& listed) {
  fields("what", listed.what);
  fields("figure", listed.figure);
}
void describe(auto& fields, Is<PublishedComparison> auto& comparison) {
  fields("ours", comparison.ours);
  fields("what", comparison.what);
  fields("published", comparison.published);
  fields("goal", comparison.goal);
  fields("better", comparison.better);
}
void describe(auto& fields, Is<ExperimentSeconds> auto& seconds) {
  fields("full", seconds.full);
  fields("quick", seconds.quick);
}
void describe(auto& fields, Is<Published> auto& published) {
  fields("title", published.title);
  fields("source", published.source);
  fields("seconds", published.seconds);
  fields("listed", published.listed);
  fields.optional("figures", published.figures);
  fields.optional("tables", published.tables);
  fields.optional("cited", published.cited);
  fields.optional("plan", published.plan);
  fields("comparisons", published.comparisons);
}

}  // namespace damier::lab
