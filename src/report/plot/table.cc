#include "damier/report/plot/table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/report/plot/axis.h"
#include "damier/report/svg.h"

namespace damier::report {

namespace {

// Collects columns of numbers and of words, then turns them into rows.
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

  Table table(std::size_t most_rows) && {
    std::size_t rows = 0;
    for (const auto& texts : texts_) rows = std::max(rows, texts.size());
    Table table;
    table.columns = std::move(columns_);
    for (std::size_t i = 0; i < std::min(rows, most_rows); ++i) {
      Row row;
      for (auto& texts : texts_) {
        row.cells.emplace_back(i < texts.size() ? std::move(texts[i]) : "");
      }
      table.rows.push_back(std::move(row));
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

bool given(double value) { return value == value; }

// The columns of a value and, if any has one, of its interval.
struct Intervals {
  std::vector<double> value, low, high;

  void add(double middle, double from, double to) {
    value.push_back(middle);
    low.push_back(from);
    high.push_back(to);
  }
  void put(Columns& columns, const std::string& name, Bands bands = Bands::intervals) const {
    columns.numbers(name, value);
    if (std::none_of(low.begin(), low.end(), given)) return;
    const bool ranges = bands == Bands::ranges;
    columns.numbers(ranges ? tr("lowest") : tr("95 % low"), low);
    columns.numbers(ranges ? tr("highest") : tr("95 % high"), high);
  }
};

std::string named(const Axis& axis, std::string_view otherwise) {
  const std::string title = axis_title(axis, 0);
  return title.empty() ? std::string(otherwise) : title;
}

Columns columns_of(const LineChart& chart) {
  std::vector<std::string> names;
  std::vector<double> x;
  Intervals y;
  for (const auto& curve : chart.curves) {
    for (const auto& point : curve.points) {
      names.push_back(curve.name);
      x.push_back(point.x);
      y.add(point.y, point.low, point.high);
    }
  }
  Columns columns;
  if (chart.curves.size() > 1) columns.words(tr("Curve"), std::move(names));
  columns.numbers(named(chart.x, "x"), x);
  y.put(columns, named(chart.y, "y"), chart.bands);
  return columns;
}

Columns columns_of(const BarChart& chart) {
  std::vector<std::string> categories;
  std::vector<std::string> names;
  Intervals bars;
  for (std::size_t i = 0; i < chart.categories.size(); ++i) {
    for (const auto& series : chart.series) {
      const Bar bar = i < series.bars.size() ? series.bars[i] : Bar{};
      categories.push_back(chart.categories[i]);
      names.push_back(series.name);
      bars.add(bar.value, bar.low, bar.high);
    }
  }
  Columns columns;
  columns.words(chart.categories_label.empty() ? tr("Category") : chart.categories_label,
                std::move(categories));
  if (chart.series.size() > 1) columns.words(tr("Series"), std::move(names));
  bars.put(columns, named(chart.y, tr("Value")));
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
  std::vector<double> count, lower_whisker, lower_quartile, median, upper_quartile, upper_whisker;
  std::vector<double> mean, outliers;
  for (const auto& sample : chart.samples) {
    const BoxSummary box = box_summary(sample.values);
    names.push_back(sample.name);
    count.push_back(static_cast<double>(box.count));
    lower_whisker.push_back(box.lower_whisker);
    lower_quartile.push_back(box.lower_quartile);
    median.push_back(box.median);
    upper_quartile.push_back(box.upper_quartile);
    upper_whisker.push_back(box.upper_whisker);
    mean.push_back(box.mean);
    outliers.push_back(static_cast<double>(box.outliers.size()));
  }
  Columns columns;
  columns.words(chart.samples_label.empty() ? tr("Sample") : chart.samples_label, std::move(names));
  columns.numbers("n", count);
  columns.numbers(tr("Lower whisker"), lower_whisker);
  columns.numbers(tr("Lower quartile"), lower_quartile);
  columns.numbers(tr("Median"), median);
  columns.numbers(tr("Upper quartile"), upper_quartile);
  columns.numbers(tr("Upper whisker"), upper_whisker);
  columns.numbers(tr("Mean"), mean);
  columns.numbers(tr("Beyond"), outliers);
  return columns;
}

Columns columns_of(const ScatterPlot& chart) {
  std::vector<std::string> names;
  std::vector<double> x;
  std::vector<double> y;
  for (const auto& series : chart.series) {
    for (const auto& point : series.points) {
      names.push_back(series.name);
      x.push_back(point.x);
      y.push_back(point.y);
    }
  }
  Columns columns;
  if (chart.series.size() > 1) columns.words(tr("Series"), std::move(names));
  columns.numbers(named(chart.x, "x"), x);
  columns.numbers(named(chart.y, "y"), y);
  return columns;
}

Columns columns_of(const HeatMap& chart) {
  Columns columns;
  columns.words(chart.rows_label.empty() ? tr("Row") : chart.rows_label, chart.rows);
  for (std::size_t column = 0; column < chart.columns.size(); ++column) {
    std::vector<double> values;
    for (std::size_t row = 0; row < chart.rows.size(); ++row) {
      const bool there = row < chart.values.size() && column < chart.values[row].size();
      values.push_back(there ? chart.values[row][column] : kMissing);
    }
    columns.numbers(chart.columns[column], values);
  }
  return columns;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
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
  if (align == Align::right) return "right";
  return align == Align::center ? "center" : "left";
}

std::string_view verdict_class(Verdict verdict) {
  if (verdict == Verdict::reached) return "reached";
  return verdict == Verdict::within ? "within" : "missed";
}

std::string cell_html(const Cell& cell) {
  std::string text = escaped(cell.text);
  if (cell.strong) text = fmt::format("<strong>{}</strong>", text);
  if (cell.verdict == Verdict::none) return text;
  if (!text.empty() && cell.text != verdict_text(cell.verdict)) {
    return fmt::format("{} <span class=\"verdict {}\">{}</span>", text, verdict_class(cell.verdict),
                       verdict_text(cell.verdict));
  }
  return fmt::format("<span class=\"verdict {}\">{}</span>", verdict_class(cell.verdict),
                     verdict_text(cell.verdict));
}

}  // namespace

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::reached:
      return tr("reached");
    case Verdict::within:
      return tr("within the interval");
    case Verdict::missed:
      return tr("missed");
    default:
      return "";
  }
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
  line([&](std::size_t i) {
    std::string rule;
    for (std::size_t n = 0; n < widths[i]; ++n) rule += "─";
    return rule;
  });
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
