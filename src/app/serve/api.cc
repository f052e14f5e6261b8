#include "damier/app/serve/api.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/contest/options.h"
#include "damier/app/game_analysis.h"
#include "damier/app/game_record.h"
#include "damier/app/serve/assets.h"
#include "damier/app/serve/game_json.h"
#include "damier/app/serve/jobs.h"
#include "damier/app/serve/network_view.h"
#include "damier/app/serve/players.h"
#include "damier/app/serve/run_view.h"
#include "damier/app/terminal/move_table.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/text/language.h"
#include "damier/learn/train/recipe.h"
#include "damier/play/ratings/strength.h"

namespace damier::app::serve {

struct Api::Workbench {
  const Context& context;
  ApiOptions options;
  EventLog& events;
  PlayerShelf players{context.registry, options.is_public};
  Jobs jobs = {};
  SearchQueue searches{options.limits, events};
  std::jthread watcher = {};
};

namespace {

// What can be said at once, what has to be thought about, or what is wrong.
using Answer = std::variant<HttpReply, Search, Error>;
using Asked = std::shared_ptr<GameRequest>;

HttpReply document(std::string_view name, const Json& body) {
  return {.body = dump_line(with_schema(name, body)) + "\n"};
}

Result<HttpReply> reply_of(std::string_view name, const Result<Json>& body) {
  if (!body) return body.error();
  return document(name, *body);
}

// Work that may take a moment goes to the threads that think.
Answer later(std::function<Result<HttpReply>()> work) {
  return Search{.think = [work = std::move(work)](search::Watch&) { return work(); }};
}

Answer thought(const Asked& game, std::function<Result<HttpReply>(search::Watch&)> think) {
  return Search{.page = game->page, .task = game->task, .think = std::move(think)};
}

// {"fr": {"K": "R", …}}; empty for moves that are the same in every language.
Json letters_json(const GameCommands& own) {
  Json letters = Json::object(), french = Json::object();
  const std::string pairs = own.letters(Language::french);
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    french[pairs.substr(i, 1)] = pairs.substr(i + 1, 1);
  }
  if (!pairs.empty()) letters["fr"] = std::move(french);
  return letters;
}

HttpReply asset_reply(const Asset& asset, const HttpRequest& request) {
  if (request.accept_encoding.find("gzip") == std::string::npos) {
    return error_reply(406, "the page is kept compressed; expected Accept-Encoding: gzip");
  }
  HttpReply reply{.type = std::string(asset.type), .body = std::string(asset.gzip())};
  reply.headers = {{"Content-Encoding", "gzip"}};
  return reply;
}

}  // namespace

// Each answers one kind of request, or says what is wrong with it.
struct Api::Routes {
  static Result<Asked> asked(const Workbench& bench, const HttpRequest& request) {
    auto game = TRY(parse_game_request(bench.context.registry, request.body));
    return std::make_shared<GameRequest>(std::move(game));
  }
  static bool is_over(const GameRequest& game) {
    return game.saved.session->outcome() != games::Outcome::ongoing;
  }

  static Answer games(Workbench& bench, const HttpRequest&) {
    return later([&bench]() -> Result<HttpReply> {
      Json body = games_document(bench.context.registry);
      for (Json& entry : *body.find("games")) {
        const auto found = bench.context.registry.find(entry.at("name").text());
        const auto game = (*found)->make({});
        const auto toolkit = bench.players.toolkit(*game);
        const games::Facts& facts = (*found)->facts;
        entry["editable"] = !(*game)->pieces().empty();
        const GameCommands& own = bench.context.games.of(facts.name);
        const auto format = own.format();
        entry["letters"] = letters_json(own);
        entry["format"] = format ? Json(format->ending) : Json(nullptr);
        entry["rules"] = facts.rules;
        entry["notation"] = facts.move_notation;
        entry["solved"] = toolkit->is_solved();
        entry["strongest"] = toolkit->strongest_player();
        Json levels = Json::array();
        if (facts.players == 2) {
          for (const play::Level& level : levels_of(*toolkit)) {
            levels.push_back({{"level", level.number},
                              {"player", level.player},
                              {"elo", level.measured ? Json(level.measured->elo) : Json(nullptr)}});
          }
        }
        entry["levels"] = std::move(levels);
      }
      body["public"] = bench.options.is_public;
      return document("games", body);
    });
  }

  static Answer position(Workbench& bench, const HttpRequest& request) {
    const auto game = TRY(asked(bench, request));
    if (!game->move.empty()) TRY(play_written(game->saved, game->move));
    return document("position", position_json(game->saved));
  }

