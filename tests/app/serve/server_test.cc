// `damier serve` as browsers and attackers meet it: over a socket, with whatever bytes they like.

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/app/stored_program.h"
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/base/text/text.h"
#include "damier/games/registry.h"

namespace damier::app {
namespace {

// A connection to the server. Reads block until something comes or the other side closes.
class Connection {
 public:
  explicit Connection(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    open_ = connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool send(std::string_view text) {
    while (open_ && !text.empty()) {
      const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return open_;
  }

  // Everything up to `end`; what came before the other side closed if it never comes.
  std::string read_until(std::string_view end) {
    for (;;) {
      const auto at = read_.find(end);
      if (at != std::string::npos) return take(at + end.size());
      if (!read_more()) return take(read_.size());
    }
  }
  std::string read_bytes(std::size_t count) {
    while (read_.size() < count && read_more()) {
    }
    return take(std::min(count, read_.size()));
  }
  std::string read_all() {
    while (read_more()) {
    }
    return take(read_.size());
  }

 private:
  bool read_more() {
    std::array<char, 4096> bytes;
    const ssize_t got = recv(socket_, bytes.data(), bytes.size(), 0);
    if (got > 0) read_.append(bytes.data(), static_cast<std::size_t>(got));
    return got > 0;
  }
  std::string take(std::size_t count) {
    std::string text = read_.substr(0, count);
    read_.erase(0, count);
    return text;
  }

  int socket_;
  bool open_ = false;
  std::string read_;
};

struct Answer {
  int status = 0;
  std::string head;
  std::string body;

  Json json() const { return parse_json(body, "answer").value(); }
};

class Serve : public StoredProgram {
 protected:
  // The server with further options, and where it is.
  struct Server {
    std::unique_ptr<WatchedProgram> program;
    int port = 0;
    std::string token;

    std::string head(const std::string& method, const std::string& target) const {
      return fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n",
                         method, target, port, token);
    }
    static Answer read(Connection& connection) {
      Answer answer;
      answer.head = connection.read_until("\r\n\r\n");
      if (answer.head.size() > 12) answer.status = std::stoi(answer.head.substr(9, 3));
      constexpr std::string_view kLength = "Content-Length: ";
      if (const auto at = answer.head.find(kLength); at != std::string::npos) {
        answer.body = connection.read_bytes(std::stoul(answer.head.substr(at + kLength.size())));
      }
      return answer;
    }
    Answer get(const std::string& target) const {
      Connection connection(port);
      connection.send(head("GET", target) + "Connection: close\r\n\r\n");
      return read(connection);
    }
    Answer post(const std::string& target, const Json& body) const {
      Connection connection(port);
      const std::string text = dump_line(body);
      connection.send(head("POST", target) +
                      fmt::format("Connection: close\r\nContent-Type: application/json\r\n"
                                  "Content-Length: {}\r\n\r\n{}",
                                  text.size(), text));
      return read(connection);
    }
  };

  Server serve(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"serve", "--port", "0", "--no-open"});
    Server server{std::unique_ptr<WatchedProgram>(new WatchedProgram(start(more)))};
    EXPECT_TRUE(server.program->wait_for("Ctrl-C ends the server.\n"));
    const std::string& seen = server.program->seen();
    const std::string address = seen.substr(0, seen.find('\n'));
    EXPECT_TRUE(address.starts_with("http://127.0.0.1:")) << address;
    server.port = std::stoi(address.substr(address.rfind(':') + 1));
    if (const auto at = address.find("token="); at != std::string::npos) {
      server.token = address.substr(at + 6);
    }
    return server;
  }

  // What the process keeps in memory, in KiB.
  static long memory_of(const Server& server) {
    std::ifstream status(fmt::format("/proc/{}/status", server.program->process()));
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmRSS:")) return std::stol(line.substr(6));
    }
    return 0;
  }
};

#if defined(__SANITIZE_ADDRESS__)
constexpr long kKeptKibibytes = 352 * 1024;  // it keeps 256 MiB of what was freed
#else
constexpr long kKeptKibibytes = 32 * 1024;
#endif

const std::vector<std::string> kServedGames = games::builtin_games().names();

