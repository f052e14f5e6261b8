// A game in the middle of its searches: it goes on until a position needs an evaluation, so that
// many games can be played at once and ask together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "damier/games/history.h"
#include "damier/learn/sources/self_play/self_play.h"
#include "damier/learn/teacher.h"
#include "damier/search/tree_growth.h"

namespace damier::learn {

// A search for one move after the other, by a network that somebody else asks.
template <games::Game G>
class SearchInPlay {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  SearchInPlay(const G& game, const SelfPlayOptions& options, bool explores)
      : options_(options),
        explores_(explores),
        tree_(game, search::Formula::puct, options.c, kMaxTreeMoves) {}

  void begin(const games::History<G>& history) {
    tree_.set_fresh_root(history);
    root_.reset();
    done_ = certain_ = 0;
  }

  // The next position to be evaluated; nullptr: the search is over.
  const State* advance(RandomStream& random) {
    if (!tree_.has_root()) return tree_.descend(random);
    if (root_) {
      read_move(tree_.root(), tree_.last_move());
    } else {
      read_root();
      root_.emplace(options_.root, moves_, value_, explores_, random);
      if (const auto noise = root_->prior_noise(); !noise.empty()) {
        tree_.mix_into_root(noise, static_cast<float>(root_->noise_share()));
        read_root();
      }
    }
    while (!tree_.is_proven() && root_->goes_on(moves_, done_)) {
      const State* leaf = tree_.descend(random, root_->next(moves_, done_));
      ++done_;
      if (leaf != nullptr) return leaf;
      ++certain_;
      read_move(tree_.root(), tree_.last_move());
    }
    return nullptr;
  }

  std::span<const Move> leaf_moves() const { return tree_.leaf_moves(); }
  void settle(const search::Evaluation& evaluation, std::span<const float> priors) {
    if (!tree_.has_root()) value_ = evaluation.value;
    tree_.settle(evaluation, priors);
  }

  // When the search is over.
  int simulations() const { return done_; }
  int certain() const { return certain_; }  // simulations that nobody had to evaluate
  float value() const { return root_->value(moves_); }
  bool is_proven() { return tree_.is_proven(); }
  Move choice(int ply, RandomStream& random) {
    return tree_.root().move[root_->choice(moves_, ply, random)];
  }
  std::span<const Move> moves() { return {tree_.root().move, moves_.size()}; }
  void policy(std::span<float> out) const { root_->policy(moves_, out); }

 private:
  static constexpr std::size_t kMaxTreeMoves = std::size_t{1} << 22;

  using View = typename search::GrowingTree<G, true>::View;

  void read_root() {
    const View view = tree_.root();
    moves_.resize(view.head->size);
    for (std::size_t i = 0; i < moves_.size(); ++i) read_move(view, i);
  }
  // A simulation changes what is known of the root's move that it began with, and of no other.
  void read_move(const View& view, std::size_t i) {
    const bool open = view.proof[i] == search::Verdict::unknown;
    moves_[i] = {view.prior[i], view.visits[i],
                 open ? view.visits[i] > 0 ? view.mean[i] : 0.0f
                      : static_cast<float>(games::value_of(view.proof[i])),
                 view.proof[i]};
  }

  SelfPlayOptions options_;
  bool explores_;
  search::GrowingTree<G, true> tree_;
  std::optional<RootSearch> root_;
  std::vector<RootMove> moves_;
  float value_ = 0;  // what the network says of the root
  int done_ = 0, certain_ = 0;
};

// A position of a game and what is to be learnt there.
template <games::Game G>
struct LearntPosition {
  typename G::State state;
  float search_value = 0;  // for the side to move
  bool proven = false;     // then the value is certain
  std::vector<std::pair<typename G::Move, float>> policy;
};

// A game of a network against itself.
template <games::Game G>
class SelfPlayGame {
 public:
  using State = typename G::State;

  SelfPlayGame(const G& game, const SelfPlayOptions& options, const SelfPlayGames& games,
               std::uint64_t number)
      : options_(options),
        random_(games.seed, "self_play.game", games.generation << 32 | number),
        history_(game, game.initial()),
        search_(game, options, true),
        plays_on_(random_.uniform() < options.resign_checked),
        result_(history_.outcome()) {
    play_opening(history_, options.random_plies, random_);
    if (result_ == games::Outcome::ongoing) search_.begin(history_);
  }

  // The next position to be evaluated; nullptr: the game is over.
  const State* advance() {
    while (result_ == games::Outcome::ongoing) {
      if (const State* leaf = search_.advance(random_)) return leaf;
      finish_move();
    }
    return nullptr;
  }
  std::optional<std::size_t> asks() const { return 0; }  // the one network
  std::span<const typename G::Move> leaf_moves() const { return search_.leaf_moves(); }
  void settle(const search::Evaluation& evaluation, std::span<const float> priors) {
    search_.settle(evaluation, priors);
  }

  games::Outcome result() const { return result_; }
  const std::vector<LearntPosition<G>>& positions() const { return positions_; }
  // The target of a position: certain, or the result mixed with what the search expected.
  float target(const LearntPosition<G>& position) const {
    if (position.proven) return position.search_value;
    const auto side = history_.game().side_to_move(position.state);
    const auto result = static_cast<float>(games::value_of(games::verdict_of(result_, side)));
    const auto share = static_cast<float>(options_.search_value);
    return result + share * (position.search_value - result);
  }
  SelfPlayFigures figures() const {
    SelfPlayFigures figures = figures_;
    figures.games = 1;
    figures.positions = positions_.size();
    figures.first_wins = result_ == games::Outcome::first_wins;
    figures.second_wins = result_ == games::Outcome::second_wins;
    figures.draws = result_ == games::Outcome::draw;
    return figures;
  }
  RandomStream& random() { return random_; }

 private:
  void finish_move() {
    LearntPosition<G> position{history_.state(), search_.value(), search_.is_proven(), {}};
    const auto moves = search_.moves();
    policy_.resize(moves.size());
    search_.policy(policy_);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (policy_[i] > 0) position.policy.emplace_back(moves[i], policy_[i]);
    }
    figures_.simulations += static_cast<std::uint64_t>(search_.simulations());
    figures_.certain += static_cast<std::uint64_t>(search_.certain());
    const auto side = history_.game().side_to_move(history_.state());
    const bool hopeless = options_.resign > 0 && position.search_value <= -options_.resign;
    const auto move = search_.choice(static_cast<int>(history_.moves().size()), random_);
    positions_.push_back(std::move(position));
    if (hopeless && !given_up_by_) given_up_by_ = side;
    if (given_up_by_ && !plays_on_) {
      result_ = games::win_of(games::opponent(*given_up_by_));
      figures_.resigned = 1;
      return;
    }
    history_.play(move);
    result_ = history_.outcome();
    if (result_ == games::Outcome::ongoing) return search_.begin(history_);
    if (given_up_by_) {
      figures_.resignations_checked = 1;
      figures_.resignations_wrong = result_ != games::win_of(games::opponent(*given_up_by_));
    }
  }

  SelfPlayOptions options_;
  RandomStream random_;
  games::History<G> history_;
  SearchInPlay<G> search_;
  bool plays_on_;  // although a side would have resigned
  games::Outcome result_;
  std::optional<games::Side> given_up_by_;
  std::vector<LearntPosition<G>> positions_;
  std::vector<float> policy_;
  SelfPlayFigures figures_;
};

}  // namespace damier::learn
