#include "damier/lab/found.h"

#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::lab {

namespace {

// The names of members may have points of their own: the longest name that is there counts.
const Json* part_of(const Json& json, std::string_view path) {
  for (auto end = path.size(); end != std::string_view::npos && end > 0;
       end = path.rfind('.', end - 1)) {
    const Json* member = json.find(path.substr(0, end));
    if (member == nullptr) continue;
    if (end == path.size()) return member;
    if (const Json* part = part_of(*member, path.substr(end + 1))) return part;
  }
  return nullptr;
}

Found found_in(const Json& json) {
  Found found{&json};
  if (json.is_object() && json.contains("kind")) found.estimate = estimate_in(json);
  return found;
}

std::string key_of(const Json& entry) {
  if (entry.is_string()) return entry.text();
  return entry.is_number() ? fmt::format("{:g}", entry.get<double>()) : "";
}

std::optional<int> digit(std::string_view text) {
  const auto number = parse_number<int>(text);
  return number && *number >= 0 && *number < 10 ? number : std::nullopt;
}
// ".1" -> 1
std::optional<int> digits_in(std::string_view form) {
  return form.starts_with('.') ? digit(form.substr(1)) : std::nullopt;
}

// As people read it.
struct Shown {
  double value = 0, low = 0, high = 0;
};
Shown shown(const Estimate& estimate) {
  const double scale = estimate.kind == EstimateKind::share ? 100 : 1;
  return {scale * estimate.value, scale * estimate.interval.low, scale * estimate.interval.high};
}

// Forms that need an interval.
std::optional<std::string> interval_form(const Estimate& estimate, std::string_view form) {
  const Shown is = shown(estimate);
  constexpr std::string_view kReach = "±", kTo = "to";
  if (form == "interval") return interval_text(estimate);
  const bool reach = form.starts_with(kReach), to = form.starts_with(kTo);
  const auto digits = reach ? digit(form.substr(kReach.size()))
                      : to  ? digits_in(form.substr(kTo.size()))
                      : form.starts_with('[') && form.ends_with(']')
                          ? digits_in(form.substr(1, form.size() - 2))
                          : std::nullopt;
  if (!digits) return std::nullopt;
  const auto text = [&](double value) { return fmt::format("{:.{}f}", value, *digits); };
  if (reach) return fmt::format("{} ± {}", text(is.value), text((is.high - is.low) / 2));
  if (to) return fmt::format("{} to {}", text(is.low), text(is.high));
  return fmt::format("{} [{}, {}]", text(is.value), text(is.low), text(is.high));
}

// Nothing where it does not have that form.
std::optional<std::string> text_of(const Found& found, std::string_view form) {
  if (form.empty()) {
    if (found.estimate) return figure_text(*found.estimate);
    if (found.published) return printed(*found.published);
    if (found.json == nullptr) return found.text;
    if (found.json->is_string()) return found.json->text();
  }
  if (found.estimate) {
    if (auto text = interval_form(*found.estimate, form)) return text;
  }
  const auto number = found.number();
  if (!number) return std::nullopt;
  if (form.starts_with('#')) return counted(std::llround(*number), form.substr(1));
  if (form.empty() || form == "g") return fmt::format("{:g}", *number);
  if (form.ends_with('g')) {
    const auto digits = digit(form.substr(0, form.size() - 1));
    return digits ? std::optional(fmt::format("{:.{}g}", *number, *digits)) : std::nullopt;
  }
  if (form == ",") return grouped_digits(static_cast<std::uint64_t>(std::llround(*number)));
  const bool has_unit = form.ends_with('%');
  const auto digits = digits_in(has_unit ? form.substr(0, form.size() - 1) : form);
  if (!digits) return std::nullopt;
  return fmt::format("{:.{}f}{}", *number, *digits, has_unit ? " %" : "");
}

}  // namespace

Json map_of(Json rows, Json columns,
            const std::function<Json(std::size_t row, std::size_t column)>& value) {
  Json values = Json::array();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Json line = Json::array();
    for (std::size_t column = 0; column < columns.size(); ++column) {
      line.push_back(value(row, column));
    }
    values.push_back(std::move(line));
  }
  return {
      {"rows", std::move(rows)}, {"columns", std::move(columns)}, {"values", std::move(values)}};
}

