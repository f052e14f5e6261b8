// `damier solve` and `perft`: the exact value of a position, or counts over a whole state space;
// and node counts by root move, whose last line is the total alone.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/terminal/move_table.h"
#include "damier/app/terminal/search_line.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

// --- solve ---

struct SolveArguments {
  GameChoice choice;
  PositionChoice position;
  std::uint64_t nodes = 0;
  double seconds = 0;
  bool stats = false;
};

Result<int> show_space(const play::Toolkit& toolkit, const Context& context) {
  const Stopwatch watch;
  const auto figures = TRY(toolkit.state_space());
  const double seconds = watch.seconds();
  if (context.json) {
    Json counts = Json::object();
    for (const auto& figure : figures) counts[figure.name] = figure.value;
    print_json("state_space", {{"game", toolkit.game().facts().name},
                               {"counts", std::move(counts)},
                               {"seconds", seconds}});
    return kDone;
  }
  for (const auto& figure : figures) print_output("{:>10}  {}\n", figure.value, figure.text);
  print_message("{:.2f} s\n", seconds);
  return kDone;
}

// Who wins an empty domineering board: a side, or "first" or "second", the player
// who begins or the other one; empty where that is not known.
std::string winner_of(const play::Answer& answer, const games::Session& session,
                      const games::Facts& facts) {
  using games::Verdict;
  if (answer.for_other_side == Verdict::unknown) return {};
  const bool wins = answer.known.verdict == Verdict::win;
  if (wins == (answer.for_other_side == Verdict::win)) return wins ? "first" : "second";
  const games::Side mover = session.side_to_move();
  const games::Side winner = wins ? mover : games::opponent(mover);
  return std::string(facts.sides[static_cast<std::size_t>(index(winner))]);
}

std::string winner_text(const std::string& winner) {
  if (winner == "first" || winner == "second") return fmt::format("the {} player wins", winner);
  return fmt::format("{} wins, no matter who begins", winner);
}

std::vector<std::string> best_moves(const play::Answer& answer, const games::Session& session) {
  std::vector<std::string> texts;
  for (const play::MoveAnswer& move : answer.moves) {
    if (answer.keeps(move)) texts.push_back(session.move_text(move.move));
  }
  return texts;
}

// Whether no other move is as good as the best ones.
bool names_all_best(const play::Answer& answer) {
  return answer.known.plies || std::ranges::all_of(answer.moves, [](const auto& move) {
           return move.known.is_certain();
         });
}

void print_answer(const play::Answer& answer, const games::Session& session,
                  const games::Facts& facts) {
  const Look look = detect_look(false);
  const std::string side(facts.sides[static_cast<std::size_t>(index(session.side_to_move()))]);
  const auto& [verdict, plies] = answer.known;
  std::string line;
  if (verdict == play::Verdict::unknown) {
    line = interrupted() ? "unknown: interrupted" : "unknown: the limit was reached";
  } else if (session.outcome() != games::Outcome::ongoing) {
    line = fmt::format("{} for {}: the game is over", verdict_text(verdict), side);
  } else {
    line = fmt::format("{} for {}, who moves", verdict_text(verdict), side);
    if (plies) line += ", in " + counted(*plies, "ply");
  }
  if (const auto winner = winner_of(answer, session, facts); !winner.empty()) {
    line = winner_text(winner);
  }
  print_output("{}\n", painted(look, Ink::accent, line, true));
  if (const auto best = best_moves(answer, session); !best.empty()) {
    print_output("{}: {}\n", names_all_best(answer) ? "best moves" : "a best move",
                 join(best, " "));
  }
  if (verdict == play::Verdict::unknown) {
    if (!answer.line.empty()) {
      print_output("best so far: {}\n", session.move_text(answer.line.front()));
    }
    if (answer.depth > 0) {
      print_output("nothing is decided within {}\n", counted(answer.depth, "ply"));
    }
  }
  print_output("{}, {:.2f} s\n", counted(answer.nodes, "node"), answer.seconds);
}

Json answer_json(const play::Answer& answer, const games::Session& session,
                 const games::Facts& facts) {
  Json json = {{"game", facts.name},
               {"position", session.position_text()},
               {"value", verdict_text(answer.known.verdict)},
               {"distance", answer.known.plies ? Json(*answer.known.plies) : Json(nullptr)},
               {"best", best_moves(answer, session)},
               {"moves", moves_json(session, answer)},
               {"nodes", answer.nodes},
               {"seconds", answer.seconds}};
  if (const auto winner = winner_of(answer, session, facts); !winner.empty()) {
    json["winner"] = winner;
  }
  if (answer.known.is_certain()) return json;
  if (!answer.line.empty()) json["so_far"] = session.move_text(answer.line.front());
  if (answer.depth > 0) json["undecided_plies"] = answer.depth;
  return json;
}

