#include "damier/learn/domineering/task.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "damier/exact/domineering/exact.h"
#include "damier/learn/domineering/games.h"
#include "damier/learn/game_task_impl.h"
#include "damier/model/domineering/encoders.h"

namespace damier::learn {

using namespace domineering;
using DomineeringLabels = Labels<Domineering>;

namespace {

constexpr std::string_view kGames = "games";

// Of options whose players are known to be good.
GamesPlan plan_of(const Task& task, const GenerateOptions& options) {
  return {options.seed,
          parse_players(task.text_option(options, "players")).value(),
          task.option(options, "noise").get<double>(),
          task.option(options, "opening").get<int>(),
          task.option(options, "smaller").get<double>(),
          task.option(options, "early").get<double>(),
          task.option(options, "late").get<double>(),
          task.text_option(options, "target") == "one"};
}

}  // namespace

std::vector<TaskOption> DomineeringLabels::options() {
  auto all = GenericLabels::options();
  all.push_back({"players", "random flat:10 uct:100 exact",
                 "states from games: players; each side is a random one of these: random, "
                 "flat:N, ucb:N, uct:N, exact, net:MODEL"});
  all.push_back({"opening", 8, "states from games: most random moves at the start", {}, 0, 64});
  all.push_back({"smaller",
                 0.3,
                 "states from games: the share of games on smaller boards, from 4x4 on",
                 {},
                 0,
                 1});
  all.push_back({"early",
                 0.05,
                 "states from games: the share of positions with 45 to 48 free cells that become "
                 "rows, a third of it with 49 to 52 and so on: labels take long there, and with "
                 "more than 52 tell of some moves only",
                 {},
                 0,
                 1});
  all.push_back({"late",
                 1.0,
                 "states from games: the share of positions that become rows once half of the "
                 "board is taken",
                 {},
                 0,
                 1});
  return all;
}

std::vector<std::string> DomineeringLabels::state_words() {
  return {"play", "reachable", std::string(kGames)};
}

std::function<TaughtByNumber<Domineering>()> DomineeringLabels::own_games(
    const Task& task, const Domineering& game, const GenerateOptions& options) {
  if (task.text_option(options, "states") != kGames) return {};
  return [game, plan = plan_of(task, options)]() -> TaughtByNumber<Domineering> {
    // check_together() has seen that it can be made.
    const auto taught = std::make_shared<TaughtGames>(TaughtGames::make(game, plan).value());
    return [game, taught](std::uint64_t number) {
      std::vector<Taught<Domineering>> all;
      for (TaughtPosition& one : taught->play(number)) {
        all.push_back({one.state, group_of(game, one.state), std::move(one.lesson)});
      }
      return all;
    };
  };
}

std::vector<Column> DomineeringLabels::policy_columns(const Encoder& encoder) {
  const auto outputs = static_cast<std::uint64_t>(encoder.output_count());
  return {{"policy", nn::DType::u8, outputs}, {"known", nn::DType::u8, outputs}};
}

void DomineeringLabels::write_more(const Encoder& encoder, const State& state,
                                   const Lesson<Domineering>& lesson, RowBuffer& rows) {
  GenericLabels::write_more(encoder, state, lesson, rows);
  const auto mark = [&](std::string_view column, const auto& moves, std::uint8_t number) {
    const auto marks = rows.last<std::uint8_t>(column);
    for (const Move move : moves) {
      marks[static_cast<std::size_t>(encoder.output_of(state, move))] = number;
    }
  };
  mark("policy", lesson.value > 0 ? lesson.best : lesson.hardest, 1);
  mark("known", encoder.game().legal_moves(state), 1);
  mark("known", lesson.unknown, 0);
}

Status DomineeringLabels::check_together(const Task& task, const GenerateOptions& options) {
  TRY(GenericLabels::check_together(task, options));
  TRY(parse_players(task.text_option(options, "players")).in("players"));
  if (task.text_option(options, "states") != kGames) return Done{};
  if (task.text_option(options, "teacher") != "exact") {
    return Error{fmt::format("teacher {}: states from games are labelled by the exact solver",
                             task.text_option(options, "teacher"))};
  }
  const auto made =
      TaughtGames::make(encoder_in(task, options).value()->game(), plan_of(task, options));
  return made ? Status(Done{}) : Status(made.error());
}

template struct GenericJudge<Domineering>;
template class GameTask<Domineering>;

}  // namespace damier::learn
