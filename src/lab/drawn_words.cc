#include "damier/lab/drawn_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/lab/comparison.h"

namespace damier::lab {

namespace {

// An entry in parts: "ours | score | over points | at c". Those that begin with one of these words
// say how often it is drawn.
struct Parts {
  std::vector<std::string> fields;
  std::string each;        // once for each member of this list
  std::string over;        // of a curve: a point for each member
  std::string at = "key";  // and where it stands
  std::string where;       // only for members that have this
  std::string verdict;     // of a cell: "ours >= theirs"

  std::string field(std::size_t i) const { return i < fields.size() ? fields[i] : ""; }
};

Parts parts_of(std::string_view entry) {
  Parts parts;
  const auto take = [](std::string_view field, std::string_view word, std::string& into) {
    if (!field.starts_with(word)) return false;
    into = trim(field.substr(word.size()));
    return true;
  };
  constexpr std::string_view kBar = " | ";
  for (std::size_t at = 0; at <= entry.size();) {
    const auto end = std::min(entry.find(kBar, at), entry.size());
    const std::string_view field = trim(entry.substr(at, end - at));
    if (!take(field, "each ", parts.each) && !take(field, "over ", parts.over) &&
        !take(field, "at ", parts.at) && !take(field, "where ", parts.where) &&
        !take(field, "verdict ", parts.verdict)) {
      parts.fields.emplace_back(field);
    }
    at = end + kBar.size();
  }
  return parts;
}

template <class Entry>
void for_each_entry(const WordsBlock& block, std::string_view key, const Entry& entry) {
  for (const auto& [name, value] : block.entries) {
    if (name == key) entry(parts_of(value));
  }
}

// [x, y], and what may follow.
bool is_point(const Json& json) {
  return json.is_array() && json.size() >= 2 && json[0].is_number() && json[1].is_number();
}

class Drawer {
 public:
  Drawer(const WordsBlock& block, Finder& found) : block_(block), found_(found) {}

  report::Table table(const WordsBlock& columns) {
    report::Table table;
    table.caption = filled("caption");
    for_each_entry(columns, "column", [&](const Parts& column) {
      repeat(column, [&] {
        std::string heading = found_.filled(column.field(0));
        const bool right = heading.ends_with(" >");
        if (right) heading.resize(heading.size() - 2);
        table.columns.push_back({heading, right ? report::Align::right : report::Align::left});
      });
    });
    for_each_entry(block_, "rows", [&](const Parts& rows) {
      members(rows.field(0), rows.where, [&] {
        report::Row row;
        for_each_entry(columns, "column", [&](const Parts& column) {
          repeat(column, [&] { row.cells.push_back(cell(column)); });
        });
        const std::string* strong = block_.find("strong");
        row.strong = strong != nullptr && found_.is_given(found_.filled(*strong));
        table.rows.push_back(std::move(row));
      });
    });
    table.note = filled("note");
    return table;
  }

  report::Figure figure() { return {filled("title"), filled("caption"), chart()}; }

 private:
  std::string filled(std::string_view key) { return found_.filled(block_.text(key)); }
  // Once, or once for each member of parts.each.
  void repeat(const Parts& parts, const std::function<void()>& once) {
    if (parts.each.empty()) return once();
    members(parts.each, parts.where, once);
  }
  // Those of a list that have `where`.
  void members(std::string_view list, std::string_view where, const std::function<void()>& member) {
    found_.each(found_.filled(list), [&] {
      if (where.empty() || found_.is_given(where)) member();
    });
  }
  // Shares of the findings stand as percent on an axis of percent.
  static double scale(const report::Axis& axis) { return axis.unit == "%" ? 100 : 1; }

  // A list of the findings; null, and an error, where there is none.
  const Json* list(std::string_view path) {
    const std::string named = found_.filled(path);
    const auto found = found_.find(named);
    if (found && found->json != nullptr && found->json->is_array()) return found->json;
    found_.fail(fmt::format("nothing was found that is a list and called {}", in_quotes(named)));
    return nullptr;
  }

