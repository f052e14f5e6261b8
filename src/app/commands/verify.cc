// `damier verify`: is everything that Damier keeps still sound, and what can be repaired?

#include "damier/app/verify/verify.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

struct VerifyArguments {
  std::vector<std::string> files;
  bool repair = false;
};

Status verify_all(const std::filesystem::path& store, const VerifyArguments& arguments,
                  const Context& context, VerifyReport& report) {
  if (!arguments.files.empty()) return verify_files(arguments.files, report);
  std::error_code ignored;
  // Looking makes no store.
  if (std::filesystem::exists(store, ignored)) TRY(verify_store(store, context, report));
  TRY(verify_state_folder(context, report));
  return verify_shipped_models(report);
}

Json damage_json(const std::vector<Damage>& all) {
  Json list = Json::array();
  for (const Damage& one : all) {
    list.push_back({{"where", one.where},
                    {"what", one.what},
                    {"remedy", one.remedy},
                    {"repairable", one.repairable},
                    {"repaired", one.repaired}});
  }
  return list;
}

void print_damage(std::string_view label, const Damage& damage) {
  std::string line = fmt::format("{}: {}", damage.where, damage.what);
  if (!damage.remedy.empty()) {
    line += damage.repairable && !damage.repaired ? "; with --repair: " : ": ";
    line += damage.remedy;
  }
  print_output("{:<9} {}\n", damage.repaired ? "repaired" : label, printable(line));
}

bool is_open(const Damage& damage) { return !damage.repaired; }

void print_report(const VerifyReport& report, std::int64_t open) {
  std::vector<std::string> sound;
  for (auto [what, number] : report.sound) {
    std::ranges::replace(what, '_', ' ');
    if (number > 0) sound.push_back(counted(number, what));
  }
  if (!sound.empty()) print_output("{:<9} {}\n", "sound", join(sound, ", "));
  for (const Damage& note : report.notes) print_damage("note", note);
  for (const Damage& damage : report.damage) print_damage("damaged", damage);
  const auto can = std::ranges::count_if(
      report.damage, [](const Damage& one) { return is_open(one) && one.repairable; });
  if (open == 0) {
    print_output("Everything is sound.\n");
  } else if (can == 0) {
    print_output("{} damaged.\n", open);
  } else {
    print_output("{} damaged; `{} verify --repair` repairs {} of them.\n", open, program_name(),
                 can);
  }
}

Result<int> run_verify(const VerifyArguments& arguments, const Context& context) {
  if (arguments.repair && !arguments.files.empty()) {
    return Error{"--repair goes with what Damier keeps itself, not with FILES"};
  }
  const auto store = default_store_path();
  if (!store && arguments.files.empty()) return store.error();
  VerifyReport found{.repair = arguments.repair};
  const Status done = verify_all(store ? *store : "", arguments, context, found);
  if (interrupted()) return report_interrupted();
  if (!done) return done.error();
  const auto open = std::ranges::count_if(found.damage, is_open);
  if (context.json) {
    Json sound = Json::object();
    for (const auto& [what, number] : found.sound) sound[plural(0, what)] = number;
    print_json("verify", {{"store", store ? Json(store->string()) : Json(nullptr)},
                          {"sound", std::move(sound)},
                          {"damage", damage_json(found.damage)},
                          {"notes", damage_json(found.notes)},
                          {"open", open}});
  } else {
    print_report(found, open);
  }
  return open == 0 ? kDone : kFailed;
}

}  // namespace

Action setup_verify(CommandLine line, Context& context) {
  auto arguments = std::make_shared<VerifyArguments>();
  line.add_option("FILES", arguments->files,
                  "models and data sets to check (default: the run store with its files, and the "
                  "models that ship)");
  line.add_flag("--repair", arguments->repair,
                "repair what can be repaired; what cannot be read is set aside, never deleted");
  add_shared_options(line, context, {"--json"});
  return [arguments, &context] { return run_verify(*arguments, context); };
}

}  // namespace damier::app
