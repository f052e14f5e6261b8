#include "damier/report/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::report {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool allowed_in_xml(char32_t character) {
  if (character < 0x20) return character == '\t' || character == '\n' || character == '\r';
  if (character >= 0x7F && character <= 0x9F) return false;
  // The non-characters: XML forbids U+FFFE and U+FFFF, HTML objects to all of them.
  return (character & 0xFFFE) != 0xFFFE && (character < 0xFDD0 || character > 0xFDEF);
}

template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto bytes = text.substr(0, std::max<std::size_t>(length, 1));
    const char32_t character = length == 0 ? 0 : utf8_code_point(bytes);
    const bool good = allowed_in_xml(character);
    visit(good ? character : U'\uFFFD', good ? bytes : kReplacement);
    text.remove_prefix(bytes.size());
  }
}

// In parts of the font size. The widths of a rather wide sans serif.
double character_width(char32_t character) {
  constexpr std::u32string_view kNarrow = U"iIjlft.,:;'|!()[]{}/ \u00A0·";
  constexpr std::u32string_view kWide = U"mwMW@%—−×+=<>~≈…";
  if (character >= 0x2E80) return 1.05;  // CJK, emoji
  if (kNarrow.find(character) != std::u32string_view::npos) return 0.36;
  if (kWide.find(character) != std::u32string_view::npos) return 0.96;
  if (character >= 'A' && character <= 'Z') return 0.72;
  return 0.61;
}

std::string class_attribute(std::string_view classes) {
  return classes.empty() ? "" : fmt::format(" class=\"{}\"", classes);
}

std::string anchor_attribute(Anchor anchor) {
  if (anchor == Anchor::start) return "";
  return anchor == Anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
}

}  // namespace

std::string cleaned(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&](char32_t, std::string_view bytes) { out += bytes; });
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  constexpr std::pair<char32_t, std::string_view> kEscapes[] = {{'&', "&amp;"},  {'<', "&lt;"},
                                                                {'>', "&gt;"},   {'"', "&quot;"},
                                                                {'\'', "&#39;"}, {'\r', "&#13;"}};
  for_each_character(text, [&](char32_t character, std::string_view bytes) {
    const auto* escape =
        std::ranges::find(kEscapes, character, [](const auto& one) { return one.first; });
    out += escape == std::end(kEscapes) ? bytes : escape->second;
  });
  return out;
}

std::string pixels(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", std::clamp(value, -1e6, 1e6));
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text, double font_size) {
  double width = 0;
  for_each_character(
      text, [&](char32_t character, std::string_view) { width += character_width(character); });
  return width * font_size;
}

std::string shortened(std::string_view text, double width, double font_size) {
  if (text_width(text, font_size) <= width) return cleaned(text);
  std::string out;
  double used = font_size;  // the ellipsis
  bool full = false;
  for_each_character(text, [&](char32_t character, std::string_view bytes) {
    used += character_width(character) * font_size;
    full = full || used > width;
    if (!full) out += bytes;
  });
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out + "…";
}

std::vector<std::string> wrapped(std::string_view text, double width, double font_size) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const bool fits =
        !lines.empty() && text_width(fmt::format("{} {}", lines.back(), word), font_size) <= width;
    fits ? lines.back() += fmt::format(" {}", word) : lines.emplace_back(word);
  }
  return lines;
}

void SvgWriter::begin_group(std::string_view classes) {
  out_ += fmt::format("<g{}>", class_attribute(classes));
}

void SvgWriter::end_group() { out_ += "</g>\n"; }

void SvgWriter::close_with(std::string_view tag, std::string_view tooltip) {
  if (tooltip.empty()) {
    out_ += "/>";
  } else {
    out_ += fmt::format("><title>{}</title></{}>", escaped(tooltip), tag);
  }
}

void SvgWriter::line(double x1, double y1, double x2, double y2, std::string_view classes) {
  out_ += fmt::format("<line{} x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", class_attribute(classes),
                      pixels(x1), pixels(y1), pixels(x2), pixels(y2));
}

void SvgWriter::rectangle(double x, double y, double width, double height, std::string_view classes,
                          std::string_view tooltip) {
  out_ += fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
                      class_attribute(classes), pixels(x), pixels(y), pixels(std::max(width, 0.0)),
                      pixels(std::max(height, 0.0)));
  close_with("rect", tooltip);
}

void SvgWriter::path(std::string_view data, std::string_view classes, std::string_view tooltip) {
  out_ += fmt::format("<path{} d=\"{}\"", class_attribute(classes), data);
  close_with("path", tooltip);
}

void SvgWriter::text(double x, double y, std::string_view content, std::string_view classes,
                     Anchor anchor) {
  out_ += fmt::format("<text{} x=\"{}\" y=\"{}\"{}>{}</text>", class_attribute(classes), pixels(x),
                      pixels(y), anchor_attribute(anchor), escaped(content));
}

void SvgWriter::turned_text(double x, double y, double degrees, std::string_view content,
                            std::string_view classes, Anchor anchor) {
  out_ += fmt::format("<text{} transform=\"translate({} {}) rotate({})\"{}>{}</text>",
                      class_attribute(classes), pixels(x), pixels(y), pixels(degrees),
                      anchor_attribute(anchor), escaped(content));
}

void SvgWriter::element(std::string_view tag, std::string_view content) {
  out_ += fmt::format("<{0}>{1}</{0}>", tag, escaped(content));
}

PathData& PathData::add(std::string_view command, double x, double y, std::string_view after) {
  data_ += fmt::format("{}{} {}{}", command, pixels(x), pixels(y), after);
  return *this;
}

namespace {

// Corners at equal angles, the first straight up when `turn` is 0.
std::string polygon(int corners, double x, double y, double radius, double turn) {
  PathData data;
  for (int i = 0; i < corners; ++i) {
    const double angle = turn + 2 * std::numbers::pi * i / corners;
    data.line(x + radius * std::sin(angle), y - radius * std::cos(angle));
  }
  return data.close().text();
}

std::string plus_sign(double x, double y, double radius, double turn) {
  constexpr double kArm = 0.36;
  std::array<std::pair<double, double>, 3> corners = {{{-kArm, -1}, {kArm, -1}, {kArm, -kArm}}};
  PathData data;
  for (int quarter = 0; quarter < 4; ++quarter) {
    for (auto& [a, b] : corners) {
      data.line(x + radius * (a * std::cos(turn) - b * std::sin(turn)),
                y + radius * (a * std::sin(turn) + b * std::cos(turn)));
      a = -std::exchange(b, a);
    }
  }
  return data.close().text();
}

}  // namespace

std::string marker_path(std::size_t shape, double x, double y, double radius) {
  constexpr double kPi = std::numbers::pi;
  // The factors give all shapes about the same area.
  switch (shape % kMarkerShapes) {
    case 0:
      return fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0 -{3} 0Z", pixels(x - radius),
                         pixels(y), pixels(radius), pixels(2 * radius));
    case 1:
      return polygon(4, x, y, 1.25 * radius, kPi / 4);
    case 2:
      return polygon(3, x, y + 0.15 * radius, 1.4 * radius, 0);
    case 3:
      return polygon(4, x, y, 1.35 * radius, 0);
    case 4:
      return polygon(3, x, y - 0.15 * radius, 1.4 * radius, kPi);
    case 5:
      return plus_sign(x, y, 1.25 * radius, 0);
    default:
      return plus_sign(x, y, 1.25 * radius, kPi / 4);
  }
}

}  // namespace damier::report
