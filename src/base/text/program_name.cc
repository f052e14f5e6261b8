#include "damier/base/text/program_name.h"

#include <algorithm>

namespace damier {

namespace {

constexpr std::string_view kPlainName = "damier";
constexpr std::string_view kProgramMark = "{program}";

struct ProgramNames {
  std::string typed{kPlainName};
  std::string in_messages{kPlainName};
};

ProgramNames& program_names() {
  static ProgramNames names;
  return names;
}

}  // namespace

void set_program_name(std::string_view typed) {
  const std::string_view file = typed.substr(typed.rfind('/') + 1);
  if (!file.empty()) program_names() = {shell_word(typed), std::string(file)};
}

const std::string& program_name() { return program_names().typed; }
const std::string& short_program_name() { return program_names().in_messages; }

std::string with_program_name(std::string_view text) {
  std::string out;
  for (std::size_t at; (at = text.find(kProgramMark)) != text.npos;) {
    out += text.substr(0, at);
    out += program_name();
    text.remove_prefix(at + kProgramMark.size());
  }
  return out += text;
}

std::string kept_command(std::string_view arguments) {
  return std::string(kPlainName) + ' ' + std::string(arguments);
}

std::string typed_command(std::string_view kept) {
  const bool is_ours =
      kept.starts_with(kPlainName) && kept.substr(kPlainName.size()).starts_with(' ');
  return is_ours ? program_name() + std::string(kept.substr(kPlainName.size())) : std::string(kept);
}

std::string shell_word(std::string_view word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./:,=+@%").find(c) != std::string_view::npos ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted += '\'';
}

std::string_view version() { return DAMIER_VERSION; }
std::string_view version_text() { return "damier " DAMIER_VERSION; }
std::string_view build_compiler() { return DAMIER_COMPILER; }

}  // namespace damier
