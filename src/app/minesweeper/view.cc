#include "damier/app/minesweeper/view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/base/text/text.h"
#include "damier/exact/minesweeper/end_game.h"
#include "damier/exact/minesweeper/solver.h"
#include "damier/games/coordinates.h"

namespace damier::app {

namespace {

using exact::minesweeper::Probabilities;
using games::minesweeper::Code;
using games::minesweeper::Observation;

// A ground from green over yellow to red, in the terminal's cube of 6 x 6 x 6 colours.
int ground_of(double probability) {
  if (probability <= 0) return 28;
  if (probability >= 1) return 124;
  constexpr int kSteps[] = {64, 100, 136, 172, 166, 160};
  return kSteps[std::min(5, static_cast<int>(probability * 6))];
}

// Without colours a probability has a sign to be told from a number by, and a gap before it.
int cell_width(const Look& look) { return look.colour ? 4 : 5; }

constexpr int kRowLabel = 3;  // columns

int board_width(const Observation& board, const Look& look) {
  return kRowLabel + cell_width(look) * board.cols;
}

std::string percent(double probability) {
  if (probability <= 0) return "0";
  if (probability >= 1) return "100";
  if (probability < 0.01) return "<1";
  if (probability > 0.99) return ">99";
  return fmt::format("{:.0f}", 100 * probability);
}

std::string cell_name(const Observation& board, int cell) {
  return games::cell_name({cell / board.cols, cell % board.cols});
}

std::vector<int> cells_where(const Probabilities& probabilities, double value) {
  std::vector<int> cells;
  for (std::size_t i = 0; i < probabilities.bomb.size(); ++i) {
    if (probabilities.bomb[i] == value) cells.push_back(static_cast<int>(i));
  }
  return cells;
}

std::string names_of(const Observation& board, const std::vector<int>& cells) {
  constexpr std::size_t kMaxCells = 12;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMaxCells, cells.size()); ++i) {
    names.push_back(cell_name(board, cells[i]));
  }
  std::string text = join(names, " ");
  if (cells.size() > kMaxCells) text += tr_format(" and {} more", cells.size() - kMaxCells);
  return text;
}

// Over the masked cells.
double mean_difference(const Probabilities& probabilities, std::span<const float> estimates) {
  double sum = 0;
  int masked = 0;
  for (std::size_t i = 0; i < probabilities.bomb.size(); ++i) {
    if (probabilities.bomb[i] == Probabilities::kNotMasked) continue;
    sum += std::abs(probabilities.bomb[i] - static_cast<double>(estimates[i]));
    ++masked;
  }
  return masked == 0 ? 0 : sum / masked;
}

// Rows of numbers, null where nothing is masked.
template <class Number>
Json rows_json(const Probabilities& probabilities, std::span<const Number> numbers) {
  Json rows = Json::array();
  for (int row = 0; row < probabilities.rows; ++row) {
    Json line = Json::array();
    for (int col = 0; col < probabilities.cols; ++col) {
      const auto cell = static_cast<std::size_t>(row * probabilities.cols + col);
      line.push_back(probabilities.is_masked(row, col) ? Json(numbers[cell]) : Json(nullptr));
    }
    rows.push_back(std::move(line));
  }
  return rows;
}

}  // namespace

namespace {

std::string probability_cell(Code code, double probability, const Look& look) {
  if (probability == Probabilities::kNotMasked) {
    const std::string sign = code == Code::bomb ? "*"
                             : !is_number(code) ? " "
                             : static_cast<int>(code) == 0
                                 ? (look.unicode ? "·" : ".")
                                 : fmt::format("{}", static_cast<int>(code));
    return painted(look, Ink::faint, fmt::format("{:>{}}", sign, cell_width(look)));
  }
  if (!look.colour) return fmt::format("{:>4}%", percent(probability));
  return fmt::format(" \x1b[38;5;231;48;5;{}m{:>3}\x1b[0m", ground_of(probability),
                     percent(probability));
}

}  // namespace

std::vector<std::string> probability_board(const Observation& board,
                                           const Probabilities& probabilities, const Look& look) {
  // Wide boards come in parts of about the same width, one below the other.
  const int most = std::clamp((line_limit() - kRowLabel) / cell_width(look), 1, board.cols);
  const int parts = (board.cols + most - 1) / most;
  std::vector<std::string> lines;
  for (int part = 0; part < parts; ++part) {
    const int first = board.cols * part / parts, end = board.cols * (part + 1) / parts;
    if (part > 0) lines.emplace_back();
    std::string header(kRowLabel, ' ');
    for (int col = first; col < end; ++col) {
      header += fmt::format("{:>{}}", games::column_name(col), cell_width(look));
    }
    lines.push_back(painted(look, Ink::faint, header));
    for (int row = 0; row < board.rows; ++row) {
      std::string line = painted(look, Ink::faint, fmt::format("{:>{}}", row + 1, kRowLabel));
      for (int col = first; col < end; ++col) {
        line += probability_cell(board.at(row, col), probabilities.at(row, col), look);
      }
      lines.push_back(line);
    }
  }
  return lines;
}

