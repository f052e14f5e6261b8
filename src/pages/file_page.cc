#include "damier/pages/file_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/nn/model_file.h"

namespace damier::pages {

namespace {

constexpr std::size_t kMaxWeights = 400'000;  // in a histogram; of more, every n-th

// An object as its fields, which unlike JSON on one line a browser can break.
std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_object()) return dump_line(value);
  std::vector<std::string> fields;
  for (const auto& [key, field] : value.items()) {
    fields.push_back(fmt::format("{} {}", key, value_text(field)));
  }
  return join(fields, ", ");
}

std::string file_name(const std::string& source) {
  return std::filesystem::path(source).filename().string();
}

std::string split_name(std::size_t split) { return tr(name_of(static_cast<learn::Split>(split))); }

// A section with a table alone.
report::Section table_section(std::string heading, report::Table table) {
  return {std::move(heading), {report::PageTable{std::move(table)}}};
}

// --- data sets ------------------------------------------------------------------------------

report::Figure classes_figure(const learn::ColumnSummary& column,
                              const learn::DataSummary& summary) {
  report::BarChart chart;
  chart.categories_label = column.column.name;
  chart.y = {.label = tr("Share of the split's rows"), .unit = "%", .low = 0};
  for (std::size_t split = 0; split < learn::kSplits; ++split) {
    if (summary.rows[split] == 0) continue;
    report::BarSeries series{split_name(split)};
    for (const auto& [value, counts] : column.values) {
      series.bars.push_back(
          {100 * static_cast<double>(counts[split]) / static_cast<double>(summary.rows[split])});
    }
    chart.series.push_back(std::move(series));
  }
  for (const auto& [value, counts] : column.values) {
    chart.categories.push_back(fmt::format("{:g}", value));
  }
  return {tr_format("The classes of '{}'", column.column.name), "", chart};
}

report::Section columns_section(const learn::DataSummary& summary) {
  report::Table table =
      report::headed_table(tr("Columns"), {tr("Column"), tr("Type")},
                           {tr("Width"), tr("Mean"), tr("Lowest"), tr("Highest")});
  for (const auto& column : summary.columns) {
    table.rows.push_back(
        {{column.column.name, std::string(nn::name_of(column.column.dtype)),
          fmt::format("{}", column.column.width), fmt::format("{:.5g}", column.mean),
          fmt::format("{:.5g}", column.lowest), fmt::format("{:.5g}", column.highest)}});
  }
  return table_section(tr("Columns"), std::move(table));
}

report::Section splits_section(const learn::DataSummary& summary) {
  report::Table table =
      report::headed_table(tr("Splits"), {tr("Split")}, {tr("Rows"), tr("Groups")});
  for (std::size_t split = 0; split < learn::kSplits; ++split) {
    table.rows.push_back({{split_name(split), fmt::format("{}", summary.rows[split]),
                           fmt::format("{}", summary.groups[split])}});
  }
  table.note = tr("No group is in two splits.");
  return table_section(tr("Splits"), std::move(table));
}

// --- models ---------------------------------------------------------------------------------

void add_layers(report::Table& table, const std::vector<nn::LayerSpec>& layers,
                const std::string& where, const std::string& indent) {
  for (const nn::LayerSpec& layer : layers) {
    table.rows.push_back(
        {{where, indent + std::string(layer.name()), layer.in.text(), layer.out.text()}});
    add_layers(table, layer.layers, where, indent + "· ");
  }
}

report::Table layers_table(const nn::NetworkSpec& spec) {
  report::Table table =
      report::headed_table(tr("Layers"), {tr("Part"), tr("Layer")}, {tr("In"), tr("Out")});
  add_layers(table, spec.layers, tr("trunk"), "");
  for (std::size_t i = 0; i < spec.heads.size(); ++i) {
    if (spec.heads[i].layers.empty()) {
      table.rows.push_back({{tr_format("head {}", spec.heads[i].name), "–",
                             spec.trunk_shape().text(), spec.head_shape(i).text()}});
    }
    add_layers(table, spec.heads[i].layers, tr_format("head {}", spec.heads[i].name), "");
  }
  return table;
}

Result<std::vector<double>> numbers_of(const nn::Tensor& tensor) {
  if (tensor.dtype == nn::DType::f64) return nn::finite_values<double, double>(tensor);
  const auto values = TRY(nn::finite_values<float, float>(tensor));
  return std::vector<double>(values.begin(), values.end());
}

