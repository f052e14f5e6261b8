// What a page sends to the workbench's server: a game that is accepted can be shown, and comes back
// to the same game; a player that is accepted runs no program.

#include "tests/fuzz/target.h"

#include "damier/app/serve/game_json.h"
#include "damier/app/serve/players.h"

using namespace damier;

DAMIER_FUZZ_TARGET(request, text) {
  static const games::Registry registry = games::builtin_games();
  const auto edited = app::serve::edited_board(registry, text);
  if (!edited) fuzz::require_one_line(edited.error().text());
  const auto request = app::serve::parse_game_request(registry, text);
  if (!request) return fuzz::require_one_line(request.error().text());
  const Json shown = app::serve::position_json(request->saved);
  const auto again =
      app::serve::parse_game_request(registry, dump_line({{"state", shown.at("state")}}));
  fuzz::require(again.ok(), "a game that was shown is accepted");
  fuzz::require(again->saved.session->position_text() == shown.at("position").text(),
                "and leads to the same position");
  const auto player = app::serve::check_player(request->player, true);
  if (!player) return fuzz::require_one_line(player.error().text());
  fuzz::require(!request->player.starts_with("uci"), "no program is run");
}
