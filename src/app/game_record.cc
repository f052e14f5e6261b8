#include "damier/app/game_record.h"

#include <istream>
#include <sstream>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

constexpr std::size_t kMaxRecordBytes = std::size_t{256} << 20;

// A record of a match holds one game a line.
Result<games::SavedGame> saved_game(const Context& context, std::string_view text,
                                    const RecordChoice& record) {
  const std::string& file = *record.file;
  if (const auto lines = split(trim(text), '\n'); lines.size() > 1 && lines[0].ends_with("}")) {
    const auto count = std::ssize(lines);
    if (record.number > count) return too_few_games(file, count, record.number);
    text = lines[static_cast<std::size_t>(record.number - 1)];
  } else if (record.number != 1) {
    return too_few_games(file, 1, record.number);
  }
  return games::parse_saved_game(context.registry, text, file);
}

Result<LoadedGame> replayed(const Context& context, const std::string& game,
                            const GameFormat::Record& record, const std::string& source) {
  auto rules = TRY(context.registry.make(game, record.rules).in(source));
  auto session = TRY(rules->start_from(record.position).in(source));
  for (const std::string& move : record.moves) {
    const auto action = session->parse_move(move);
    if (!action) return Error{action.error().text(), {source}};
    session->play(*action);
  }
  LoadedGame loaded{{}, record.title, false};
  loaded.saved.game = std::move(rules);
  loaded.saved.seed = context.seed();
  loaded.saved.session = std::move(session);
  return loaded;
}

Result<LoadedGame> read_format(const Context& context, const GameCommands& own, std::istream& in,
                               const std::string& source, std::int64_t number) {
  const auto games = TRY(own.format()->read(in, source, number));
  return replayed(context, own.game(), games, source);
}

// The game whose format a file has by its name.
const GameCommands* format_by_name(const Context& context, std::string_view file) {
  for (const auto& own : context.games.all()) {
    const auto format = own->format();
    if (format && format->read != nullptr && file.ends_with(format->ending)) return own.get();
  }
  return nullptr;
}

Result<LoadedGame> load_any(const Context& context, const RecordChoice& record,
                            const std::string& game) {
  const std::string& name = *record.file;
  if (const GameCommands* own = format_by_name(context, name)) {
    auto file = InputFile::open(name);
    if (interrupted()) return interruption();
    if (!file) return std::move(file).error();
    std::istream in(file->get());
    auto loaded = read_format(context, *own, in, (*file)->name(), record.number);
    if (interrupted()) return interruption();
    TRY((*file)->status());
    return loaded;
  }
  auto text = TRY(read_file(name, kMaxRecordBytes));
  // A pipe's name does not tell the format; a saved game is JSON.
  const auto format = context.games.of(game).format();
  if (format && format->read != nullptr && !trim(text).starts_with('{')) {
    std::istringstream in(text);
    return read_format(context, context.games.of(game), in, name == "-" ? "standard input" : name,
                       record.number);
  }
  LoadedGame loaded;
  loaded.saved = TRY(saved_game(context, text, record));
  return loaded;
}

}  // namespace

Error too_few_games(const std::string& source, std::int64_t count, std::int64_t number) {
  return {fmt::format("holds {}; --number is {}", counted(count, "game"), number), {source}};
}

void add_record_options(CommandLine line, RecordChoice& record, const Context& context,
                        std::string_view form) {
  Text kinds = "a saved game, the record of a match";
  for (const auto& own : context.games.all()) {
    const auto format = own->format();
    if (!format || format->read == nullptr) continue;
    kinds = Text::of("{}; {}: a {} file", kinds, own->game(), format->ending);
  }
  line.add_option("--load", record.file, "FILE", Text::of(form, kinds));
  line.add_number("--number", record.number, 1, 1'000'000'000,
                  "which game of a file with several (default 1)");
}

Result<LoadedGame> load_game(const Context& context, const RecordChoice& record,
                             const std::string& game) {
  auto loaded = TRY(load_any(context, record, game));
  const std::string name(loaded.saved.game->facts().name);
  if (!game.empty() && game != name) {
    return Error{fmt::format("is a game of {}; expected {}", name, game), {*record.file}};
  }
  return loaded;
}

Result<LoadedGame> read_game(const Context& context, const std::string& name,
                             const std::string& text) {
  if (const GameCommands* own = format_by_name(context, name)) {
    std::istringstream in(text);
    return read_format(context, *own, in, name, 1);
  }
  LoadedGame loaded;
  loaded.saved = TRY(saved_game(context, text, {.file = name}));
  return loaded;
}

bool names_record(const Context& context, std::string_view word) {
  return word.ends_with(".json") || word.ends_with(".jsonl") ||
         format_by_name(context, word) != nullptr;
}

}  // namespace damier::app