TEST_F(Serve, ThePageIsForWhoHasTheToken) {
  Server server = serve();
  Connection connection(server.port);
  connection.send(fmt::format("GET /?token={} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.token,
                              server.port));
  const Answer welcome = Server::read(connection);
  EXPECT_EQ(welcome.status, 303);
  connection.send(
      fmt::format("GET / HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\nAccept-Encoding: gzip\r\n"
                  "Cookie: damier_{0}={1}\r\n\r\n",
                  server.port, server.token));
  const Answer page = Server::read(connection);
  EXPECT_EQ(page.status, 200);
  EXPECT_TRUE(page.body.starts_with("\x1f\x8b")) << "compressed";
  for (const char* header :
       {"Content-Type: text/html; charset=utf-8\r\n", "Content-Encoding: gzip\r\n",
        "X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: no-referrer\r\n",
        "Content-Security-Policy: default-src 'none'; script-src 'self'",
        "frame-ancestors 'none'"}) {
    EXPECT_NE(page.head.find(header), std::string::npos) << header;
  }
  connection.send(
      fmt::format("GET /api/games HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port));
  EXPECT_EQ(Server::read(connection).status, 403);
  connection.send("GET /api/games HTTP/1.1\r\nHost: rebound.example\r\n\r\n");
  EXPECT_EQ(Server::read(connection).status, 421);
  server.program->send(SIGINT);
  EXPECT_EQ(server.program->wait_for_end(), 0) << "Ctrl-C is how a server ends";
}

TEST_F(Serve, EveryGameIsPlayedToItsEnd) {
  const Server server = serve();
  for (const std::string& game : kServedGames) {
    Json position = server.post("/api/position", {{"state", {{"game", game}, {"seed", 5}}}}).json();
    ASSERT_EQ(position["schema"], "damier/position/1") << dump_line(position);
    int moves = 0;
    while (position["outcome"] == "ongoing" && moves < 2000) {
      ASSERT_GT(position["legal"].size(), 0u);
      EXPECT_GT(position["legal"][0]["cells"].size(), 0u) << "a move can be pointed at";
      EXPECT_NE(position["legal"][0]["kind"], "");
      const Answer answer =
          server.post("/api/answer", {{"state", position["state"]}, {"player", "random"}});
      ASSERT_EQ(answer.status, 200) << answer.body;
      position = answer.json()["position"];
      ++moves;
    }
    EXPECT_NE(position["outcome"], "ongoing") << game;
    EXPECT_NE(position["ending"], "") << game;
    EXPECT_EQ(position["plies"], moves) << game;
    EXPECT_EQ(server.post("/api/answer", {{"state", position["state"]}}).status, 422);
  }
}

TEST_F(Serve, AMoveIsPlayedOrRefusedWithTheReason) {
  const Server server = serve();
  const Json state = {{"game", "chess"}};
  const Json played = server.post("/api/position", {{"state", state}, {"move", "g1f3"}}).json();
  EXPECT_EQ(played["state"]["moves"], (std::vector<std::string>{"Nf3"}));
  EXPECT_EQ(played["side"], "black");
  const Answer refused = server.post("/api/position", {{"state", state}, {"move", "e5"}});
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.json()["schema"], "damier/error/1");
  EXPECT_NE(refused.json()["error"].text().find("e5"), std::string::npos);
}

TEST_F(Serve, AMoveAndItsAnswerAreOneRequest) {
  const Server server = serve();
  Connection events(server.port);
  events.send(server.head("GET", "/api/events?page=p") + "\r\n");
  events.read_until("retry: 1000\n\n");
  const Json state = {{"game", "domineering"}, {"rules", {{"board", "2x2"}}}};
  const Json asked = {{"state", {{"game", "fanorona"}}},
                      {"move", "6-3"},
                      {"player", "perfect"},
                      {"page", "p"},
                      {"task", "answer"}};
  const Json answer = server.post("/api/answer", asked).json();
  EXPECT_EQ(answer["played"]["state"]["moves"], (std::vector<std::string>{"6-3"}));
  EXPECT_EQ(answer["position"]["plies"], 2);
  EXPECT_EQ(answer["position"]["state"]["moves"][1], answer["move"]);
  EXPECT_NE(events.read_until("\n\n").find("event: played\ndata: {\"task\":\"answer\",\"pos"),
            std::string::npos);
  // A move that ends the game has no answer.
  const Json last = server.post("/api/answer", {{"state", state}, {"move", "a1"}}).json();
  EXPECT_EQ(last["move"], nullptr);
  EXPECT_EQ(last["position"]["outcome"], "first");
  EXPECT_EQ(server.post("/api/answer", {{"state", state}, {"move", "c1"}}).status, 422);
}

TEST_F(Serve, APositionIsPutTogetherPieceByPiece) {
  const Server server = serve();
  const Json state = {{"game", "fanorona"}};
  const auto edit = [&](Json asked) {
    asked["state"] = state;
    return server.post("/api/edit", asked);
  };
  Json board = edit(Json::object()).json();
  EXPECT_EQ(board["position"], "bbb...www w");
  EXPECT_EQ(board["error"], nullptr);
  const Json white = board["pieces"][0];
  EXPECT_EQ(white, (Json{{"role", "disc"}, {"side", 0}, {"state", "unmoved"}}));
  board = edit({{"board", board["board"]}, {"cell", 6}, {"piece", white}}).json();
  EXPECT_EQ(board["position"], "bbb....ww w");
  EXPECT_NE(board["error"], nullptr) << "one side has two pieces";
  board = edit({{"board", board["board"]}, {"cell", 4}, {"piece", white}}).json();
  EXPECT_EQ(board["position"], "bbb.w..ww w");
  EXPECT_EQ(board["picture"]["cells"][4]["tokens"][0], white);
  for (const Json& wrong : {Json{{"cell", 9}, {"piece", white}}, Json{{"cell", 0}},
                            Json{{"cell", 0}, {"piece", {{"role", "king"}, {"side", 0}}}},
                            Json{{"board", {{"cells", Json::array()}, {"to_move", 0}}}}}) {
    EXPECT_EQ(edit(wrong).status, 422) << dump_line(wrong);
  }
  EXPECT_EQ(server.post("/api/edit", {{"state", {{"game", "minesweeper"}}}}).status, 422);
}

TEST_F(Serve, GamesComeAndGoInTheFormatsThatTheCommandsRead) {
  const Server server = serve();
  const std::string pgn =
      "[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
  const Json read = server.post("/api/read-game", {{"name", "mine.pgn"}, {"text", pgn}}).json();
  EXPECT_EQ(read["position"]["game"], "chess") << dump_line(read);
  EXPECT_EQ(read["position"]["outcome"], "second");
  EXPECT_EQ(read["title"], "A – B, x, 0-1");
  Json state = read["position"]["state"];
  state["players"] = {"human", "engine"};
  const Json written = server.post("/api/write-game", {{"state", state}}).json();
  EXPECT_EQ(written["name"], "chess.pgn");
  EXPECT_NE(written["text"].text().find("1. f3 e5 2. g4 Qh4# 0-1"), std::string::npos)
      << written["text"].text();
  EXPECT_NE(written["text"].text().find("[Black \"engine\"]"), std::string::npos);
  // A saved game comes back the same way.
  const Json again =
      server.post("/api/read-game", {{"name", "g.json"}, {"text", dump_line(state)}}).json();
  EXPECT_EQ(again["position"]["state"]["moves"], state["moves"]) << dump_line(again);
  const Json left = {{"game", "chess"}, {"moves", {"e4"}}, {"resigned", "black"}};
  const std::string resigned =
      server.post("/api/write-game", {{"state", left}}).json()["text"].text();
  EXPECT_NE(resigned.find("[Result \"1-0\"]"), std::string::npos) << resigned;
  for (const Json& wrong : {Json{{"name", "x.pgn"}, {"text", "1. e5"}},
                            Json{{"name", "x.json"}, {"text", "no game"}}, Json::object()}) {
    EXPECT_EQ(server.post("/api/read-game", wrong).status, 422) << dump_line(wrong);
  }
  EXPECT_EQ(server.post("/api/write-game", {{"state", {{"game", "fanorona"}}}}).status, 422);
  const Json games = server.get("/api/games").json()["games"];
  for (const Json& game : games) {
    EXPECT_EQ(game["format"].is_null(), game["name"] != "chess") << dump_line(game["name"]);
  }
}

TEST_F(Serve, AnalysisHasTheFormOfTheCommand) {
  const Server server = serve();
  const Json served =
      server.post("/api/analyze", {{"state", {{"game", "fanorona"}}}, {"player", "perfect"}})
          .json();
  const Json printed =
      parse_json(run({"analyze", "fanorona", "--player", "perfect", "--json"}).out, "out").value();
  EXPECT_EQ(served["schema"], "damier/analyze/1");
  EXPECT_EQ(served["moves"], printed["moves"]);
  EXPECT_EQ(served["pv"], printed["pv"]);
  const Json board =
      server
          .post("/api/analyze",
                {{"state", {{"game", "minesweeper"}, {"seed", 1}, {"moves", {"a1"}}}},
                 {"player", "net"}})
          .json();
  EXPECT_EQ(board["probability"].size(), 9u);
  EXPECT_EQ(board["network"].size(), 9u);
}

TEST_F(Serve, AGameIsAnalysedAsTheCommandDoesIt) {
  const Server server = serve();
  Connection events(server.port);
  events.send(server.head("GET", "/api/events?page=p") + "\r\n");
  events.read_until("retry: 1000\n\n");
  const Json state = {
      {"schema", "damier/game/1"}, {"game", "fanorona"}, {"moves", {"6-3", "2-5", "3-6", "5-2"}}};
  Json asked = {{"state", state}, {"player", "perfect"}, {"page", "p"}, {"task", "t"}};
  const Json served = server.post("/api/analyze-game", asked).json();
  ASSERT_TRUE(write_file_atomically(path("game.json"), dump_line(state)));
  const Json printed =
      parse_json(run({"analyze", path("game.json"), "--player", "perfect", "--json"}).out, "out")
          .value();
  EXPECT_EQ(served["moves"], printed["moves"]);
  EXPECT_EQ(served["sides"], printed["sides"]);
  EXPECT_NE(
      events.read_until("\n\n").find("event: judged\ndata: {\"task\":\"t\",\"move\":{\"ply\":1"),
      std::string::npos);
  asked["from"] = 3;
  const Json rest = server.post("/api/analyze-game", asked).json();
  ASSERT_EQ(rest["moves"].size(), 1u);
  EXPECT_EQ(rest["moves"][0], served["moves"][3]);
}

TEST_F(Serve, ListsAreThoseOfTheCommands) {
  const Server server = serve();
  const auto printed = [&](std::vector<std::string> words) {
    words.push_back("--json");
    return parse_json(run(std::move(words)).out, "out").value();
  };
  EXPECT_EQ(server.get("/api/runs").json(), printed({"runs"}));
  EXPECT_EQ(server.get("/api/experiments").json(), printed({"reproduce"}));
  EXPECT_EQ(server.get("/api/models").json()["models"].size(),
            printed({"models"})["models"].size());
  EXPECT_EQ(server.get("/api/inspect?model=fanorona").json(), printed({"inspect", "fanorona"}));
  const Json games = server.get("/api/games").json();
  EXPECT_EQ(games["games"].size(), printed({"games"})["games"].size());
  EXPECT_EQ(games["games"][0]["levels"].size(), 10u);
  EXPECT_EQ(server.get("/api/nothing").status, 404);
  EXPECT_EQ(server.get("/../../etc/passwd").status, 404);
}

TEST_F(Serve, AMatchIsStartedWatchedAndFoundAmongTheRuns) {
  const Server server = serve();
  Connection events(server.port);
  events.send(server.head("GET", "/api/events?page=p") + "\r\n");
  events.read_until("retry: 1000\n\n");
  const Answer started = server.post("/api/jobs", {{"kind", "match"},
                                                   {"game", "fanorona"},
                                                   {"players", {"random", "perfect"}},
                                                   {"games", 20},
                                                   {"seed", 1}});
  ASSERT_EQ(started.status, 200) << started.body;
  EXPECT_NE(events.read_until("\n\n").find("event: jobs\ndata: {\"job\":1}"), std::string::npos);
  events.read_until("event: jobs\ndata: {}\n\n");  // it has ended
  const Json job = server.get("/api/jobs").json()["jobs"][0];
  EXPECT_EQ(job["status"], "done") << dump_line(job);
  const Json result = parse_json(job["output"].text(), "output").value();
  EXPECT_EQ(result["games"], 20);
  const std::string run = result["run"].text();
  EXPECT_EQ(server.get("/api/runs?run=" + run).json()["games"], 20);
  const Json games = server.get("/api/run-games?run=" + run).json();
  EXPECT_EQ(games["games"].size(), 20u);
  EXPECT_EQ(games["anchor"], "perfect");
  const Json rest = server.get("/api/run-games?from=17&run=" + run).json();
  EXPECT_EQ(rest["count"], 20);
  ASSERT_EQ(rest["games"].size(), 3u);
  EXPECT_EQ(rest["games"][0], games["games"][17]);
  EXPECT_EQ(server.get("/api/run-games?from=x&run=" + run).status, 422);
  ASSERT_EQ(games["standings"].size(), 2u);
  EXPECT_EQ(games["standings"][0]["player"], "perfect");
  EXPECT_LT(games["standings"][1]["elo"].get<double>(), -100);
  // Who comes back hears what happened since.
  Connection back(server.port);
  back.send(server.head("GET", "/api/events?page=p") + "Last-Event-ID: 0\r\n\r\n");
  back.read_until("retry: 1000\n\n");
  EXPECT_TRUE(back.read_until("\n\n").starts_with("id: 1\nevent: jobs\n"));
}

TEST_F(Serve, ANetworkIsLookedInto) {
  const Server server = serve();
  struct Case {
    const char* model;
    Json state;
    const char* layer;
  };
  const std::vector<Case> cases = {
      {"fanorona", {{"game", "fanorona"}}, "layers.1"},
      {"domineering",
       {{"game", "domineering"}, {"rules", {{"board", "4x5"}}}, {"moves", {"a1"}}},
       "layers.3.layers.0"},
      {"bremen-small", {{"game", "bremen"}, {"position", "a2a2c1a4/b3d4b3a5 b"}}, "layers.0"},
      {"minesweeper", {{"game", "minesweeper"}, {"seed", 3}, {"moves", {"a1"}}}, "layers.0"}};
  for (const auto& [model, state, layer] : cases) {
    const Json position = server.post("/api/position", {{"state", state}}).json();
    const Json view =
        server.post("/api/network", {{"state", state}, {"model", model}, {"layer", layer}}).json();
    ASSERT_EQ(view["schema"], "damier/network/1") << dump_line(view);
    EXPECT_EQ(view["layer"]["name"], layer);
    std::size_t size = 1;
    for (const Json& extent : view["layer"]["shape"]) size *= extent.get<std::size_t>();
    EXPECT_EQ(view["layer"]["values"].size(), size) << model;
    // All moves, or all covered cells, each explained by all cells of the board.
    ASSERT_GT(view["moves"].size(), 0u);
    ASSERT_EQ(view["matters"].size(), view["moves"].size());
    ASSERT_EQ(view["answers"].size(), view["moves"].size());
    bool any = false;
    for (const Json& cells : view["matters"]) {
      ASSERT_EQ(cells.size(), position["picture"]["cells"].size()) << model;
      for (const Json& cell : cells) any = any || cell.get<double>() != 0;
    }
    EXPECT_TRUE(any) << model << ": something matters";
  }
  // The probabilities are those of the player.
  const Json view =
      server.post("/api/network", {{"state", {{"game", "fanorona"}}}, {"model", "fanorona"}})
          .json();
  const Json thought =
      server.post("/api/analyze", {{"state", {{"game", "fanorona"}}}, {"player", "net"}}).json();
  for (const Json& move : thought["moves"]) {
    for (std::size_t i = 0; i < view["moves"].size(); ++i) {
      if (view["moves"][i] != move["move"]) continue;
      EXPECT_NEAR(view["answers"][i].get<double>(), move["prior"].get<double>(), 1e-3);
    }
  }
  // A network that says the value alone is looked into as well.
  const Json chess = server
                         .post("/api/network", {{"state", {{"game", "chess"}, {"moves", {"e4"}}}},
                                                {"model", "chess"}})
                         .json();
  ASSERT_EQ(chess["schema"], "damier/network/1") << dump_line(chess);
  EXPECT_EQ(chess["moves"].size(), 0u);
  EXPECT_GT(chess["layers"].size(), 2u);
  EXPECT_FALSE(chess["value"].is_null());
  ASSERT_EQ(chess["value_matters"].size(), 64u);
  EXPECT_NE(chess["value_matters"][3].get<double>(), 0) << "Black's queen";
  EXPECT_EQ(chess["value_matters"][4], 0) << "a king stays";
  EXPECT_EQ(chess["value_matters"][52], 0) << "nothing stands on e2";
  const auto status = [&](const char* game, const char* model) {
    return server.post("/api/network", {{"state", {{"game", game}}}, {"model", model}}).status;
  };
  EXPECT_EQ(status("chess", "fanorona"), 422) << "of another game";
  EXPECT_EQ(status("minesweeper", "minesweeper-report"), 422) << "reads no whole boards";
  EXPECT_EQ(status("fanorona", "/etc/passwd"), 422);
  const Json weights = server.get("/api/weights?model=domineering&name=layers.0.weight").json();
  EXPECT_EQ(weights["shown"], (std::vector<int>{64, 7, 9}));
  EXPECT_EQ(weights["values"].size(), 64u * 7 * 9);
  EXPECT_EQ(server.get("/api/weights?model=domineering&name=nothing").status, 422);
}

TEST_F(Serve, ABoardWithoutGuessesIsWonByWhatIsCertain) {
  const Server server = serve();
  for (const char* board : {"9x9x10", "16x16x40"}) {
    Json state = {{"game", "minesweeper"}, {"rules", {{"board", board}}}, {"seed", 1}};
    const Json deal = server.post("/api/deal", {{"state", state}, {"move", "e5"}}).json();
    ASSERT_TRUE(deal.contains("seed")) << dump_line(deal);
    state["seed"] = deal["seed"];
    Json position = server.post("/api/position", {{"state", state}, {"move", "e5"}}).json();
    while (position["outcome"] == "ongoing") {
      const Json found =
          server.post("/api/analyze", {{"state", position["state"]}, {"player", "solver"}}).json();
      std::string safe;
      for (const Json& move : position["legal"]) {
        const std::string text = move["move"].text();
        const int cell = move["cells"][0].get<int>(), cols = found["cols"].get<int>();
        const Json& bomb = found["probability"][static_cast<std::size_t>(cell / cols)]
                                [static_cast<std::size_t>(cell % cols)];
        if (text[0] >= 'a' && text[0] <= 'z' && bomb == 0) safe = text;
      }
      ASSERT_NE(safe, "") << board << ": a guess is needed";
      position =
          server.post("/api/position", {{"state", position["state"]}, {"move", safe}}).json();
    }
    EXPECT_EQ(position["outcome"], "first") << board;
  }
  const Json begun = {{"game", "minesweeper"}, {"seed", 1}, {"moves", {"a1"}}};
  EXPECT_EQ(server.post("/api/deal", {{"state", begun}, {"move", "e5"}}).status, 422);
  EXPECT_EQ(server.post("/api/deal", {{"state", {{"game", "fanorona"}}}, {"move", "6-3"}}).status,
            422);
}

TEST_F(Serve, WhatAnExperimentGaveIsShownBesideWhatWasPublished) {
  const Server server = serve();
  EXPECT_EQ(server.get("/api/report?experiment=fanorona&quick=1").status, 404);
  const std::string folder = path("state/damier/experiments/fanorona-quick-1");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/result.json")
      << R"({"schema": "damier/reproduce/1", "quick": true, "rows": [{"what": "x", "ours": 0.5}]})";
  std::ofstream(folder + "/report.html") << "<!doctype html><title>report</title>";
  const Json list = server.get("/api/experiments").json()["experiments"];
  for (const Json& experiment : list) {
    const bool done = experiment["name"] == "fanorona";
    EXPECT_TRUE(experiment["ours"]["full"].is_null());
    EXPECT_EQ(experiment["ours"]["quick"].is_null(), !done) << dump_line(experiment);
    if (!done) continue;
    EXPECT_EQ(experiment["ours"]["quick"]["rows"][0]["ours"], 0.5);
  }
  const Answer report = server.get("/api/report?experiment=fanorona&quick=1");
  EXPECT_EQ(report.status, 200);
  EXPECT_NE(report.head.find("sandbox"), std::string::npos) << "it runs no scripts";
  EXPECT_NE(report.head.find("frame-ancestors 'self'"), std::string::npos);
  EXPECT_EQ(server.get("/api/report?experiment=..%2F..&quick=1").status, 404);
}

TEST_F(Serve, JobsAreOnlyWhatThePageMayStart) {
  const Server server = serve();
  for (const Json& body : std::vector<Json>{
           {{"kind", "train"}, {"recipe", "--help"}},
           {{"kind", "train"}, {"recipe", "/etc/passwd"}},
           {{"kind", "train"}, {"recipe", "chess"}, {"set", {"data.generate.engine=ls"}}},
           {{"kind", "train"}, {"recipe", "chess"}, {"set", {"data={}"}}},
           {{"kind", "resume"}, {"run", "--help"}},
           {{"kind", "match"}, {"game", "fanorona"}, {"players", {"uci:ls", "random"}}},
           {{"kind", "match"}, {"game", "fanorona"}, {"players", {"--pgn", "random"}}},
           {{"kind", "match"}, {"game", "fanorona"}, {"players", {"random"}}},
           {{"kind", "reproduce"}, {"experiment", "--help"}},
           {{"kind", "bench"}}}) {
    EXPECT_EQ(server.post("/api/jobs", body).status, 422) << dump_line(body);
  }
  EXPECT_EQ(server.get("/api/jobs").json()["jobs"].size(), 0u);
}

// Processes that another one has started.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto process = parse_number<pid_t>(entry.path().filename().string());
    std::ifstream status(entry.path() / "status");
    for (std::string line; process && std::getline(status, line);) {
      if (line == fmt::format("PPid:\t{}", parent)) children.push_back(*process);
    }
  }
  return children;
}

