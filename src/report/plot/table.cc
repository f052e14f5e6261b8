#include "damier/report/plot/table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/report/plot/axis.h"
#include "damier/report/svg.h"

namespace damier::report {

namespace {

// A table by its columns: of texts, or of numbers, which share their decimals.
class Columns {
 public:
  void words(std::string name, std::vector<std::string> texts) {
    columns_.push_back({std::move(name), Align::left});
    texts_.push_back(std::move(texts));
  }
  void numbers(std::string name, const std::vector<double>& values) {
    columns_.push_back({std::move(name), Align::right});
    texts_.push_back(column_texts(values));
  }
  // A column of what `number_of` says of each entry.
  template <class Entry, class Number>
  void numbers(std::string name, const std::vector<Entry>& entries, const Number& number_of) {
    std::vector<double> values;
    for (const Entry& entry : entries) {
      values.push_back(static_cast<double>(std::invoke(number_of, entry)));
    }
    numbers(std::move(name), values);
  }
  // Those of values and, if any has one, of their intervals.
  template <class Value>
  void values(std::string name, const std::vector<Value>& entries, double Value::*middle,
              Bands bands = Bands::intervals) {
    numbers(std::move(name), entries, middle);
    if (std::ranges::all_of(entries, [](const Value& one) { return std::isnan(one.low); })) return;
    const bool ranges = bands == Bands::ranges;
    numbers(ranges ? tr("lowest") : tr("95 % low"), entries, &Value::low);
    numbers(ranges ? tr("highest") : tr("95 % high"), entries, &Value::high);
  }

  Table table(std::size_t most_rows) && {
    std::size_t rows = 0;
    for (const auto& texts : texts_) rows = std::max(rows, texts.size());
    Table table;
    table.columns = std::move(columns_);
    for (std::size_t i = 0; i < std::min(rows, most_rows); ++i) {
      Row& row = table.rows.emplace_back();
      for (auto& texts : texts_) {
        row.cells.emplace_back(i < texts.size() ? std::move(texts[i]) : "");
      }
    }
    if (rows > most_rows) {
      table.note =
          tr_format("The first {} of {} rows.", number_text(static_cast<double>(most_rows)),
                    number_text(static_cast<double>(rows)));
    }
    return table;
  }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> texts_;
};

std::string named(const Axis& axis, std::string_view otherwise) {
  const std::string title = axis_title(axis, 0);
  return title.empty() ? std::string(otherwise) : title;
}

Columns columns_of_points(const std::vector<Curve>& curves, const std::string& what, const Axis& x,
                          const Axis& y, Bands bands) {
  std::vector<std::string> names;
  std::vector<CurvePoint> points;
  for (const Curve& curve : curves) {
    names.insert(names.end(), curve.points.size(), curve.name);
    points.insert(points.end(), curve.points.begin(), curve.points.end());
  }
  Columns columns;
  if (curves.size() > 1) columns.words(what, std::move(names));
  columns.numbers(named(x, "x"), points, &CurvePoint::x);
  columns.values(named(y, "y"), points, &CurvePoint::y, bands);
  return columns;
}

Columns columns_of(const LineChart& chart) {
  return columns_of_points(chart.curves, tr("Curve"), chart.x, chart.y, chart.bands);
}

Columns columns_of(const ScatterPlot& chart) {
  return columns_of_points(chart.series, tr("Series"), chart.x, chart.y, Bands::intervals);
}

Columns columns_of(const BarChart& chart) {
  std::vector<std::string> categories, names;
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < chart.categories.size(); ++i) {
    for (const auto& series : chart.series) {
      bars.push_back(i < series.bars.size() ? series.bars[i] : Bar{});
      categories.push_back(chart.categories[i]);
      names.push_back(series.name);
    }
  }
  Columns columns;
  columns.words(chart.categories_label.empty() ? tr("Category") : chart.categories_label,
                std::move(categories));
  if (chart.series.size() > 1) columns.words(tr("Series"), std::move(names));
  columns.values(named(chart.y, tr("Value")), bars, &Bar::value);
  return columns;
}

Columns columns_of(const Histogram& chart) {
  const Bins bins = binned(chart);
  Columns columns;
  if (bins.edges.empty()) return columns;
  columns.numbers(tr("From"), {bins.edges.begin(), bins.edges.end() - 1});
  columns.numbers(tr("To"), {bins.edges.begin() + 1, bins.edges.end()});
  for (std::size_t i = 0; i < chart.samples.size(); ++i) {
    const std::string& name = chart.samples[i].name;
    columns.numbers(chart.samples.size() == 1 || name.empty() ? chart.counts_label : name,
                    {bins.counts[i].begin(), bins.counts[i].end()});
  }
  return columns;
}

Columns columns_of(const BoxPlot& chart) {
  std::vector<std::string> names;
  std::vector<BoxSummary> boxes;
  for (const auto& sample : chart.samples) {
    names.push_back(sample.name);
    boxes.push_back(box_summary(sample.values));
  }
  Columns columns;
  columns.words(chart.samples_label.empty() ? tr("Sample") : chart.samples_label, std::move(names));
  columns.numbers("n", boxes, &BoxSummary::count);
  columns.numbers(tr("Lower whisker"), boxes, &BoxSummary::lower_whisker);
  columns.numbers(tr("Lower quartile"), boxes, &BoxSummary::lower_quartile);
  columns.numbers(tr("Median"), boxes, &BoxSummary::median);
  columns.numbers(tr("Upper quartile"), boxes, &BoxSummary::upper_quartile);
  columns.numbers(tr("Upper whisker"), boxes, &BoxSummary::upper_whisker);
  columns.numbers(tr("Mean"), boxes, &BoxSummary::mean);
  columns.numbers(tr("Beyond"), boxes, [](const BoxSummary& box) { return box.outliers.size(); });
  return columns;
}

Columns columns_of(const HeatMap& chart) {
  Columns columns;
  columns.words(chart.rows_label.empty() ? tr("Row") : chart.rows_label, chart.rows);
  for (std::size_t column = 0; column < chart.columns.size(); ++column) {
    std::vector<double> values;
    for (std::size_t row = 0; row < chart.rows.size(); ++row) {
      values.push_back(chart.value_at(row, column));
    }
    columns.numbers(chart.columns[column], values);
  }
  return columns;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::size_t used = characters(text);
  const std::string space(width > used ? width - used : 0, ' ');
  if (align == Align::right) return space + text;
  if (align == Align::left) return text + space;
  return space.substr(0, space.size() / 2) + text + space.substr(space.size() / 2);
}

std::string cell_text(const Cell& cell) {
  const std::string verdict = verdict_text(cell.verdict);
  if (verdict.empty() || cell.text == verdict) return cell.text;
  return cell.text.empty() ? verdict : fmt::format("{} ({})", cell.text, verdict);
}

std::string_view align_class(Align align) {
  constexpr std::string_view kClasses[] = {"left", "right", "center"};
  return kClasses[static_cast<std::size_t>(align)];
}

std::string cell_html(const Cell& cell) {
  const std::string text =
      fmt::format(fmt::runtime(cell.strong ? "<strong>{}</strong>" : "{}"), escaped(cell.text));
  if (cell.verdict == Verdict::none) return text;
  constexpr std::string_view kClasses[] = {"", "reached", "within", "missed"};
  const std::string verdict = verdict_text(cell.verdict);
  return fmt::format("{}<span class=\"verdict {}\">{}</span>",
                     cell.text.empty() || cell.text == verdict ? "" : text + " ",
                     kClasses[static_cast<std::size_t>(cell.verdict)], verdict);
}

}  // namespace

