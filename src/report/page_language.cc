#include "damier/report/page_language.h"

#include "damier/base/text/language.h"

namespace damier::report {

namespace {

void translate(std::string& text) { text = tr(text); }
void translate_known(std::string& text) { text = tr_known(text); }
void translate(Axis& axis) {
  translate_known(axis.label);  // the name of a figure that was measured, at times
  translate_known(axis.unit);
}
void translate(std::vector<Reference>& references) {
  for (Reference& reference : references) translate_known(reference.name);
}
template <class Named>
void translate_names(std::vector<Named>& all) {
  for (Named& one : all) translate_known(one.name);
}

void translate(LineChart& chart) {
  translate(chart.x);
  translate(chart.y);
  translate_names(chart.curves);
  translate(chart.references);
}
void translate(BarChart& chart) {
  for (std::string& category : chart.categories) translate_known(category);
  translate(chart.y);
  translate_names(chart.series);
  translate(chart.references);
}
void translate(Histogram& chart) {
  translate(chart.x);
  translate(chart.counts_label);
  translate_names(chart.samples);
}
void translate(BoxPlot& chart) {
  translate(chart.samples_label);
  translate(chart.y);
  translate_names(chart.samples);
}
void translate(ScatterPlot& chart) {
  translate(chart.x);
  translate(chart.y);
  translate_names(chart.series);
}
void translate(HeatMap& chart) {
  translate(chart.columns_label);
  translate(chart.rows_label);
  for (std::string& column : chart.columns) translate_known(column);
  for (std::string& row : chart.rows) translate_known(row);
  translate(chart.color);
}

void translate(Paragraph& paragraph) { translate(paragraph.text); }
void translate(BulletList& list) {
  for (std::string& item : list.items) translate(item);
}
void translate(Preformatted&) {}
void translate(KeyNumbers& block) {
  for (KeyNumber& number : block.numbers) {
    translate_known(number.value);
    translate(number.label);
    translate(number.detail);
  }
}
void translate(Diagrams& block) { translate(block.caption); }
void translate(PageFigure& block) {
  translate(block.figure.title);
  translate(block.figure.caption);
  std::visit([](auto& chart) { translate(chart); }, block.figure.chart);
}
void translate(PageTable& block) {
  translate(block.table.caption);
  translate(block.table.note);
  auto& columns = block.table.columns;
  for (Row& row : block.table.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const bool is_name = i < columns.size() && columns[i].holds_names;
      if (!is_name) translate_known(row.cells[i].text);
    }
  }
  for (Column& column : columns) translate(column.name);
}

}  // namespace

Page in_language(Page page) {
  if (language() == Language::english) return page;
  translate(page.title);
  translate_known(page.subtitle);
  translate(page.lead);
  for (std::string& fact : page.facts) translate(fact);
  for (Section& section : page.sections) {
    translate(section.heading);
    for (Block& block : section.blocks) {
      std::visit([](auto& content) { translate(content); }, block);
    }
  }
  translate(page.footer);
  return page;
}

}  // namespace damier::report
