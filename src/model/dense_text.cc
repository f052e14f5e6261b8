#include "damier/model/dense_text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::model {

namespace {

constexpr std::size_t kMaxTextLayers = 64;
constexpr int kMaxSize = 100'000;
constexpr std::uint64_t kMaxNumbers = 50'000'000;
constexpr std::string_view kBlank = " \t\r\v\f";

// The lines of a text that have something on them.
class DenseLines {
 public:
  DenseLines(std::string_view text, std::string_view source) : rest_(text), source_(source) {}

  // Goes to the next line; false at the end of the text.
  bool next() {
    while (!rest_.empty()) {
      raw_ = rest_.substr(0, rest_.find('\n'));
      rest_.remove_prefix(std::min(raw_.size() + 1, rest_.size()));
      ++number_;
      if (!trim(raw_).empty()) return true;
    }
    return false;
  }

  std::string_view line() const { return trim(raw_); }
  std::size_t bytes_left() const { return rest_.size(); }

  // `at` is a part of the line, where the column is known.
  Error fail(std::string message, std::string_view at = {}) const {
    const auto column = at.data() == nullptr ? 0 : at.data() - raw_.data() + 1;
    return Error{std::move(message), {source_, number_, static_cast<int>(column)}};
  }

  Error missing(std::string_view expected) const {
    return fail(fmt::format("the text ends; expected {}", expected));
  }

 private:
  std::string_view rest_;
  std::string_view raw_;
  std::string source_;
  int number_ = 0;
};

// What follows "LABEL :" on the line.
std::optional<std::string_view> after_label(std::string_view line, std::string_view label) {
  if (!line.starts_with(label)) return std::nullopt;
  line.remove_prefix(label.size());
  line = trim(line);
  if (!line.starts_with(':')) return std::nullopt;
  return trim(line.substr(1));
}

Status expect_label(DenseLines& lines, std::string_view label, std::size_t layer) {
  const std::string expected = fmt::format("'{} :' of layer {}", label, layer);
  if (!lines.next()) return lines.missing(expected);
  const auto rest = after_label(lines.line(), label);
  if (rest && rest->empty()) return Done{};
  return lines.fail(fmt::format("{}; expected {}", in_quotes(lines.line()), expected));
}

std::uint64_t numbers_of(std::span<const int> sizes) {
  std::uint64_t numbers = 0;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    const auto [inputs, outputs] = std::pair(sizes[i], sizes[i + 1]);
    numbers += static_cast<std::uint64_t>(outputs) * (static_cast<std::uint64_t>(inputs) + 1);
  }
  return numbers;
}

Status check_sizes(std::span<const int> sizes) {
  if (sizes.size() < 2 || sizes.size() > kMaxTextLayers + 1) {
    return Error{fmt::format("{}; expected from 2 to {}", counted(sizes.size(), "size"),
                             kMaxTextLayers + 1)};
  }
  for (const int size : sizes) {
    if (size >= 1 && size <= kMaxSize) continue;
    return Error{fmt::format("size {}; expected from 1 to {}", size, kMaxSize)};
  }
  if (numbers_of(sizes) > kMaxNumbers) {
    return Error{fmt::format("the sizes ask for {} numbers; expected {} at most", numbers_of(sizes),
                             kMaxNumbers)};
  }
  return Done{};
}

