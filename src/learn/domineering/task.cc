#include "damier/learn/domineering/task.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "damier/exact/domineering/exact.h"
#include "damier/learn/domineering/games.h"
#include "damier/learn/game_task_impl.h"
#include "damier/model/domineering/encoders.h"

namespace damier::learn {

using namespace domineering;

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

TaskFacts domineering_facts() {
  TaskFacts facts = GameTask<Domineering>::usual_facts({"play", "reachable", std::string(kGames)});
  std::vector<TaskOption>& all = facts.options;
  all.push_back({"players", "random flat:10 uct:100 exact",
                 "states from games: players; each side is a random one of these: random, "
                 "flat:N, ucb:N, uct:N, exact, net:MODEL"});
  all.push_back(
      number_option("opening", 8, 0, 64, "states from games: most random moves at the start"));
  all.push_back(
      number_option("smaller", 0.3, 0, 1,
                    "states from games: the share of games on smaller boards, from 4x4 on"));
  all.push_back(number_option("early", 0.05, 0, 1,
                              "states from games: the share of positions with 45 to 48 free cells "
                              "that become rows, a third of it with 49 to 52 and so on: labels "
                              "take long there, and with more than 52 tell of some moves only"));
  all.push_back(number_option("late", 1.0, 0, 1,
                              "states from games: the share of positions that become rows once "
                              "half of the board is taken"));
  return facts;
}

class DomineeringTask final : public GameTask<Domineering> {
 public:
  DomineeringTask() : GameTask(domineering_facts()) {}

 private:
  std::function<TaughtByNumber<Domineering>()> own_games(
      const Domineering& game, const GenerateOptions& options) const override {
    if (text_option(options, "states") != kGames) return {};
    return [game, plan = plan_of(*this, options)]() -> TaughtByNumber<Domineering> {
      // check_together() has seen that it can be made.
      const auto taught = std::make_shared<TaughtGames>(TaughtGames::make(game, plan).value());
      return [taught](std::uint64_t number) { return taught->play(number); };
    };
  }

  std::vector<Column> policy_columns(const Encoder& encoder) const override {
    const auto outputs = static_cast<std::uint64_t>(encoder.output_count());
    return {{"policy", nn::DType::u8, outputs}, {"known", nn::DType::u8, outputs}};
  }

  void write_more(const Encoder& encoder, const State& state, const Lesson<Domineering>& lesson,
                  RowBuffer& rows) const override {
    GameTask::write_more(encoder, state, lesson, rows);
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

  Status check_together(const GenerateOptions& options) const override {
    TRY(GameTask::check_together(options));
    TRY(parse_players(text_option(options, "players")).in("players"));
    if (text_option(options, "states") != kGames) return Done{};
    if (text_option(options, "teacher") != "exact") {
      return Error{fmt::format("teacher {}: states from games are labelled by the exact solver",
                               text_option(options, "teacher"))};
    }
    const auto made =
        TaughtGames::make(encoder_in(options).value()->game(), plan_of(*this, options));
    return made ? Status(Done{}) : Status(made.error());
  }
};

}  // namespace

template class GameTask<Domineering>;

template <>
const GameTask<Domineering>& game_task() {
  static const DomineeringTask task;
  return task;
}

}  // namespace damier::learn
