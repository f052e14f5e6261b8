#include "damier/base/files/stream_lines.h"

#include <cstring>
#include <utility>

namespace damier {

bool StreamLines::refill() {
  in_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  from_ = 0;
  to_ = static_cast<std::size_t>(in_.gcount());
  return to_ > 0;
}

void StreamLines::skip_rest() {
  while (from_ < to_ || refill()) {
    const void* end = std::memchr(buffer_.data() + from_, '\n', to_ - from_);
    from_ = end == nullptr
                ? to_
                : static_cast<std::size_t>(static_cast<const char*>(end) - buffer_.data()) + 1;
    if (end != nullptr) return;
  }
}

bool StreamLines::next() {
  if (std::exchange(has_rest_, false)) skip_rest();
  joined_.clear();
  bool any = false;
  while (from_ < to_ || refill()) {
    const char* begin = buffer_.data() + from_;
    const auto* end = static_cast<const char*>(std::memchr(begin, '\n', to_ - from_));
    const std::size_t length = end == nullptr ? to_ - from_ : static_cast<std::size_t>(end - begin);
    const std::string_view part(begin, length);
    from_ += length + (end == nullptr ? 0 : 1);
    if (end != nullptr && !any) {
      line_ = part;
      any = true;
      break;
    }
    any = true;
    joined_ += part;
    line_ = joined_;
    if (end != nullptr) break;
    // A caller that refuses such a line does not have to wait for its end.
    if (has_rest_ = joined_.size() > kMaxLength; has_rest_) break;
  }
  if (!any) return false;
  ++number_;
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  if (number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.remove_prefix(3);
  return true;
}

}  // namespace damier
