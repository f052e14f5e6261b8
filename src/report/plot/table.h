// Tables as plain values: those of a report, and those of the numbers behind each figure.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "damier/report/plot/plot.h"

namespace damier::report {

enum class Align { left, right, center };

// How a result stands to what was expected of it. Shown by sign and word, not by colour alone.
enum class Verdict { none, reached, within, missed };

// "reached", "within the interval", "missed"; empty for none.
std::string verdict_text(Verdict verdict);

struct Cell {
  std::string text = {};
  Verdict verdict = Verdict::none;
  bool strong = false;

  Cell() = default;
  Cell(std::string cell_text) : text(std::move(cell_text)) {}
  Cell(const char* cell_text) : text(cell_text) {}
  Cell(std::string cell_text, Verdict cell_verdict, bool is_strong = false)
      : text(std::move(cell_text)), verdict(cell_verdict), strong(is_strong) {}
};

struct Row {
  std::vector<Cell> cells = {};
  bool strong = false;  // the row that the table is about
};

struct Column {
  std::string name = {};
  Align align = Align::left;
};

struct Table {
  std::string caption = {};
  std::vector<Column> columns = {};
  std::vector<Row> rows = {};
  std::string note = {};  // under the table
};

// Without rows yet: columns of words, then columns of figures.
Table headed_table(std::string caption, const std::vector<std::string>& words,
                   const std::vector<std::string>& figures = {});

// The numbers of a figure, at most `most_rows` of them; the note says how many more there are.
Table data_table(const Figure& figure, std::size_t most_rows = 200);

// For a terminal or a text file: columns padded with spaces.
std::string plain_text(const Table& table);

// The <table>, inside a box that scrolls when the table is wider than the page.
std::string html_table(const Table& table);

}  // namespace damier::report
