// The games of a task, many at once, for those who learn by reward. For whoever compiles a game's
// task; all that does not depend on the game stands elsewhere.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "damier/games/history.h"
#include "damier/learn/game_task.h"
#include "damier/learn/sources/rewards/games_in_play.h"
#include "damier/learn/teacher.h"

namespace damier::learn {

template <games::Game G>
class GamesOf final : public GamesInPlay {
 public:
  using Move = typename G::Move;
  using State = typename G::State;
  using Encoder = model::Encoder<G>;

  static Result<std::unique_ptr<GamesInPlay>> make(const GameTask<G>& task,
                                                   const GamesInPlayOptions& options) {
    auto encoder = TRY(model::find_encoder<G>(options.encoder));
    auto games = std::make_unique<GamesOf>(task, std::move(encoder), options);
    if (games->game_.outcome(games->game_.initial()) != games::Outcome::ongoing) {
      return Error{"rules: the game is over before it begins; expected one with a move"};
    }
    for (const std::string& name : options.against) {
      TRY(games->add_seat(name));
    }
    return std::unique_ptr<GamesInPlay>(std::move(games));
  }

  GamesOf(const GameTask<G>& task, std::shared_ptr<const Encoder> encoder,
          const GamesInPlayOptions& options)
      : task_(task), encoder_(std::move(encoder)), game_(encoder_->game()), options_(options) {}

  void begin(std::size_t game, RandomStream& random) override {
    Seat& seat = seats_[game];
    do {
      seat.history = games::History<G>(game_, game_.initial());
      seat.own = random.below(2) == 0 ? games::Side::first : games::Side::second;
      play_opening(seat.history, options_.random_plies, random);
      answer(seat, random);
      // An opponent may win before there was anything to choose.
    } while (seat.history.outcome() != games::Outcome::ongoing);
    look(seat, random);
  }

  void observe(std::size_t game, std::span<float> input,
               std::span<std::uint8_t> legal) const override {
    const Seat& seat = seats_[game];
    const State& state = seat.history.state();
    encoder_->encode(seat.image == 0 ? state : game_.transformed(state, symmetry_of(seat)), input);
    std::ranges::fill(legal, std::uint8_t{0});
    if (options_.show_illegal) {
      const auto [begin, end] = encoder_->outputs_asked(state);
      std::fill(legal.begin() + begin, legal.begin() + end, kIllegal);
    }
    for (const auto& choice : seat.choices) legal[static_cast<std::size_t>(choice.first)] = kLegal;
  }

  bool sets_up(std::size_t game) const override {
    return !game_.counts_toward_limit(seats_[game].history.state());
  }

  MoveMade play(std::size_t game, int action, RandomStream& random) override {
    Seat& seat = seats_[game];
    const auto chosen = std::ranges::find_if(
        seat.choices, [&](const auto& choice) { return choice.first == action; });
    const games::Side mover = game_.side_to_move(seat.history.state());
    MoveMade made;
    made.setup = sets_up(game);
    made.illegal = chosen == seat.choices.end();
    const double before = potential(seat, mover);
    if (made.illegal) {
      seat.history.play(random_move(seat.history, random));
    } else {
      seat.history.play(chosen->second);
    }
    answer(seat, random);
    made.reward = static_cast<float>(
        made.illegal ? options_.rewards.illegal
                     : options_.rewards.move + options_.discount * potential(seat, mover) - before);
    const games::Outcome outcome = seat.history.outcome();
    made.over = outcome != games::Outcome::ongoing;
    if (!made.over) {
      made.turned = game_.side_to_move(seat.history.state()) != mover;
      look(seat, random);
      return made;
    }
    const bool drawn = outcome == games::Outcome::draw;
    if (!drawn) {
      made.result = outcome == games::Outcome::first_wins ? 1 : -1;
      made.own_result = outcome == games::win_of(mover) ? 1 : -1;
    }
    if (!made.illegal) made.reward += static_cast<float>(options_.rewards.of(made.own_result));
    made.cut = drawn && seat.history.drawn_by_length() && !seat.history.drawn_by_repetition();
    made.plies = static_cast<std::uint32_t>(seat.history.moves().size());
    begin(game, random);
    return made;
  }

