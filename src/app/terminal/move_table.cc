#include "damier/app/terminal/move_table.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

using play::Verdict;

std::string exact_text(const play::MoveAnswer& move) {
  const auto& [verdict, plies] = move.known;
  if (verdict == Verdict::unknown) return "";
  if (verdict == Verdict::draw) return tr("draw");
  const std::string text = tr(verdict == Verdict::win ? "wins" : "loses");
  return plies ? tr_format("{} in {}", text, tr_counted(*plies, "ply")) : text;
}

// Whether there is a value that does not only repeat what is certain.
bool says_more(const play::MoveAnswer& move) {
  return move.value && (!move.known.is_certain() || *move.value != value_of(move.known.verdict));
}

bool is_scored(const play::MoveAnswer& move, const games::Facts& facts) {
  return move.score && !facts.score_unit.empty();
}

// What a player expects, whatever is certain.
std::string expected_text(const play::MoveAnswer& move, const games::Facts& facts) {
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

std::string value_text(const play::MoveAnswer& move, const games::Facts& facts) {
  return move.known.is_certain() ? exact_text(move) : expected_text(move, facts);
}

std::string_view value_legend(const play::Answer& answer, const games::Facts& facts) {
  std::string_view legend;
  for (const auto& move : answer.moves) {
    if (!says_more(move)) continue;
    if (is_scored(move, facts)) return facts.score_unit;
    legend = "the probability of a win, a draw counts half";
  }
  return legend;
}

std::vector<std::string> move_table(const games::Session& session, const play::Answer& answer,
                                    const games::Facts& facts, std::size_t most, const Look& look,
                                    const GameCommands& own) {
  const auto shown = [&](games::Action action) {
    return own.moves_in_language(session.move_text(action));
  };
  std::vector<std::string> lines;
  std::size_t width = 4, exact_width = 0;
  std::uint64_t visits = 0;
  bool any_value = false;
  for (const auto& move : answer.moves) {
    width = std::max(width, shown(move.move).size());
    visits += move.visits;
    exact_width = std::max(exact_width, exact_text(move).size());
    any_value = any_value || says_more(move);
  }
  for (std::size_t i = 0; i < std::min(most, answer.moves.size()); ++i) {
    const auto& move = answer.moves[i];
    std::string line =
        painted(look, Ink::accent, fmt::format("  {:<{}}", shown(move.move), width), i == 0);
    if (exact_width > 0) line += fmt::format("  {:<{}}", exact_text(move), exact_width);
    if (any_value) {
      line += fmt::format("  {:>7}", says_more(move) ? expected_text(move, facts) : "");
    }
    if (move.visits > 0) {
      line += tr_format("  {:>9} visits {:5.1f} %", move.visits,
                        100.0 * static_cast<double>(move.visits) / static_cast<double>(visits));
    }
    if (move.prior) line += tr_format("  prior {:5.1f} %", 100 * *move.prior);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  if (most < answer.moves.size()) {
    lines.push_back(tr_format("  … and {} more", answer.moves.size() - most));
  }
  const auto best = line_texts(session, answer.line);
  if (best.size() > 1) {
    lines.push_back(tr_format("best line: {}", own.moves_in_language(join(best, " "))));
  }
  return lines;
}

std::vector<std::string> line_table(const games::Session& session, const play::Answer& answer,
                                    const games::Facts& facts, std::size_t most, const Look& look,
                                    const GameCommands& own) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(most, answer.moves.size()); ++i) {
    const auto& move = answer.moves[i];
    std::vector<std::string> texts = line_texts(session, move.line);
    if (texts.empty()) texts = {session.move_text(move.move)};
    std::string line =
        painted(look, Ink::accent, fmt::format("  {:>8}", value_text(move, facts)), i == 0);
    if (move.results) {
      const auto& [win, draw, loss] = *move.results;
      line += tr_format("  win {:5.1f} %  draw {:5.1f} %  loss {:5.1f} %", win / 10.0, draw / 10.0,
                        loss / 10.0);
    }
    lines.push_back(line + "  " + own.moves_in_language(join(texts, " ")));
  }
  return lines;
}

Json moves_json(const games::Session& session, const play::Answer& answer) {
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  Json moves = Json::array();
  for (const auto& move : answer.moves) {
    Json exact = nullptr;
    if (move.known.is_certain()) {
      exact = {{"value", verdict_text(move.known.verdict)},
               {"distance", or_null(move.known.plies)}};
    }
    Json json = {{"move", session.move_text(move.move)},
                 {"value", or_null(move.value)},
                 {"visits", move.visits > 0 ? Json(move.visits) : Json(nullptr)},
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

Json line_json(const games::Session& session, const play::Answer& answer) {
  return line_texts(session, answer.line);
}

}  // namespace damier::app
