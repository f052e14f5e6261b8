#include "damier/app/eval/judged.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "damier/app/terminal/terminal.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/play/analysis/judged_positions.h"
#include "damier/store/store.h"

namespace damier::app {

namespace {

// What was found of one player.
struct Judged {
  play::JudgedMoves moves;
  play::Conversions conversions;
};

Json judged_metrics(const Judged& judged) {
  std::vector<Metric> all = metrics_of(judged.moves);
  for (Metric& metric : metrics_of(judged.conversions)) all.push_back(std::move(metric));
  return metrics_json(all);
}

Json judged_json(const std::vector<Judged>& all) {
  Json players = Json::array();
  for (const Judged& judged : all) {
    players.push_back({{"player", judged.moves.player}, {"metrics", judged_metrics(judged)}});
  }
  return players;
}

void print_judged(const play::JudgedMoves& moves) {
  print_output("  {}\n", moves.player);
  const auto line = [](const char* name, const Estimate& share) {
    if (share.n > 0) print_output("    {:<6} {} of {}\n", name, estimate_text(share), share.n);
  };
  line("won", moves.wins());
  line("drawn", moves.draws());
  line("all", moves.all());
  if (moves.plies_lost.empty()) return;
  print_output("    a move that keeps a win makes it {} plies longer\n",
               estimate_text(moves.lost()));
}

void print_conversions(const play::Conversions& conversions) {
  if (conversions.positions == 0) return;
  print_output("    played out: {} of {} won", estimate_text(conversions.wins()),
               conversions.positions);
  if (conversions.won > 0) {
    print_output(", in {} times the exact distance", estimate_text(conversions.ratio()));
  }
  print_output("\n");
}

Status keep_judged(Store& store, const games::AnyGame& game, const std::string& file,
                   const EvalMovesArguments& arguments, Seed seed, const std::vector<Judged>& all) {
  Json options = Json::object();
  for (const auto& [name, value] : game.option_values()) options[name] = value;
  RunRequest request = {"eval",
                        std::string(game.facts().name),
                        std::move(options),
                        {{"players", Json(arguments.players)},
                         {"judged", file},
                         {"positions", all.front().moves.won + all.front().moves.drawn}}};
  if (arguments.against) request.config["against"] = *arguments.against;
  const auto run = store.begin_run(request, seed);
  if (!run) return run.error();
  return store.finish_run(run->id, RunStatus::done, {{"players", judged_json(all)}});
}

}  // namespace

int eval_judged(const GameChoice& choice, const std::string& file,
                const EvalMovesArguments& arguments, const Context& context) {
  const auto game = make_game(context, choice);
  if (!game) return report(game.error());
  const auto text = read_file(file, play::kMaxJudgedBytes);
  if (!text) return report(text.error());
  auto positions = play::read_judged(*text, file, **game);
  if (!positions) return report(positions.error());
  if (arguments.positions) {
    *positions = play::some_of(*std::move(positions), *arguments.positions);
  }
  // Whether the result can be kept is found out before the work.
  std::optional<Store> store;
  if (!arguments.no_store) {
    auto opened = Store::open_default();
    if (!opened) return report(opened.error());
    store.emplace(*std::move(opened));
  }
  const Seed seed = context.seed();
  ThreadPool pool(context.thread_count());
  const Stopwatch watch;
  const auto toolkit = context.registry.toolkit(*game);
  std::vector<Judged> all;
  {
    Progress progress("looking", positions->size(), "positions");
    auto moves = judged_moves(*toolkit, arguments.players, *positions, seed, pool,
                              [&] { progress.add(1, 1); });
    if (!moves && interrupted()) return report_interrupted();
    if (!moves) return report(moves.error());
    for (play::JudgedMoves& one : *moves) all.push_back({std::move(one), {}});
  }
  if (arguments.against) {
    Progress progress("playing out", positions->size(), "positions");
    auto conversions = conversions_of(*toolkit, arguments.players, *arguments.against, *positions,
                                      seed, pool, [&] { progress.add(1, 1); });
    if (!conversions && interrupted()) return report_interrupted();
    if (!conversions) return report(conversions.error());
    for (std::size_t i = 0; i < all.size(); ++i) all[i].conversions = (*conversions)[i];
  }
  if (store) {
    if (auto status = keep_judged(*store, **game, file, arguments, seed, all); !status) {
      return report(status.error());
    }
  }
  const std::string task =
      fmt::format("{} {}", choice.game, games::options_text((*game)->option_values()));
  if (context.json) {
    print_json("eval", {{"player", all.front().moves.player},
                        {"task", task},
                        {"judged", file},
                        {"metrics", judged_metrics(all.front())},
                        {"players", judged_json(all)},
                        {"seed", value_of(seed)},
                        {"seconds", watch.seconds()}});
    return kDone;
  }
  print_output("{}\n{}: the move keeps the exact value\n", task, fitting(file));
  for (const Judged& judged : all) {
    print_judged(judged.moves);
    print_conversions(judged.conversions);
  }
  print_output("{:.1f} s, seed {}\n", watch.seconds(), value_of(seed));
  return kDone;
}

}  // namespace damier::app
