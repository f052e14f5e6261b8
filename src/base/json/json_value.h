// A JSON value: null, a truth value, a number, a text, a list or an object whose keys keep the
// order in which they were written. Small on purpose: nearly every file sees it, and the library
// that reads and prints JSON (base/json/json.cc) costs seconds in every file that includes it.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace damier {

class Json {
 public:
  using List = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Members = std::vector<Member>;

  // Thrown by get() and at() where the value is of another kind or missing.
  struct Mismatch : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  Json() = default;
  Json(std::nullptr_t) {}
  template <std::same_as<bool> T>
  Json(T value) : value_(value) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T value) {
    if constexpr (std::is_signed_v<T>) {
      if (value < 0) {
        value_ = static_cast<std::int64_t>(value);
        return;
      }
    }
    value_ = static_cast<std::uint64_t>(value);
  }
  template <std::floating_point T>
  Json(T value) : value_(static_cast<double>(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  template <class T>
  Json(const std::vector<T>& values) : Json(list_of(values)) {}
  template <class T, std::size_t n>
  Json(const std::array<T, n>& values) : Json(list_of(values)) {}
  template <class T>
  Json(std::span<T> values) : Json(list_of(values)) {}
  template <class A, class B>
  Json(const std::pair<A, B>& values) : Json(List{values.first, values.second}) {}
  Json(List values) : value_(std::move(values)) {}
  // Pairs that all begin with a text make an object, anything else a list.
  Json(std::initializer_list<Json> values);

  static Json object() { return Json(Members{}); }
  static Json array() { return Json(List{}); }
  static Json array(std::initializer_list<Json> values) { return Json(List(values)); }

  bool is_null() const { return value_.index() == 0; }
  bool is_boolean() const { return holds<bool>(); }
  bool is_number() const { return is_number_integer() || holds<double>(); }
  // A whole number that was written as one.
  bool is_number_integer() const { return holds<std::int64_t>() || holds<std::uint64_t>(); }
  bool is_number_unsigned() const { return holds<std::uint64_t>(); }
  // One from `low` to `high`.
  bool is_whole_in(std::int64_t low, std::int64_t high) const;
  bool is_string() const { return holds<std::string>(); }
  bool is_array() const { return holds<List>(); }
  bool is_object() const { return holds<Members>(); }
  // "null", "boolean", "number", "string", "array" or "object".
  const char* type_name() const;

  // Of a list or an object: how many entries; null has none, everything else is one.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  // Members of an object, in their order; none of anything else.
  const Members& items() const;
  // Null where the object has no such member, or the value is no object.
  const Json* find(std::string_view key) const;
  Json* find(std::string_view key);
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  // The member, made if it is missing; null becomes an object.
  Json& operator[](std::string_view key);
  Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }
  // The member, or null.
  const Json& operator[](std::string_view key) const;
  const Json& operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  const Json& at(std::string_view key) const;
  // Of an object that is known not to have the key yet.
  Json& append_new(std::string key, Json value);
  void erase(std::string_view key);
  // Takes over all members of another object; equal keys are replaced.
  void update(const Json& other);

  template <std::integral T>
  requires(!std::same_as<T, bool>) const Json& operator[](T i) const {
    return entry(static_cast<std::size_t>(i));
  }
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json& operator[](T i) {
    return const_cast<Json&>(entry(static_cast<std::size_t>(i)));
  }
  template <std::integral T>
  const Json& at(T i) const {
    return entry(static_cast<std::size_t>(i));
  }
  // Null becomes a list.
  void push_back(Json value);
  const Json& back() const { return entry(size() - 1); }
  Json& back() { return const_cast<Json&>(entry(size() - 1)); }
  const Json& front() const { return entry(0); }
  // Entries of a list; none of anything else.
  List::iterator begin() { return const_cast<List&>(list()).begin(); }
  List::iterator end() { return const_cast<List&>(list()).end(); }
  List::const_iterator begin() const { return list().begin(); }
  List::const_iterator end() const { return list().end(); }

  // bool, whole numbers, floating-point numbers, std::string, and vectors and arrays of them.
  template <class T>
  T get() const {
    if constexpr (std::is_same_v<T, bool>) {
      return truth();
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
      return static_cast<T>(whole());
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(count());
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(number());
    } else if constexpr (std::is_same_v<T, std::string>) {
      return text();
    } else if constexpr (std::is_same_v<T, Json>) {
      return *this;
    } else {
      return entries<T>(static_cast<T*>(nullptr));
    }
  }
  const std::string& text() const;

  // Numbers are equal when they are the same number, however they were written.
  friend bool operator==(const Json& a, const Json& b);
  // Numbers and texts have an order, everything else has none.
  friend std::partial_ordering operator<=>(const Json& a, const Json& b);

 private:
  using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                             List, Members>;

  explicit Json(Members members) : value_(std::move(members)) {}

  template <class T>
  bool holds() const {
    return std::holds_alternative<T>(value_);
  }
  template <class Values>
  static List list_of(const Values& values) {
    List list;
    list.reserve(values.size());
    for (const auto& value : values) list.emplace_back(value);
    return list;
  }
  template <class Vector, class T = typename Vector::value_type>
  Vector entries(std::vector<T>*) const {
    Vector out;
    for (const Json& entry : list_or_throw()) out.push_back(entry.get<T>());
    return out;
  }
  template <class Array, class T, std::size_t n>
  Array entries(std::array<T, n>*) const {
    const List& all = list_or_throw();
    if (all.size() != n) mismatch("a list of another length");
    Array out = {};
    for (std::size_t i = 0; i < n; ++i) out[i] = all[i].template get<T>();
    return out;
  }

  const List& list() const;
  const List& list_or_throw() const;
  const Json& entry(std::size_t i) const;
  bool truth() const;
  std::int64_t whole() const;
  std::uint64_t count() const;
  double number() const;
  [[noreturn]] void mismatch(const char* expected) const;

  Value value_;
};

// For test output.
std::ostream& operator<<(std::ostream& out, const Json& value);

}  // namespace damier