Result<int> run_solve(const SolveArguments& arguments, const Context& context) {
  auto game = TRY(make_game(context, arguments.choice));
  const auto toolkit = context.registry.toolkit(game);
  if (arguments.stats) return show_space(*toolkit, context);
  const auto session = TRY(start_game(*game, arguments.position, Seed{0}));
  std::optional<SearchLine> search(std::in_place, "solve", *session);
  const auto answer = toolkit->solve(
      *session,
      {.nodes = arguments.nodes, .seconds = arguments.seconds, .watch = &search->watch()});
  search.reset();
  if (!answer) return answer.error();
  if (context.json) {
    print_json("solve", answer_json(*answer, *session, game->facts()));
  } else {
    print_answer(*answer, *session, game->facts());
  }
  return interrupted() ? report_interrupted() : kDone;
}

// --- perft ---

struct PerftArguments {
  GameChoice choice;
  PositionChoice position;
  std::string depth;
};

constexpr int kMaxDepth = 60;

// `perft GAME POSITION DEPTH` and `perft GAME DEPTH POSITION` are both read: no position is a
// number.
void order_words(PerftArguments& arguments) {
  auto& position = arguments.position.word;
  if (position && parse_number<int>(*position) && !parse_number<int>(arguments.depth)) {
    std::swap(*position, arguments.depth);
  }
}

Result<int> run_perft(PerftArguments arguments, const Context& context) {
  order_words(arguments);
  const auto game = TRY(make_game(context, arguments.choice));
  const auto depth = TRY(parse_integer(arguments.depth, 0, kMaxDepth, "DEPTH"));
  const auto session = TRY(start_game(*game, arguments.position, Seed{0}));

  ThreadPool pool(context.thread_count());
  std::optional<Progress> progress;
  const Stopwatch watch;
  const auto result = session->perft(static_cast<int>(depth), pool,
                                     [&](std::size_t done, std::size_t of, std::uint64_t nodes) {
                                       if (!progress) progress.emplace("perft", of, "nodes");
                                       progress->add(done > 0 ? 1 : 0, nodes);
                                     });
  progress.reset();
  if (!result) return result.error();
  if (interrupted()) return report_interrupted();
  if (context.json) {
    Json moves = Json::object();
    for (const auto& [move, nodes] : result->moves) moves[move] = nodes;
    print_json("perft", {{"game", arguments.choice.game},
                         {"position", session->position_text()},
                         {"depth", depth},
                         {"nodes", result->nodes},
                         {"moves", std::move(moves)}});
    return kDone;
  }
  for (const auto& [move, nodes] : result->moves) print_output("{}: {}\n", move, nodes);
  if (!result->moves.empty()) print_output("\n");
  print_output("{}\n", result->nodes);
  flush_output();
  const double seconds = watch.seconds();
  if (seconds >= 0.1) {
    print_message("{:.2f} s, {} nodes/s on {}\n", seconds,
                  short_number(static_cast<double>(result->nodes) / seconds),
                  counted(pool.size(), "thread"));
  }
  return kDone;
}

}  // namespace

Action setup_solve(CommandLine line, Context& context) {
  auto arguments = std::make_shared<SolveArguments>();
  line.add_option("GAME", arguments->choice.game, "the game").required();
  add_position_arguments(line, arguments->position);
  line.add_number("--nodes", arguments->nodes, 1, 1'000'000'000'000'000,
                  "give up after this many positions");
  line.add_number("--seconds", arguments->seconds, 0.001, 1e9, "give up after this many seconds")
      .type_name("S");
  line.add_flag("--stats", arguments->stats,
                "counts over the whole state space, where it is small");
  add_rules_options(line, arguments->choice);
  add_shared_options(line, context, {"--json"});
  return [arguments, &context] { return run_solve(*arguments, context); };
}

Action setup_perft(CommandLine line, Context& context) {
  auto arguments = std::make_shared<PerftArguments>();
  line.add_option("GAME", arguments->choice.game, "the game").required();
  line.add_option("DEPTH", arguments->depth, "N",
                  Text::of("plies to look ahead; from 0 to {}", kMaxDepth))
      .required();
  add_position_arguments(line, arguments->position);
  add_rules_options(line, arguments->choice);
  add_shared_options(line, context, {"--json", "--threads"});
  return [arguments, &context] { return run_perft(*arguments, context); };
}

}  // namespace damier::app
