#include "damier/learn/task.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/learn/rows/data_report.h"

namespace damier::learn {

namespace {

// Rows that are in memory all at once.
constexpr std::uint64_t kMaxBytesAtOnce = std::uint64_t{16} << 30;

bool stands_for(std::string_view word, std::string_view text) {
  const auto colon = word.find(':');
  return colon == word.npos ? word == text : text.starts_with(word.substr(0, colon + 1));
}

Status check_value(const TaskOption& option, const Json& value) {
  const Json& like = option.default_value;
  const auto [fits, kind] = like.is_boolean()  ? std::pair(value.is_boolean(), "true or false")
                            : like.is_string() ? std::pair(value.is_string(), "a text")
                            : like.is_number_integer()
                                ? std::pair(value.is_number_integer(), "a whole number")
                                : std::pair(value.is_number(), "a number");
  const double number = fits && value.is_number() ? value.get<double>() : option.low;
  if (!fits || number < option.low || number > option.high) {
    std::string expected = kind;
    if (option.low > -std::numeric_limits<double>::infinity()) {
      expected += fmt::format(" from {} to {}", option.low, option.high);
    }
    return Error{fmt::format("{} is {}; expected {}", option.name, dump_line(value), expected)};
  }
  if (option.choices.empty() || std::ranges::any_of(option.choices, [&](const std::string& word) {
        return stands_for(word, value.text());
      })) {
    return Done{};
  }
  return unknown_name(option.name, value.text(), option.choices);
}

Result<Json> fill(const Task& task, const GenerateOptions& options, ThreadPool& pool, RowSink& sink,
                  std::string_view command, Ranks& ranks) {
  const auto facts = TRY(task.generate(options, pool, sink, ranks));
  const std::string encoder = task.encoder_of(options);
  Json info = {{"version", 1},
               {"task", task.name()},
               {"game", task.game()},
               {"encoder", encoder},
               {"encoder_version", (*task.encoder(encoder))->version()}};
  info["generate"] = to_json(task, options);
  info.update(facts);
  info["made_by"] = version_text();
  if (!command.empty()) info["command"] = command;
  return info;
}

}  // namespace

Json to_json(const Task& task, const GenerateOptions& options) {
  Json json = Json::object();
  for (const TaskOption& option : task.options()) {
    json[option.name_in_files()] = task.option(options, option.name);
  }
  json.update({{"count", options.count},
               {"split", options.split},
               {"validation", options.validation},
               {"test", options.test},
               {"seed", value_of(options.seed)}});
  return json;
}

Result<Json> Task::generate(const GenerateOptions& options, ThreadPool& pool, RowSink& sink,
                            Ranks& ranks) const {
  auto rows = TRY(rows_work(options, pool));
  Json facts = std::move(rows.facts);
  TRY(collect_rows(*this, options, std::move(rows), sink, ranks));
  return facts;
}

Result<RowsWork> Task::rows_work(const GenerateOptions&, ThreadPool&) const {
  return Error{
      fmt::format("the rows of {} are made by one process", name()), {}, ErrorKind::failure};
}

Status Task::write_text(const DataSet& data, const std::filesystem::path& path) const {
  return write_csv(data, path);
}

Error Task::no_self_play() const {
  return Error{fmt::format("{} has no self-play; expected a game of two players", name())};
}

Result<std::vector<Column>> Task::self_play_columns(std::string_view encoder) const {
  const auto reads = TRY(encoders_.find(encoder));
  if (reads->output_count() == 0) return no_self_play();
  return learn::self_play_columns(reads->stored_width(),
                                  static_cast<std::uint64_t>(reads->output_count()));
}

Result<Worker> Task::self_play_worker(const SelfPlayOptions&, const SelfPlayGames&,
                                      const model::Predictor&, ThreadPool&) const {
  return no_self_play();
}

Result<Worker> Task::self_play_match_worker(const SelfPlayOptions&, const SelfPlayGames&,
                                            const model::Predictor&, const Opponent&,
                                            ThreadPool&) const {
  return no_self_play();
}

Result<std::unique_ptr<GamesInPlay>> Task::games_in_play(const GamesInPlayOptions&) const {
  return no_self_play();
}

Status Task::check_opponent(std::string_view, std::string_view) const { return no_self_play(); }

Result<SelfPlayFigures> Task::self_play(const SelfPlayOptions& options, const SelfPlayGames& games,
                                        const model::Predictor& network, ThreadPool& pool,
                                        RowSink& sink) const {
  auto worker = TRY(self_play_worker(options, games, network, pool));
  return collect_games(games, sink, {.worker = std::move(worker)}, no_other_ranks());
}

Result<MatchCounts> Task::self_play_match(const SelfPlayOptions& options,
                                          const SelfPlayGames& games,
                                          const model::Predictor& network, const Opponent& opponent,
                                          ThreadPool& pool) const {
  auto worker = TRY(self_play_match_worker(options, games, network, opponent, pool));
  return collect_match(games, {.worker = std::move(worker)}, no_other_ranks());
}

const TaskOption* Task::declared(std::string_view name) const {
  const auto at = std::ranges::find_if(
      facts_.options, [&](const TaskOption& option) { return option.is_called(name); });
  return at == facts_.options.end() ? nullptr : &*at;
}

Json Task::option(const GenerateOptions& options, std::string_view name) const {
  const TaskOption* const option = declared(name);
  if (option == nullptr) return {};
  for (const std::string& known : {option->name, option->name_in_files()}) {
    if (const Json* given = options.more.find(known)) return *given;
  }
  return option->default_value;
}

std::string Task::encoder_of(const GenerateOptions& options) const {
  std::string name = text_option(options, "encoder");
  games::OptionValues rules;
  for (const TaskOption& option : facts_.options) {
    if (option.is_rule) rules.emplace_back(option.name, text_option(options, option.name));
  }
  if (!rules.empty()) name += ' ' + games::options_text(rules);
  return encoders_.find(name).value()->name();
}

Status Task::check_more(const Json& more) const {
  for (const auto& [name, value] : more.items()) {
    const TaskOption* const option = declared(name);
    if (option == nullptr) {
      std::vector<std::string> names;
      for (const TaskOption& one : facts_.options) names.push_back(one.name);
      return unknown_name("option", name, names);
    }
    TRY(check_value(*option, value));
  }
  return Done{};
}

Status Task::check(const GenerateOptions& options) const {
  TRY(check_more(options.more));
  const std::vector<std::string>& known = facts_.splits;
  if (std::ranges::find(known, options.split) == known.end()) {
    return unknown_name("split", options.split, known);
  }
  // Validation and test must leave something to learn from.
  if (options.validation < 0 || options.test < 0 || options.validation + options.test > 0.9) {
    return Error{
        fmt::format("the shares of validation and test are {} and {}; expected 0.9 in all at most",
                    options.validation, options.test)};
  }
  return check_together(options);
}

Result<DataSet> generate_in_memory(const Task& task, const GenerateOptions& options,
                                   ThreadPool& pool, Ranks& ranks) {
  TRY(task.check(options));
  const std::uint64_t bytes = row_bytes(task.columns(options));
  if (options.count > kMaxBytesAtOnce / std::max<std::uint64_t>(bytes, 1)) {
    return Error{
        fmt::format("a count of {} rows takes {} bytes each in memory; expected {} rows "
                    "at most, or a data set in a file (`{} generate`)",
                    options.count, bytes, kMaxBytesAtOnce / bytes, program_name())};
  }
  MemoryRows rows(task.columns(options));
  auto info = TRY(fill(task, options, pool, rows, "", ranks));
  return rows.finish(std::move(info));
}

Result<Json> generate_file(const Task& task, const GenerateOptions& options, ThreadPool& pool,
                           const std::filesystem::path& path, std::string_view command,
                           Ranks& ranks) {
  TRY(task.check(options));
  auto writer = TRY(DataSetWriter::create(path, task.columns(options)));
  auto info = TRY(fill(task, options, pool, *writer, command, ranks));
  return writer->finish(std::move(info));
}

Split split_of(std::int64_t group, const GenerateOptions& options) {
  if (options.split == "none") return Split::training;
  RandomStream stream(options.seed, "split", static_cast<std::uint64_t>(group));
  const double place = stream.uniform();
  if (place < options.test) return Split::test;
  return place < options.test + options.validation ? Split::validation : Split::training;
}

void expand_rows(const model::AnyEncoder& encoder, std::span<const float> stored,
                 std::span<float> inputs) {
  const auto from = static_cast<std::size_t>(encoder.stored_width()), to = encoder.width();
  for (std::size_t row = 0; row < stored.size() / from; ++row) {
    encoder.expand(stored.subspan(row * from, from), inputs.subspan(row * to, to));
  }
}

template <class T>
Result<std::vector<T>> column_of(const DataSet& data, std::string_view name, std::uint64_t width,
                                 RowRange range) {
  const int column = data.column_index(name);
  if (column < 0 || data.columns()[static_cast<std::size_t>(column)].width != width) {
    return Error{fmt::format("has no column '{}' of width {}", name, width), {data.source()}};
  }
  if (range.count > kMaxBytesAtOnce / (width * sizeof(T))) {
    return Error{fmt::format("has {} rows of the column '{}'; expected {} at most at once",
                             range.count, name, kMaxBytesAtOnce / (width * sizeof(T))),
                 {data.source()}};
  }
  return data.values<T>(column, range);
}

template Result<std::vector<float>> column_of(const DataSet&, std::string_view, std::uint64_t,
                                              RowRange);
template Result<std::vector<std::int32_t>> column_of(const DataSet&, std::string_view,
                                                     std::uint64_t, RowRange);
template Result<std::vector<std::int64_t>> column_of(const DataSet&, std::string_view,
                                                     std::uint64_t, RowRange);

}  // namespace damier::learn
