#include "damier/app/serve/run_view.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "damier/app/contest/options.h"
#include "damier/play/ratings/ratings.h"
#include "damier/store/store.h"

namespace damier::app::serve {

namespace {

// Whose rating is 0: the second player of a match, in a training the player that every game has. In
// a tournament it is the mean, as in its table at the end.
std::optional<play::Anchor> anchor_of(const Run& run, std::span<const GameRow> games) {
  std::string wanted = run.request.kind == "train" ? "random" : "";
  const Json* players = run.request.config.find("players");
  if (run.request.kind == "match" && players != nullptr && players->size() == 2) {
    wanted = (*players)[1].text();
  }
  const auto plays = [&](const GameRow& game) {
    return game.first == wanted || game.second == wanted;
  };
  if (wanted.empty() || std::ranges::none_of(games, plays)) return std::nullopt;
  return play::Anchor{wanted, 0};
}

}  // namespace

Result<Json> run_games_json(const std::string& name, std::size_t from) {
  constexpr std::size_t kMaxGames = 500;  // in one answer
  auto store = TRY(Store::open_default());
  const auto run = TRY(store.find_run(name));
  DamagedRows ignored;
  const auto games = TRY(store.finished_games(run.id, &ignored));
  Json list = Json::array();
  for (std::size_t i = from; i < games.size() && list.size() < kMaxGames; ++i) {
    const GameRow& game = games[i];
    list.push_back({{"number", game.number},
                    {"first", game.first},
                    {"second", game.second},
                    {"opening", game.opening},
                    {"outcome", game.outcome},
                    {"plies", game.plies},
                    {"moves", game.moves}});
  }
  const auto anchor = anchor_of(run, games);
  const auto table = play::rate_games(games, anchor);
  return Json{{"run", run.name},
              {"game", run.request.game},
              {"options", run.request.options},
              {"count", games.size()},
              {"from", from},
              {"anchor", anchor ? Json(anchor->player) : Json(nullptr)},
              {"standings", table ? ratings_json(*table) : Json::array()},
              {"games", std::move(list)}};
}

void watch_runs(EventLog& events, Jobs& jobs, std::stop_token stop) {
  constexpr std::chrono::seconds kBetweenLooks(1);
  std::mutex mutex;
  std::condition_variable_any never;
  std::map<std::string, std::string> known;  // a run's name, and what was seen of it
  std::optional<Store> store;
  bool first_look = true;
  std::unique_lock lock(mutex);
  auto pause = std::chrono::seconds(0);
  const auto wait = [&] {
    never.wait_for(lock, stop, std::exchange(pause, kBetweenLooks), [] { return false; });
    return !stop.stop_requested();
  };
  while (wait()) {
    // What is done when nobody looks is news for the next one who does.
    if (!first_look && events.pages() == 0) continue;
    if (jobs.something_ended()) events.tell("jobs", "", Json::object());
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
      events.tell("run", "", {{"run", run.name}, {"status", status_text(run.status)}});
    }
    first_look = false;
  }
}

}  // namespace damier::app::serve
