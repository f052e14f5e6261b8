#include "damier/arena/players.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text.h"

namespace damier::arena {

namespace {

class RandomPlayer final : public Player {
 public:
  games::Action choose(const games::Session& session, RandomStream& random) override {
    const auto actions = session.playing_actions();
    return actions[random.below(actions.size())];
  }
};

class FirstPlayer final : public Player {
 public:
  games::Action choose(const games::Session& session, RandomStream&) override {
    return session.playing_actions().front();
  }
};

}  // namespace

View Player::view(const games::Session& session, RandomStream& random) {
  View view;
  const games::Action chosen = choose(session, random);
  view.line.push_back(chosen);
  for (const games::Action action : session.playing_actions()) {
    MoveView move;
    move.action = action;
    view.moves.push_back(move);
    if (action == chosen) std::rotate(view.moves.begin(), view.moves.end() - 1, view.moves.end());
  }
  return view;
}

void add_exact(View& view, const View& exact) {
  for (MoveView& move : view.moves) {
    for (const MoveView& known : exact.moves) {
      if (known.action != move.action) continue;
      move.exact = known.exact;
      move.distance = known.distance;
    }
  }
}

std::span<const PlayerInfo> player_infos() {
  static const std::vector<PlayerInfo> kInfos = {
      {"random", "random", "a legal move at random, all equally likely", {}},
      {"first", "first", "the first legal move, in the game's own order", {}},
      {"flat",
       "flat:N",
       "N random games after every legal move (default 100), then the move with the best mean",
       {}},
      {"ucb",
       "ucb:N,c=X",
       "a bandit at the root: as many random games as flat:N, spent where they matter",
       {{"c", "how much it explores (default 0.4)"}}},
      {"uct",
       "uct:N,c=X",
       "Monte Carlo tree search with N random games a move (default 1000)",
       {{"c", "how much it explores (default 0.7)"},
        {"seconds", "time for a move, instead of N or beside it"},
        {"threads", "so many trees at once, their visits added up (default 1)"}}},
      {"puct",
       "puct:N,c=X,eval=E",
       "tree search led by an evaluator: random games, or the exact table of a solved game",
       {{"c", "how much it explores (default 1.5)"},
        {"eval", "playouts (default) or exact"},
        {"seconds", "time for a move, instead of N or beside it"},
        {"threads", "so many trees at once, their visits added up (default 1)"}}},
      {"minimax",
       "minimax:D",
       "looks D plies ahead (default 4), with alpha-beta, then trusts the game's own heuristic",
       {{"nodes", "stops after so many positions"},
        {"seconds", "time for a move"},
        {"table", "memory for positions in MiB (default 16)"}}},
      {"perfect", "perfect", "the exact solution, where the game is solved", {}},
      {"net",
       "net:MODEL,mcts=N",
       "a network: the best one that ships for the game, or a model by its file or name",
       {{"mcts", "puts it inside a tree search of N simulations a move"},
        {"c", "how much the search explores (default 1.5)"},
        {"seconds", "time for a move, instead of N or beside it"},
        {"threads", "so many trees at once, their visits added up (default 1)"},
        {"safe", "minesweeper: a cell of less risk than this is opened at once (default 0.005)"},
        {"margin", "minesweeper: how much above the least risk a guess may be (default 0.04)"},
        {"flags", "minesweeper, networks of patches: sets flags too", true},
        {"pl", "with flags: opens when the least risk is below this less the highest (1.15)"},
        {"ft", "with flags: opens when the highest risk is no more than this (0.96)"}}},
      {"solver",
       "solver:net=MODEL",
       "minesweeper: certain cells first, then the guess that wins most, the end game exactly",
       {{"first", "the first cell: random (default) or corner"},
        {"net", "a network that is asked for guesses, and for risks where counting is too much"},
        {"gain", "its guess is taken if it wins so much more often than the own one (0.1: 10 %)"}}},
      {"human", "human", "you, at the keyboard", {}},
  };
  return kInfos;
}

std::vector<std::string> player_names() {
  std::vector<std::string> names;
  for (const PlayerInfo& info : player_infos()) names.emplace_back(info.name);
  return names;
}

std::vector<std::string> player_names(const Toolkit& toolkit) {
  std::vector<std::string> names;
  for (const PlayerInfo& info : player_infos()) {
    if (toolkit.offers(info.name)) names.emplace_back(info.name);
  }
  return names;
}

Result<NamedPlayer> make_player(const Toolkit& toolkit, std::string_view text) {
  auto parsed = PlayerText::parse(text);
  if (!parsed) return std::move(parsed).error();
  const std::string& name = parsed->name();
  const auto infos = player_infos();
  if (std::none_of(infos.begin(), infos.end(),
                   [&](const auto& info) { return info.name == name; })) {
    return unknown_name("player", name, player_names(toolkit));
  }
  if (!toolkit.offers(name)) {
    return Error{fmt::format("player '{}' cannot play {} (known: {})", name,
                             toolkit.game().facts().name, fmt::join(player_names(toolkit), ", "))};
  }
  NamedPlayer named{parsed->text(), nullptr};
  if (name == "random") {
    named.player = std::make_unique<RandomPlayer>();
  } else if (name == "first") {
    named.player = std::make_unique<FirstPlayer>();
  } else if (name != "human") {
    named.player = toolkit.make_player(*parsed);
  }
  if (auto status = parsed->finish(); !status) return std::move(status).error();
  return named;
}

std::optional<View> exact_view(const Toolkit& toolkit, const games::Session& session) {
  if (!toolkit.knows_every_state()) return std::nullopt;
  const auto perfect = make_player(toolkit, "perfect");
  RandomStream ties(Seed{0}, "exact_view");
  return perfect->player->view(session, ties);
}

std::string_view strongest_player(const Toolkit& toolkit) {
  for (const std::string_view name : {"solver", "perfect"}) {
    if (toolkit.offers(name)) return name;
  }
  return toolkit.offers("uct") ? "uct:20000" : "first";
}

}  // namespace damier::arena