  static Answer edit(Workbench& bench, const HttpRequest& request) {
    const auto body = TRY(edited_board(bench.context.registry, request.body));
    return document("edit", body);
  }

  // A file that a page has opened: its name and its text.
  static Answer read_game_file(Workbench& bench, const HttpRequest& request) {
    const auto body = TRY(parse_json(request.body, "request"));
    return later([&bench, name = text_in(body, "name"),
                  text = text_in(body, "text")]() -> Result<HttpReply> {
      const auto loaded = TRY(app::read_game(bench.context, name, text));
      return document("read-game",
                      {{"position", position_json(loaded.saved)}, {"title", loaded.title}});
    });
  }

  // The game in the format that other programs read.
  static Answer write_game_file(Workbench& bench, const HttpRequest& request) {
    const auto game = TRY(asked(bench, request));
    const games::SavedGame& saved = game->saved;
    const auto& name = saved.game->facts().name;
    const auto format = bench.context.games.of(name).format();
    if (!format) return Error{"this game has no format but the saved game"};
    GameFormat::Names names{"Damier", {saved.players[0], saved.players[1]}};
    if (saved.resigned) {
      names.outcome = *saved.resigned == games::Side::first ? "second" : "first";
      names.ending = "resignation";
    }
    return document("write-game", {{"name", fmt::format("{}{}", name, format->ending)},
                                   {"text", format->text(*saved.session, names)}});
  }

  static Answer ask_player(Workbench& bench, const HttpRequest& request) {
    const auto game = TRY(asked(bench, request));
    Json played;
    if (!game->move.empty()) {
      TRY(play_written(game->saved, game->move));
      played = position_json(game->saved);
      if (is_over(*game)) {
        return document("answer", {{"played", played}, {"move", nullptr}, {"position", played}});
      }
      // Who thinks long is not waited for with the move itself.
      if (!game->page.empty()) {
        bench.events.tell("played", game->page, {{"task", game->task}, {"position", played}});
      }
    }
    if (game->saved.resigned || is_over(*game)) return Error{"the game is over"};
    return thought(
        game,
        [&bench, game, played = std::move(played)](search::Watch&) mutable -> Result<HttpReply> {
          games::SavedGame& saved = game->saved;
          const auto player = TRY(bench.players.ask(saved.game, game->player));
          const Stopwatch watch;
          // The same game has the same answer; another one may have another.
          RandomStream random(saved.seed, "answer",
                              static_cast<std::uint64_t>(saved.session->plies()));
          const games::Action action = player.player->choose(*saved.session, random);
          const std::string move = saved.session->move_text(action);
          saved.session->play(action);
          return document("answer", {{"player", player.name},
                                     {"played", std::move(played)},
                                     {"move", move},
                                     {"seconds", watch.seconds()},
                                     {"position", position_json(saved)}});
        });
  }

  static Answer analyze(Workbench& bench, const HttpRequest& request) {
    const auto game = TRY(asked(bench, request));
    Search search{.page = game->page, .task = game->task};
    search.move_text = [game](games::Action action) {
      return game->saved.session->move_text(action);
    };
    search.think = [&bench, game](search::Watch& watch) -> Result<HttpReply> {
      const games::Session& session = *game->saved.session;
      const std::string_view name = game->saved.game->facts().name;
      const auto player = TRY(bench.players.ask(game->saved.game, game->player));
      const auto named = game->player.empty() ? std::nullopt : std::optional(game->player);
      if (const auto analysis = bench.context.games.of(name).analysis(session, named)) {
        return reply_of("analyze", *analysis);
      }
      const Stopwatch time;
      RandomStream random(Seed{1}, "analyze");  // as the command has it, unless it is told
      const play::Answer answer = analyzed(*player.toolkit, player.name, *player.player, session,
                                           {.random = &random, .watch = &watch});
      return document("analyze", {{"game", name},
                                  {"position", session.position_text()},
                                  {"player", player.name},
                                  {"moves", moves_json(session, answer)},
                                  {"pv", line_json(session, answer)},
                                  {"nodes", answer.nodes},
                                  {"seconds", time.seconds()}});
    };
    return search;
  }

