#include "damier/app/chess/uci_session.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "damier/base/parallel/threads.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/games/chess/fen.h"
#include "damier/games/chess/san.h"
#include "damier/model/chess/encoders.h"
#include "damier/search/chess/limits.h"
#include "damier/search/chess/signature.h"

namespace damier::app {

namespace {

using games::chess::Chess;
using games::chess::RuleOptions;
using search::chess::Bound;
using search::chess::Clock;
using search::chess::Line;
using search::chess::Milliseconds;
using search::chess::Move;
using search::chess::SearchLimits;
using search::chess::SearchReport;
using search::chess::State;

constexpr int kUsualElo = 1500;
constexpr std::string_view kEmpty = "<empty>";  // how UCI writes a text of no letters
constexpr std::int64_t kMaxHash = 1 << 16;      // MiB
constexpr std::int64_t kMaxThreads = 256;
constexpr std::int64_t kMaxMultiPv = 218;  // no position has more moves
constexpr std::int64_t kMaxOverhead = 5000;
constexpr std::int64_t kMaxMoveTime = 1'000'000'000;  // milliseconds

std::vector<std::string_view> uci_words(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.empty()) return words;
    words.push_back(line.substr(0, line.find_first_of(" \t\r")));
    line.remove_prefix(words.back().size());
  }
}

bool is_same_name(std::string_view a, std::string_view b) {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

Result<bool> parse_check(std::string_view value) {
  if (is_same_name(value, "true")) return true;
  if (is_same_name(value, "false")) return false;
  return Error{fmt::format("{} is neither true nor false", in_quotes(value))};
}

// The search counts draws by rule; whether they end the game is for whoever shows the board.
search::chess::History uci_game(bool chess960, const State* start) {
  RuleOptions rules;
  rules.chess960 = chess960;
  const Chess game(rules);
  return {game, start != nullptr ? *start : game.initial()};
}

// The network that ships; none where it cannot be read.
std::shared_ptr<const search::chess::EvaluationNetwork> usual_network() {
  auto network = model::chess::evaluation_network("");
  return network ? *std::move(network) : nullptr;
}

std::string score_words(const Line& line) {
  std::string words =
      line.mate ? fmt::format("score mate {}", *line.mate) : fmt::format("score cp {}", line.score);
  if (line.bound == Bound::lower) words += " lowerbound";
  if (line.bound == Bound::upper) words += " upperbound";
  return words;
}

}  // namespace

UciSession::UciSession(std::function<void(std::string_view)> write)
    : write_(std::move(write)),
      settings_{.engine = {.network = usual_network()}, .elo = kUsualElo},
      engine_(settings_.engine),
      history_(uci_game(false, nullptr)) {}

UciSession::~UciSession() {
  {
    const std::lock_guard lock(mutex_);
    is_mute_ = true;
  }
  stop_search();
  join_search();
}

void UciSession::say(std::string_view line) {
  const std::lock_guard lock(write_mutex_);
  write_(line);
}

void UciSession::complain(std::string_view what) {
  say(fmt::format("info string {}", printable(what)));
}

std::string UciSession::move_text(Move move) const {
  return games::chess::uci_text(move, settings_.chess960);
}

bool UciSession::take(std::string_view line) {
  const Words words = uci_words(line);
  if (words.empty()) return true;
  const std::string_view command = words.front();
  // Not heard during a search.
  const std::pair<std::string_view, std::function<void()>> when_idle[] = {
      {"setoption", [&] { set_option(line); }},   {"ucinewgame", [&] { engine_.new_game(); }},
      {"position", [&] { set_position(words); }}, {"go", [&] { go(words); }},
      {"eval", [&] { show_evaluation(); }},       {"bench", [&] { run_bench(words); }}};
  for (const auto& [name, work] : when_idle) {
    if (name != command) continue;
    if (is_searching()) {
      complain(fmt::format("{} is not heard during a search; say stop first", command));
    } else {
      join_search();
      work();
    }
    return true;
  }
  if (command == "quit") {
    const std::lock_guard lock(mutex_);
    is_mute_ = true;
    return false;
  }
  if (command == "uci") {
    greet();
  } else if (command == "isready") {
    say("readyok");
  } else if (command == "stop") {
    stop_search();
    join_search();
  } else if (command == "ponderhit") {
    engine_.ponder_hit();
    const std::lock_guard lock(mutex_);
    may_answer_ = true;
    changed_.notify_all();
  } else if (command == "d") {
    show_board();
  } else if (command != "debug" && command != "register") {
    complain(
        fmt::format("unknown command {}; expected uci, isready, setoption, ucinewgame, "
                    "position, go, stop, ponderhit, d, eval, bench or quit",
                    in_quotes(command)));
  }
  return true;
}

