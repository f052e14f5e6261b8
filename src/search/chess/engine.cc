#include "damier/search/chess/engine.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <thread>
#include <utility>

#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/threads.h"
#include "damier/search/chess/limits.h"
#include "damier/search/chess/position_evaluator.h"
#include "damier/search/chess/score.h"
#include "damier/search/chess/searcher.h"
#include "damier/search/chess/shared_table.h"

namespace damier::search::chess {

// Two logistic curves, one for winning and one for losing; between them lie the draws. They were
// fitted to the engine's own games at 4,000 nodes a move: the more is left on the board, the more
// can still happen.
WinDrawLoss expected_results(int score, const State& state) {
  if (is_decided(score)) return score > 0 ? WinDrawLoss{1000, 0, 0} : WinDrawLoss{0, 0, 1000};
  const int material =
      bit_count(state.of(games::chess::Kind::pawn)) +
      3 * bit_count(state.of(games::chess::Kind::knight) | state.of(games::chess::Kind::bishop)) +
      5 * bit_count(state.of(games::chess::Kind::rook)) +
      9 * bit_count(state.of(games::chess::Kind::queen));
  const double share = std::clamp(material, 15, 78) / 78.0;
  const double even = 140 - 75 * share, spread = 60 + 85 * share;
  const auto chance = [&](double x) { return 1000 / (1 + std::exp((even - x) / spread)); };
  WinDrawLoss expected;
  expected.win = static_cast<int>(std::lround(chance(score)));
  expected.loss = static_cast<int>(std::lround(chance(-score)));
  expected.draw = 1000 - expected.win - expected.loss;
  return expected;
}

Line line_with_score(int score, Bound bound, const State& root) {
  Line line;
  line.score = score;
  line.bound = bound;
  line.expected = expected_results(score, root);
  if (is_decided(score)) {
    const int moves = (decided_distance(score) + 1) / 2;
    line.mate = score > 0 ? moves : -moves;
  }
  return line;
}

Engine::Engine(EngineOptions options)
    : options_(std::move(options)), table_(std::make_unique<SharedTable>(options_.table_bytes)) {
  make_searchers();
}

Engine::~Engine() = default;

void Engine::configure(EngineOptions options) {
  const bool other_table = options.table_bytes != options_.table_bytes;
  options_ = std::move(options);
  searchers_.clear();
  if (other_table) {
    table_.reset();  // not two tables at a time
    table_ = std::make_unique<SharedTable>(options_.table_bytes);
  }
  make_searchers();
}

void Engine::make_searchers() {
  for (int i = 0; i < std::max(options_.threads, 1); ++i) {
    searchers_.push_back(std::make_unique<Searcher>(*table_, options_.network));
  }
}

void Engine::new_game() {
  table_->clear();
  for (auto& searcher : searchers_) searcher->clear_histories();
}

int Engine::evaluate(const State& state) const {
  return PositionEvaluator(options_.network).score(state);
}

void Engine::ready() {
  const std::lock_guard lock(mutex_);
  stop_.store(false);
  ready_ = true;
  pondering_ = false;
}

void Engine::stop() {
  const std::lock_guard lock(mutex_);
  stop_.store(true);
  wake_.notify_all();
}

void Engine::ponder_hit() {
  const std::lock_guard lock(mutex_);
  if (ready_) hit_early_ = true;
  if (pondering_.load()) {
    start_.store(Time::now());
    pondering_.store(false);
  }
  wake_.notify_all();
}

// From here on stop() and ponder_hit() are for this search; those since ready() were, too.
void Engine::take_order(bool ponder) {
  const std::lock_guard lock(mutex_);
  if (!ready_) stop_.store(false);
  pondering_.store(ponder && !(ready_ && hit_early_));
  ready_ = hit_early_ = false;
  ordered_ = Time::now();
  start_.store(ordered_);
}

double Engine::seconds_since(Time::time_point start) const {
  return std::chrono::duration<double>(Time::now() - start).count();
}

std::uint64_t Engine::nodes() const {
  std::uint64_t sum = 0;
  for (const auto& searcher : searchers_) sum += searcher->nodes();
  return sum;
}

SearchReport Engine::report_of(const Searcher& searcher, const State& root,
                               std::size_t lines) const {
  SearchReport report;
  report.depth = searcher.depth();
  report.nodes = nodes();
  report.seconds = seconds_since(ordered_);
  report.table_full = table_->full();
  const auto& moves = searcher.root_moves();
  for (std::size_t i = 0; i < std::min(lines, moves.size()); ++i) {
    const RootMove& move = moves[i];
    const int score = move.known_score();
    Line line = line_with_score(score == -kInfiniteScore ? 0 : score,
                                move.score == -kInfiniteScore ? Bound::exact : move.bound, root);
    line.moves = move.line;
    report.lines.push_back(std::move(line));
    report.selective_depth = std::max(report.selective_depth, move.selective_depth);
  }
  return report;
}

// Of several threads the one whose choice can be trusted most: the deepest, then the best score.
const Searcher& Engine::best_searcher() const {
  const Searcher* best = searchers_.front().get();
  for (const auto& each : searchers_) {
    if (each->depth() == 0) continue;
    const int score = each->root_moves().front().known_score();
    const int best_score = best->root_moves().front().known_score();
    if (each->depth() > best->depth() && score > best_score) best = each.get();
  }
  return *best;
}

// The answer to a search without a limit, and to one that ponders, is not given before it is asked
// for.
void Engine::wait_for_stop(bool only_ponder) {
  std::unique_lock lock(mutex_);
  while (!stop_.load() && !interrupted() && (!only_ponder || pondering_.load())) {
    wake_.wait_for(lock, std::chrono::milliseconds(20));
  }
}

SearchReport Engine::search(const History& history, const SearchLimits& limits,
                            const std::function<void(const SearchReport&)>& on_report) {
  take_order(limits.ponder);
  const State& root = history.state();
  // Whether a game that is drawn by rule continues is for the caller to decide.
  const auto legal = history.game().without_draws().legal_moves(root);
  std::vector<Move> moves;
  std::ranges::copy_if(legal, std::back_inserter(moves),
                       [&](Move move) { return std::ranges::count(limits.root_moves, move) > 0; });
  // A list without a legal move is none.
  if (moves.empty()) moves.assign(legal.begin(), legal.end());
  if (moves.empty()) return {};

  const auto lines = static_cast<std::size_t>(std::max(options_.lines, 1));
  const Handicap handicap = handicap_of(options_.elo);
  const std::size_t searched_lines = std::max(lines, static_cast<std::size_t>(handicap.lines));
  std::uint64_t node_limit = limits.nodes;
  if (handicap.nodes > 0) {
    node_limit = node_limit > 0 ? std::min(node_limit, handicap.nodes) : handicap.nodes;
  }
  const TimeBudget budget = time_budget(limits, options_.overhead);
  const bool unlimited = limits.depth == 0 && node_limit == 0 && limits.mate == 0 && !budget.hard;
  table_->next_generation();
  for (auto& searcher : searchers_) {
    searcher->begin(history, moves, static_cast<int>(searched_lines));
  }

  std::atomic<bool> helpers_stop{false};
  std::vector<std::jthread> helpers;
  const int max_depth = limits.depth > 0 ? limits.depth : kMaxPly;
  for (std::size_t i = 1; i < searchers_.size(); ++i) {
    helpers.push_back(start_thread([this, i, &helpers_stop](std::stop_token) {
      // A helper goes on until the first thread ends.
      searchers_[i]->iterative_deepening(
          kMaxPly, helpers_stop, [] { return true; }, [] { return std::uint64_t{1} << 40; });
    }));
  }

  const bool one_thread = searchers_.size() == 1;
  const auto check_limits = [&]() -> std::uint64_t {
    const std::uint64_t so_far = nodes();
    if (interrupted()) stop_.store(true);
    if (!pondering_.load(std::memory_order_relaxed)) {
      if (node_limit > 0 && so_far >= node_limit) stop_.store(true);
      if (budget.hard && seconds_since(start_) >= *budget.hard) stop_.store(true);
    }
    constexpr std::uint64_t kCheckInterval = 512;
    if (node_limit == 0 || so_far >= node_limit) return kCheckInterval;
    const std::uint64_t left = node_limit - so_far;
    return std::min(kCheckInterval, one_thread ? left : std::max<std::uint64_t>(left / 4, 1));
  };
  Searcher& main = *searchers_.front();
  Stability stability;
  Move last_best = {};
  int last_score = 0;
  const auto go_on = [&] {
    const RootMove& best = main.root_moves().front();
    if (on_report) on_report(report_of(main, root, lines));
    stability.depths_unchanged = best.move == last_best ? stability.depths_unchanged + 1 : 0;
    stability.score_drop = main.depth() > 1 ? last_score - best.score : 0;
    stability.share_of_best = static_cast<double>(best.nodes) /
                              static_cast<double>(std::max<std::uint64_t>(main.nodes(), 1));
    last_best = best.move;
    last_score = best.score;
    if (pondering_.load()) return true;
    if (limits.mate > 0 && is_decided(best.score) && best.score > 0 &&
        (decided_distance(best.score) + 1) / 2 <= limits.mate) {
      return false;
    }
    if (budget.soft) {
      const double factor = moves.size() == 1 ? 0.1 : soft_time_factor(stability);
      if (seconds_since(start_) >= *budget.soft * factor) return false;
    }
    return true;
  };
  main.iterative_deepening(max_depth, stop_, go_on, check_limits);
  if (unlimited) wait_for_stop(false);
  if (pondering_.load()) wait_for_stop(true);
  helpers_stop.store(true);
  helpers.clear();  // joins them

  SearchReport report = report_of(best_searcher(), root, searched_lines);
  choose_weaker(report.lines, handicap, root);
  report.lines.resize(std::min(report.lines.size(), lines));
  if (on_report) on_report(report);
  return report;
}

}  // namespace damier::search::chess
