#include "damier/app/terminal/search_line.h"

#include <fmt/format.h>

namespace damier::app {

std::string search_text(const std::string& title, const search::Watch& watch,
                        const games::Session& session, double seconds) {
  std::string text = title;
  if (watch.depth() > 0) text += fmt::format("  depth {}", watch.depth());
  const auto nodes = static_cast<double>(watch.nodes());
  text += fmt::format("  {} nodes", short_number(nodes));
  if (seconds > 0) text += fmt::format("  {}/s", short_number(nodes / seconds));
  if (const auto best = watch.best()) {
    text += fmt::format("  best so far {}", session.move_text(*best));
  }
  return fmt::format("{}  {}", text, clock_text(seconds));
}

}  // namespace damier::app