std::vector<std::string> compared_probabilities(const Observation& board,
                                                const Probabilities& probabilities,
                                                std::span<const float> estimates,
                                                std::string_view who, const Look& look) {
  Probabilities estimated = probabilities;
  for (std::size_t i = 0; i < estimated.bomb.size(); ++i) {
    if (estimated.bomb[i] != Probabilities::kNotMasked) {
      estimated.bomb[i] = static_cast<double>(estimates[i]);
    }
  }
  const auto exact = probability_board(board, probabilities, look),
             said = probability_board(board, estimated, look);
  constexpr int kGap = 4;
  const int width = board_width(board, look);
  std::vector<std::string> lines;
  if (2 * width + kGap <= terminal_columns()) {
    lines.push_back(fmt::format("    {:<{}}{}", tr("exact"), width + kGap - 4, who));
    for (std::size_t i = 0; i < exact.size(); ++i) {
      lines.push_back(exact[i] + std::string(kGap, ' ') + said[i]);
    }
  } else {
    lines.push_back("    " + tr("exact"));
    lines.insert(lines.end(), exact.begin(), exact.end());
    lines.push_back(fmt::format("    {}", who));
    lines.insert(lines.end(), said.begin(), said.end());
  }
  lines.push_back(tr_format("mean absolute difference over the masked cells: {:.4f}",
                            mean_difference(probabilities, estimates)));
  return lines;
}

std::vector<std::string> minesweeper_advice(const Observation& board,
                                            const Probabilities& probabilities) {
  std::vector<std::string> lines;
  const auto safe = cells_where(probabilities, 0), bombs = cells_where(probabilities, 1);
  if (!safe.empty()) lines.push_back(tr_format("certainly safe: {}", names_of(board, safe)));
  if (!bombs.empty()) lines.push_back(tr_format("certainly bombs: {}", names_of(board, bombs)));
  const bool masked =
      std::any_of(probabilities.bomb.begin(), probabilities.bomb.end(),
                  [](double probability) { return probability >= 0 && probability < 1; });
  if (!masked || !safe.empty()) return lines;
  exact::minesweeper::Solver solver;
  RandomStream random(Seed{0}, "minesweeper.advice");
  const int cell = solver.choose(board, random).cell;
  lines.push_back(tr_format("best guess: {}, a bomb with {:.1f} %", cell_name(board, cell),
                            100 * probabilities.bomb[static_cast<std::size_t>(cell)]));
  if (const auto end = exact::minesweeper::end_game(board)) {
    lines.push_back(tr_format("with best play the game is won with {:.1f} %", 100 * end->win));
  }
  return lines;
}

Json probabilities_json(const Observation& board, const Probabilities& probabilities,
                        std::string_view player, std::span<const float> estimates) {
  Json dead = Json::array();
  for (std::size_t cell = 0; cell < probabilities.dead.size(); ++cell) {
    if (probabilities.dead[cell] != 0) dead.push_back(cell_name(board, static_cast<int>(cell)));
  }
  Json json = {{"game", "minesweeper"},
               {"rows", board.rows},
               {"cols", board.cols},
               {"bombs", board.bombs},
               {"arrangements", probabilities.arrangements},
               {"probability", rows_json<double>(probabilities, probabilities.bomb)},
               {"dead", std::move(dead)}};
  if (!estimates.empty()) {
    json["player"] = player;
    json["network"] = rows_json<float>(probabilities, estimates);
    json["mean_absolute_difference"] = mean_difference(probabilities, estimates);
  }
  if (const auto end = exact::minesweeper::end_game(board)) {
    Json moves = Json::array();
    for (const auto& move : end->moves) {
      moves.push_back({{"move", cell_name(board, move.cell)}, {"win", move.win}});
    }
    json["end_game"] = {{"win", end->win}, {"moves", std::move(moves)}};
  }
  return json;
}

std::string arrangements_line(const Observation& board, const Probabilities& probabilities) {
  const std::string bombs = tr_counted(board.bombs, "bomb");
  if (probabilities.arrangements == "1") {
    return tr_format("1 arrangement of {} fits; each number is a probability in percent", bombs);
  }
  return tr_format("{} arrangements of {} fit; each number is a probability in percent",
                   probabilities.arrangements.size() <= 24
                       ? probabilities.arrangements
                       : fmt::format("10^{:.1f}", probabilities.arrangements_log10),
                   bombs);
}

}  // namespace damier::app