  // What the moves of a game were worth. Each is told as soon as it is known; where the time for
  // one thought is over, those known so far are the answer.
  static Answer analyze_game(Workbench& bench, const HttpRequest& request) {
    const auto game = TRY(asked(bench, request));
    return thought(game, [&bench, game](search::Watch&) -> Result<HttpReply> {
      auto player = TRY(bench.players.ask(game->saved.game, game->player));
      play::PlayedGame played(game->saved, game->from);
      ThreadPool pool(1);  // an interrupt is for this thread, which needs one player
      judge_played_game(
          bench.context, played, *player.toolkit, [&] { return std::move(player.player); }, Seed{1},
          pool,
          [&](std::size_t i) {
            if (game->page.empty()) return;
            bench.events.tell("judged", game->page,
                              {{"task", game->task}, {"move", played_move_json(played, i)}});
          });
      Json body = played_game_json(played);
      body["player"] = player.name;
      return document("analyze-game", body);
    });
  }

  static Answer stop(Workbench& bench, const HttpRequest& request) {
    const auto json = TRY(parse_json(request.body, "request"));
    bench.searches.stop(text_in(json, "page"), text_in(json, "task"));
    return document("stop", Json::object());
  }

  static Answer models(Workbench& bench, const HttpRequest&) {
    return later([is_public = bench.options.is_public]() -> Result<HttpReply> {
      UnreadModels unread;
      auto body = TRY(models_document(unread));
      Json list = Json::array();
      for (Json& model : *body.find("models")) {
        const bool ships = model.at("ships").get<bool>();
        if (!ships && is_public) continue;
        model["player"] = "net:" + (ships ? model.at("name").text()
                                          : play::player_value(model.at("path").text()));
        if (is_public) model.erase("path");
        list.push_back(std::move(model));
      }
      return document("models", {{"models", std::move(list)}});
    });
  }

  static Answer inspect(Workbench& bench, const HttpRequest& request) {
    const std::string model = request.query("model");
    const bool is_public = bench.options.is_public;
    TRY(check_player("net:" + model, is_public));
    return later([model, is_public] {
      auto body = inspect_document(model);
      if (body && is_public) body->erase("model");
      return reply_of("inspect", body);
    });
  }

  static Answer weights(Workbench& bench, const HttpRequest& request) {
    const std::string model = request.query("model");
    TRY(check_player("net:" + model, bench.options.is_public));
    return later([model, name = request.query("name")] {
      return reply_of("weights", weights_json(model, name));
    });
  }

  static Answer network(Workbench& bench, const HttpRequest& request) {
    const auto game = TRY(asked(bench, request));
    TRY(check_player("net:" + game->model, bench.options.is_public));
    if (is_over(*game)) return Error{"the game is over"};
    return thought(game, [&bench, game](search::Watch&) {
      return reply_of("network", network_json(bench.context.registry, *game->saved.game,
                                              *game->saved.session, game->model, game->layer));
    });
  }

  static Answer deal(Workbench& bench, const HttpRequest& request) {
    const auto game = TRY(asked(bench, request));
    const auto& session = *game->saved.session;
    if (session.plies() > 0) return Error{"the game has begun"};
    const auto first = TRY(session.parse_move(game->move));
    return thought(game, [&bench, game, first](search::Watch&) -> Result<HttpReply> {
      const auto& own = bench.context.games.of(game->saved.game->facts().name);
      auto found = own.fair_seed(*game->saved.session, game->saved.seed, first);
      if (!found) return Error{"nothing is hidden in this game"};
      const Seed seed = TRY(*std::move(found));
      return document("deal", {{"seed", value_of(seed)}});
    });
  }

  static Answer report(Workbench&, const HttpRequest& request) {
    return later([name = request.query("experiment"),
                  quick = request.query("quick") == "1"]() -> Result<HttpReply> {
      auto page = kept_report(name, quick);
      if (!page) return error_reply(404, "there is no report of this experiment yet");
      // It is shown in a frame of the workbench, and runs no scripts.
      return HttpReply{
          .type = "text/html; charset=utf-8",
          .body = *std::move(page),
          .headers = {{"Content-Security-Policy",
                       "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox "
                       "allow-popups; frame-ancestors 'self'"}}};
    });
  }

  static Answer runs(Workbench&, const HttpRequest& request) {
    return later([name = request.query("run")]() -> Result<HttpReply> {
      auto store = TRY(Store::open_default());
      DamagedRows ignored;
      return name.empty() ? reply_of("runs", runs_document(store, &ignored))
                          : reply_of("run", run_document(store, name, &ignored));
    });
  }

  static Answer run_games(Workbench&, const HttpRequest& request) {
    std::size_t from = 0;  // games that are left out
    const std::string asked = request.query("from");
    const char* const end = asked.data() + asked.size();
    if (!asked.empty() && std::from_chars(asked.data(), end, from).ptr != end) {
      return Error{"from: expected a number of games"};
    }
    return later([name = request.query("run"), from] {
      return reply_of("run-games", run_games_json(name, from));
    });
  }

