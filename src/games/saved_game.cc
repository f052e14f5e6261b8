#include "damier/games/saved_game.h"

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::games {

namespace {

constexpr std::string_view kSchema = "damier/game/1";

}  // namespace

Json to_json(const SavedGame& saved) {
  const Facts& facts = saved.game->facts();
  Json rules = Json::object();
  for (const auto& [name, value] : saved.game->option_values()) rules[name] = value;
  Json json = {{"schema", kSchema},
               {"game", facts.name},
               {"rules", std::move(rules)},
               {"seed", value_of(saved.seed)}};
  if (!facts.hidden_information) json["position"] = saved.session->start_text();
  json["moves"] = saved.session->move_texts();
  json["players"] = saved.players;
  json["seconds"] = saved.seconds;
  if (saved.resigned) {
    json["resigned"] = facts.sides[static_cast<std::size_t>(index(*saved.resigned))];
  }
  if (saved.language) json["language"] = language_code(*saved.language);
  return json;
}

Result<SavedGame> parse_saved_game(const Registry& registry, std::string_view text,
                                   std::string_view source) {
  const auto json = TRY(parse_json(text, source));
  return read_saved_game(registry, json, source);
}

Result<SavedGame> read_saved_game(const Registry& registry, const Json& json,
                                  std::string_view source) {
  const std::string file(source);
  JsonFields fields(json, "", file);
  const std::string schema = fields.text("schema");
  if (!schema.empty() && schema != kSchema) {
    fields.fail("schema", fmt::format("is {}; expected '{}'", in_quotes(schema), kSchema));
  }
  const std::string name = fields.text("game");
  const OptionValues options = fields.optional_text_map("rules");
  const auto seed = fields.optional_unsigned("seed");
  const auto position = fields.optional_text("position");
  const auto moves = fields.texts("moves", kMaxSavedMoves);
  const auto players = fields.optional_texts("players", 2);
  const auto seconds = fields.optional_number("seconds");
  const auto resigned = fields.optional_text("resigned");
  const auto language = fields.optional_text("language");
  TRY(fields.finish());

  SavedGame saved;
  saved.game = TRY(registry.make(name, options).in(file));
  saved.seed = Seed{seed.value_or(0)};
  if (position) {
    saved.session = TRY(saved.game->start_from(*position).in(file));
  } else {
    saved.session = saved.game->start(saved.seed);
  }
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (saved.session->outcome() != Outcome::ongoing) {
      fields.fail(fmt::format("moves[{}]", i),
                  fmt::format("{} comes after the end of the game", in_quotes(moves[i])));
      break;
    }
    const auto action = saved.session->parse_move(moves[i]);
    if (!action) {
      fields.fail(fmt::format("moves[{}]", i), action.error().text());
      break;
    }
    saved.session->play(*action);
  }
  for (std::size_t i = 0; i < players.size(); ++i) saved.players[i] = players[i];
  if (seconds && *seconds >= 0 && *seconds < 1e9) saved.seconds = *seconds;
  if (language) {
    saved.language = language_of_code(*language);
    if (!saved.language) {
      fields.fail("language", fmt::format("is {}; expected en or fr", in_quotes(*language)));
    }
  }
  if (resigned) {
    const auto& sides = saved.game->facts().sides;
    if (*resigned != sides[0] && *resigned != sides[1]) {
      fields.fail("resigned", fmt::format("is {}; expected {} or {}", in_quotes(*resigned),
                                          sides[0], sides[1]));
    }
    saved.resigned = *resigned == sides[0] ? Side::first : Side::second;
  }
  TRY(fields.finish());
  return saved;
}

}  // namespace damier::games
