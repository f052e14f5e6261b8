#include "damier/app/terminal/run_text.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/text.h"
#include "damier/learn/train/stored_run.h"
#include "damier/pages/recipe_words.h"
#include "damier/pages/run_page.h"
#include "damier/report/text.h"

namespace damier::app {

namespace {

using Named = std::vector<std::pair<std::string, std::string>>;

// Of "2025-03-01T17:05:09.120Z", as the store has checked it: since 1970.
std::optional<double> seconds_of(const std::string& time) {
  std::tm parts = {};
  const char* const rest = strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (rest == nullptr) return std::nullopt;
  return static_cast<double>(timegm(&parts)) +
         parse_number<double>(std::string_view(rest, strcspn(rest, "Z"))).value_or(0);
}

std::string minute_of(const std::string& time) {
  return time.size() < 16 ? time : time.substr(0, 10) + " " + time.substr(11, 5);
}

// "2025-03-01 17:05 to 17:20, 14:51"
std::string when_text(const Run& run) {
  std::string text = minute_of(run.started);
  if (!run.finished) return text;
  const std::string end = minute_of(*run.finished);
  const bool same_day = end.substr(0, 10) == text.substr(0, 10);
  text += " to " + (same_day && end.size() > 11 ? end.substr(11) : end);
  const auto from = seconds_of(run.started), to = seconds_of(*run.finished);
  if (!from || !to) return text;
  const double seconds = *to - *from;
  return text + (seconds < 60 ? fmt::format(", {:.2f} s", seconds)
                              : ", " + clock_text(seconds) + (seconds < 3600 ? " min" : " h"));
}

std::string file_fact(const std::filesystem::path& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  return path.string() +
         (error ? ", which is not there" : fmt::format(", {} bytes", grouped_digits(bytes)));
}

Named files_of(const Run& run) {
  Named files;
  if (run.request.kind != "train") return files;
  if (const auto folder = learn::run_folder(run.name)) {
    if (run.status == RunStatus::done) {
      files.emplace_back("model", file_fact(learn::model_path_of(run, *folder)));
    } else if (const auto file = *folder / learn::kCheckpointFile; std::filesystem::exists(file)) {
      files.emplace_back("checkpoint", file_fact(file));
    }
  }
  for (const auto& [name, key] : {std::pair("data", "data_file"), {"judge", "judge_file"}}) {
    if (const std::string file = text_in(run.request.config, key); !file.empty()) {
      files.emplace_back(name, file_fact(file));
    }
  }
  return files;
}

// " --rules board=6x6"
std::string rules_words(const Run& run) {
  std::vector<std::string> rules;
  for (const auto& [name, value] : run.request.options.items()) {
    rules.push_back(name + "=" + pages::json_words(value));
  }
  return rules.empty() ? "" : " --rules " + shell_word(join(rules, ","));
}

// The contest or the evaluation again, with the same games.
std::string same_again(const Run& run) {
  std::string line = fmt::format("{} {}", program_name(), run.request.kind);
  const bool is_eval = run.request.kind == "eval";
  if (!is_eval) line += " " + shell_word(run.request.game);
  std::vector<std::string> players = pages::players_of(run);
  std::vector<std::string> beside;  // of an evaluation, the players after the first
  if (is_eval && players.size() > 1) beside.assign(players.begin() + 1, players.end());
  players.resize(players.size() - beside.size());
  for (const std::string& player : players) line += " " + shell_word(player);
  if (is_eval) line += " " + shell_word(run.request.game);
  if (!beside.empty()) line += " --players";
  for (const std::string& player : beside) line += " " + shell_word(player);
  for (const char* key :
       {"games", "opening", "tc", "book", "adjudicate", "sprt", "judged", "positions", "against"}) {
    const Json* value = run.request.config.find(key);
    if (value != nullptr)
      line += fmt::format(" --{} {}", key, shell_word(pages::json_words(*value)));
  }
  return line + rules_words(run) + fmt::format(" --seed {}", value_of(run.seed));
}

// A command and what it is for.
Named ways_on(const Run& run, const Context& context) {
  Named ways;
  const std::string& kind = run.request.kind;
  const bool is_contest = kind == "match" || kind == "tournament";
  if (kind == "train" && run.status != RunStatus::done) {
    ways.emplace_back("continue", fmt::format("{} train --resume {}", program_name(), run.name));
  } else if (kind == "train") {
    const auto folder = learn::run_folder(run.name);
    const std::string model = folder ? learn::model_path_of(run, *folder).string() : "";
    if (!model.empty()) {
      ways.emplace_back("evaluate", fmt::format("{} eval {}", program_name(), shell_word(model)));
      const auto entry = context.registry.find(run.request.game);
      if (entry && (*entry)->facts.players == 2) {
        ways.emplace_back("let it play", fmt::format("{} match {} {} random", program_name(),
                                                     run.request.game, shell_word("net:" + model)));
      }
    }
  } else if (is_contest) {
    const bool done = run.status == RunStatus::done;
    ways.emplace_back(done ? "its games" : "continue",
                      same_again(run) + (done ? " --resume --record games.jsonl" : " --resume"));
  } else if (kind == "eval" && !pages::players_of(run).empty()) {
    ways.emplace_back("again", same_again(run));
  }
  ways.emplace_back("as a page",
                    fmt::format("{0} report {1} -o {1}.html", program_name(), run.name));
  return ways;
}

}  // namespace

std::string run_text(const Run& run, const std::vector<MetricRow>& metrics,
                     std::span<const GameRow> games, const Context& context, const Look& look,
                     int columns) {
  constexpr int kMaxColumns = 100;
  report::Page page = pages::run_page(run, metrics, games);
  Named facts = {{"when", when_text(run)}, {"status", std::string(status_text(run.status))}};
  if (!games.empty() && run.request.kind != "train") {
    facts.emplace_back("games", fmt::format("{}", games.size()));
  }
  if (!run.request.options.empty()) {
    facts.emplace_back("rules", pages::json_words(run.request.options));
  }
  facts.emplace_back("seed", fmt::format("{}", value_of(run.seed)));
  facts.emplace_back("version", run.version);
  if (const std::string command = text_in(run.request.config, "command"); !command.empty()) {
    facts.emplace_back("command", typed_command(command));
  }
  page.facts.clear();
  page.sections.insert(page.sections.begin(), {"", {report::Facts{std::move(facts)}}});
  page.sections.push_back({"Files", {report::Facts{files_of(run), true}}});
  page.sections.push_back({"How to continue", {report::Facts{ways_on(run, context), true}}});
  return report::text(
      page, {std::min(columns, kMaxColumns), look.unicode,
             [&](std::string_view heading) { return painted(look, Ink::accent, heading, true); }});
}

}  // namespace damier::app