bool is_at_work(pid_t process) {
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  std::string line;
  return std::getline(stat, line) && line.find(") Z") == std::string::npos;
}

class ServeJobs : public Serve {
 protected:
  // A training that would take hours, once it is a run.
  static pid_t start_training(const Server& server) {
    const Json asked = {{"kind", "train"}, {"recipe", "fanorona-q"}, {"set", {"epochs=1000000"}}};
    EXPECT_EQ(server.post("/api/jobs", asked).status, 200);
    while (server.get("/api/runs").json()["runs"].size() == 0) {
    }
    const auto children = children_of(server.program->process());
    EXPECT_EQ(children.size(), 1u);
    return children.empty() ? 0 : children.front();
  }
  static Json first_job(const Server& server) { return server.get("/api/jobs").json()["jobs"][0]; }
};

TEST_F(ServeJobs, HaveNothingOfTheServerAndEndWithIt) {
  const Server server = serve();
  Connection events(server.port);
  events.send(server.head("GET", "/api/events?page=p") + "\r\n");
  events.read_until("retry: 1000\n\n");
  const pid_t job = start_training(server);
  for (const auto& file : std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", job))) {
    std::error_code gone;
    const std::string what = std::filesystem::read_symlink(file.path(), gone).string();
    EXPECT_FALSE(what.starts_with("socket:")) << file.path() << " is " << what;
  }
  server.program->send(SIGKILL);
  server.program->wait_for_end();
  while (is_at_work(job)) {
  }
  EXPECT_FALSE(Connection(server.port).send("x")) << "the port is free";
  const Ran runs = run({"runs", "--json"});
  EXPECT_NE(runs.out.find("\"stopped\""), std::string::npos) << runs.out;
}

