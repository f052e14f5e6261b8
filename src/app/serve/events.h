// What happens at the server, for the pages that look on: a numbered list of the latest events. A
// page that lost its connection goes on after the last number that it saw.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/json/json.h"

namespace damier::app::serve {

// Of any thread.
class EventLog {
 public:
  struct Event {
    std::uint64_t id = 0;
    std::string page;  // empty: for all pages
    std::string text;  // as it goes over the wire
  };

  // The last `most` events are kept, and of these no more than `most_bytes`.
  explicit EventLog(std::size_t most = 1024, std::size_t most_bytes = 4 << 20)
      : most_(most), most_bytes_(most_bytes) {}

  // How many pages look on.
  void set_pages(int pages) { pages_ = pages; }
  int pages() const { return pages_; }

  // Heard after every new event, in the thread that told it.
  void on_new(std::function<void()> heard);

  // `kind` is what a page listens to: "search", "run".
  void tell(std::string_view kind, std::string_view page, const Json& data);

  // The events of a page after number `after`; without one, nothing that was before. `after` moves
  // on. An event "missed" comes first where the list does not reach back that far.
  std::vector<std::string> take(std::string_view page, std::optional<std::uint64_t>& after) const;

 private:
  std::size_t most_;
  std::size_t most_bytes_;
  std::atomic<int> pages_{0};
  mutable std::mutex mutex_;
  std::deque<Event> events_;  // guarded by mutex_, as is the rest
  std::size_t bytes_ = 0;
  std::uint64_t last_ = 0;
  std::function<void()> heard_;
};

}  // namespace damier::app::serve