Result<std::vector<int>> read_sizes(DenseLines& lines) {
  constexpr std::string_view kExpected = "the sizes of the layers, like (97, 64, 64, 1)";
  if (!lines.next()) return lines.missing(kExpected);
  std::string_view line = lines.line();
  if (line.size() < 2 || line.front() != '(' || line.back() != ')') {
    return lines.fail(fmt::format("{}; expected {}", in_quotes(line), kExpected));
  }
  line = line.substr(1, line.size() - 2);
  std::vector<int> sizes;
  while (sizes.size() <= kMaxTextLayers + 1) {
    const auto comma = line.find(',');
    const std::string_view part = line.substr(0, comma);
    const auto size = parse_integer(trim(part), 1, kMaxSize, "a size");
    if (!size) {
      const auto skipped = std::min(part.find_first_not_of(kBlank), part.size());
      return lines.fail(size.error().message, part.substr(skipped));
    }
    sizes.push_back(static_cast<int>(*size));
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  if (const auto status = check_sizes(sizes); !status) return lines.fail(status.error().message);
  return sizes;
}

// The next line, which holds `count` numbers, to the end of `out`.
Status read_numbers(DenseLines& lines, std::string_view what, std::size_t count,
                    std::vector<double>& out) {
  if (!lines.next()) return lines.missing(fmt::format("{} of {} numbers", what, count));
  std::string_view rest = lines.line();
  for (std::size_t read = 0;; ++read) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlank), rest.size()));
    if (rest.empty() && read == count) return Done{};
    if (rest.empty()) {
      return lines.fail(fmt::format("{} has {} numbers; expected {}", what, read, count));
    }
    const std::string_view word = rest.substr(0, rest.find_first_of(kBlank));
    if (read == count) {
      return lines.fail(
          fmt::format("{} continues with {}; expected {} numbers", what, in_quotes(word), count),
          word);
    }
    const auto number = parse_number<double>(word);
    if (!number || !std::isfinite(*number)) {
      return lines.fail(
          fmt::format("{} in {}; expected a finite number of double range", in_quotes(word), what),
          word);
    }
    out.push_back(*number);
    rest.remove_prefix(word.size());
  }
}

// `first` is the number of the first layer in this file, 0 or 1.
Status read_layer_number(DenseLines& lines, std::size_t layer, std::size_t& first) {
  const std::string expected = fmt::format("'Layer : {}'", layer + first);
  if (!lines.next()) return lines.missing(expected);
  if (const auto rest = after_label(lines.line(), "Layer")) {
    if (layer == 0 && *rest == "1") first = 1;
    if (*rest == std::to_string(layer + first)) return Done{};
  }
  return lines.fail(fmt::format("{}; expected {}", in_quotes(lines.line()), expected));
}

Status read_layer(DenseLines& lines, std::size_t layer, std::size_t inputs, std::size_t outputs,
                  DenseText::Layer& out) {
  TRY(expect_label(lines, "Mat", layer));
  // A number and its separator take two bytes: a short text gets no more room than it can fill.
  out.matrix.reserve(std::min(inputs * outputs, lines.bytes_left() / 2 + 1));
  for (std::size_t row = 0; row < outputs; ++row) {
    const std::string what = fmt::format("row {} of layer {}", row, layer);
    TRY(read_numbers(lines, what, inputs, out.matrix));
  }
  TRY(expect_label(lines, "Biais", layer));
  return read_numbers(lines, fmt::format("the bias of layer {}", layer), outputs, out.bias);
}

}  // namespace

Result<DenseText> parse_dense_text(std::string_view text, std::string_view source) {
  DenseLines lines(text, source);
  auto sizes = TRY(read_sizes(lines));
  DenseText dense{std::move(sizes), {}};
  std::size_t first = 0;
  for (std::size_t i = 0; i + 1 < dense.sizes.size(); ++i) {
    TRY(read_layer_number(lines, i, first));
    const auto inputs = static_cast<std::size_t>(dense.sizes[i]);
    const auto outputs = static_cast<std::size_t>(dense.sizes[i + 1]);
    TRY(read_layer(lines, i + first, inputs, outputs, dense.layers.emplace_back()));
  }
  if (lines.next()) {
    return lines.fail(fmt::format("{} after the last layer; expected the end of the text",
                                  in_quotes(lines.line())));
  }
  return dense;
}