TEST_F(ServeJobs, AreStoppedOnceHoweverOftenItIsAsked) {
  const Server server = serve();
  start_training(server);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(server.post("/api/jobs/stop", {{"job", 1}}).status, 200);
  }
  while (first_job(server)["status"] == "running") {
  }
  const Json job = first_job(server);
  EXPECT_EQ(job["code"], 130) << dump_line(job);
  EXPECT_NE(job["messages"].text().find("--resume"), std::string::npos) << dump_line(job);
  for (const Json& wrong : std::vector<Json>{1.5, 9223372036854775808.0, "1", nullptr, -1}) {
    EXPECT_EQ(server.post("/api/jobs/stop", {{"job", wrong}}).status, 422) << dump_line(wrong);
  }
}

TEST_F(ServeJobs, ThatStandStillDoNotKeepTheServer) {
  const Server server = serve();
  const pid_t job = start_training(server);
  kill(job, SIGSTOP);
  server.program->send(SIGTERM);
  EXPECT_EQ(server.program->wait_for_end(), 0);
  EXPECT_FALSE(is_at_work(job));
}

TEST_F(Serve, APublicServerKeepsTrainingsAndFilesClosed) {
  const Server server = serve({"--public"});
  EXPECT_EQ(server.token, "");
  EXPECT_EQ(server.post("/api/position", {{"state", {{"game", "fanorona"}}}}).status, 200);
  for (const char* target : {"/api/runs", "/api/run-games?run=a", "/api/recipes", "/api/jobs",
                             "/api/report?experiment=fanorona"}) {
    EXPECT_EQ(server.get(target).status, 403) << target;
  }
  EXPECT_EQ(server.post("/api/jobs", {{"kind", "train"}, {"recipe", "fanorona"}}).status, 403);
  const Json models = server.get("/api/models").json();
  EXPECT_GT(models["models"].size(), 0u);
  for (const Json& model : models["models"]) EXPECT_FALSE(model.contains("path"));
  EXPECT_EQ(server.get("/api/inspect?model=%2Fetc%2Fpasswd").status, 422);
}