std::optional<double> Found::number() const {
  if (estimate) return shown(*estimate).value;
  if (published) return published->value;
  if (json != nullptr && json->is_number()) return json->get<double>();
  return parse_number<double>(text);
}

Finder::Finder(const Json& findings, const Published& published)
    : published_(published), scopes_{{&findings, ""}} {}

std::optional<Found> Finder::find(std::string_view path) const {
  constexpr std::string_view kPublished = "published.";
  if (path.starts_with(kPublished)) {
    const std::string_view name = path.substr(kPublished.size());
    if (auto figure = published_.figure(name)) return Found{nullptr, {}, std::move(figure), ""};
    std::string text = published_.cell(name);
    return text.empty() ? std::nullopt : std::optional(Found{nullptr, {}, {}, std::move(text)});
  }
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const Json* part = part_of(*scope->json, path);
    if (part != nullptr && part->is_null()) return std::nullopt;
    if (part != nullptr) return found_in(*part);
    if (path == "key" && !scope->key.empty()) return Found{nullptr, {}, {}, scope->key};
    if (path == "value" && scope->json->is_number()) return found_in(*scope->json);
  }
  return std::nullopt;
}

bool Finder::is_given(std::string_view path) const {
  const auto found = find(path);
  if (!found) return false;
  if (found->json == nullptr || found->estimate) return true;
  if (found->json->is_boolean()) return found->json->get<bool>();
  if (found->json->is_number()) return found->json->get<double>() != 0;
  return found->json->is_string() ? !found->json->text().empty() : !found->json->empty();
}

void Finder::each(std::string_view path, const std::function<void()>& member) {
  const auto found = find(path);
  if (!found || found->json == nullptr || !(found->json->is_array() || found->json->is_object())) {
    return fail(fmt::format("nothing was found that is a list and called {}", in_quotes(path)));
  }
  const auto inside = [&](const Json& entry, std::string key) {
    scopes_.push_back({&entry, std::move(key)});
    member();
    scopes_.pop_back();
  };
  for (const auto& [key, entry] : found->json->items()) inside(entry, key);
  for (const Json& entry : *found->json) inside(entry, key_of(entry));
}

void Finder::fail(std::string message) {
  if (!error_) error_ = Error{std::move(message), {place_}};
}

std::string Finder::filled(std::string_view words) {
  std::size_t at = 0;
  return filled_until(words, at, "");
}

// Up to `end`, which is passed over; to the end of the text without one.
std::string Finder::filled_until(std::string_view words, std::size_t& at, std::string_view end) {
  std::string out;
  while (at < words.size()) {
    if (!end.empty() && words.substr(at).starts_with(end)) {
      at += end.size();
      return out;
    }
    if (words[at] != '{') {
      out += words[at++];
      continue;
    }
    ++at;
    const std::string named = filled_until(words, at, "}");
    if (named.starts_with('?') || named.starts_with('!')) {
      const bool kept = is_given(std::string_view(named).substr(1)) == named.starts_with('?');
      // What is left out may name what is not there.
      const auto error = error_;
      const std::string part = filled_until(words, at, "{/}");
      if (kept) out += part;
      if (!kept) error_ = error;
    } else {
      out += figure(named);
    }
  }
  if (!end.empty()) fail(fmt::format("has no {} at its end: {}", end, in_quotes(words)));
  return out;
}

std::string Finder::figure(std::string_view named) {
  const auto question = named.find('?');
  const std::string_view wanted = named.substr(0, question);
  const auto colon = wanted.rfind(':');
  // A name may have a colon of its own: "lost.minimax:6".
  std::string_view path = wanted, form;
  auto found = find(path);
  if (!found && colon != std::string_view::npos) {
    path = wanted.substr(0, colon);
    form = wanted.substr(colon + 1);
    found = find(path);
  }
  if (!found && question != std::string_view::npos) {
    return std::string(named.substr(question + 1));
  }
  if (!found) {
    fail(fmt::format("nothing was found that is called {}", in_quotes(path)));
    return "";
  }
  const auto text = text_of(*found, form);
  if (!text) fail(fmt::format("{} has no form {}", in_quotes(path), in_quotes(form)));
  return text.value_or("");
}

}  // namespace damier::lab
