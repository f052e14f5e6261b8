#include "damier/app/serve/api.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "damier/app/contest/results.h"
#include "damier/app/documents.h"
#include "damier/app/game_analysis.h"
#include "damier/app/game_record.h"
#include "damier/app/serve/assets.h"
#include "damier/app/serve/edit.h"
#include "damier/app/serve/game_request.h"
#include "damier/app/serve/network_view.h"
#include "damier/app/serve/position_json.h"
#include "damier/app/terminal/move_table.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/text/language.h"
#include "damier/base/text/text.h"
#include "damier/lab/experiment.h"
#include "damier/learn/train/recipe.h"
#include "damier/play/ratings/ratings.h"
#include "damier/play/ratings/strength.h"

namespace damier::app::serve {

namespace {

constexpr std::size_t kMaxGames = 500;  // of a run, in one answer
constexpr std::chrono::seconds kBetweenLooksAtRuns(1);

HttpReply document(std::string_view name, const Json& body) {
  return {.body = dump_line(with_schema(name, body)) + "\n"};
}

HttpReply reply_of(std::string_view name, const Result<Json>& body) {
  return body ? document(name, *body) : error_reply(body.error());
}

// Whose rating is 0: the second player of a match, in a training the player that every game has. In
// a tournament it is the mean, as in its table at the end.
std::optional<play::Anchor> anchor_of(const Run& run, std::span<const GameRow> games) {
  std::vector<std::string> wanted;
  if (run.request.kind == "match") {
    const Json* players = run.request.config.find("players");
    if (players != nullptr && players->size() == 2) wanted.push_back((*players)[1].text());
  }
  if (run.request.kind == "train") wanted.emplace_back("random");
  for (const std::string& player : wanted) {
    const bool plays = std::any_of(games.begin(), games.end(), [&](const GameRow& game) {
      return game.first == player || game.second == player;
    });
    if (plays) return play::Anchor{player, 0};
  }
  return std::nullopt;
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

// A page starts no program: data labelled by another engine would.
Status check_setting(std::string_view setting) {
  const std::string_view key = setting.substr(0, setting.find('='));
  for (const std::string_view rows : {"data", "judge"}) {
    const bool closed = key == rows || key == fmt::format("{}.generate", rows) ||
                        key == fmt::format("{}.generate.engine", rows);
    if (!closed) continue;
    return Error{fmt::format("set: {} is not for pages; expected another key of the recipe", key)};
  }
  return Done{};
}

}  // namespace

Api::Api(const Context& context, const ApiOptions& options, EventLog& events)
    : context_(context),
      options_(options),
      events_(events),
      players_(context.registry, options.is_public),
      searches_(options.limits, events) {
  add_routes();
  if (!options.is_public) {
    watcher_ = start_thread([this](std::stop_token stop) { watch_runs(stop); });
  }
}

void Api::add_routes() {
  routes_ = {
      {"GET /api/games", {&Api::games}},
      {"POST /api/position", {&Api::position}},
      {"POST /api/edit", {&Api::edit}},
      {"POST /api/read-game", {&Api::read_game_file}},
      {"POST /api/write-game", {&Api::write_game_file}},
      {"POST /api/answer", {&Api::ask_player}},
      {"POST /api/analyze", {&Api::analyze}},
      {"POST /api/analyze-game", {&Api::analyze_game}},
      {"POST /api/stop", {&Api::stop}},
      {"GET /api/models", {&Api::models}},
      {"GET /api/inspect", {&Api::inspect}},
      {"GET /api/weights", {&Api::weights}},
      {"POST /api/network", {&Api::network}},
      {"POST /api/deal", {&Api::deal}},
      {"GET /api/experiments", {&Api::experiments}},
      {"GET /api/events", {&Api::events}},
      {"GET /api/runs", {&Api::runs, true}},
      {"GET /api/run-games", {&Api::run_games, true}},
      {"GET /api/recipes", {&Api::recipes, true}},
      {"GET /api/report", {&Api::report, true}},
      {"GET /api/jobs", {&Api::jobs, true}},
      {"POST /api/jobs", {&Api::start_job, true}},
      {"POST /api/jobs/stop", {&Api::stop_job, true}},
  };
}

void Api::answer(const HttpRequest& request, Respond respond) {
  const std::string_view path = request.path();
  const auto route = routes_.find(fmt::format("{} {}", request.method, path));
  if (route != routes_.end()) {
    if (route->second.local && options_.is_public) {
      return respond(error_reply(403, "this server is public: trainings and files are closed"));
    }
    return (this->*route->second.handler)(request, std::move(respond));
  }
  if (request.method == "GET") {
    if (const Asset* asset = find_asset(path == "/" ? "/index.html" : path)) {
      return respond(asset_reply(*asset, request));
    }
  }
  respond(error_reply(404, "there is nothing here"));
}

void Api::later(Respond respond, std::function<HttpReply()> work) {
  Search search;
  search.think = [work = std::move(work)](search::Watch&) { return work(); };
  search.respond = std::move(respond);
  searches_.add(std::move(search));
}

void Api::games(const HttpRequest&, Respond respond) {
  later(std::move(respond), [this] {
    Json body = games_document(context_.registry);
    for (Json& entry : *body.find("games")) {
      const auto found = context_.registry.find(entry.at("name").text());
      const auto game = (*found)->make({});
      const auto toolkit = players_.toolkit(*game);
      const games::Facts& facts = (*found)->facts;
      entry["editable"] = !(*game)->pieces().empty();
      const GameCommands& own = context_.games.of(facts.name);
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
    body["public"] = options_.is_public;
    return document("games", body);
  });
}

void Api::position(const HttpRequest& request, Respond respond) {
  auto asked = parse_game_request(context_.registry, request.body);
  if (!asked) return respond(error_reply(asked.error()));
  if (!asked->move.empty()) {
    const auto status = play_written(asked->saved, asked->move);
    if (!status) return respond(error_reply(status.error()));
  }
  respond(document("position", position_json(asked->saved)));
}

void Api::edit(const HttpRequest& request, Respond respond) {
  respond(reply_of("edit", edited_board(context_.registry, request.body)));
}

// A file that a page has opened: its name and its text.
void Api::read_game_file(const HttpRequest& request, Respond respond) {
  const auto body = parse_json(request.body, "request");
  if (!body) return respond(error_reply(body.error()));
  later(std::move(respond), [this, name = text_in(*body, "name"), text = text_in(*body, "text")] {
    const auto loaded = app::read_game(context_, name, text);
    if (!loaded) return error_reply(loaded.error());
    return document("read-game",
                    {{"position", position_json(loaded->saved)}, {"title", loaded->title}});
  });
}

// The game in the format that other programs read.
void Api::write_game_file(const HttpRequest& request, Respond respond) {
  const auto asked = parse_game_request(context_.registry, request.body);
  if (!asked) return respond(error_reply(asked.error()));
  const games::SavedGame& saved = asked->saved;
  const auto format = context_.games.of(saved.game->facts().name).format();
  if (!format) return respond(error_reply(422, "this game has no format but the saved game"));
  GameFormat::Names names{"Damier", {saved.players[0], saved.players[1]}};
  if (saved.resigned) {
    names.outcome = *saved.resigned == games::Side::first ? "second" : "first";
    names.ending = "resignation";
  }
  respond(document("write-game",
                   {{"name", fmt::format("{}{}", saved.game->facts().name, format->ending)},
                    {"text", format->text(*saved.session, names)}}));
}

void Api::ask_player(const HttpRequest& request, Respond respond) {
  auto asked = parse_game_request(context_.registry, request.body);
  if (!asked) return respond(error_reply(asked.error()));
  const auto game = std::make_shared<GameRequest>(*std::move(asked));
  const games::Session& session = *game->saved.session;
  Json played;
  if (!game->move.empty()) {
    const auto status = play_written(game->saved, game->move);
    if (!status) return respond(error_reply(status.error()));
    played = position_json(game->saved);
    if (session.outcome() != games::Outcome::ongoing) {
      return respond(
          document("answer", {{"played", played}, {"move", nullptr}, {"position", played}}));
    }
    // Who thinks long is not waited for with the move itself.
    if (!game->page.empty()) {
      events_.tell("played", game->page, {{"task", game->task}, {"position", played}});
    }
  }
  if (game->saved.resigned || session.outcome() != games::Outcome::ongoing) {
    return respond(error_reply(422, "the game is over"));
  }
  Search search;
  search.page = game->page;
  search.task = game->task;
  search.respond = std::move(respond);
  search.think = [this, game, played = std::move(played)](search::Watch&) mutable {
    games::SavedGame& saved = game->saved;
    const auto player = players_.ask(saved.game, game->player);
    if (!player) return error_reply(player.error());
    const Stopwatch watch;
    // The same game has the same answer; another one may have another.
    RandomStream random(saved.seed, "answer", static_cast<std::uint64_t>(saved.session->plies()));
    const games::Action action = player->player->choose(*saved.session, random);
    const std::string move = saved.session->move_text(action);
    saved.session->play(action);
    return document("answer", {{"player", player->name},
                               {"played", std::move(played)},
                               {"move", move},
                               {"seconds", watch.seconds()},
                               {"position", position_json(saved)}});
  };
  searches_.add(std::move(search));
}

void Api::analyze(const HttpRequest& request, Respond respond) {
  auto asked = parse_game_request(context_.registry, request.body);
  if (!asked) return respond(error_reply(asked.error()));
  const auto game = std::make_shared<GameRequest>(*std::move(asked));
  Search search;
  search.page = game->page;
  search.task = game->task;
  search.respond = std::move(respond);
  search.move_text = [game](games::Action action) {
    return game->saved.session->move_text(action);
  };
  search.think = [this, game](search::Watch& watch) {
    const games::SavedGame& saved = game->saved;
    const std::string_view name = saved.game->facts().name;
    const auto player = players_.ask(saved.game, game->player);
    if (!player) return error_reply(player.error());
    const auto& own = context_.games.of(name);
    const auto named = game->player.empty() ? std::nullopt : std::optional(game->player);
    if (const auto analysis = own.analysis(*saved.session, named)) {
      return reply_of("analyze", *analysis);
    }
    const Stopwatch time;
    RandomStream random(Seed{1}, "analyze");  // as the command has it, unless it is told
    const play::Answer answer = analyzed(*player->toolkit, player->name, *player->player,
                                         *saved.session, {.random = &random, .watch = &watch});
    return document("analyze", {{"game", name},
                                {"position", saved.session->position_text()},
                                {"player", player->name},
                                {"moves", moves_json(*saved.session, answer)},
                                {"pv", line_json(*saved.session, answer)},
                                {"nodes", answer.nodes},
                                {"seconds", time.seconds()}});
  };
  searches_.add(std::move(search));
}

// What the moves of a game were worth. Each is told as soon as it is known; where the time for one
// thought is over, those known so far are the answer.
void Api::analyze_game(const HttpRequest& request, Respond respond) {
  auto asked = parse_game_request(context_.registry, request.body);
  if (!asked) return respond(error_reply(asked.error()));
  const auto game = std::make_shared<GameRequest>(*std::move(asked));
  Search search;
  search.page = game->page;
  search.task = game->task;
  search.respond = std::move(respond);
  search.think = [this, game](search::Watch&) {
    auto player = players_.ask(game->saved.game, game->player);
    if (!player) return error_reply(player.error());
    play::PlayedGame played(game->saved, game->from);
    ThreadPool pool(1);  // an interrupt is for this thread, which needs one player
    judge_played_game(
        context_, played, *player->toolkit, [&] { return std::move(player->player); }, Seed{1},
        pool,
        [&](std::size_t i) {
          if (game->page.empty()) return;
          events_.tell("judged", game->page,
                       {{"task", game->task}, {"move", played_move_json(played, i)}});
        });
    Json body = played_game_json(played);
    body["player"] = player->name;
    return document("analyze-game", body);
  };
  searches_.add(std::move(search));
}

void Api::stop(const HttpRequest& request, Respond respond) {
  const auto json = parse_json(request.body, "request");
  if (!json) return respond(error_reply(json.error()));
  searches_.stop(text_in(*json, "page"), text_in(*json, "task"));
  respond(document("stop", Json::object()));
}

void Api::models(const HttpRequest&, Respond respond) {
  later(std::move(respond), [this] {
    UnreadModels unread;
    auto body = models_document(unread);
    if (!body) return error_reply(body.error());
    Json list = Json::array();
    for (Json& model : *body->find("models")) {
      const bool ships = model.at("ships").get<bool>();
      if (!ships && options_.is_public) continue;
      model["player"] = ships ? fmt::format("net:{}", model.at("name").text())
                              : "net:" + play::player_value(model.at("path").text());
      if (options_.is_public) model.erase("path");
      list.push_back(std::move(model));
    }
    return document("models", {{"models", std::move(list)}});
  });
}

void Api::inspect(const HttpRequest& request, Respond respond) {
  const std::string player = "net:" + request.query("model");
  if (auto status = check_player(player, options_.is_public); !status) {
    return respond(error_reply(status.error()));
  }
  later(std::move(respond), [name = request.query("model"), this] {
    auto body = inspect_document(name);
    if (body && options_.is_public) body->erase("model");
    return reply_of("inspect", body);
  });
}

void Api::weights(const HttpRequest& request, Respond respond) {
  const std::string model = request.query("model");
  if (auto status = check_player("net:" + model, options_.is_public); !status) {
    return respond(error_reply(status.error()));
  }
  later(std::move(respond), [model, name = request.query("name")] {
    return reply_of("weights", weights_json(model, name));
  });
}

void Api::network(const HttpRequest& request, Respond respond) {
  auto asked = parse_game_request(context_.registry, request.body);
  if (!asked) return respond(error_reply(asked.error()));
  if (auto status = check_player("net:" + asked->model, options_.is_public); !status) {
    return respond(error_reply(status.error()));
  }
  if (asked->saved.session->outcome() != games::Outcome::ongoing) {
    return respond(error_reply(422, "the game is over"));
  }
  const auto game = std::make_shared<GameRequest>(*std::move(asked));
  Search search;
  search.page = game->page;
  search.task = game->task;
  search.respond = std::move(respond);
  search.think = [this, game](search::Watch&) {
    return reply_of("network", network_json(context_.registry, *game->saved.game,
                                            *game->saved.session, game->model, game->layer));
  };
  searches_.add(std::move(search));
}

void Api::deal(const HttpRequest& request, Respond respond) {
  auto asked = parse_game_request(context_.registry, request.body);
  if (!asked) return respond(error_reply(asked.error()));
  const auto& session = *asked->saved.session;
  if (session.plies() > 0) return respond(error_reply(422, "the game has begun"));
  const auto first = session.parse_move(asked->move);
  if (!first) return respond(error_reply(first.error()));
  const auto game = std::make_shared<GameRequest>(*std::move(asked));
  Search search;
  search.page = game->page;
  search.task = game->task;
  search.respond = std::move(respond);
  search.think = [this, game, first = *first](search::Watch&) {
    const auto& saved = game->saved;
    const auto& own = context_.games.of(saved.game->facts().name);
    const auto seed = own.fair_seed(*saved.session, saved.seed, first);
    if (!seed) return error_reply(422, "nothing is hidden in this game");
    if (!*seed) return error_reply(seed->error());
    return document("deal", {{"seed", value_of(**seed)}});
  };
  searches_.add(std::move(search));
}

void Api::report(const HttpRequest& request, Respond respond) {
  later(std::move(respond), [name = request.query("experiment"), quick = request.query("quick")] {
    auto page = kept_report(name, quick == "1");
    if (!page) return error_reply(404, "there is no report of this experiment yet");
    HttpReply reply{.type = "text/html; charset=utf-8", .body = *std::move(page)};
    // It is shown in a frame of the workbench, and runs no scripts.
    reply.headers = {{"Content-Security-Policy",
                      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox "
                      "allow-popups; frame-ancestors 'self'"}};
    return reply;
  });
}

void Api::runs(const HttpRequest& request, Respond respond) {
  later(std::move(respond), [name = request.query("run")] {
    auto store = Store::open_default();
    if (!store) return error_reply(store.error());
    DamagedRows ignored;
    return name.empty() ? reply_of("runs", runs_document(*store, &ignored))
                        : reply_of("run", run_document(*store, name, &ignored));
  });
}

void Api::run_games(const HttpRequest& request, Respond respond) {
  std::size_t from = 0;  // games that are left out
  const std::string asked = request.query("from");
  const char* const end = asked.data() + asked.size();
  if (!asked.empty() && std::from_chars(asked.data(), end, from).ptr != end) {
    return respond(error_reply(422, "from: expected a number of games"));
  }
  later(std::move(respond), [name = request.query("run"), from] {
    auto store = Store::open_default();
    if (!store) return error_reply(store.error());
    const auto run = store->find_run(name);
    if (!run) return error_reply(run.error());
    DamagedRows ignored;
    const auto games = store->finished_games(run->id, &ignored);
    if (!games) return error_reply(games.error());
    Json list = Json::array();
    for (std::size_t i = from; i < games->size() && list.size() < kMaxGames; ++i) {
      const GameRow& game = (*games)[i];
      list.push_back({{"number", game.number},
                      {"first", game.first},
                      {"second", game.second},
                      {"opening", game.opening},
                      {"outcome", game.outcome},
                      {"plies", game.plies},
                      {"moves", game.moves}});
    }
    const auto anchor = anchor_of(*run, *games);
    const auto table = play::rate_games(*games, anchor);
    return document("run-games", {{"run", run->name},
                                  {"game", run->request.game},
                                  {"options", run->request.options},
                                  {"count", games->size()},
                                  {"from", from},
                                  {"anchor", anchor ? Json(anchor->player) : Json(nullptr)},
                                  {"standings", table ? ratings_json(*table) : Json::array()},
                                  {"games", std::move(list)}});
  });
}

void Api::recipes(const HttpRequest&, Respond respond) {
  respond(document("recipes", {{"recipes", learn::recipe_names(context_.registry.tasks())}}));
}

void Api::experiments(const HttpRequest&, Respond respond) {
  later(std::move(respond), [] { return reply_of("experiments", experiments_document()); });
}

void Api::jobs(const HttpRequest&, Respond respond) { respond(document("jobs", jobs_.list())); }

Result<std::vector<std::string>> Api::job_words(const Json& body) const {
  constexpr std::int64_t kMaxJobGames = 100'000;
  JsonFields fields(body, "", "request");
  const std::vector<std::string> kinds = {"train", "resume", "match", "tournament", "reproduce"};
  const std::string kind = kinds[fields.word_or("kind", kinds, "train")];
  const std::string recipe = fields.optional_text("recipe").value_or("");
  const std::string run = fields.optional_text("run").value_or("");
  const std::string game = fields.optional_text("game").value_or("");
  const std::string experiment = fields.optional_text("experiment").value_or("");
  const bool quick = fields.flag_or("quick", false);
  const auto settings = fields.optional_texts("set", 32);
  const auto players = fields.optional_texts("players", 16);
  const auto seed = fields.optional_unsigned("seed");
  const std::int64_t games = fields.integer_or("games", 1, kMaxJobGames, 100);
  TRY(fields.finish());
  std::vector<std::string> words;
  if (kind == "train") {
    const auto known = learn::recipe_names(context_.registry.tasks());
    if (std::find(known.begin(), known.end(), recipe) == known.end()) {
      return unknown_name("recipe", recipe, known);
    }
    words = {"train", recipe};
    for (const std::string& setting : settings) {
      TRY(check_setting(setting));
      words.push_back("--set=" + setting);
    }
  } else if (kind == "resume") {
    const bool is_name = !run.empty() && std::all_of(run.begin(), run.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    });
    if (!is_name) return Error{fmt::format("run: {} is no run's name", in_quotes(run))};
    return std::vector<std::string>{"train", "--resume", run};
  } else if (kind == "reproduce") {
    TRY(lab::find_experiment(experiment));
    words = {"reproduce", experiment, "--json", "--output=/dev/null"};  // its folder keeps it
    if (quick) words.emplace_back("--quick");
    return words;
  } else {
    TRY(context_.registry.find(game));
    if (players.size() < 2 || (kind == "match" && players.size() > 2)) {
      return Error{fmt::format("players: {} were given; expected two{}", players.size(),
                               kind == "match" ? "" : " or more")};
    }
    words = {kind, game};
    for (const std::string& player : players) {
      if (player.starts_with('-')) return Error{"players: a name begins with a letter"};
      TRY(check_player(player, false));
      words.push_back(player);
    }
    words.push_back(fmt::format("--games={}", games));
    words.emplace_back("--json");
  }
  if (seed) words.push_back(fmt::format("--seed={}", *seed));
  return words;
}

void Api::start_job(const HttpRequest& request, Respond respond) {
  const auto body = parse_json(request.body, "request");
  if (!body) return respond(error_reply(body.error()));
  auto words = job_words(*body);
  if (!words) return respond(error_reply(words.error()));
  const auto number = jobs_.start(*std::move(words));
  if (!number) return respond(error_reply(number.error()));
  events_.tell("jobs", "", {{"job", *number}});
  respond(document("job", {{"job", *number}}));
}

void Api::stop_job(const HttpRequest& request, Respond respond) {
  const auto body = parse_json(request.body, "request");
  if (!body) return respond(error_reply(body.error()));
  const auto number = number_in(*body, "job");
  if (!number) return respond(error_reply(422, "job: expected a job's number"));
  if (auto status = jobs_.stop(static_cast<std::int64_t>(*number)); !status) {
    return respond(error_reply(status.error()));
  }
  respond(document("job", {{"job", *number}}));
}

void Api::events(const HttpRequest& request, Respond respond) {
  HttpReply::Events asked;
  asked.page = request.query("page");
  const std::string& last = request.last_event_id;
  std::uint64_t number = 0;
  if (std::from_chars(last.data(), last.data() + last.size(), number).ec == std::errc()) {
    asked.after = number;
  }
  respond({.events = std::move(asked)});
}

void Api::watch_runs(std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::map<std::string, std::string> known;  // a run's name, and what was seen of it
  std::optional<Store> store;
  bool first_look = true;
  std::unique_lock lock(mutex);
  auto pause = std::chrono::seconds(0);
  const auto wait = [&] {
    never.wait_for(lock, stop, std::exchange(pause, kBetweenLooksAtRuns), [] { return false; });
    return !stop.stop_requested();
  };
  while (wait()) {
    // What is done when nobody looks is news for the next one who does.
    if (!first_look && events_.pages() == 0) continue;
    if (jobs_.something_ended()) events_.tell("jobs", "", Json::object());
    if (!store) {
      auto opened = Store::open_default();
      if (!opened) continue;
      store = *std::move(opened);
    }
    DamagedRows ignored;
    const auto runs = store->runs({}, &ignored);
    if (!runs) continue;
    for (const Run& run : *runs) {
      std::string seen(status_text(run.status));
      if (run.status == RunStatus::running) {
        const auto metrics = store->metrics(run.id, {}, &ignored);
        const auto games = store->finished_games(run.id, &ignored);
        seen += fmt::format(" {} {}", metrics ? metrics->size() : 0, games ? games->size() : 0);
      }
      const auto [at, is_new] = known.try_emplace(run.name, seen);
      // At first all runs are new; what was done before is no news.
      if (is_new ? first_look && run.status != RunStatus::running : at->second == seen) continue;
      at->second = seen;
      events_.tell("run", "", {{"run", run.name}, {"status", status_text(run.status)}});
    }
    first_look = false;
  }
}

}  // namespace damier::app::serve
