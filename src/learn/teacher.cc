#include "damier/learn/teacher.h"

#include "damier/base/text/parse_number.h"
#include "damier/base/text/text.h"

namespace damier::learn {

namespace {

constexpr std::int64_t kMaxDepth = 20;
constexpr std::int64_t kMaxSimulations = 1'000'000'000;
constexpr double kMaxExploration = 1000;

}  // namespace

std::vector<std::string> teacher_names() {
  return {"exact", "minimax:DEPTH", "ucb:PLAYOUTS", "uct:SIMULATIONS"};
}

Result<TeacherName> TeacherName::parse(std::string_view text) {
  if (text == "exact") return TeacherName{};
  struct Known {
    std::string_view name;
    Kind kind;
    std::int64_t most;
    std::string_view amount;
  };
  constexpr Known kKnown[] = {{"minimax", Kind::minimax, kMaxDepth, "the depth"},
                              {"ucb", Kind::ucb, kMaxSimulations, "the number of playouts"},
                              {"uct", Kind::uct, kMaxSimulations, "the number of simulations"}};
  const auto parts = split(text, ':');
  for (const Known& known : kKnown) {
    if (parts.size() != 2 || parts[0] != known.name) continue;
    const auto error = [&](const std::string& message) {
      return Error{fmt::format("oracle {}: {}", in_quotes(text), message)};
    };
    TeacherName name{known.kind, 0, search::BanditOptions{}.c};
    const auto values = split(parts[1], ',');
    const auto amount = parse_integer(values[0], 1, known.most, std::string(known.amount));
    if (!amount) return error(amount.error().message);
    name.amount = *amount;
    if (values.size() == 1) return name;
    constexpr std::string_view kExploration = "c=";
    if (known.kind != Kind::ucb || values.size() > 2 || !values[1].starts_with(kExploration)) {
      return error(fmt::format("expected {} alone{}", known.amount,
                               known.kind == Kind::ucb ? ", or with c=X behind a comma" : ""));
    }
    const auto c = parse_number<double>(values[1].substr(kExploration.size()));
    if (!c || !(*c >= 0 && *c <= kMaxExploration)) {
      return error(
          fmt::format("{}; expected a number from 0 to {}", in_quotes(values[1]), kMaxExploration));
    }
    name.c = *c;
    return name;
  }
  return unknown_name("oracle", text, teacher_names());
}

}  // namespace damier::learn
