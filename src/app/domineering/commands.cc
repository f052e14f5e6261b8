// What domineering offers to the commands: examples, and moves drawn on the board.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "damier/app/commands/builtin_commands.h"
#include "damier/app/terminal/board_printer.h"
#include "damier/base/text/language.h"
#include "damier/play/players/player_kind.h"

namespace damier::app {

namespace {

constexpr std::string_view kExamples[] = {
    "{program} play domineering --board 6x6 --vs human",
    "{program} analyze domineering --board 6x6 --player uct:100000 --json",
    "{program} analyze domineering --board 6x6 --player net",
    "{program} solve domineering --board 6x7",
    "{program} match domineering uct:1000 flat:100 --games 200",
    "{program} tournament domineering random flat:10 flat:100 uct:1000 --games 100",
    "{program} ratings domineering",
    "{program} eval domineering --players random ucb:100 uct:1000",
    "{program} eval uct:1000 domineering --positions 100 --seed 1",
    "{program} generate domineering --states games --set encoder=mover --count 10000 -o games.data",
    "{program} train domineering",
    "{program} perft domineering --board 5x6 4 --json",
};

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
    all.push_back(visits > 0 ? static_cast<double>(move.visits) / visits : move.prior);
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

// What a player thinks of the moves: how much it likes to begin a domino at a cell, beside what is
// certain of that. Two boards, side by side where there is room; one where nothing is certain.
// Empty where the player has no opinion of the moves.
std::vector<std::string> domineering_overlay(const games::Session& session,
                                             const play::Answer& answer, const std::string& player,
                                             const Look& look) {
  const auto shares = liked(answer);
  if (std::ranges::none_of(shares, [](const auto& share) { return share.has_value(); })) return {};
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
  const auto exact = drawn(picture, look, certain);
  const std::string truth = indent + tr("exact: + wins, - loses, ? not known");
  const int width = kLabelWidth + kCellWidth * picture.cols;
  const int needed = width + kGapWidth + std::max(width, static_cast<int>(truth.size()));
  if (!any_certain || needed > terminal_columns()) {
    lines.insert(lines.begin(), indent + heading);
    if (!any_certain) return lines;
    lines.push_back(truth);
    lines.insert(lines.end(), exact.begin(), exact.end());
    return lines;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i] += std::string(kGapWidth, ' ') + exact[i];
  }
  lines.insert(lines.begin(), fmt::format("{:<{}}{}", indent + heading, width + kGapWidth, truth));
  return lines;
}

class DomineeringCommands final : public GameCommands {
 public:
  DomineeringCommands() : GameCommands("domineering", {kExamples}) {}
  Lines overlay(const games::Session& session, const play::Answer& answer,
                const std::string& player, const Look& look) const override {
    return domineering_overlay(session, answer, player, look);
  }
};

}  // namespace

std::unique_ptr<GameCommands> domineering_commands() {
  return std::make_unique<DomineeringCommands>();
}

}  // namespace damier::app
