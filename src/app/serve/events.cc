#include "damier/app/serve/events.h"

#include <fmt/format.h>

namespace damier::app::serve {

void EventLog::on_new(std::function<void()> heard) {
  const std::lock_guard lock(mutex_);
  heard_ = std::move(heard);
}

void EventLog::tell(std::string_view kind, std::string_view page, const Json& data) {
  std::function<void()> heard;
  {
    const std::lock_guard lock(mutex_);
    ++last_;
    std::string text = fmt::format("id: {}\nevent: {}\ndata: {}\n\n", last_, kind, dump_line(data));
    bytes_ += text.size();
    events_.push_back({last_, std::string(page), std::move(text)});
    while (events_.size() > most_ || (bytes_ > most_bytes_ && events_.size() > 1)) {
      bytes_ -= events_.front().text.size();
      events_.pop_front();
    }
    heard = heard_;
  }
  if (heard) heard();
}

std::vector<std::string> EventLog::take(std::string_view page,
                                        std::optional<std::uint64_t>& after) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> texts;
  // A number that was never given is one of another server, which had this address before.
  const bool known = after && *after <= last_;
  const std::uint64_t oldest = events_.empty() ? last_ + 1 : events_.front().id;
  if (after && (!known || *after + 1 < oldest)) {
    texts.push_back(fmt::format("id: {}\nevent: missed\ndata: {{}}\n\n", oldest - 1));
  }
  if (known) {
    for (const Event& event : events_) {
      if (event.id > *after && (event.page.empty() || event.page == page)) {
        texts.push_back(event.text);
      }
    }
  }
  after = last_;
  return texts;
}

}  // namespace damier::app::serve
