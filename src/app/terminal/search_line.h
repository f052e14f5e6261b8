// A search at work, on a line of standard error: how deep it has looked, at how much, and what is
// best so far.
#pragma once

#include <memory>
#include <string>

#include "damier/base/text/progress.h"
#include "damier/games/any_game.h"
#include "damier/search/watch.h"

namespace damier::app {

// "solve  depth 7  12.3 M nodes  1.2 M/s  best so far e4  0:10"
std::string search_text(const std::string& title, const search::Watch& watch,
                        const games::Session& session, double seconds);

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
