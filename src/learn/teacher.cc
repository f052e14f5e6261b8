#include "damier/learn/teacher.h"

#include "damier/base/text.h"

namespace damier::learn {

namespace {

constexpr std::int64_t kDeepest = 20;
constexpr std::int64_t kMostSimulations = 1'000'000'000;

}  // namespace

std::vector<std::string> teacher_names() { return {"exact", "minimax:DEPTH", "uct:SIMULATIONS"}; }

Result<TeacherName> TeacherName::parse(std::string_view text) {
  if (text == "exact") return TeacherName{};
  const auto parts = split(text, ':');
  const bool minimax = parts[0] == "minimax";
  if (parts.size() != 2 || (!minimax && parts[0] != "uct")) {
    return unknown_name("oracle", text, teacher_names());
  }
  const auto amount = parse_integer(parts[1], 1, minimax ? kDeepest : kMostSimulations,
                                    minimax ? "the depth" : "the number of simulations");
  if (!amount) {
    return Error{fmt::format("oracle {}: {}", in_quotes(text), amount.error().message)};
  }
  return TeacherName{minimax ? Kind::minimax : Kind::uct, *amount};
}

}  // namespace damier::learn