// The weights of layers that multiply, by the tensor's rank; biases and scales lie elsewhere.
report::Figure weights_figure(const std::vector<double>& weights) {
  report::Histogram histogram;
  histogram.x = {.label = tr("Weight")};
  histogram.counts_label = tr("Weights");
  histogram.bins = 60;
  report::Sample sample{tr("weights")};
  const std::size_t every = 1 + weights.size() / kMaxWeights;
  for (std::size_t i = 0; i < weights.size(); i += every) sample.values.push_back(weights[i]);
  histogram.samples.push_back(std::move(sample));
  return {tr("How large the weights are"),
          every == 1 ? tr("All weights of dense layers, convolutions and attention; no biases.")
                     : tr_format("One in {} weights of dense layers, convolutions and attention; "
                                 "no biases.",
                                 every),
          histogram};
}

}  // namespace

Spread spread_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) {
    mean += value / count;
    squares += value * value / count;
  }
  const auto [low, high] = std::ranges::minmax(values);
  return {mean, std::sqrt(std::max(0.0, squares - mean * mean)), low, high};
}

report::Page data_page(const learn::DataSet& data, const learn::DataSummary& summary) {
  report::Page report;
  report.title = tr_format("Data set {}", file_name(data.source()));
  report.facts = {tr_counted(data.row_count(), "row"), tr_format("checksum {}", data.checksum())};
  report::Table origin = report::headed_table(tr("What the file says"), {tr("Key"), tr("Value")});
  for (const auto& [key, value] : data.info().items()) {
    if (key == "rows" || key == "checksum" || (value.is_object() && value.empty())) continue;
    origin.rows.push_back({{key, value_text(value)}});
  }
  report.sections.push_back(table_section(tr("Origin"), std::move(origin)));
  report.sections.push_back(splits_section(summary));
  report::Section classes{tr("Classes")};
  for (const auto& column : summary.columns) {
    if (!column.values.empty()) {
      classes.blocks.push_back(report::PageFigure{classes_figure(column, summary)});
    }
  }
  if (!classes.blocks.empty()) report.sections.push_back(std::move(classes));
  report.sections.push_back(columns_section(summary));
  report.footer = tr_format("Made by `{}`.", kept_command("report " + data.source()));
  return report;
}

Result<report::Page> model_page(const nn::TensorFile& file, const std::string& source) {
  const auto spec = TRY(nn::model_spec(file.metadata, source));
  report::Table weights =
      report::headed_table(tr("Weights"), {tr("Tensor")},
                           {tr("Shape"), tr("Mean"), tr("Deviation"), tr("Lowest"), tr("Highest")});
  std::vector<double> products;
  std::size_t count = 0;
  for (const nn::Tensor& tensor : file.tensors) {
    const auto numbers = numbers_of(tensor);
    if (!numbers) return Error{numbers.error().message, {source}};
    const Spread spread = spread_of(*numbers);
    count += numbers->size();
    if (tensor.shape.size() > 1) products.insert(products.end(), numbers->begin(), numbers->end());
    weights.rows.push_back(
        {{tensor.name, fmt::format("{}", fmt::join(tensor.shape, " × ")),
          fmt::format("{:.4g}", spread.mean), fmt::format("{:.4g}", spread.deviation),
          fmt::format("{:.4g}", spread.low), fmt::format("{:.4g}", spread.high)}});
  }
  report::Page report;
  report.title = tr_format("Model {}", file_name(source));
  report.facts = {tr_format("{} numbers in {} tensors", count, file.tensors.size()),
                  tr_format("input {}", spec.input.text())};
  for (std::size_t i = 0; i < spec.heads.size(); ++i) {
    report.facts.push_back(tr_format("head {}: {}", spec.heads[i].name, spec.head_shape(i).text()));
  }
  const nn::Provenance provenance = nn::model_provenance(file);
  if (!provenance.empty()) {
    report::Table origin =
        report::headed_table(tr("Where the weights come from"), {tr("Key"), tr("Value")});
    for (const auto& [key, value] : provenance) origin.rows.push_back({{key, value}});
    report.sections.push_back(table_section(tr("Origin"), std::move(origin)));
  }
  report.sections.push_back(table_section(tr("Layers"), layers_table(spec)));
  report::Section section{tr("Weights")};
  if (!products.empty()) section.blocks.push_back(report::PageFigure{weights_figure(products)});
  section.blocks.push_back(report::PageTable{std::move(weights)});
  report.sections.push_back(std::move(section));
  report.footer = tr_format("Made by `{}`.", kept_command(fmt::format("report {}", source)));
  return report;
}

}  // namespace damier::pages