  // "Games won (%) | from 0 to 100"
  report::Axis axis(std::string_view key) {
    report::Axis axis;
    const Parts parts = parts_of(block_.text(key));
    axis.label = found_.filled(parts.field(0));
    if (const auto open = axis.label.rfind(" (");
        axis.label.ends_with(')') && open != axis.label.npos) {
      axis.unit = axis.label.substr(open + 2, axis.label.size() - open - 3);
      axis.label.resize(open);
    }
    for (std::size_t i = 1; i < parts.fields.size(); ++i) {
      const std::string& option = parts.fields[i];
      if (option == "log") {
        axis.scale = report::Scale::logarithmic;
      } else if (option == "whole") {
        axis.whole = true;
      } else {
        read_range(found_.filled(option), axis);
      }
    }
    return axis;
  }

  // "from 0", "to 100", "from 0 to 100"
  void read_range(std::string_view words, report::Axis& axis) {
    const auto parts = split(words, ' ');
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      const auto end = parse_number<double>(parts[i + 1]);
      if (parts[i] == "from") axis.low = end;
      if (parts[i] == "to") axis.high = end;
      if (!end) break;
    }
    if (axis.low || axis.high) return;
    found_.fail(
        fmt::format("an axis knows no {}; expected from A, to B, log or whole", in_quotes(words)));
  }

  // "line: NAME | VALUE"; a value is a number or a path.
  std::vector<report::Reference> references(const report::Axis& axis) {
    std::vector<report::Reference> lines;
    for_each_entry(block_, "line", [&](const Parts& parts) {
      repeat(parts, [&] {
        report::Reference line{found_.filled(parts.field(0)), 0};
        const std::string value = found_.filled(parts.field(1));
        if (const auto number = parse_number<double>(value)) {
          line.value = *number;
        } else if (const auto found = found_.find(value); found && found->number()) {
          const bool bare = !found->estimate && !found->published;
          line.value = *found->number() * (bare ? scale(axis) : 1);
        } else {
          return found_.fail(fmt::format("nothing was found that is called {}", in_quotes(value)));
        }
        lines.push_back(std::move(line));
      });
    });
    return lines;
  }

  // What is found there; shares of the findings stand as percent on an axis of percent.
  std::optional<report::Bar> bar(std::string_view path, const report::Axis& y) {
    const auto found = found_.find(found_.filled(path));
    if (!found) return std::nullopt;
    if (found->estimate) return report::bar_of(*found->estimate);
    const auto number = found->number();
    if (!number) return std::nullopt;
    return report::Bar{*number * (found->published ? 1 : scale(y))};
  }

  std::vector<report::CurvePoint> curve_points(const Parts& parts, const report::Axis& y) {
    std::vector<report::CurvePoint> points;
    if (!parts.over.empty()) {
      members(parts.over, parts.where, [&] {
        const auto at = found_.find(parts.at);
        const auto x = at ? at->number() : std::nullopt;
        if (!x) return found_.fail(fmt::format("{} is no place for a point", in_quotes(parts.at)));
        if (const auto value = bar(parts.field(1), y)) {
          points.push_back({*x, value->value, value->low, value->high});
        }
      });
      return points;
    }
    const Json* all = list(parts.field(1));
    if (all == nullptr) return points;
    for (const Json& point : *all) {  // [x, y], [x, y, low, high]
      if (!is_point(point)) continue;
      report::CurvePoint& drawn = points.emplace_back();
      drawn = {point[0].get<double>(), scale(y) * point[1].get<double>()};
      if (point.size() < 4 || !point[2].is_number() || !point[3].is_number()) continue;
      drawn.low = scale(y) * point[2].get<double>();
      drawn.high = scale(y) * point[3].get<double>();
    }
    return points;
  }