  // The side, the image, then the actions from the start.
  std::vector<std::int32_t> record(std::size_t game) const override {
    const Seat& seat = seats_[game];
    std::vector<std::int32_t> numbers = {seat.own == games::Side::first ? 0 : 1,
                                         static_cast<std::int32_t>(seat.image)};
    const auto moves = seat.history.moves();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      numbers.push_back(index(game_.action(seat.history.states()[i], moves[i])));
    }
    return numbers;
  }

  Status restore(std::size_t game, std::span<const std::int32_t> record) override {
    const Error error{"is not a resumable game"};
    Seat& seat = seats_[game];
    if (record.size() < 2) return error;
    seat.own = record[0] == 0 ? games::Side::first : games::Side::second;
    seat.history = games::History<G>(game_, game_.initial());
    for (const std::int32_t action : record.subspan(2)) {
      if (action < 0 || action >= game_.action_count()) return error;
      if (seat.history.outcome() != games::Outcome::ongoing) return error;
      const auto move = game_.move(seat.history.state(), games::action_at(action));
      if (!move) return error;
      seat.history.play(*move);
    }
    if (seat.history.outcome() != games::Outcome::ongoing) return error;
    seat.image = static_cast<std::size_t>(record[1]);
    if (seat.image >= game_.symmetries(seat.history.state()).size()) return error;
    list_choices(seat);
    return Done{};
  }

 private:
  struct Seat {
    games::History<G> history;
    bool self = false;
    std::shared_ptr<play::Player> opponent;     // null: moves at random, or none are needed
    games::Side own = games::Side::first;       // against somebody else
    std::size_t image = 0;                      // a place in the symmetries of the position
    std::vector<std::pair<int, Move>> choices;  // legal moves by the action as it is seen
  };

  Status add_seat(const std::string& against) {
    Seat seat{games::History<G>(game_, game_.initial()), against == "self", nullptr};
    if (!seat.self && against != "random") {
      auto known =
          std::ranges::find_if(opponents_, [&](const auto& one) { return one.first == against; });
      if (known == opponents_.end()) {
        const auto opened = TRY(open_asked(game_, against));
        known = opponents_.insert(opponents_.end(), {against, opened.make()});
      }
      seat.opponent = known->second;
    }
    seats_.push_back(std::move(seat));
    return Done{};
  }

  // What the position has earned a side by shaping; nothing once the game is over.
  double potential(const Seat& seat, games::Side side) const {
    if (options_.shaping.empty() || seat.history.outcome() != games::Outcome::ongoing) return 0;
    const State& state = seat.history.state();
    double sum = 0;
    for (const Shaping& one : options_.shaping) {
      sum += one.weight * task_.potential(game_, one.potential, state);
    }
    return game_.side_to_move(state) == side ? sum : -sum;
  }

  // The opponent's moves, until it is the learner's turn or the game is over.
  void answer(Seat& seat, RandomStream& random) const {
    if (seat.self) return;
    while (seat.history.outcome() == games::Outcome::ongoing &&
           game_.side_to_move(seat.history.state()) != seat.own) {
      seat.history.play(seat.opponent == nullptr ? random_move(seat.history, random)
                                                 : chosen_by(*seat.opponent, seat.history, random));
    }
  }

  games::Symmetry symmetry_of(const Seat& seat) const {
    return game_.symmetries(seat.history.state())[seat.image];
  }

  void look(Seat& seat, RandomStream& random) const {
    const auto images = game_.symmetries(seat.history.state()).size();
    seat.image = options_.symmetry ? static_cast<std::size_t>(random.below(images)) : 0;
    list_choices(seat);
  }

  void list_choices(Seat& seat) const {
    const State& state = seat.history.state();
    const games::Symmetry symmetry = symmetry_of(seat);
    const State image = game_.transformed(state, symmetry);
    seat.choices.clear();
    for (const Move move : game_.legal_moves(state)) {
      const Move seen = game_.transformed(move, symmetry);
      seat.choices.emplace_back(encoder_->output_of(image, seen), move);
    }
  }

  const GameTask<G>& task_;
  std::shared_ptr<const Encoder> encoder_;
  G game_;
  GamesInPlayOptions options_;
  std::vector<std::pair<std::string, std::shared_ptr<play::Player>>> opponents_;
  std::vector<Seat> seats_;
};

template <games::Game G>
Result<std::unique_ptr<GamesInPlay>> GameTask<G>::games_in_play(
    const GamesInPlayOptions& options) const {
  return GamesOf<G>::make(*this, options);
}

}  // namespace damier::learn
