// A report is a plain value: sections of paragraphs, tables and figures. `text` (text.h) prints it
// on a terminal, `html` makes it one page that needs nothing but itself: no scripts, no fonts and
// no links to elsewhere; it is well-formed XML as well as HTML5, follows the reader's choice of
// light or dark, and prints on A4.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "damier/report/plot/plot.h"
#include "damier/report/plot/table.h"

namespace damier::report {

// Text with a little markup: `code`, *emphasis*, **strong**. Signs without a partner stand for
// themselves; a backslash before a sign takes its meaning away.
struct Paragraph {
  std::string text = {};
};

struct BulletList {
  std::vector<std::string> items = {};  // with the same markup
};

// Commands, logs, positions: kept as they are.
struct Preformatted {
  std::string text = {};
};

// What is known of something, each with its name.
struct Facts {
  std::vector<std::pair<std::string, std::string>> facts = {};
  bool whole_lines = false;  // commands and files: never broken
};

// A few numbers worth a large type.
struct KeyNumber {
  std::string value = {};   // "+104 Elo"
  std::string label = {};   // "over plain UCT"
  std::string detail = {};  // "95 %: +81 to +128"
};

struct KeyNumbers {
  std::vector<KeyNumber> numbers = {};
};

// How to make a figure or a table again.
struct Provenance {
  std::string command = {};
  std::string seed = {};
  std::vector<std::string> versions = {};  // "Damier 0.1.0", "GNU 12.2.0"
};

struct PageFigure {
  Figure figure = {};
  Provenance provenance = {};
};

struct PageTable {
  Table table = {};
  Provenance provenance = {};
};

// Small drawings side by side, each an SVG element with a line under it.
struct Diagram {
  std::string svg = {};
  std::string caption = {};
};

struct Diagrams {
  std::vector<Diagram> diagrams = {};
  std::string caption = {};
};

using Block = std::variant<Paragraph, BulletList, Preformatted, Facts, KeyNumbers, Diagrams,
                           PageFigure, PageTable>;

struct Section {
  std::string heading = {};
  std::vector<Block> blocks = {};
};

struct Page {
  std::string title = {};
  std::string subtitle = {};
  std::string lead = {};  // the result in a few sentences, with the markup of paragraphs
  std::vector<std::string> facts = {};  // one line under the title: date, machine, games played
  std::vector<Section> sections = {};
  std::string footer = {};
};

// In the language that is set (base/text/language.h). With a table of contents from four sections
// on. Figures and tables are numbered in order.
std::string html(const Page& report);

// The markup of a paragraph as HTML, escaped.
std::string inline_html(std::string_view text);

}  // namespace damier::report
