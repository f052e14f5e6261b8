// The parts of the workbench's server that need no connection: who may ask, for what, and what
// pages are told that were away.

#include "damier/app/serve/gate.h"

#include <gtest/gtest.h>

#include "damier/app/serve/events.h"
#include "damier/app/serve/game_json.h"
#include "damier/app/serve/players.h"

namespace damier::app::serve {
namespace {

constexpr int kGatePort = 8470;

HttpRequest good_request(const std::string& method = "GET") {
  HttpRequest request;
  request.method = method;
  request.target = "/api/games";
  request.host = "127.0.0.1:8470";
  request.authorization = "Bearer secret";
  request.content_type = "application/json";
  return request;
}

int refused_with(const HttpRequest& request,
                 const GateOptions& options = {kGatePort, "secret", {}}) {
  const auto refusal = Gate(options).refusal(request);
  return refusal ? refusal->status : 0;
}

TEST(Gate, LetsThePageIn) {
  EXPECT_EQ(refused_with(good_request()), 0);
  EXPECT_EQ(refused_with(good_request("POST")), 0);
  HttpRequest localhost = good_request();
  localhost.host = "LocalHost:8470";
  EXPECT_EQ(refused_with(localhost), 0);
}

TEST(Gate, AnswersForItsOwnNamesOnly) {
  for (const char* host :
       {"", "127.0.0.1", "127.0.0.1:80", "evil.example", "127.0.0.1:8470.evil"}) {
    HttpRequest request = good_request();
    request.host = host;
    EXPECT_EQ(refused_with(request), 421) << host;
  }
  HttpRequest proxied = good_request();
  proxied.host = "Games.Example.org";
  EXPECT_EQ(refused_with(proxied, {kGatePort, "secret", {"games.example.org"}}), 0);
}

TEST(Gate, PagesOfOtherOriginsCannotPost) {
  for (const char* origin :
       {"null", "http://evil.example", "http://127.0.0.1:9", "127.0.0.1:8470"}) {
    HttpRequest request = good_request("POST");
    request.origin = origin;
    EXPECT_EQ(refused_with(request), 403) << origin;
  }
  HttpRequest own = good_request("POST");
  own.origin = "http://127.0.0.1:8470";
  EXPECT_EQ(refused_with(own), 0);
}

TEST(Gate, PostsAreJson) {
  for (const char* type :
       {"", "text/plain", "application/x-www-form-urlencoded", "application/jsonx"}) {
    HttpRequest request = good_request("POST");
    request.content_type = type;
    EXPECT_EQ(refused_with(request), 415) << type;
  }
  HttpRequest with_charset = good_request("POST");
  with_charset.content_type = "application/json; charset=utf-8";
  EXPECT_EQ(refused_with(with_charset), 0);
}

TEST(Gate, OtherMethodsAreRefused) {
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "HEAD"}) {
    EXPECT_EQ(refused_with(good_request(method)), 405) << method;
  }
}

TEST(Gate, WithoutTheTokenNobodyIsLetIn) {
  for (const char* authorization : {"", "Bearer ", "Bearer secre", "Bearer secrets", "secret"}) {
    HttpRequest request = good_request();
    request.authorization = authorization;
    EXPECT_EQ(refused_with(request), 403) << authorization;
    EXPECT_EQ(refused_with(request, {kGatePort, std::nullopt, {}}), 0) << "public";
  }
  HttpRequest by_cookie = good_request();
  by_cookie.authorization = "";
  by_cookie.cookie = "other=1; damier_8470=secret";
  EXPECT_EQ(refused_with(by_cookie), 0);
  by_cookie.cookie = "damier_8471=secret";
  EXPECT_EQ(refused_with(by_cookie), 403) << "the cookie of another server";
}

TEST(Gate, WithoutTheTokenThePageItselfComesToSayWhatToDo) {
  HttpRequest stranger = good_request();
  stranger.authorization = "";
  for (const char* target : {"/", "/app.js", "/?token=old"}) {
    stranger.target = target;
    EXPECT_EQ(refused_with(stranger), 0) << target;
  }
  stranger.target = "/api/runs";
  EXPECT_EQ(refused_with(stranger), 403);
  HttpRequest post = good_request("POST");
  post.authorization = "";
  for (const char* target : {"/", "/api/position"}) {
    post.target = target;
    EXPECT_EQ(refused_with(post), 403) << target;
  }
}

TEST(Errors, NameFilesWithoutTheirFolders) {
  EXPECT_EQ(without_folders("/home/me/m.safetensors: is no model"), "m.safetensors: is no model");
  EXPECT_EQ(without_folders("player 'net:/srv/ab/c.x,mcts=4'; (/tmp/d)"),
            "player 'net:c.x,mcts=4'; (d)");
  for (const char* text : {"1/2-1/2", "8/8/8/8 w", "see https://example.org/a/b", "a / b", ""}) {
    EXPECT_EQ(without_folders(text), text);
  }
}

