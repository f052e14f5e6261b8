// A network that plays many games at once and writes down what happens: one call of the network
// answers a move of all games of a thread. Games depend on their numbers, the seed and the weights
// alone, not on the number of threads.
#pragma once

#include <atomic>
#include <optional>
#include <span>

#include "damier/base/files/interrupt.h"
#include "damier/learn/sources/rewards/returns.h"
#include "damier/learn/task.h"
#include "damier/nn/network.h"

namespace damier::learn {

// How a move follows from what the network says of the actions.
struct Choosing {
  double epsilon = 0;        // the share of moves at random
  double temperature = 0;    // moves are drawn by the softmax of scores over it; 0: the best one
  bool illegal_too = false;  // those that are marked as illegal take part, but not at random
};

struct Choice {
  int action = 0;
  // By the softmax of the scores, also of a move at random; 0 where the best move is played.
  float log_probability = 0;
};
Choice choose(std::span<const float> scores, std::span<const std::uint8_t> legal,
              const Choosing& choosing, RandomStream& random);

// Of the games that came to their end.
struct PlayFigures {
  std::uint64_t games = 0, plies = 0, draws = 0, first_wins = 0;
  std::uint64_t cuts = 0;     // draws by the limit on plies
  std::uint64_t illegal = 0;  // moves of all games

  // All of them, by name.
  static void each(auto& figures, const auto& see) {
    see("games", figures.games);
    see("plies", figures.plies);
    see("draws", figures.draws);
    see("first_wins", figures.first_wins);
    see("cuts", figures.cuts);
    see("illegal", figures.illegal);
  }
};

// The games of a learner by reward, whose network has a head "moves" and, if any, one "value".
template <class T>
class Actors {
 public:
  static Result<std::unique_ptr<Actors>> make(const Task& task, const nn::NetworkSpec& spec,
                                              const std::string& encoder, bool symmetry,
                                              const ReinforcementOptions& options, Seed seed,
                                              ThreadPool& pool) {
    std::unique_ptr<Actors> actors(new Actors(options, seed, pool));
    const auto games = static_cast<std::size_t>(options.games);
    const auto threads = std::min(games, static_cast<std::size_t>(pool.size()));
    for (std::size_t i = 0; i < threads; ++i) {
      Part& part = actors->parts_.emplace_back();
      part.first = games * i / threads;
      part.count = games * (i + 1) / threads - part.first;
      GamesInPlayOptions own = {encoder, options.rewards, options.random_plies, symmetry, {}};
      own.shaping = options.shaping;
      own.discount = options.discount;
      own.show_illegal = options.faults.illegal_maxima || !options.draft_mask;
      for (std::size_t game = part.first; game < part.first + part.count; ++game) {
        own.against.push_back(options.against[game % options.against.size()]);
      }
      part.games = TRY(task.games_in_play(own));
      const int batch =
          nn::affordable_batch(spec, static_cast<int>(part.count), nn::Use::inference, sizeof(T));
      part.network = std::make_unique<nn::Network<T>>(spec, batch, nn::Use::inference);
      part.predictor = model::predict_with(*part.network);
    }
    const nn::Network<T>& network = *actors->parts_.front().network;
    actors->moves_head_ = static_cast<std::size_t>(network.output_index("moves"));
    actors->value_head_ = network.output_index("value");
    return actors;
  }

  // New games, and what is seen of them at time 0.
  void begin(Experience& experience) {
    for (Part& part : parts_) {
      for (std::size_t i = 0; i < part.count; ++i) {
        RandomStream random(seed_, "reinforcement.first_game", part.first + i);
        part.games->begin(i, random);
        observe(part, i, experience, 0);
      }
    }
  }

  // Plays `moves` moves of every game with the network's weights, from now() on; the caller
  // advances the time. Nothing if it was interrupted, and then there is no going on from here.
  std::optional<PlayFigures> play(const nn::Network<T>& network, const Choosing& choosing,
                                  Experience& experience, Time moves) {
    std::atomic<bool> whole = true;
    pool_.for_each(parts_.size(), [&](std::size_t i) {
      model::copy_weights(network, *parts_[i].network);
      if (!play_part(parts_[i], choosing, experience, moves)) whole = false;
    });
    if (!whole) return std::nullopt;
    PlayFigures sum;
    for (const Part& part : parts_) add_figures(sum, part.figures);
    return sum;
  }