struct UciSession::Option {
  std::string_view name;
  std::string form;  // as "uci" lists it
  std::function<Status(std::string_view value)> set;
};

std::vector<UciSession::Option> UciSession::options_of(Settings& settings) {
  auto& engine = settings.engine;
  const auto spin = [](std::string_view name, auto usual, std::int64_t low, std::int64_t high,
                       auto set) {
    return Option{name, fmt::format("spin default {} min {} max {}", usual, low, high),
                  [=](std::string_view value) -> Status {
                    const auto number = TRY(parse_integer(value, low, high, "value"));
                    set(number);
                    return Done{};
                  }};
  };
  const auto check = [](std::string_view name, bool& flag) {
    return Option{name, "check default false", [&flag](std::string_view value) -> Status {
                    flag = TRY(parse_check(value));
                    return Done{};
                  }};
  };
  return {
      spin("Hash", engine.table_bytes >> 20, 1, kMaxHash,
           [&](std::int64_t n) { engine.table_bytes = static_cast<std::size_t>(n) << 20; }),
      spin("Threads", engine.threads, 1, kMaxThreads,
           [&](std::int64_t n) { engine.threads = static_cast<int>(n); }),
      spin("MultiPV", engine.lines, 1, kMaxMultiPv,
           [&](std::int64_t n) { engine.lines = static_cast<int>(n); }),
      spin("Move Overhead", engine.overhead.count(), 0, kMaxOverhead,
           [&](std::int64_t n) { engine.overhead = Milliseconds(n); }),
      {"EvalFile", "string default <empty>",
       [&](std::string_view value) -> Status {
         engine.network =
             TRY(model::chess::evaluation_network(value == kEmpty ? "" : std::string(value)));
         return Done{};
       }},
      check("Ponder", settings.ponders),
      {"Clear Hash", "button",
       [this](std::string_view) -> Status {
         engine_.new_game();
         return Done{};
       }},
      check("UCI_ShowWDL", settings.shows_results),
      check("UCI_Chess960", settings.chess960),
      check("UCI_LimitStrength", settings.limits),
      spin("UCI_Elo", kUsualElo, search::chess::kMinElo, search::chess::kMaxElo,
           [&](std::int64_t n) { settings.elo = static_cast<int>(n); }),
  };
}

void UciSession::greet() {
  say(fmt::format("id name Damier {}", version()));
  say("id author the authors of Damier");
  for (const Option& option : options_of(settings_)) {
    say(fmt::format("option name {} type {}", option.name, option.form));
  }
  say("uciok");
}

void UciSession::set_option(std::string_view line) {
  // Names and values may hold spaces; "value" stands between them.
  const Words words = uci_words(line);
  std::string name, value;
  std::string* part = nullptr;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (i == 1 && words[i] == "name") {
      part = &name;
    } else if (words[i] == "value" && part == &name) {
      part = &value;
    } else if (part != nullptr) {
      *part += fmt::format("{}{}", part->empty() ? "" : " ", words[i]);
    }
  }
  if (name.empty()) return complain("expected setoption name NAME value VALUE");
  Settings settings = settings_;
  const auto options = options_of(settings);
  const auto option = std::ranges::find_if(
      options, [&](const Option& one) { return is_same_name(one.name, name); });
  const Status status = option == options.end() ? Error{"there is no such option; uci lists them"}
                                                : option->set(value);
  if (!status) {
    return complain(fmt::format("option {}: {}", in_quotes(name), status.error().text()));
  }
  settings.engine.elo = settings.limits ? std::optional(settings.elo) : std::nullopt;
  try {
    engine_.configure(settings.engine);
  } catch (const std::bad_alloc&) {
    engine_.configure(settings_.engine);
    return complain(fmt::format("option {}: there is not so much memory", in_quotes(name)));
  }
  if (settings.chess960 != settings_.chess960) history_ = uci_game(settings.chess960, nullptr);
  settings_ = std::move(settings);
}