TEST(Gate, TheOpenedAddressLeavesTheTokenInACookie) {
  const Gate gate({kGatePort, "secret", {}});
  HttpRequest request = good_request();
  request.target = "/?token=secret";
  const auto welcome = gate.welcome(request);
  ASSERT_TRUE(welcome);
  EXPECT_EQ(welcome->status, 303);
  EXPECT_EQ(welcome->headers[0], (std::pair<std::string, std::string>("Location", "/")));
  EXPECT_TRUE(welcome->headers[1].second.starts_with(
      "damier_8470=secret; HttpOnly; SameSite=Strict; Path=/"));
  request.target = "/?token=guess";
  EXPECT_FALSE(gate.welcome(request));
  request.target = "/api/games?token=secret";
  EXPECT_FALSE(gate.welcome(request)) << "no address of the interface holds it";
}

TEST(Gate, TokensDiffer) {
  EXPECT_EQ(random_token().size(), 32u);
  EXPECT_NE(random_token(), random_token());
}

TEST(HttpRequest, TakesAddressesApart) {
  HttpRequest request;
  request.target = "/api/inspect?model=a%2Fb+c&page=x%";
  EXPECT_EQ(request.path(), "/api/inspect");
  EXPECT_EQ(request.query("model"), "a/b c");
  EXPECT_EQ(request.query("page"), "x%");
  EXPECT_EQ(request.query("none"), "");
}

TEST(EventLog, APageGoesOnAfterTheLastEventThatItSaw) {
  EventLog log;
  std::optional<std::uint64_t> after;
  log.tell("run", "", {{"run", "before"}});
  EXPECT_TRUE(log.take("mine", after).empty()) << "a new page does not hear what was before";
  log.tell("search", "mine", {{"nodes", 1}});
  log.tell("search", "other", {{"nodes", 2}});
  log.tell("run", "", {{"run", "x"}});
  auto again = after;
  const auto heard = log.take("mine", after);
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_EQ(heard[0], "id: 2\nevent: search\ndata: {\"nodes\":1}\n\n");
  EXPECT_EQ(heard[1], "id: 4\nevent: run\ndata: {\"run\":\"x\"}\n\n");
  EXPECT_TRUE(log.take("mine", after).empty());
  EXPECT_EQ(log.take("mine", again).size(), 2u) << "the connection was lost before they arrived";
}

TEST(EventLog, SaysWhatItNoLongerKnows) {
  EventLog log(4);
  for (int i = 0; i < 10; ++i) log.tell("run", "", {{"i", i}});
  std::optional<std::uint64_t> after = 2;
  auto heard = log.take("", after);
  ASSERT_EQ(heard.size(), 5u);
  EXPECT_EQ(heard[0], "id: 6\nevent: missed\ndata: {}\n\n");
  after = 99;  // of a server that was here before
  heard = log.take("", after);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_NE(heard[0].find("event: missed"), std::string::npos);
}

TEST(PagePlayers, RunNoProgramsAndReadNoFiles) {
  for (const char* player :
       {"net", "net:fanorona", "uct:1000,c=0.5", "net:fanorona,mcts=400", "minimax:6",
        "solver:first=corner", "minimax:4,table=16", "engine:nodes=20000,hash=16"}) {
    EXPECT_TRUE(check_player(player, true)) << player;
  }
  for (const char* player :
       {"uci:ls", "uci", " uci:ls", "uci,Hash=1", "human", "net:/etc/passwd", "net:../model",
        "net:a.safetensors", "uct:1000000000", "minimax:4,table=60000", "engine:hash=4096",
        "engine:threads=64", "solver:net=/dev/zero", "uct:1e300"}) {
    EXPECT_FALSE(check_player(player, true)) << player;
    EXPECT_FALSE(check_player(player, false)) << player;
  }
}

TEST(GameRequest, SaysWhatIsWrong) {
  const games::Registry registry = games::builtin_games();
  const auto error = [&](std::string_view body) {
    const auto request = parse_game_request(registry, body);
    return request ? std::string("accepted") : request.error().text();
  };
  EXPECT_EQ(error(R"({"state": {"game": "fanorona"}})"), "accepted");
  EXPECT_NE(error("{}").find("state"), std::string::npos);
  EXPECT_NE(error(R"({"state": {"game": "gomoku"}})").find("gomoku"), std::string::npos);
  EXPECT_NE(error(R"({"state": {"game": "fanorona", "moves": ["0-8"]}})").find("moves[0]"),
            std::string::npos);
  EXPECT_NE(error(R"({"state": {"game": "fanorona"}, "playr": "net"})").find("playr"),
            std::string::npos);
}

}  // namespace
}  // namespace damier::app::serve
