#include "damier/learn/domineering/task.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "damier/exact/domineering/exact.h"
#include "damier/learn/domineering/frame.h"
#include "damier/learn/domineering/games.h"
#include "damier/learn/game_task_impl.h"

namespace damier::learn {

using namespace domineering;

namespace {

constexpr std::string_view kMover = "mover";
constexpr std::string_view kGames = "games";

// With or without rules behind it.
bool is_mover(std::string_view encoder) { return encoder.substr(0, encoder.find(' ')) == kMover; }

// Beside the columns of every game:
//   policy    1 at each move that wins; of a lost position, at those that leave the fewest winning
//             answers or, with more than 32 free cells, that took the solver longest to refute
//   known     1 at each legal move of which is known whether it wins
class DomineeringTask final : public GameTask<Domineering> {
 public:
  std::vector<std::string> encoders() const override { return {"features", std::string(kMover)}; }

  std::vector<TaskOption> options() const override {
    auto all = GameTask::options();
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

  nn::Shape shape_of(const Domineering& game, std::string_view encoder) const override {
    if (!is_mover(encoder)) return GameTask::shape_of(game, encoder);
    return {kFramePlanes, kFrame, kFrame, true};
  }
  void encode(const Domineering& game, std::string_view encoder, const State& state,
              std::span<float> out) const override {
    if (!is_mover(encoder)) return GameTask::encode(game, encoder, state, out);
    write_planes(framed(game, state), out);
  }

  bool expands(std::string_view encoder) const override { return is_mover(encoder); }
  std::uint64_t stored_width(std::string_view encoder) const override {
    return is_mover(encoder) ? kFrameCells : GameTask::stored_width(encoder);
  }
  void store(const Domineering& game, std::string_view encoder, const State& state,
             std::span<float> out) const override {
    if (!is_mover(encoder)) return GameTask::store(game, encoder, state, out);
    const CellSet free = framed(game, state);
    for (int cell = 0; cell < kFrameCells; ++cell) {
      out[static_cast<std::size_t>(cell)] = static_cast<float>(free >> cell & 1);
    }
  }
  void expand(std::string_view, std::span<const float> stored,
              std::span<float> planes) const override {
    CellSet free = 0;
    for (std::size_t cell = 0; cell < stored.size(); ++cell) {
      if (stored[cell] != 0) free |= CellSet{1} << cell;
    }
    write_planes(free, planes);
  }

  int output_count(const Domineering& game, std::string_view encoder) const override {
    return is_mover(encoder) ? kFrameCells : GameTask::output_count(game, encoder);
  }
  int output_of(const Domineering& game, std::string_view encoder, const State& state,
                Move move) const override {
    return is_mover(encoder) ? framed_cell(game, move)
                             : GameTask::output_of(game, encoder, state, move);
  }

  void forget_cell(const Domineering& game, std::string_view encoder, const State& state, int cell,
                   std::span<float> inputs) const override {
    if (!is_mover(encoder)) return GameTask::forget_cell(game, encoder, state, cell, inputs);
    const auto square = static_cast<std::size_t>(framed_square(game, state.side, cell));
    for (std::size_t i = square; i < inputs.size(); i += kFrameCells) inputs[i] = 0;
  }

  Status check_encoder(std::string_view encoder) const override {
    const auto read = reading(encoder);
    if (!read) return read.error();
    if (!is_mover(encoder) || fits_frame(read->game)) return Done{};
    return Error{
        fmt::format("the encoder '{0}' reads boards of up to {1}x{1} cells; the board is {2}x{3}",
                    kMover, kFrame, read->game.rows(), read->game.cols())};
  }
  Status check_rules(const Reading& reading, const Domineering& game) const override {
    if (!is_mover(reading.encoder)) return GameTask::check_rules(reading, game);
    if (fits_frame(game)) return Done{};
    return Error{fmt::format("is a network for boards of up to {0}x{0} cells; the board is {1}x{2}",
                             kFrame, game.rows(), game.cols())};
  }

  // In the mover's view those of a rectangle are left: the others exchange the sides.
  std::vector<SymmetryMaps> symmetries(std::string_view encoder) const override {
    if (!is_mover(encoder)) {
      auto all = GameTask::symmetries(encoder);
      for (SymmetryMaps& maps : all) add_own_columns(maps);
      return all;
    }
    std::vector<SymmetryMaps> all;
    for (const bool upside_down : {false, true}) {
      for (const bool mirrored : {false, true}) {
        ColumnMap input{"input", {}, std::vector<float>(kFrameCells, 1.0f)}, moves = input;
        moves.column = "moves";
        for (int cell = 0; cell < kFrameCells; ++cell) {
          const int row = cell / kFrame, col = cell % kFrame;
          const int from = mirrored ? kFrame - 1 - col : col;
          // An upright domino begins one row higher than it ends; none begins in the last row.
          const int first = upside_down && row < kFrame - 1 ? kFrame - 2 - row : row;
          const int seen = upside_down ? kFrame - 1 - row : row;
          input.source.push_back(static_cast<std::uint32_t>(kFrame * seen + from));
          moves.source.push_back(static_cast<std::uint32_t>(kFrame * first + from));
        }
        ColumnMap legal = moves;
        legal.column = "legal";
        all.push_back({std::move(input), std::move(moves), std::move(legal)});
        add_own_columns(all.back());
      }
    }
    return all;
  }

 protected:
  std::vector<std::string> state_words() const override {
    return {"play", "reachable", std::string(kGames)};
  }

  std::function<Games()> own_games(const Domineering& game,
                                   const GenerateOptions& options) const override {
    if (text_option(options, "states") != kGames) return {};
    const GamesPlan plan = plan_of(options);
    return [this, game, plan]() -> Games {
      // check_together() has seen that it can be made.
      const auto taught = std::make_shared<TaughtGames>(TaughtGames::make(game, plan).value());
      return [this, game, taught](std::uint64_t number) {
        std::vector<Taught> all;
        for (TaughtPosition& one : taught->play(number)) {
          all.push_back({one.state, group_of(game, one.state), std::move(one.lesson)});
        }
        return all;
      };
    };
  }

  std::vector<Column> policy_columns(const Domineering& game,
                                     std::string_view encoder) const override {
    const auto outputs = static_cast<std::uint64_t>(output_count(game, encoder));
    return {{"policy", nn::DType::u8, outputs}, {"known", nn::DType::u8, outputs}};
  }
  void write_more(const Reading& reading, const State& state, const Lesson<Domineering>& lesson,
                  RowBuffer& rows) const override {
    GameTask::write_more(reading, state, lesson, rows);
    const auto mark = [&](std::string_view column, const auto& moves, std::uint8_t number) {
      const auto marks = rows.last<std::uint8_t>(column);
      for (const Move move : moves) {
        marks[static_cast<std::size_t>(output_of(reading.game, reading.encoder, state, move))] =
            number;
      }
    };
    mark("policy", lesson.value > 0 ? lesson.best : lesson.hardest, 1);
    mark("known", reading.game.legal_moves(state), 1);
    mark("known", lesson.unknown, 0);
  }

  Status check_together(const GenerateOptions& options) const override {
    if (auto status = GameTask::check_together(options); !status) return status;
    const std::string encoder = encoder_of(options);
    if (auto status = check_encoder(encoder); !status) return status;
    const auto players = parse_players(text_option(options, "players"));
    if (!players) return Error(players.error()).in("players");
    if (text_option(options, "states") != kGames) return Done{};
    if (text_option(options, "oracle") != "exact") {
      return Error{fmt::format("oracle {}: states from games are labelled by the exact solver",
                               text_option(options, "oracle"))};
    }
    const auto made = TaughtGames::make(reading(encoder)->game, plan_of(options));
    return made ? Status(Done{}) : Status(made.error());
  }

 private:
  // They turn as the moves do.
  static void add_own_columns(SymmetryMaps& maps) {
    const auto moves = std::find_if(maps.begin(), maps.end(),
                                    [](const ColumnMap& map) { return map.column == "moves"; });
    if (moves == maps.end()) return;
    ColumnMap own = *moves;
    for (const char* column : {"policy", "known"}) {
      own.column = column;
      maps.push_back(own);
    }
  }

  // Of options whose players are known to be good.
  GamesPlan plan_of(const GenerateOptions& options) const {
    return {options.seed,
            parse_players(text_option(options, "players")).value(),
            option(options, "noise").get<double>(),
            option(options, "opening").get<int>(),
            option(options, "smaller").get<double>(),
            option(options, "early").get<double>(),
            option(options, "late").get<double>(),
            text_option(options, "target") == "one"};
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
