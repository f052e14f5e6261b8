// The few SVG elements that the figures are made of, and the care that text needs on its way into
// XML. Whatever is handed to `escaped` comes out as valid UTF-8 that no parser takes for markup.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace damier::report {

// `text` for XML content and for attribute values in double quotes. Bytes that are not UTF-8, and
// the characters that XML does not allow, become U+FFFD.
std::string escaped(std::string_view text);

// `text` as valid UTF-8 without characters that XML does not allow, but not escaped.
std::string cleaned(std::string_view text);

// A length or a place on the drawing: at most two decimals, "nan" and "-0" never.
std::string pixels(double value);

// An upper estimate, because the reader's font is not known here.
double text_width(std::string_view text, double font_size);

// `text` cut with an ellipsis to be at most `width` wide.
std::string shortened(std::string_view text, double width, double font_size);

// `text` broken between words into lines of at most `width`; a longer word stays in one piece.
std::vector<std::string> wrapped(std::string_view text, double width, double font_size);

enum class Anchor { start, middle, end };

// Appends elements to a string. Colours and strokes are the style sheet's affair: elements carry
// class names only. A tooltip, where given, is the native one of the browser.
class SvgWriter {
 public:
  void begin_group(std::string_view classes);
  void end_group();

  void line(double x1, double y1, double x2, double y2, std::string_view classes);
  void rectangle(double x, double y, double width, double height, std::string_view classes,
                 std::string_view tooltip = {});
  void path(std::string_view data, std::string_view classes, std::string_view tooltip = {});
  void text(double x, double y, std::string_view content, std::string_view classes,
            Anchor anchor = Anchor::start);
  // Turned about its own anchor point.
  void turned_text(double x, double y, double degrees, std::string_view content,
                   std::string_view classes, Anchor anchor);
  // An element without attributes: <title>, <desc>.
  void element(std::string_view tag, std::string_view content);
  void raw(std::string_view markup) { out_ += markup; }

  const std::string& markup() const { return out_; }

 private:
  void close_with(std::string_view tag, std::string_view tooltip);

  std::string out_;
};

// Builds the `d` of a path.
class PathData {
 public:
  PathData& move(double x, double y) { return add("M", x, y); }
  // The first one begins the path.
  PathData& line(double x, double y) { return add(empty() ? "M" : "L", x, y); }
  // A point for strokes with round ends.
  PathData& dot(double x, double y) { return add("M", x, y, "h0"); }
  PathData& close() { return data_ += 'Z', *this; }
  bool empty() const { return data_.empty(); }
  const std::string& text() const { return data_; }

 private:
  PathData& add(std::string_view command, double x, double y, std::string_view after = {});

  std::string data_;
};

constexpr std::size_t kMarkerShapes = 7;

// A marker about `radius` around (x, y). Series differ by shape as well as by colour.
std::string marker_path(std::size_t shape, double x, double y, double radius);

}  // namespace damier::report
