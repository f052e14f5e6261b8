#include "damier/app/terminal/move_table.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/base/text/text.h"
#include "damier/search/report.h"

namespace damier::app {

namespace {

using play::Verdict;

std::string exact_text(const play::MoveView& move) {
  if (move.exact == Verdict::unknown) return "";
  if (move.exact == Verdict::draw) return tr("draw");
  const std::string text = tr(move.exact == Verdict::win ? "wins" : "loses");
  return move.distance ? tr_format("{} in {}", text, tr_counted(*move.distance, "ply")) : text;
}

// Whether there is a value that does not only repeat what is certain.
bool says_more(const play::MoveView& move) {
  return move.value &&
         (move.exact == Verdict::unknown || *move.value != search::value_of(move.exact));
}

bool is_scored(const play::MoveView& move, const games::Facts& facts) {
  return move.score && !facts.score_unit.empty();
}

// What a player expects, whatever is certain.
std::string expected_text(const play::MoveView& move, const games::Facts& facts) {
  // No -0.00.
  if (is_scored(move, facts)) return fmt::format("{:+.2f}", *move.score / 100.0 + 0.0);
  return move.value ? percent_text(*move.value) : "";
}

std::vector<std::string> line_texts(const games::Session& session,
                                    std::span<const games::Action> line) {
  std::vector<std::string> texts;
  const auto ahead = session.clone();
  for (const games::Action action : line) {
    if (ahead->outcome() != games::Outcome::ongoing) break;
    texts.push_back(ahead->move_text(action));
    ahead->play(action);
  }
  return texts;
}

}  // namespace

std::string percent_text(double value) { return fmt::format("{:.1f} %", 50 * (1 + value)); }

std::string value_text(const play::MoveView& move, const games::Facts& facts) {
  return move.exact == Verdict::unknown ? expected_text(move, facts) : exact_text(move);
}

std::string_view value_legend(const play::View& view, const games::Facts& facts) {
  std::string_view legend;
  for (const auto& move : view.moves) {
    if (!says_more(move)) continue;
    if (is_scored(move, facts)) return facts.score_unit;
    legend = "the probability of a win, a draw counts half";
  }
  return legend;
}

std::vector<std::string> move_table(const games::Session& session, const play::View& view,
                                    const games::Facts& facts, std::size_t most, const Look& look,
                                    const GameCommands& own) {
  const auto shown = [&](games::Action action) {
    return own.moves_in_language(session.move_text(action));
  };
  std::vector<std::string> lines;
  std::size_t width = 4;
  for (const auto& move : view.moves) width = std::max(width, shown(move.action).size());
  std::uint64_t visits = 0;
  std::size_t exact_width = 0;
  bool any_value = false;
  for (const auto& move : view.moves) {
    visits += move.visits.value_or(0);
    exact_width = std::max(exact_width, exact_text(move).size());
    any_value = any_value || says_more(move);
  }
  for (std::size_t i = 0; i < std::min(most, view.moves.size()); ++i) {
    const auto& move = view.moves[i];
    std::string line = painted(look, games::Ink::first,
                               fmt::format("  {:<{}}", shown(move.action), width), i == 0);
    const std::string exact = exact_text(move);
    if (exact_width > 0) line += fmt::format("  {:<{}}", exact, exact_width);
    if (any_value)
      line += fmt::format("  {:>7}", says_more(move) ? expected_text(move, facts) : "");
    if (move.visits && visits > 0) {
      line += tr_format("  {:>9} visits {:5.1f} %", *move.visits,
                        100.0 * static_cast<double>(*move.visits) / static_cast<double>(visits));
    }
    if (move.prior) line += tr_format("  prior {:5.1f} %", 100 * *move.prior);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  if (most < view.moves.size()) {
    lines.push_back(tr_format("  … and {} more", view.moves.size() - most));
  }
  const auto best = line_texts(session, view.line);
  if (best.size() > 1) {
    lines.push_back(tr_format("best line: {}", own.moves_in_language(join(best, " "))));
  }
  return lines;
}

std::vector<std::string> line_table(const games::Session& session, const play::View& view,
                                    const games::Facts& facts, std::size_t most, const Look& look,
                                    const GameCommands& own) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(most, view.moves.size()); ++i) {
    const auto& move = view.moves[i];
    std::vector<std::string> texts = line_texts(session, move.line);
    if (texts.empty()) texts = {session.move_text(move.action)};
    const std::string value = value_text(move, facts);
    std::string line = painted(look, games::Ink::first, fmt::format("  {:>8}", value), i == 0);
    if (move.results) {
      const auto& [win, draw, loss] = *move.results;
      line += tr_format("  win {:5.1f} %  draw {:5.1f} %  loss {:5.1f} %", win / 10.0, draw / 10.0,
                        loss / 10.0);
    }
    lines.push_back(line + "  " + own.moves_in_language(join(texts, " ")));
  }
  return lines;
}

Json moves_json(const games::Session& session, const play::View& view) {
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  Json moves = Json::array();
  for (const auto& move : view.moves) {
    Json exact = nullptr;
    if (move.exact != Verdict::unknown) {
      exact = {{"value", verdict_text(move.exact)}, {"distance", or_null(move.distance)}};
    }
    Json json = {{"move", session.move_text(move.action)},
                 {"value", or_null(move.value)},
                 {"visits", or_null(move.visits)},
                 {"prior", or_null(move.prior)},
                 {"exact", std::move(exact)}};
    if (move.results) {
      const auto& [win, draw, loss] = *move.results;
      json["results"] = {{"win", win / 1000.0}, {"draw", draw / 1000.0}, {"loss", loss / 1000.0}};
    }
    if (!move.line.empty()) json["line"] = line_texts(session, move.line);
    moves.push_back(std::move(json));
  }
  return moves;
}

Json line_json(const games::Session& session, const play::View& view) {
  return line_texts(session, view.line);
}

}  // namespace damier::app