Status check_dense_text(const DenseText& dense) {
  TRY(check_sizes(dense.sizes));
  if (dense.layers.size() + 1 != dense.sizes.size()) {
    return Error{fmt::format("{}; expected {} for {}", counted(dense.layers.size(), "layer"),
                             dense.sizes.size() - 1, counted(dense.sizes.size(), "size"))};
  }
  for (std::size_t i = 0; i < dense.layers.size(); ++i) {
    const auto& [matrix, bias] = dense.layers[i];
    const auto inputs = static_cast<std::size_t>(dense.sizes[i]);
    const auto outputs = static_cast<std::size_t>(dense.sizes[i + 1]);
    if (matrix.size() != inputs * outputs || bias.size() != outputs) {
      return Error{fmt::format("layer {} has {} and {}; expected {} and {}", i,
                               counted(matrix.size(), "weight"), counted(bias.size(), "bias"),
                               inputs * outputs, outputs)};
    }
    const auto is_finite = [](double number) { return std::isfinite(number); };
    if (!std::ranges::all_of(matrix, is_finite) || !std::ranges::all_of(bias, is_finite)) {
      return Error{fmt::format("layer {} has a number that is not finite", i)};
    }
  }
  return Done{};
}

std::string dense_text(const DenseText& dense, DenseTextForm form) {
  assert(check_dense_text(dense).ok());
  std::string out = fmt::format("({})\n", fmt::join(dense.sizes, ", "));
  for (std::size_t i = 0; i < dense.layers.size(); ++i) {
    const auto& [matrix, bias] = dense.layers[i];
    const auto inputs = static_cast<std::size_t>(dense.sizes[i]);
    fmt::format_to(std::back_inserter(out), "Layer : {}\nMat :\n", i);
    for (std::size_t at = 0; at < matrix.size(); at += inputs) {
      const auto row = std::span(matrix).subspan(at, inputs);
      fmt::format_to(std::back_inserter(out), "{}\n", fmt::join(row, " "));
    }
    if (form == DenseTextForm::blank_lines) out += '\n';
    fmt::format_to(std::back_inserter(out), "Biais :\n{}\n", fmt::join(bias, " "));
  }
  return out;
}

bool is_dense_report_network(const nn::NetworkSpec& spec) {
  if (spec.heads.size() != 1 || !spec.heads[0].layers.empty() || spec.layers.size() % 2 != 0) {
    return false;
  }
  for (std::size_t i = 0; i < spec.layers.size(); i += 2) {
    const nn::LayerSpec& layer = spec.layers[i];
    if (!layer.is("dense") || layer.parameters.size() != 2 || !spec.layers[i + 1].is("sigmoid")) {
      return false;
    }
  }
  return !spec.layers.empty();
}

Result<DenseText> to_dense_text(const nn::Network<double>& network) {
  if (!is_dense_report_network(network.spec())) {
    return Error{"the text form holds dense layers with biases, each followed by a sigmoid, only"};
  }
  DenseText text{{network.spec().input.size()}, {}};
  const auto parameters = network.parameters();
  for (std::size_t i = 0; i < parameters.size(); i += 2) {
    text.sizes.push_back(parameters[i]->out);
    text.layers.push_back({parameters[i]->in_order(), parameters[i + 1]->in_order()});
  }
  TRY(check_dense_text(text));
  return text;
}

std::shared_ptr<nn::Network<double>> network_of(const DenseText& text) {
  Json layers = Json::array();
  for (std::size_t i = 1; i < text.sizes.size(); ++i) {
    layers.push_back({{"type", "dense"}, {"units", text.sizes[i]}});
    layers.push_back({{"type", "sigmoid"}});
  }
  const Json spec = {{"input", {text.sizes[0]}}, {"layers", std::move(layers)}};
  auto network = std::make_shared<nn::Network<double>>(nn::parse_network(spec, "text").value(), 1,
                                                       nn::Use::inference);
  for (std::size_t i = 0; i < text.layers.size(); ++i) {
    network->parameters()[2 * i]->set_in_order(text.layers[i].matrix);
    network->parameters()[2 * i + 1]->set_in_order(text.layers[i].bias);
  }
  return network;
}

}  // namespace damier::model
