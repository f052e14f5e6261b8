// Value-or-error results. Wrong input is an expected event: every parser returns Result<T>, whose
// Error says what is wrong, where, and what was expected, in one line.
//
// To take the value of a result that holds an error (or the error of one that holds a value) is a
// mistake of the program. It throws std::logic_error, so that even then the user reads one line.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace damier {

class Text;  // base/text/language.h

// A place in something that was read: a file, an argument, a position text. Lines and columns count
// from 1; 0 means "not known".
struct SourcePosition {
  std::string source;
  int line = 0;
  int column = 0;

  bool known() const { return !source.empty() || line > 0 || column > 0; }
  std::string text() const;
};

enum class ErrorKind {
  input,        // what the user gave is wrong: exit code 2
  failure,      // the work itself failed (disk full, no permission): exit code 1
  interrupted,  // the user stopped it: exit code 130
};

struct Error {
  std::string message;
  SourcePosition where = {};
  ErrorKind kind = ErrorKind::input;
  std::shared_ptr<const Text> form = nullptr;  // the message, where it has other languages

  // An error whose message is said in the reader's language.
  static Error of(Text message);

  // The one line for the user: "game.json:3:7: message".
  std::string text() const;
  // The same in the language that is set, where the message has a form.
  std::string shown() const;

  // The same error, placed in `source` if it had no source of its own.
  Error in(std::string source) &&;
};

// `error` is null where there is none.
[[noreturn]] void throw_unchecked(const Error* error);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return checked<0>(), *std::get_if<0>(&state_); }
  const T& value() const& { return checked<0>(), *std::get_if<0>(&state_); }
  T&& value() && { return checked<0>(), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return checked<1>(), *std::get_if<1>(&state_); }
  Error&& error() && { return checked<1>(), std::move(*std::get_if<1>(&state_)); }

  // The same, with an error placed in `source` if it had no source of its own.
  Result in(std::string source) && {
    if (!ok()) *std::get_if<1>(&state_) = std::move(*this).error().in(std::move(source));
    return std::move(*this);
  }

 private:
  template <std::size_t wanted>
  void checked() const {
    if (state_.index() != wanted) [[unlikely]] {
      throw_unchecked(std::get_if<1>(&state_));
    }
  }

  std::variant<T, Error> state_;
};

// For work that yields nothing but can fail.
struct Done {};
using Status = Result<Done>;

}  // namespace damier

// The value of a result, or the end of the function with its error:
//   auto rows = TRY(read_rows(file));
//   TRY(check(rows));
// A whole right-hand side or a whole statement, never a part of a larger expression.
#define TRY(...)                        \
  __extension__({                       \
    auto tried_ = (__VA_ARGS__);        \
    if (!tried_) [[unlikely]]           \
      return std::move(tried_).error(); \
    *std::move(tried_);                 \
  })