  report::LineChart lines() {
    report::LineChart chart;
    chart.x = axis("x");
    chart.y = axis("y");
    if (block_.text("bands") == "ranges") chart.bands = report::Bands::ranges;
    for_each_entry(block_, "curve", [&](const Parts& parts) {
      repeat(parts, [&] {
        chart.curves.push_back({found_.filled(parts.field(0)), curve_points(parts, chart.y)});
      });
    });
    chart.references = references(chart.y);
    return chart;
  }

  report::BarChart bars() {
    report::BarChart chart;
    chart.categories_label = filled("x");
    chart.y = axis("y");
    const auto categories = [&](const std::function<void(const Parts&)>& category) {
      for_each_entry(block_, "categories", [&](const Parts& parts) {
        members(parts.field(0), parts.where, [&] { category(parts); });
      });
    };
    categories(
        [&](const Parts& parts) { chart.categories.push_back(found_.filled(parts.field(1))); });
    for_each_entry(block_, "bar", [&](const Parts& parts) {
      repeat(parts, [&] {
        report::BarSeries series{found_.filled(parts.field(0))};
        categories([&](const Parts&) {
          series.bars.push_back(bar(parts.field(1), chart.y).value_or(report::Bar{}));
        });
        chart.series.push_back(std::move(series));
      });
    });
    chart.references = references(chart.y);
    return chart;
  }

  // "sample: NAME | LIST of numbers"; one without any is left out.
  std::vector<report::Sample> samples() {
    std::vector<report::Sample> samples;
    for_each_entry(block_, "sample", [&](const Parts& parts) {
      repeat(parts, [&] {
        const Json* values = list(parts.field(1));
        if (values == nullptr || values->empty()) return;
        report::Sample& sample = samples.emplace_back();
        sample.name = found_.filled(parts.field(0));
        for (const Json& value : *values) {
          if (value.is_number()) sample.values.push_back(value.get<double>());
        }
      });
    });
    return samples;
  }

  report::Histogram histogram() {
    report::Histogram chart;
    chart.x = axis("x");
    chart.counts_label = filled("y");
    chart.samples = samples();
    if (const auto bins = parse_number<int>(block_.text("bins"))) chart.bins = *bins;
    return chart;
  }

  report::BoxPlot boxes() { return {filled("x"), axis("y"), samples()}; }

  report::ScatterPlot points() {
    report::ScatterPlot chart;
    chart.x = axis("x");
    chart.y = axis("y");
    for_each_entry(block_, "points", [&](const Parts& parts) {
      repeat(parts, [&] {
        report::Curve series{found_.filled(parts.field(0))};
        if (const Json* all = list(parts.field(1))) {
          for (const Json& point : *all) {
            if (is_point(point))
              series.points.push_back({point[0].get<double>(), point[1].get<double>()});
          }
        }
        chart.series.push_back(std::move(series));
      });
    });
    return chart;
  }

  // "values: PATH" of {"rows": [names], "columns": [names], "values": [[numbers]]}; without a path,
  // of what the block is repeated for.
  report::HeatMap map() {
    report::HeatMap chart;
    chart.rows_label = filled("y");
    chart.columns_label = filled("x");
    chart.color = axis("color");
    chart.square_cells = block_.text("square") == "yes";
    chart.middle = parse_number<double>(block_.text("middle"));
    const std::string* values = block_.find("values");
    const std::string inside = values == nullptr ? "" : found_.filled(*values) + ".";
    const auto names = [&](const char* key, std::vector<std::string>& into) {
      found_.each(inside + key, [&] { into.push_back(found_.filled("{key}")); });
    };
    names("rows", chart.rows);
    names("columns", chart.columns);
    const Json* rows = list(inside + "values");
    if (rows == nullptr) return chart;
    for (const Json& row : *rows) {
      auto& drawn = chart.values.emplace_back();
      for (const Json& value : row) {
        drawn.push_back(value.is_number() ? scale(chart.color) * value.get<double>()
                                          : report::kMissing);
      }
    }
    return chart;
  }

  report::Chart chart() {
    if (block_.kind == "lines") return lines();
    if (block_.kind == "bars") return bars();
    if (block_.kind == "histogram") return histogram();
    if (block_.kind == "boxes") return boxes();
    if (block_.kind == "points") return points();
    return map();
  }