void UciSession::set_position(const Words& words) {
  history_.reset();
  const auto moves = std::ranges::find(words, "moves");
  const std::string fen = fmt::format(
      "{}",
      fmt::join(words.begin() + std::min<std::ptrdiff_t>(2, moves - words.begin()), moves, " "));
  const std::string_view kind = words.size() > 1 ? words[1] : "";
  std::optional<History> history;
  if (kind == "startpos") {
    history = uci_game(settings_.chess960, nullptr);
  } else if (kind == "fen") {
    const auto state = games::chess::parse_fen(fen, Chess().generator());
    if (!state) return complain(state.error().text());
    history = uci_game(settings_.chess960, &*state);
  } else {
    return complain("expected position startpos or position fen FEN, then moves");
  }
  for (auto word = moves; word != words.end(); ++word) {
    if (word == moves) continue;
    const auto move = games::chess::find_uci(history->game().generator(), history->state(), *word);
    if (!move) {
      return complain(fmt::format("{} is no legal move in {}", in_quotes(*word),
                                  games::chess::fen_text(history->state())));
    }
    history->play(*move);
  }
  history_ = std::move(history);
}

void UciSession::go(const Words& words) {
  if (!history_) {
    complain("there is no position to search");
    return say("bestmove (none)");
  }
  SearchLimits limits;
  const bool white = history_->state().side == games::Side::first;
  Clock clock;
  bool has_clock = false, infinite = words.size() == 1;
  constexpr std::array<std::string_view, 9> kNumbers = {
      "depth", "nodes", "mate", "movetime", "wtime", "btime", "winc", "binc", "movestogo"};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "infinite") {
      infinite = true;
    } else if (word == "ponder") {
      limits.ponder = true;
    } else if (word == "searchmoves") {
      for (; i + 1 < words.size(); ++i) {
        const auto move =
            games::chess::find_uci(history_->game().generator(), history_->state(), words[i + 1]);
        if (!move) break;
        limits.root_moves.push_back(*move);
      }
    } else if (std::ranges::find(kNumbers, word) == kNumbers.end()) {
      complain(fmt::format("go does not know {}", in_quotes(word)));
    } else if (const auto number =
                   i + 1 < words.size() ? parse_number<std::int64_t>(words[i + 1]) : std::nullopt;
               !number) {
      complain(fmt::format("expected a whole number after {}", word));
    } else {
      ++i;
      // Clocks may be below nothing, when a program forgives that.
      const auto most = std::clamp<std::int64_t>(*number, 1, kMaxMoveTime);
      const auto plies = static_cast<int>(std::min<std::int64_t>(most, 10'000));
      if (word == "depth") limits.depth = plies;
      if (word == "nodes") {
        limits.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(1, *number));
      }
      if (word == "mate") limits.mate = plies;
      if (word == "movetime") limits.move_time = Milliseconds(most);
      if (word == "movestogo") limits.moves_to_go = static_cast<int>(most);
      if (word == (white ? "wtime" : "btime")) {
        clock.left = Milliseconds(most);
        has_clock = true;
      }
      if (word == (white ? "winc" : "binc")) {
        clock.increment = Milliseconds(std::clamp<std::int64_t>(*number, 0, kMaxMoveTime));
      }
    }
  }
  if (has_clock) limits.clock = clock;
  const bool is_limited = limits.depth > 0 || limits.nodes > 0 || limits.mate > 0 ||
                          limits.move_time.count() > 0 || limits.clock;
  if (infinite || !is_limited) {
    infinite = true;
    limits = {.root_moves = limits.root_moves, .ponder = limits.ponder};
  }
  {
    const std::lock_guard lock(mutex_);
    searching_ = true;
    may_answer_ = !infinite && !limits.ponder;
  }
  engine_.ready();
  thread_ = start_thread(
      [this, history = *history_, limits](std::stop_token) { run_search(history, limits); });
  if (thread_.joinable()) return;
  // No room for a thread: a short look, so that there is an answer.
  limits = {.nodes = 10'000, .root_moves = limits.root_moves};
  {
    const std::lock_guard lock(mutex_);
    may_answer_ = true;
  }
  run_search(*history_, limits);
}

