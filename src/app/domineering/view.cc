#include "damier/app/domineering/view.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "damier/app/terminal/board_printer.h"
#include "damier/base/text/language.h"

namespace damier::app {

namespace {

using play::MoveAnswer;
using play::Verdict;

constexpr int kLabelWidth = 3, kCellWidth = 4, kGapWidth = 4;

// How much a player likes a move, from 0 to 1: its prior, or its share of the visits.
std::vector<std::optional<double>> liked(const play::Answer& answer) {
  double visits = 0;
  for (const MoveAnswer& move : answer.moves) {
    visits += static_cast<double>(move.visits);
  }
  std::vector<std::optional<double>> all;
  for (const MoveAnswer& move : answer.moves) {
    if (visits > 0) {
      all.emplace_back(static_cast<double>(move.visits) / visits);
    } else {
      all.push_back(move.prior);
    }
  }
  return all;
}

std::string on_ground(const Look& look, int ground, std::string_view text) {
  if (!look.colour) return fmt::format("{:>{}}", text, kCellWidth);
  return fmt::format(" \x1b[38;5;231;48;5;{}m{:>{}}\x1b[0m", ground, text, kCellWidth - 1);
}

// From grey over dark to light green, in the terminal's colours.
int ground_of_share(double share) {
  constexpr int kGrounds[] = {236, 22, 28, 34, 40};
  if (share < 0.005) return kGrounds[0];
  return kGrounds[share < 0.05 ? 1 : share < 0.15 ? 2 : share < 0.4 ? 3 : 4];
}

std::string share_cell(const Look& look, double share) {
  return on_ground(look, ground_of_share(share), fmt::format("{:.0f}", 100 * share));
}

std::string exact_cell(const Look& look, Verdict exact) {
  if (exact == Verdict::win) return on_ground(look, 28, "+");
  if (exact == Verdict::loss) return on_ground(look, 124, "-");
  return on_ground(look, 240, "?");
}

// The board with `cells` where they are not empty.
std::vector<std::string> drawn(const games::Picture& picture, const Look& look,
                               const std::vector<std::string>& cells) {
  std::vector<std::string> lines;
  std::string header(kLabelWidth, ' ');
  for (const std::string& label : picture.col_labels) {
    header += fmt::format("{:>{}}", label, kCellWidth);
  }
  lines.push_back(painted(look, Ink::faint, header));
  for (int row = 0; row < picture.rows; ++row) {
    const std::string& label = picture.row_labels[static_cast<std::size_t>(row)];
    std::string line = painted(look, Ink::faint, fmt::format("{:>{}}", label, kLabelWidth));
    for (int col = 0; col < picture.cols; ++col) {
      const auto at = static_cast<std::size_t>(row * picture.cols + col);
      if (cells[at].empty()) {
        // It is one column wide, however many bytes it takes.
        line += std::string(kCellWidth - 1, ' ') + cell_text(picture, picture.cells[at], look);
      } else {
        line += cells[at];
      }
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::vector<std::string> domineering_overlay(const games::Session& session,
                                             const play::Answer& answer, const std::string& player,
                                             const Look& look) {
  const auto shares = liked(answer);
  const bool has_opinion = std::any_of(shares.begin(), shares.end(),
                                       [](const auto& share) { return share.has_value(); });
  if (!has_opinion) return {};
  const games::Picture picture = session.picture();
  std::vector<std::string> thought(picture.cells.size()), certain(picture.cells.size());
  bool any_certain = false;
  for (std::size_t i = 0; i < answer.moves.size(); ++i) {
    // An action is the upper or left cell of the domino.
    const auto at = static_cast<std::size_t>(index(answer.moves[i].move));
    thought[at] = share_cell(look, shares[i].value_or(0));
    certain[at] = exact_cell(look, answer.moves[i].known.verdict);
    any_certain = any_certain || answer.moves[i].known.is_certain();
  }
  const std::string indent(kLabelWidth + 1, ' ');
  std::vector<std::string> lines = drawn(picture, look, thought);
  const std::string heading = tr_format("{}, in percent", player);
  if (!any_certain) {
    lines.insert(lines.begin(), indent + heading);
    return lines;
  }
  const auto exact = drawn(picture, look, certain);
  const std::string truth = tr("exact: + wins, - loses, ? not known");
  const int width = kLabelWidth + kCellWidth * picture.cols;
  const int heading_width = static_cast<int>(indent.size() + truth.size());
  if (width + kGapWidth + std::max(width, heading_width) > terminal_columns()) {
    lines.insert(lines.begin(), indent + heading);
    lines.push_back(indent + truth);
    lines.insert(lines.end(), exact.begin(), exact.end());
    return lines;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i] += std::string(kGapWidth, ' ') + exact[i];
  }
  const int room = width + kGapWidth - kLabelWidth - 1;
  lines.insert(lines.begin(), indent + fmt::format("{:<{}}", heading, room) + indent + truth);
  return lines;
}

}  // namespace damier::app