  static Answer recipes(Workbench& bench, const HttpRequest&) {
    return document("recipes", {{"recipes", learn::recipe_names(bench.context.registry.tasks())}});
  }

  static Answer experiments(Workbench&, const HttpRequest&) {
    return later([] { return reply_of("experiments", experiments_document()); });
  }

  static Answer jobs(Workbench& bench, const HttpRequest&) {
    return document("jobs", bench.jobs.list());
  }

  static Answer start_job(Workbench& bench, const HttpRequest& request) {
    const auto body = TRY(parse_json(request.body, "request"));
    auto words = TRY(job_words(bench.context.registry, body));
    const auto number = TRY(bench.jobs.start(std::move(words)));
    bench.events.tell("jobs", "", {{"job", number}});
    return document("job", {{"job", number}});
  }

  static Answer stop_job(Workbench& bench, const HttpRequest& request) {
    const auto body = TRY(parse_json(request.body, "request"));
    JsonFields fields(body, "", "request");
    const std::int64_t number = fields.integer("job", 1, std::int64_t{1} << 53);
    TRY(fields.finish());
    TRY(bench.jobs.stop(number));
    return document("job", {{"job", number}});
  }

  static Answer events(Workbench&, const HttpRequest& request) {
    HttpReply::Events asked{.page = request.query("page"), .after = {}};
    const std::string& last = request.last_event_id;
    std::uint64_t number = 0;
    if (std::from_chars(last.data(), last.data() + last.size(), number).ec == std::errc()) {
      asked.after = number;
    }
    return HttpReply{.events = std::move(asked)};
  }
};

Api::Api(const Context& context, const ApiOptions& options, EventLog& events)
    : bench_(new Workbench{context, options, events}) {
  if (options.is_public) return;
  bench_->watcher = start_thread([bench = bench_.get()](std::stop_token stop) {
    watch_runs(bench->events, bench->jobs, stop);
  });
}

Api::~Api() = default;

void Api::answer(const HttpRequest& request, Respond respond) {
  struct Route {
    std::string_view request;
    Answer (*answer)(Workbench& bench, const HttpRequest& request);
    bool is_local = false;  // closed when the server is public
  };
  static constexpr Route kRoutes[] = {
      {"GET /api/games", Routes::games},
      {"POST /api/position", Routes::position},
      {"POST /api/edit", Routes::edit},
      {"POST /api/read-game", Routes::read_game_file},
      {"POST /api/write-game", Routes::write_game_file},
      {"POST /api/answer", Routes::ask_player},
      {"POST /api/analyze", Routes::analyze},
      {"POST /api/analyze-game", Routes::analyze_game},
      {"POST /api/stop", Routes::stop},
      {"GET /api/models", Routes::models},
      {"GET /api/inspect", Routes::inspect},
      {"GET /api/weights", Routes::weights},
      {"POST /api/network", Routes::network},
      {"POST /api/deal", Routes::deal},
      {"GET /api/experiments", Routes::experiments},
      {"GET /api/events", Routes::events},
      {"GET /api/runs", Routes::runs, true},
      {"GET /api/run-games", Routes::run_games, true},
      {"GET /api/recipes", Routes::recipes, true},
      {"GET /api/report", Routes::report, true},
      {"GET /api/jobs", Routes::jobs, true},
      {"POST /api/jobs", Routes::start_job, true},
      {"POST /api/jobs/stop", Routes::stop_job, true},
  };
  const std::string_view path = request.path();
  const auto* const route =
      std::ranges::find(kRoutes, fmt::format("{} {}", request.method, path), &Route::request);
  if (route != std::end(kRoutes)) {
    if (route->is_local && bench_->options.is_public) {
      return respond(error_reply(403, "this server is public: trainings and files are closed"));
    }
    auto answer = route->answer(*bench_, request);
    if (auto* error = std::get_if<Error>(&answer)) return respond(error_reply(*error));
    if (auto* reply = std::get_if<HttpReply>(&answer)) return respond(std::move(*reply));
    Search& search = std::get<Search>(answer);
    search.respond = std::move(respond);
    return bench_->searches.add(std::move(search));
  }
  const Asset* const asset = find_asset(path == "/" ? "/index.html" : path);
  respond(request.method == "GET" && asset != nullptr ? asset_reply(*asset, request)
                                                      : error_reply(404, "there is nothing here"));
}

}  // namespace damier::app::serve
