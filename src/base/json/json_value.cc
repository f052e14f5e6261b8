#include "damier/base/json/json_value.h"

#include <algorithm>
#include <ostream>

#include "damier/base/json/json.h"

namespace damier {

Json::Json(std::initializer_list<Json> values) {
  const bool is_members = std::ranges::all_of(values, [](const Json& value) {
    return value.is_array() && value.size() == 2 && value[0].is_string();
  });
  if (!is_members) {
    value_ = List(values);
    return;
  }
  value_ = Members{};
  for (const Json& value : values) (*this)[value[0].text()] = value[1];
}

const char* Json::type_name() const {
  if (is_null()) return "null";
  if (is_boolean()) return "boolean";
  if (is_number()) return "number";
  if (is_string()) return "string";
  return is_array() ? "array" : "object";
}

bool Json::is_whole_in(std::int64_t low, std::int64_t high) const {
  if (const auto* value = std::get_if<std::int64_t>(&value_))
    return *value >= low && *value <= high;
  const auto* value = std::get_if<std::uint64_t>(&value_);
  return value != nullptr && std::cmp_greater_equal(*value, low) &&
         std::cmp_less_equal(*value, high);
}

std::size_t Json::size() const {
  if (is_null()) return 0;
  if (is_array()) return std::get<List>(value_).size();
  return is_object() ? std::get<Members>(value_).size() : 1;
}

const Json::Members& Json::items() const {
  static const Members kNone;
  const auto* members = std::get_if<Members>(&value_);
  return members == nullptr ? kNone : *members;
}

const Json* Json::find(std::string_view key) const {
  for (const auto& [name, value] : items()) {
    if (name == key) return &value;
  }
  return nullptr;
}

Json* Json::find(std::string_view key) { return const_cast<Json*>(std::as_const(*this).find(key)); }

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Members{};
  if (!is_object()) mismatch("an object");
  if (Json* known = find(key)) return *known;
  return append_new(std::string(key), Json());
}

Json& Json::append_new(std::string key, Json value) {
  return std::get<Members>(value_).emplace_back(std::move(key), std::move(value)).second;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json kNull;
  const Json* known = find(key);
  return known == nullptr ? kNull : *known;
}

const Json& Json::at(std::string_view key) const {
  if (!is_object()) mismatch("an object");
  const Json* known = find(key);
  if (known == nullptr) throw Mismatch("the key '" + std::string(key) + "' is missing");
  return *known;
}

void Json::erase(std::string_view key) {
  if (!is_object()) return;
  std::erase_if(std::get<Members>(value_),
                [&](const Member& member) { return member.first == key; });
}

void Json::update(const Json& other) {
  for (const auto& [key, value] : other.items()) (*this)[key] = value;
}

void Json::push_back(Json value) {
  if (is_null()) value_ = List{};
  if (!is_array()) mismatch("a list");
  std::get<List>(value_).push_back(std::move(value));
}

const Json::List& Json::list() const {
  static const List kNone;
  const auto* list = std::get_if<List>(&value_);
  return list == nullptr ? kNone : *list;
}

const Json::List& Json::list_or_throw() const {
  if (!is_array()) mismatch("a list");
  return std::get<List>(value_);
}

const Json& Json::entry(std::size_t i) const {
  const List& all = list_or_throw();
  if (i >= all.size()) mismatch("a longer list");
  return all[i];
}

bool Json::truth() const {
  if (!is_boolean()) mismatch("true or false");
  return std::get<bool>(value_);
}

std::int64_t Json::whole() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  return static_cast<std::int64_t>(count());
}

std::uint64_t Json::count() const {
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&value_)) {
    return static_cast<std::uint64_t>(*value);
  }
  mismatch("a whole number");
}

double Json::number() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
  mismatch("a number");
}

const std::string& Json::text() const {
  if (!is_string()) mismatch("a text");
  return std::get<std::string>(value_);
}

void Json::mismatch(const char* expected) const {
  throw Mismatch(std::string("is ") + type_name() + "; expected " + expected);
}

bool operator==(const Json& a, const Json& b) {
  if (a.value_.index() == b.value_.index()) return a.value_ == b.value_;
  return a.is_number() && b.is_number() && a.number() == b.number();
}

std::partial_ordering operator<=>(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) return a.number() <=> b.number();
  if (a.is_string() && b.is_string()) return a.text() <=> b.text();
  return a == b ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
}

std::ostream& operator<<(std::ostream& out, const Json& value) { return out << dump_line(value); }

}  // namespace damier
