#include "damier/lab/published.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::lab {

namespace {

constexpr std::string_view kTextKind = "text";
const std::vector<std::string> kKinds = {"share", "loss", "count", "number"};

template <class Named>
const Named* find_named(const std::vector<Named>& all, std::string_view name) {
  const auto at = std::ranges::find_if(all, [&](const Named& one) { return one.name == name; });
  return at == all.end() ? nullptr : &*at;
}

// "sizes.6x6x4.wins" -> the cell; null where there is none. A row's name may have points of its
// own: "exploration.0.4.wins".
const Json* find_cell(const Published& published, std::string_view name, std::string& kind) {
  const auto first = name.find('.'), last = name.rfind('.');
  if (first == last) return nullptr;
  const PublishedTable* table = find_named(published.tables, name.substr(0, first));
  if (table == nullptr) return nullptr;
  const PublishedRow* row = find_named(table->rows, name.substr(first + 1, last - first - 1));
  const PublishedColumn* column = find_named(table->columns, name.substr(last + 1));
  if (row == nullptr || column == nullptr) return nullptr;
  kind = column->kind;
  return &row->cells[static_cast<std::size_t>(column - table->columns.data())];
}

// The first thing that is wrong in a file whose keys are right.
std::optional<Error> first_fault(const Published& published) {
  std::optional<Error> error;
  const auto fail = [&](const std::string& where, const std::string& message) {
    if (!error) error = Error{fmt::format("{}: {}", where, message)};
  };
  const auto check_names = [&](const std::string& where, const auto& all) {
    std::set<std::string> known;
    for (const auto& one : all) {
      if (!known.insert(one.name).second) fail(where, in_quotes(one.name) + " stands there twice");
    }
  };
  const auto check_kind = [&](const std::string& where, const std::string& kind) {
    if (std::ranges::find(kKinds, kind) == kKinds.end()) {
      fail(where, unknown_name("kind", kind, kKinds).message);
    }
  };
  const auto check_figure = [&](const std::string& where,
                                const std::optional<std::string>& figure) {
    if (figure && !published.figure(*figure)) {
      fail(where, fmt::format("no figure is called {}", in_quotes(*figure)));
    }
  };
  for (const PublishedTable& table : published.tables) {
    for (const PublishedColumn& column : table.columns) {
      if (column.kind == kTextKind) continue;
      check_kind(fmt::format("table {}, column {}", table.name, column.name), column.kind);
    }
    check_names("table " + table.name, table.rows);
    for (const PublishedRow& row : table.rows) {
      const std::string where = fmt::format("table {}, row {}", table.name, row.name);
      if (row.cells.size() != table.columns.size()) {
        fail(where,
             fmt::format("has {} cells; expected {}", row.cells.size(), table.columns.size()));
        return error;
      }
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const bool is_text = table.columns[i].kind == kTextKind;
        const Json& cell = row.cells[i];
        if (cell.is_null() || (is_text ? cell.is_string() : cell.is_number())) continue;
        fail(where, fmt::format("{} is {}; expected {} or null", table.columns[i].name,
                                dump_line(cell), is_text ? "a text" : "a number"));
      }
    }
  }
  check_names("figures", published.figures);
  check_names("tables", published.tables);
  for (std::size_t i = 0; i < published.figures.size(); ++i) {
    check_kind(fmt::format("figures[{}].kind", i), published.figures[i].kind);
  }
  for (std::size_t i = 0; i < published.listed.size(); ++i) {
    check_figure(fmt::format("listed[{}].figure", i), published.listed[i].figure);
  }
  for (std::size_t i = 0; i < published.comparisons.size(); ++i) {
    const PublishedComparison& row = published.comparisons[i];
    const std::string where = fmt::format("comparisons[{}]", i);
    check_figure(where + ".published", row.published);
    if (row.published && row.goal) fail(where, "has a published figure and a goal; expected one");
    if (row.goal && !row.better) fail(where, "has a goal; expected \"better\" with it");
    if (row.better && *row.better != "higher" && *row.better != "lower") {
      fail(where + ".better",
           fmt::format("is {}; expected \"higher\" or \"lower\"", in_quotes(*row.better)));
    }
  }
  return error;
}

}  // namespace

std::string PublishedSource::text() const {
  return fmt::format("{}: {} ({}{})", authors, title, place, year ? ", " + *year : "");
}

std::optional<PublishedFigure> Published::figure(std::string_view figure_name) const {
  if (const PublishedFigure* alone = find_named(figures, figure_name)) return *alone;
  std::string kind;
  const Json* found = find_cell(*this, figure_name, kind);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  return PublishedFigure{std::string(figure_name), kind, found->get<double>(), std::nullopt};
}

double Published::value(std::string_view figure_name) const {
  return figure(figure_name).value().value;
}

std::string Published::text(std::string_view figure_name) const {
  return printed(figure(figure_name).value());
}

std::string Published::cell(std::string_view cell_name) const {
  std::string kind;
  const Json* found = find_cell(*this, cell_name, kind);
  return found != nullptr && found->is_string() ? found->text() : "";
}

std::string printed(const PublishedFigure& figure) {
  std::string text = fmt::format("{:g}", figure.value);
  if (figure.kind == "share") text += " %";
  if (figure.reach) text += fmt::format(" ± {:g}", *figure.reach);
  return text;
}

Result<Published> read_published(std::string_view text, const std::string& name) {
  const std::string source = fmt::format("experiments/{}.json", name);
  const auto json = TRY(parse_json(text, source, JsonComments::allowed));
  auto published = TRY(read_described<Published>(json, source));
  published.name = name;
  if (auto error = first_fault(published)) return std::move(*error).in(source);
  return published;
}

Result<Published> find_published(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [known, text] : builtin_experiments()) {
    if (known == name) return read_published(text, std::string(name));
    names.emplace_back(known);
  }
  return unknown_name("experiment", name, names);
}

}  // namespace damier::lab
