#include "damier/app/context.h"

#include <array>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/text/language.h"
#include "damier/base/text/names.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"

namespace damier::app {

int Context::thread_count() const { return threads > 0 ? threads : ranks->threads(); }

Seed Context::seed() const { return seed_option ? Seed{*seed_option} : fresh_seed(); }

void write_notice(std::string_view text) { print_message("{}: {}\n", short_program_name(), text); }

int report_interrupted() {
  flush_output();  // what was said before comes before
  // The reader that closed the output knows.
  if (!output_reader_left()) write_notice(tr("interrupted"));
  return kInterrupted;
}

std::string interruption_text(const Context& context) {
  const auto lost = context.ranks->lost();
  return lost.empty() ? "interrupted" : join(lost, " and ") + " died";
}

void report_damaged(const DamagedRows& rows) {
  for (const Error& row : rows) report(row);
  if (!rows.empty()) print_notice("`{} verify` tells what can be done", program_name());
}

int report(const Error& error) {
  const bool is_interrupt = error.kind == ErrorKind::interrupted;
  if (is_interrupt && !error.where.known()) return report_interrupted();
  flush_output();
  write_notice(error.text());
  return error.kind == ErrorKind::input ? kWrongInput : is_interrupt ? kInterrupted : kFailed;
}

void print_about_file(const std::string& file, std::string_view text) {
  const std::string line = fmt::format("{}: {}\n", file, text);
  is_standard_output(file) ? write_message(line) : write_output_wrapped(line);
}

void print_metrics(std::span<const Metric> metrics) {
  for (const Metric& metric : metrics) {
    print_output("    {:<15} {} of {}\n", metric.name, estimate_text(metric), metric.n);
  }
}

Json with_schema(std::string_view name, const Json& body) {
  Json document = {{"schema", fmt::format("damier/{}/1", name)}};
  document.update(body);
  return document;
}

int print_json(std::string_view name, const Json& body) {
  write_output(dump_line(with_schema(name, body)) + "\n");
  return kDone;
}

const SharedOption* shared_option(std::string_view name) {
  static constexpr auto kSharedOptions = std::to_array<SharedOption>(
      {{"--json", false,
        [](CommandLine line, Context& context) {
          line.add_flag("--json", context.json, "print one JSON document instead of text");
        }},
       {"--lang", true,
        [](CommandLine line, Context& context) {
          line.add_option(
                  "--lang", context.language_option,
                  "help, play and report pages in English (en) or French (fr); default: as LANG "
                  "says")
              .one_of({std::string(language_code(Language::english)),
                       std::string(language_code(Language::french))});
        }},
       {"--seed", true,
        [](CommandLine line, Context& context) {
          line.add_number("--seed", context.seed_option, 0, kMaxSeed,
                          "makes the run repeatable; chosen and printed if not given");
        }},
       {"--threads", true, [](CommandLine line, Context& context) {
          line.add_number("--threads", context.threads, 1, 1024,
                          "threads to use (default: all cores)");
        }}});
  const auto* found = std::ranges::find(kSharedOptions, name, &SharedOption::name);
  return found == kSharedOptions.end() ? nullptr : found;
}

void add_shared_options(CommandLine line, Context& context,
                        std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) shared_option(name)->add(line, context);
}

void add_rules_options(CommandLine line, GameChoice& choice) {
  line.add_option("--rules", choice.rules, "RULES", "rule options, as name=value,name=value");
  line.add_option("--board", choice.board, "SIZE",
                  "the board's size, as 8x8: a shortcut for the rule option of that name");
}

void add_model_argument(CommandLine line, std::string& model) {
  line.add_option("MODEL", model, "a model: its file, its folder or the name of one that ships")
      .required();
}

Result<std::shared_ptr<const games::AnyGame>> game_of_run(const Context& context, const Run& run) {
  const Json* settings = run.request.config.find("settings");
  const Json* rules = settings == nullptr ? nullptr : settings->find("rules");  // of a recipe
  games::OptionValues options;
  for (const auto& [name, value] : (rules == nullptr ? run.request.options : *rules).items()) {
    if (!value.is_string()) return Error{fmt::format("its rule {} is no text", in_quotes(name))};
    options.emplace_back(name, value.text());
  }
  return context.registry.make(run.request.game, options);
}

Result<std::shared_ptr<const games::AnyGame>> make_game(const Context& context,
                                                        const GameChoice& choice) {
  const auto entry = TRY(context.registry.find(choice.game));
  games::OptionValues options;
  if (choice.rules) {
    options = TRY(games::parse_options(*choice.rules).in("--rules"));
  }
  if (choice.board) {
    const auto is_board = [](const auto& option) { return option.name == "board"; };
    if (std::ranges::none_of(entry->options, is_board)) {
      return Error{
          fmt::format("--board does not go with {}, whose board has one size only", choice.game)};
    }
    options.emplace_back("board", *choice.board);
  }
  if (choice.preset) {
    const auto names = listed_names(entry->presets, &games::Preset::name);
    const auto found = std::ranges::find(entry->presets, *choice.preset, &games::Preset::name);
    if (names.empty()) {
      return Error{fmt::format("unexpected argument {}; {} has no presets",
                               in_quotes(*choice.preset), choice.game)};
    }
    if (found == entry->presets.end()) return unknown_name("preset", *choice.preset, names);
    options.emplace_back(found->option, found->value);
  }
  return entry->make(options);
}

void add_position_arguments(CommandLine line, PositionChoice& position) {
  line.add_option("POSITION", position.word, "the position (default: the beginning)");
  line.add_option("--position", position.option, "P", "the same, as an option");
}

Result<std::optional<std::string>> chosen_position(const PositionChoice& position) {
  if (position.word && position.option) {
    return Error{fmt::format("two positions are given, {} and --position; expected one",
                             in_quotes(*position.word))};
  }
  return position.word ? position.word : position.option;
}

Result<std::unique_ptr<games::Session>> start_game(const games::AnyGame& game,
                                                   const PositionChoice& position, Seed seed) {
  const auto text = TRY(chosen_position(position));
  if (!text) return game.start(seed);
  auto session = TRY(game.start_from(*text).in(position.word ? "POSITION" : "--position"));
  return session;
}

}  // namespace damier::app