Table headed_table(std::string caption, const std::vector<std::string>& words,
                   const std::vector<std::string>& figures) {
  Table table{std::move(caption)};
  for (const std::string& name : words) table.columns.push_back({name});
  for (const std::string& name : figures) table.columns.push_back({name, Align::right});
  return table;
}

std::string verdict_text(Verdict verdict) {
  constexpr std::string_view kTexts[] = {"", "reached", "within the interval", "missed"};
  return tr(kTexts[static_cast<std::size_t>(verdict)]);
}

Table data_table(const Figure& figure, std::size_t most_rows) {
  Table table = std::visit([](const auto& chart) { return columns_of(chart); }, figure.chart)
                    .table(most_rows);
  table.caption = figure.title;
  return table;
}

std::string plain_text(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    widths.push_back(characters(cleaned(table.columns[i].name)));
    for (const auto& row : table.rows) {
      if (i >= row.cells.size()) continue;
      widths[i] = std::max(widths[i], characters(cleaned(cell_text(row.cells[i]))));
    }
  }
  std::string out;
  const auto line = [&](auto text_of) {
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) text += "  ";
      text += padded(cleaned(text_of(i)), widths[i], table.columns[i].align);
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    out += text + '\n';
  };
  if (!table.caption.empty()) out += cleaned(table.caption) + "\n\n";
  line([&](std::size_t i) { return table.columns[i].name; });
  line([&](std::size_t i) { return fmt::format("{:─<{}}", "", widths[i]); });
  for (const auto& row : table.rows) {
    line([&](std::size_t i) { return i < row.cells.size() ? cell_text(row.cells[i]) : ""; });
  }
  if (!table.note.empty()) out += '\n' + cleaned(table.note) + '\n';
  return out;
}

std::string html_table(const Table& table) {
  std::string out = "<div class=\"scroll\"><table>\n";
  if (!table.columns.empty()) {
    out += "<thead><tr>";
    for (const auto& column : table.columns) {
      out += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", align_class(column.align),
                         escaped(column.name));
    }
    out += "</tr></thead>\n";
  }
  out += "<tbody>\n";
  for (const auto& row : table.rows) {
    out += row.strong ? "<tr class=\"strong\">" : "<tr>";
    for (std::size_t i = 0; i < std::max(table.columns.size(), row.cells.size()); ++i) {
      const Align align = i < table.columns.size() ? table.columns[i].align : Align::left;
      out += fmt::format("<td class=\"{}\">{}</td>", align_class(align),
                         i < row.cells.size() ? cell_html(row.cells[i]) : "");
    }
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  if (!table.note.empty()) {
    out += fmt::format("<p class=\"note\">{}</p>\n", escaped(table.note));
  }
  return out;
}

}  // namespace damier::report
