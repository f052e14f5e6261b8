#include "damier/app/move_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text.h"
#include "damier/search/report.h"

namespace damier::app {

namespace {

using arena::Verdict;

std::string exact_text(const arena::MoveView& move) {
  if (move.exact == Verdict::unknown) return "";
  std::string text(verdict_text(move.exact));
  if (move.distance && move.exact != Verdict::draw) text += fmt::format(" in {}", *move.distance);
  return text;
}

std::vector<std::string> line_texts(const games::Session& session, const arena::View& view) {
  std::vector<std::string> texts;
  const auto ahead = session.clone();
  for (const games::Action action : view.line) {
    if (ahead->outcome() != games::Outcome::ongoing) break;
    texts.push_back(ahead->move_text(action));
    ahead->play(action);
  }
  return texts;
}

}  // namespace

std::vector<std::string> move_table(const games::Session& session, const arena::View& view,
                                    std::size_t most, const Look& look) {
  std::vector<std::string> lines;
  std::size_t width = 4;
  for (const auto& move : view.moves)
    width = std::max(width, session.move_text(move.action).size());
  std::uint64_t visits = 0;
  for (const auto& move : view.moves) visits += move.visits.value_or(0);
  for (std::size_t i = 0; i < std::min(most, view.moves.size()); ++i) {
    const auto& move = view.moves[i];
    std::string line =
        painted(look, games::Ink::first,
                fmt::format("  {:<{}}", session.move_text(move.action), width), i == 0);
    const std::string exact = exact_text(move);
    if (!exact.empty()) line += fmt::format("  {:<10}", exact);
    // A value that only repeats what is certain is left out.
    if (move.value && (exact.empty() || *move.value != search::value_of(move.exact))) {
      line += fmt::format("  {:+.3f}    ", *move.value);
    }
    if (move.visits && visits > 0) {
      line += fmt::format("  {:>9} visits {:5.1f} %", *move.visits,
                          100.0 * static_cast<double>(*move.visits) / static_cast<double>(visits));
    }
    if (move.prior) line += fmt::format("  prior {:5.1f} %", 100 * *move.prior);
    lines.push_back(line);
  }
  if (most < view.moves.size()) {
    lines.push_back(fmt::format("  … and {} more", view.moves.size() - most));
  }
  const auto best = line_texts(session, view);
  if (best.size() > 1) lines.push_back("best line: " + join(best, " "));
  return lines;
}

Json moves_json(const games::Session& session, const arena::View& view) {
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  Json moves = Json::array();
  for (const auto& move : view.moves) {
    Json exact = nullptr;
    if (move.exact != Verdict::unknown) {
      exact = {{"value", verdict_text(move.exact)}, {"distance", or_null(move.distance)}};
    }
    moves.push_back({{"move", session.move_text(move.action)},
                     {"value", or_null(move.value)},
                     {"visits", or_null(move.visits)},
                     {"prior", or_null(move.prior)},
                     {"exact", std::move(exact)}});
  }
  return moves;
}

Json line_json(const games::Session& session, const arena::View& view) {
  return line_texts(session, view);
}

}  // namespace damier::app