  // "copy.wins >= published.sizes.{key}.wins"
  report::Verdict verdict(std::string_view rule) {
    constexpr std::string_view kAtLeast = " >= ";
    const auto sign = rule.find(kAtLeast);
    const auto ours = found_.find(found_.filled(rule.substr(0, sign)));
    const auto theirs = sign == std::string_view::npos
                            ? std::nullopt
                            : found_.find(found_.filled(rule.substr(sign + kAtLeast.size())));
    if (!ours || !ours->estimate || !theirs || !theirs->published) {
      found_.fail(
          fmt::format("{} is no verdict; expected OURS >= published.NAME", in_quotes(rule)));
      return report::Verdict::none;
    }
    const bool is_share = ours->estimate->kind == EstimateKind::share;
    return verdict_at_least(*ours->estimate, theirs->published->value / (is_share ? 100 : 1));
  }

  report::Cell cell(const Parts& column) {
    return {found_.filled(column.field(1)),
            column.verdict.empty() ? report::Verdict::none : verdict(column.verdict)};
  }

  const WordsBlock& block_;
  Finder& found_;
};

report::KeyNumbers key_numbers(const WordsBlock& block, Finder& found) {
  report::KeyNumbers numbers;
  for_each_entry(block, "number", [&](const Parts& parts) {
    numbers.numbers.push_back(
        {found.filled(parts.field(0)), found.filled(parts.field(1)), found.filled(parts.field(2))});
  });
  return numbers;
}

// The columns of a table may be those of another one: "columns: NAME".
const WordsBlock& columns_of(const Words& words, const WordsBlock& block, Finder& found) {
  const std::string name = block.text("columns");
  const WordsBlock* other = name.empty() ? &block : words.find("table", name);
  if (other == nullptr) found.fail(fmt::format("no table is called {}", in_quotes(name)));
  return other == nullptr ? block : *other;
}

report::Block block_of(const Words& words, const WordsBlock& block, Finder& found) {
  if (block.kind == "numbers") return key_numbers(block, found);
  if (block.kind == "table") {
    return report::PageTable{Drawer(block, found).table(columns_of(words, block, found))};
  }
  return report::PageFigure{Drawer(block, found).figure()};
}

// Paragraphs and items that are empty when they are filled in are left out.
void add_text(const WordsBlock& block, Finder& found, std::vector<report::Block>& blocks) {
  report::BulletList list;
  for (const auto& [key, words] : block.entries) {
    std::string text = found.filled(words);
    if (trim(text).empty()) continue;
    if (block.kind == "list") {
      list.items.push_back(std::move(text));
    } else {
      blocks.emplace_back(report::Paragraph{std::move(text)});
    }
  }
  if (!list.items.empty()) blocks.emplace_back(std::move(list));
}

}  // namespace

report::Page page_of(const Words& words, Finder& found, const report::PageTable& comparisons) {
  found.at(words.source);
  report::Page page;
  page.title = found.filled(words.title);
  page.subtitle = found.filled(words.subtitle);
  page.lead = found.filled(words.lead);
  for (const WordsSection& section : words.sections) {
    report::Section filled{found.filled(section.heading)};
    for (const WordsBlock& block : section.blocks) {
      found.at(fmt::format("{}, line {}", words.source, block.line));
      const std::string* condition = block.find("if");
      if (condition != nullptr && !found.is_given(found.filled(*condition))) continue;
      if (block.kind == "comparisons") {
        filled.blocks.emplace_back(comparisons);
      } else if (block.kind == "paragraph" || block.kind == "list") {
        add_text(block, found, filled.blocks);
      } else if (const std::string each = block.text("each"); !each.empty()) {
        found.each(found.filled(each),
                   [&] { filled.blocks.push_back(block_of(words, block, found)); });
      } else {
        filled.blocks.push_back(block_of(words, block, found));
      }
    }
    page.sections.push_back(std::move(filled));
  }
  return page;
}

}  // namespace damier::lab