void UciSession::run_search(History history, SearchLimits limits) {
  const SearchReport report =
      engine_.search(history, limits, [this](const SearchReport& found) { tell_report(found); });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return may_answer_; });
  searching_ = false;  // before the answer: what comes after it is heard
  const bool is_mute = is_mute_;
  lock.unlock();
  if (!is_mute) tell_answer(report, history.state());
}

void UciSession::tell_report(const SearchReport& report) {
  {
    const std::lock_guard lock(mutex_);
    if (is_mute_) return;
  }
  const auto milliseconds = static_cast<std::uint64_t>(1000 * report.seconds);
  const auto speed = static_cast<std::uint64_t>(
      report.seconds > 0 ? static_cast<double>(report.nodes) / report.seconds : 0);
  for (std::size_t i = 0; i < report.lines.size(); ++i) {
    const Line& line = report.lines[i];
    std::string text = fmt::format("info depth {} seldepth {} multipv {} {}", report.depth,
                                   report.selective_depth, i + 1, score_words(line));
    if (settings_.shows_results) {
      text +=
          fmt::format(" wdl {} {} {}", line.expected.win, line.expected.draw, line.expected.loss);
    }
    text += fmt::format(" nodes {} nps {} hashfull {} time {} pv", report.nodes, speed,
                        report.table_full, milliseconds);
    for (const Move move : line.moves) text += " " + move_text(move);
    say(text);
  }
}

void UciSession::tell_answer(const SearchReport& report, const State& state) {
  if (report.lines.empty()) {
    const bool is_mate = Chess(games::chess::kNoDraws).in_check(state);
    say(is_mate ? "info depth 0 score mate 0" : "info depth 0 score cp 0");
    return say("bestmove (none)");
  }
  const auto& line = report.lines.front().moves;
  std::string text = "bestmove " + move_text(line.front());
  if (line.size() > 1) text += " ponder " + move_text(line[1]);
  say(text);
}

bool UciSession::is_searching() {
  const std::lock_guard lock(mutex_);
  return searching_;
}

void UciSession::stop_search() {
  engine_.stop();
  const std::lock_guard lock(mutex_);
  may_answer_ = true;
  changed_.notify_all();
}

void UciSession::join_search() {
  if (thread_.joinable()) thread_.join();
}

void UciSession::finish() {
  bool has_end = true;
  {
    const std::lock_guard lock(mutex_);
    has_end = may_answer_ || !searching_;
  }
  if (!has_end) stop_search();
  join_search();
}

void UciSession::show_board() {
  if (!history_) return complain("there is no position");
  const State& state = history_->state();
  const std::string fen = games::chess::fen_text(state);
  for (const std::string_view rank : split(std::string_view(fen).substr(0, fen.find(' ')), '/')) {
    std::string row = "info string ";
    for (const char letter : rank) {
      if (letter >= '1' && letter <= '8') {
        row += std::string(static_cast<std::size_t>(letter - '0'), '.');
      } else {
        row += letter;
      }
    }
    say(row);
  }
  say(fmt::format("info string fen {}", fen));
  say(fmt::format("info string key {:016x}", state.hash));
}

void UciSession::show_evaluation() {
  if (!history_) return complain("there is no position");
  const State& state = history_->state();
  const int score = engine_.evaluate(state);
  const int for_white = state.side == games::Side::first ? score : -score;
  say(fmt::format("info string evaluation {:+.2f} pawns for White, without looking ahead",
                  for_white / 100.0 + 0.0));
}

void UciSession::run_bench(const Words& words) {
  int depth = search::chess::kSignatureDepth;
  if (words.size() > 1) {
    const auto asked = parse_integer(words[1], 1, 50, "depth");
    if (!asked) return complain(fmt::format("bench: {}", asked.error().text()));
    depth = static_cast<int>(*asked);
  }
  const auto signature = search::chess::search_signature(depth, settings_.engine.network);
  say(fmt::format("{} nodes {} nps", signature.nodes, signature.nodes_per_second()));
}

}  // namespace damier::app
