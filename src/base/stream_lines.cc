#include "damier/base/stream_lines.h"

#include <cstring>

namespace damier {

bool StreamLines::refill() {
  in_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  from_ = 0;
  to_ = static_cast<std::size_t>(in_.gcount());
  return to_ > 0;
}

bool StreamLines::next() {
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
    if (joined_.size() <= kLongest) joined_ += part;
    line_ = joined_;
    if (end != nullptr) break;
  }
  if (!any) return false;
  ++number_;
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  if (number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.remove_prefix(3);
  return true;
}

}  // namespace damier
