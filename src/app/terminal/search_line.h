// A search at work, on a line of standard error: how deep it has looked, at how much, and what is
// best so far.
#pragma once

#include <memory>
#include <string>

#include <fmt/format.h>

#include "damier/base/text/progress.h"
#include "damier/games/any_game.h"
#include "damier/search/answer.h"

namespace damier::app {

// "solve  depth 7  12.3 M nodes  1.2 M/s  best so far e4  0:10"
inline std::string search_text(const std::string& title, const search::Watch& watch,
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

class SearchLine {
 public:
  SearchLine(std::string title, const games::Session& session)
      : line_([this, title = std::move(title),
               now = std::shared_ptr<const games::Session>(session.clone())](double seconds) {
          return search_text(title, watch_, *now, seconds);
        }) {}

  search::Watch& watch() { return watch_; }

 private:
  search::Watch watch_;
  LiveLine line_;  // last: it reads the other
};

}  // namespace damier::app