  // Where the games stand, as tensors, and back.
  static constexpr std::string_view kPrefix = "games.";
  void write(nn::TensorFile& file) const {
    std::vector<std::int32_t> lengths, numbers;
    for (const Part& part : parts_) {
      for (std::size_t i = 0; i < part.count; ++i) {
        const auto record = part.games->record(i);
        lengths.push_back(static_cast<std::int32_t>(record.size()));
        numbers.insert(numbers.end(), record.begin(), record.end());
      }
    }
    write_numbers(file, "games.lengths", lengths);
    write_numbers(file, "games.moves", numbers);
  }
  Status read(const nn::TensorFile& file) {
    std::vector<std::int32_t> lengths(parts_.back().first + parts_.back().count);
    TRY(read_numbers<std::int32_t>(file, "games.lengths", lengths));
    std::int64_t sum = 0;
    for (const std::int32_t length : lengths) {
      if (length < 0) return Error{"the tensor games.lengths holds a number below 0"};
      sum += length;
    }
    const nn::Tensor* moves = file.find("games.moves");
    if (moves == nullptr ||
        moves->data.size() != static_cast<std::size_t>(sum) * sizeof(std::int32_t)) {
      return Error{"the tensor games.moves is missing, or has another length than the games in it"};
    }
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(sum));
    TRY(read_numbers<std::int32_t>(file, "games.moves", numbers));
    std::span<const std::int32_t> left = numbers;
    for (Part& part : parts_) {
      for (std::size_t i = 0; i < part.count; ++i) {
        const auto length = static_cast<std::size_t>(lengths[part.first + i]);
        TRY(part.games->restore(i, left.first(length)));
        left = left.subspan(length);
      }
    }
    return Done{};
  }

 private:
  // What one thread plays at a time: games [first, first + count).
  struct Part {
    std::size_t first = 0, count = 0;
    std::unique_ptr<GamesInPlay> games;
    std::unique_ptr<nn::Network<T>> network;
    std::unique_ptr<model::Predictor> predictor;
    std::vector<float> inputs;
    std::vector<RandomStream> random;  // by game
    PlayFigures figures;
  };

  Actors(const ReinforcementOptions& options, Seed seed, ThreadPool& pool)
      : options_(options), seed_(seed), pool_(pool) {}

  static void observe(const Part& part, std::size_t i, Experience& experience, Time time) {
    const std::size_t place = experience.place(time, part.first + i);
    part.games->observe(i, experience.input(place), experience.legal(place));
  }

  // What the network says of the positions at a time.
  void ask(Part& part, const Experience& experience, Time time) const {
    const std::size_t width = experience.size().inputs;
    part.inputs.resize(part.count * width);
    for (std::size_t i = 0; i < part.count; ++i) {
      const auto input = experience.input(experience.place(time, part.first + i));
      std::ranges::copy(input, part.inputs.begin() + static_cast<std::ptrdiff_t>(i * width));
    }
    part.predictor->run(part.inputs, part.count);
  }

  // Writes a move down and, when the game is over, what its first moves were worth that waited for
  // it.
  void note(Part& part, std::size_t game, Experience& experience, Time time, int action,
            const MoveMade& made) const {
    const bool waits = made.setup && !made.illegal && options_.draft_by_result;
    experience.set_move(experience.place(time, game), action, made,
                        waits || (made.cut && !options_.limit_draws));
    part.figures.illegal += made.illegal;
    if (!made.over) return;
    part.figures.games += 1;
    part.figures.plies += made.plies;
    part.figures.draws += made.result == 0;
    part.figures.first_wins += made.result > 0;
    part.figures.cuts += made.cut;
    if (!options_.draft_by_result) return;
    int result = made.own_result;
    // The place of the next position held the oldest time.
    const Time kept = static_cast<Time>(experience.size().times);
    const Time first = time + 2 > kept ? time + 2 - kept : 0;
    for (Time at = time; at-- > first;) {
      const std::size_t place = experience.place(at, game);
      if (experience.over(place)) return;
      if (experience.turned(place)) result = -result;
      if (experience.open(place)) {
        experience.close(place, static_cast<float>(options_.rewards.of(result)));
      }
    }
  }

  bool play_part(Part& part, const Choosing& choosing, Experience& experience, Time moves) const {
    const auto value_of = [&](std::size_t i) {
      if (value_head_ < 0) return 0.0f;
      return part.predictor->output(static_cast<std::size_t>(value_head_), i)[0];
    };
    part.figures = {};
    part.random.clear();
    for (std::size_t i = 0; i < part.count; ++i) {
      const std::uint64_t number = experience.now() * experience.size().games + part.first + i;
      part.random.emplace_back(seed_, "reinforcement.game", number);
    }
    const Time end = experience.now() + moves;
    for (Time time = experience.now(); time < end; ++time) {
      ask(part, experience, time);
      for (std::size_t i = 0; i < part.count; ++i) {
        if (interrupted()) return false;
        const std::size_t place = experience.place(time, part.first + i);
        Choosing own = choosing;
        own.illegal_too = !options_.draft_mask && part.games->sets_up(i);
        const Choice choice = choose(part.predictor->output(moves_head_, i),
                                     experience.legal(place), own, part.random[i]);
        const MoveMade made = part.games->play(i, choice.action, part.random[i]);
        note(part, part.first + i, experience, time, choice.action, made);
        experience.set_thought(place, choice.log_probability, value_of(i));
        observe(part, i, experience, time + 1);
      }
    }
    if (value_head_ < 0) return true;
    ask(part, experience, end);
    for (std::size_t i = 0; i < part.count; ++i) {
      experience.set_thought(experience.place(end, part.first + i), 0, value_of(i));
    }
    return true;
  }

  const ReinforcementOptions& options_;
  Seed seed_;
  ThreadPool& pool_;
  std::size_t moves_head_ = 0;
  int value_head_ = -1;
  std::vector<Part> parts_;
};

}  // namespace damier::learn