TEST_F(Serve, ANewerQuestionOfThePageEndsTheOlderOne) {
  const Server server = serve();
  const auto question = [](const std::string& player) {
    const Json body = {
        {"state", {{"game", "chess"}}}, {"player", player}, {"page", "p"}, {"task", "analysis"}};
    return dump_line(body);
  };
  Connection events(server.port);
  events.send(server.head("GET", "/api/events?page=p") + "\r\n");
  events.read_until("retry: 1000\n\n");
  Connection older(server.port);
  const std::string body = question("minimax:40");
  older.send(server.head("POST", "/api/analyze") +
             fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                         body.size(), body));
  EXPECT_NE(events.read_until("\n\n").find("event: search"), std::string::npos) << "it thinks";
  const Answer newer = server.post("/api/analyze", {{"state", {{"game", "chess"}}},
                                                    {"player", "minimax:1"},
                                                    {"page", "p"},
                                                    {"task", "analysis"}});
  EXPECT_EQ(newer.status, 200);
  EXPECT_EQ(Server::read(older).status, 409);
}

TEST_F(Serve, TooMuchIsRefusedAndTheNextClientAnswered) {
  const Server server = serve();
  const auto alive = [&] {
    return server.post("/api/position", {{"state", {{"game", "fanorona"}}}}).status;
  };
  {
    Connection large(server.port);
    large.send(server.head("POST", "/api/position") +
               "Content-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{");
    EXPECT_EQ(Server::read(large).status, 413);
  }
  {
    Connection endless(server.port);
    endless.send(server.head("POST", "/api/position") +
                 "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "4000\r\n" + std::string(0x4000, ' ') + "\r\n";
    int chunks = 0;
    while (chunks < 64 && endless.send(chunk)) ++chunks;
    EXPECT_EQ(Server::read(endless).status, 413);
  }
  {
    Connection header(server.port);
    header.send(server.head("GET", "/") + "X: " + std::string(20'000, 'x') + "\r\n\r\n");
    EXPECT_EQ(Server::read(header).status, 431);
  }
  {
    Connection garbage(server.port);
    garbage.send("\x16\x03\x01 this is not HTTP\r\n\r\n");
    EXPECT_EQ(Server::read(garbage).status, 400);
  }
  EXPECT_EQ(alive(), 200);
}

TEST_F(Serve, SlowClientsAndManyStreamsStandInNobodysWay) {
  const Server server = serve();
  std::vector<std::unique_ptr<Connection>> crowd;
  for (int i = 0; i < 16; ++i) {
    crowd.push_back(std::make_unique<Connection>(server.port));
    crowd.back()->send("GET / HT");  // and nothing more
    crowd.push_back(std::make_unique<Connection>(server.port));
    crowd.back()->send(server.head("GET", fmt::format("/api/events?page={}", i)) + "\r\n");
    EXPECT_NE(crowd.back()->read_until("\r\n\r\n").find("200 OK"), std::string::npos);
  }
  EXPECT_EQ(server.post("/api/position", {{"state", {{"game", "chess"}}}}).status, 200);
  // The streams have an end, too.
  int refused = 0;
  for (int i = 0; i < 20; ++i) {
    crowd.push_back(std::make_unique<Connection>(server.port));
    crowd.back()->send(server.head("GET", "/api/events?page=more") + "\r\n");
    if (crowd.back()->read_until("\r\n").find("503") != std::string::npos) ++refused;
  }
  EXPECT_EQ(refused, 4) << "32 at most";
  // More connections than one address may have are closed without a word.
  std::vector<std::unique_ptr<Connection>> flood;
  for (int i = 0; i < 200; ++i) flood.push_back(std::make_unique<Connection>(server.port));
  EXPECT_EQ(flood.back()->read_all(), "");
  flood.clear();
  crowd.clear();
}

TEST_F(Serve, AThousandGamesLeaveNothingBehind) {
  const Server server = serve();
  const auto play = [&](int game) {
    const Json state = {
        {"game", kServedGames[static_cast<std::size_t>(game) % kServedGames.size()]},
        {"seed", game}};
    EXPECT_EQ(server.post("/api/answer", {{"state", state}, {"player", "random"}}).status, 200);
  };
  for (int i = 0; i < 100; ++i) play(i);
  const long before = memory_of(server);
  for (int i = 100; i < 1000; ++i) play(i);
  EXPECT_LT(memory_of(server), before + kKeptKibibytes) << "KiB";
}

TEST_F(Serve, ThoughtsWaitInALineThatHasAnEnd) {
  const Server server = serve({"--threads", "1"});
  Connection events(server.port);
  events.send(server.head("GET", "/api/events?page=p0") + "\r\n");
  events.read_until("retry: 1000\n\n");
  std::vector<std::unique_ptr<Connection>> line;
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    const Json asked = {{"state", {{"game", "chess"}}},
                        {"player", "minimax:40"},
                        {"page", fmt::format("p{}", i)},
                        {"task", "t"}};
    const std::string body = dump_line(asked);
    line.push_back(std::make_unique<Connection>(server.port));
    line.back()->send(server.head("POST", "/api/analyze") +
                      fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                                  body.size(), body));
    if (i == 0) events.read_until("event: search");  // it thinks, and is no longer in the line
    // 32 wait; who comes later is told at once.
    if (i >= 33) refused += Server::read(*line.back()).status == 503 ? 1 : 0;
  }
  EXPECT_EQ(refused, 7);
  EXPECT_EQ(server.post("/api/position", {{"state", {{"game", "chess"}}}}).status, 200)
      << "boards need no thought";
}

TEST_F(Serve, TheExamplesOfTheDocumentWork) {
  if (run_command({"curl", "--version"}).code != 0) GTEST_SKIP() << "curl is not installed";
  const Server server = serve();
  std::istringstream document(contents(DAMIER_SOURCE_DIR "/docs/workbench.md"));
  int examples = 0;
  for (std::string line; std::getline(document, line);) {
    if (!line.starts_with("curl ")) continue;
    const Ran ran = run_command(
        {"sh", "-c", line}, "",
        {{"TOKEN", server.token}, {"DAMIER", fmt::format("http://127.0.0.1:{}", server.port)}});
    ASSERT_EQ(ran.code, 0) << line << "\n" << ran.err;
    const auto answer = parse_json(ran.out, "answer");
    ASSERT_TRUE(answer) << line << "\n" << ran.out;
    EXPECT_NE((*answer)["schema"], "damier/error/1") << line << "\n" << ran.out;
    ++examples;
  }
  EXPECT_GE(examples, 14);
}

TEST_F(Serve, ABrowserDrawsTheBoardAndLetsANetworkPlay) {
  if (run_command({"chromium", "--version"}).code != 0) GTEST_SKIP() << "chromium is missing";
  const Server server = serve();
  const auto drawn = [&](const std::string& game) {
    // The address with the token leads to the page; what follows # stays with the browser.
    const Ran ran = run_command(
        {"chromium", "--headless", "--no-sandbox", "--disable-gpu",
         "--user-data-dir=" + path("profile"), "--virtual-time-budget=20000", "--dump-dom",
         fmt::format("http://127.0.0.1:{}/?token={}#/play?{}", server.port, server.token, game)},
        "", {{"HOME", path("home")}});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  };
  const auto count = [](const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  const std::string page = drawn("game=fanorona&players=net;human");
  EXPECT_EQ(count(page, "role=\"gridcell\""), 9u) << page;
  EXPECT_EQ(count(page, "(white)\""), 3u) << page;
  EXPECT_EQ(count(page, "(black)\""), 3u) << page;
  EXPECT_NE(page.find("Black to move"), std::string::npos) << "the network has moved\n" << page;
}

TEST_F(Serve, APortThatIsTakenIsOneLine) {
  const Server server = serve();
  refused({"serve", "--no-open", "--port", std::to_string(server.port)},
          fmt::format("cannot listen on 127.0.0.1:{}: Address already in use; `--port 0` takes a "
                      "free one",
                      server.port));
}

}  // namespace
}  // namespace damier::app
