// One description of a type, from which it is written as JSON and read back with checks.
//
// A type says once which members it has, in its own namespace:
//
//   struct Point {
//     double x = 0, y = 0;
//     std::optional<std::string> name;
//   };
//   void describe(auto& fields, Is<Point> auto& point) {
//     fields("x", point.x);
//     fields("y", point.y);
//     fields("name", point.name);
//   }
//
// json_of(point) writes it, read_described<Point>(json, source) reads it: a key that is missing,
// unknown, or of another kind is an error that says where. Truth values, numbers, texts, optionals,
// lists, arrays, estimates, JSON as it is, types with text() and parse(), and other described types
// may be members.
#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "damier/base/json/json.h"
#include "damier/base/numbers/estimate.h"

namespace damier {

// A T that may be const: writing does not change it, reading does.
template <class Self, class T>
concept Is = std::same_as<std::remove_const_t<Self>, T>;

namespace detail {

template <class T>
struct ListTraits : std::false_type {};
template <class T>
struct ListTraits<std::vector<T>> : std::true_type {
  static constexpr std::size_t kSize = 0;  // any
};
template <class T, std::size_t n>
struct ListTraits<std::array<T, n>> : std::true_type {
  static constexpr std::size_t kSize = n;
};
template <class T>
struct OptionalTraits : std::false_type {};
template <class T>
struct OptionalTraits<std::optional<T>> : std::true_type {};

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::same_as<T, std::string> || std::same_as<T, Json>;
// A type that has a form as text, and reads it.
template <class T>
concept Written = requires(const T& value) {
  { value.text() } -> std::same_as<std::string>;
  { T::parse(value.text()) } -> std::same_as<Result<T>>;
};

template <class T>
Json written(const T& value);
template <class T>
void read(const Json& json, const std::string& path, std::optional<Error>& error, T& value);

// Notes the first error.
void fail(std::optional<Error>& error, const std::string& path, std::string message);
bool check(const Json& json, bool fits, std::string_view expected, const std::string& path,
           std::optional<Error>& error);

}  // namespace detail

class FieldWriter {
 public:
  template <class T>
  void operator()(std::string_view key, const T& value) {
    if constexpr (detail::OptionalTraits<T>::value) {
      if (!value) return;
    }
    json_.append_new(std::string(key), detail::written(value));
  }
  // May be missing where it is read; then it stays as it is.
  template <class T>
  void optional(std::string_view key, const T& value) {
    (*this)(key, value);
  }
  // The same, and left out where it is what holds by default.
  template <class T>
  void unless_default(std::string_view key, const T& value) {
    if (!(value == T{})) (*this)(key, value);
  }
  Json take() { return std::move(json_); }

 private:
  Json json_ = Json::object();
};

template <class T>
void JsonFields::operator()(std::string_view key, T& value) {
  const Json* found = find(key, !detail::OptionalTraits<T>::value);
  if (found != nullptr) detail::read(*found, path_of(key), error_, value);
}
template <class T>
void JsonFields::optional(std::string_view key, T& value) {
  if (const Json* found = find(key)) detail::read(*found, path_of(key), error_, value);
}
template <class T>
void JsonFields::unless_default(std::string_view key, T& value) {
  optional(key, value);
}

namespace detail {

template <class T>
Json written(const T& value) {
  if constexpr (Plain<T>) {
    return Json(value);
  } else if constexpr (std::same_as<T, Estimate>) {
    return estimate_json(value);
  } else if constexpr (Written<T>) {
    return Json(value.text());
  } else if constexpr (OptionalTraits<T>::value) {
    return value ? written(*value) : Json(nullptr);
  } else if constexpr (ListTraits<T>::value) {
    Json list = Json::array();
    for (const auto& entry : value) list.push_back(written(entry));
    return list;
  } else {
    FieldWriter fields;
    describe(fields, value);
    return fields.take();
  }
}

template <class T>
void read(const Json& json, const std::string& path, std::optional<Error>& error, T& value) {
  if constexpr (std::same_as<T, Json>) {
    value = json;
  } else if constexpr (std::same_as<T, Estimate>) {
    const auto estimate = estimate_in(json);
    if (check(json, estimate.has_value(), "an estimate", path, error)) value = *estimate;
  } else if constexpr (std::same_as<T, bool>) {
    if (check(json, json.is_boolean(), "true or false", path, error)) value = json.get<T>();
  } else if constexpr (std::integral<T>) {
    constexpr auto kHigh = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    constexpr auto kWhole = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    constexpr auto kMax = static_cast<std::int64_t>(kHigh < kWhole ? kHigh : kWhole);
    const bool fits =
        std::is_unsigned_v<T> && kHigh > kWhole
            ? json.is_number_unsigned()
            : json.is_whole_in(std::is_unsigned_v<T>
                                   ? 0
                                   : static_cast<std::int64_t>(std::numeric_limits<T>::min()),
                               kMax);
    const char* const expected = std::is_unsigned_v<T> && kHigh > kWhole
                                     ? "a whole number from 0 to 2^64-1"
                                     : "a whole number";
    if (check(json, fits, expected, path, error)) value = json.get<T>();
  } else if constexpr (std::floating_point<T>) {
    if (check(json, json.is_number(), "a number", path, error)) value = json.get<T>();
  } else if constexpr (std::same_as<T, std::string>) {
    if (check(json, json.is_string(), "a text", path, error)) value = json.text();
  } else if constexpr (Written<T>) {
    if (!check(json, json.is_string(), "a text", path, error)) return;
    auto parsed = T::parse(json.text());
    if (!parsed) return fail(error, path, parsed.error().message);
    value = *std::move(parsed);
  } else if constexpr (OptionalTraits<T>::value) {
    value.reset();
    if (!json.is_null()) read(json, path, error, value.emplace());
  } else if constexpr (ListTraits<T>::value) {
    if (!check(json, json.is_array(), "a list", path, error)) return;
    constexpr std::size_t kSize = ListTraits<T>::kSize;
    if constexpr (kSize == 0) {
      value.assign(json.size(), {});
    } else if (json.size() != kSize) {
      return fail(
          error, path,
          "has " + std::to_string(json.size()) + " entries; expected " + std::to_string(kSize));
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
      read(json[i], path + "[" + std::to_string(i) + "]", error, value[i]);
    }
  } else {
    JsonFields fields(json, path, "", error);
    describe(fields, value);
    static_cast<void>(fields.finish().ok());
  }
}

}  // namespace detail

template <class T>
Json json_of(const T& value) {
  return detail::written(value);
}

template <class T>
Result<T> read_described(const Json& json, const std::string& source) {
  std::optional<Error> error;
  T value;
  detail::read(json, "", error, value);
  if (error) return std::move(*error).in(source);
  return value;
}

}  // namespace damier
