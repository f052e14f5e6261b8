#include "damier/base/result.h"

#include <stdexcept>

#include "damier/base/text/language.h"
#include "damier/base/text/text.h"

namespace damier {

std::string SourcePosition::text() const {
  std::string out = source;
  if (line > 0) {
    out += (out.empty() ? "line " : ":") + std::to_string(line);
    if (column > 0) out += ":" + std::to_string(column);
  } else if (column > 0) {
    out += (out.empty() ? "column " : ", column ") + std::to_string(column);
  }
  return out;
}

std::string Error::text() const {
  // Messages quote what was read, which may hold anything.
  return printable(where.known() ? where.text() + ": " + message : message);
}

Error Error::of(Text message) {
  Error error{message.english()};
  error.form = std::make_shared<const Text>(std::move(message));
  return error;
}

std::string Error::shown() const { return form ? printable(form->shown()) : text(); }

void throw_unchecked(const Error* error) {
  throw std::logic_error(error != nullptr ? error->text()
                                          : "a result without an error was asked for it");
}

Error Error::in(std::string source) && {
  if (where.source.empty()) where.source = std::move(source);
  return std::move(*this);
}

}  // namespace damier
