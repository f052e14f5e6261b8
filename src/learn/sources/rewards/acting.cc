#include "damier/learn/sources/rewards/acting.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "damier/base/files/interrupt.h"
#include "damier/learn/sources/rewards/returns.h"
#include "damier/nn/network_size.h"

namespace damier::learn {

namespace {

constexpr const char* kActingStream = "reinforcement.game";

int random_legal(std::span<const std::uint8_t> legal, RandomStream& random) {
  const auto count = std::count(legal.begin(), legal.end(), kLegal);
  auto left = random.below(static_cast<std::uint64_t>(count));
  for (std::size_t i = 0;; ++i) {
    if (legal[i] == kLegal && left-- == 0) return static_cast<int>(i);
  }
}

// Draws a move, unless it is given.
Choice drawn_by_scores(std::span<const float> scores, std::span<const std::uint8_t> legal,
                       const Choosing& choosing, std::optional<int> given, RandomStream& random) {
  const auto counts = [&](std::size_t i) {
    return legal[i] == kLegal || (choosing.illegal_too && legal[i] == kIllegal);
  };
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  const auto scaled = [&](std::size_t i) {
    return static_cast<double>(scores[i]) / choosing.temperature;
  };
  for (std::size_t i = 0; i < legal.size(); ++i) {
    if (counts(i)) top = std::max(top, scaled(i));
  }
  for (std::size_t i = 0; i < legal.size(); ++i) {
    if (counts(i)) sum += std::exp(scaled(i) - top);
  }
  const auto log_probability = [&](std::size_t i) {
    return static_cast<float>(scaled(i) - top - std::log(sum));
  };
  if (given) return {*given, log_probability(static_cast<std::size_t>(*given))};
  double left = random.uniform() * sum;
  Choice choice;
  for (std::size_t i = 0; i < legal.size(); ++i) {
    if (!counts(i)) continue;
    // The last legal one where rounding leaves something over.
    choice = {static_cast<int>(i), log_probability(i)};
    left -= std::exp(scaled(i) - top);
    if (left < 0) break;
  }
  return choice;
}

}  // namespace

Choice choose(std::span<const float> scores, std::span<const std::uint8_t> legal,
              const Choosing& choosing, RandomStream& random) {
  std::optional<int> given;
  if (choosing.epsilon > 0 && random.uniform() < choosing.epsilon) {
    given = random_legal(legal, random);
  }
  if (choosing.temperature > 0) {
    return drawn_by_scores(scores, legal, choosing, given, random);
  }
  return {given ? *given : best_legal(scores, legal, choosing.illegal_too), 0};
}

void PlayFigures::add(const PlayFigures& other) {
  games += other.games;
  plies += other.plies;
  draws += other.draws;
  first_wins += other.first_wins;
  cuts += other.cuts;
  illegal += other.illegal;
}

template <class T>
Result<std::unique_ptr<Actors<T>>> Actors<T>::make(const Task& task, const nn::NetworkSpec& spec,
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
    part.network = std::make_unique<nn::Network<T>>(
        spec,
        nn::affordable_batch(spec, static_cast<int>(part.count), nn::Use::inference, sizeof(T)),
        nn::Use::inference);
    part.predictor = model::predict_with(*part.network);
  }
  const nn::Network<T>& network = *actors->parts_.front().network;
  actors->moves_head_ = static_cast<std::size_t>(network.output_index("moves"));
  actors->value_head_ = network.output_index("value");
  return actors;
}

template <class T>
void Actors<T>::begin(Experience& experience) {
  for (Part& part : parts_) {
    for (std::size_t i = 0; i < part.count; ++i) {
      const std::size_t game = part.first + i, place = experience.place(0, game);
      RandomStream random(seed_, "reinforcement.first_game", game);
      part.games->begin(i, random);
      part.games->observe(i, experience.input(place), experience.legal(place));
    }
  }
}

// What the network says of the positions at a time.
template <class T>
void Actors<T>::ask(Part& part, const Experience& experience, Time time) const {
  const std::size_t width = experience.size().inputs;
  part.inputs.resize(part.count * width);
  for (std::size_t i = 0; i < part.count; ++i) {
    const auto input = experience.input(experience.place(time, part.first + i));
    std::copy(input.begin(), input.end(),
              part.inputs.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  part.predictor->run(part.inputs, part.count);
}

// Writes a move down and, when the game is over, what its first moves were worth that waited for
// it.
template <class T>
void Actors<T>::note(Part& part, std::size_t game, Experience& experience, Time time, int action,
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

template <class T>
bool Actors<T>::play_part(Part& part, const Choosing& choosing, Experience& experience,
                          Time moves) const {
  const auto value_of = [&](std::size_t i) {
    if (value_head_ < 0) return 0.0f;
    return part.predictor->output(static_cast<std::size_t>(value_head_), i)[0];
  };
  part.figures = {};
  part.random.clear();
  for (std::size_t i = 0; i < part.count; ++i) {
    const std::uint64_t number = experience.now() * experience.size().games + part.first + i;
    part.random.emplace_back(seed_, kActingStream, number);
  }
  const Time end = experience.now() + moves;
  for (Time time = experience.now(); time < end; ++time) {
    ask(part, experience, time);
    for (std::size_t i = 0; i < part.count; ++i) {
      if (interrupted()) return false;
      const std::size_t place = experience.place(time, part.first + i);
      Choosing own = choosing;
      own.illegal_too = !options_.draft_mask && part.games->sets_up(i);
      const Choice choice = choose(part.predictor->output(moves_head_, i), experience.legal(place),
                                   own, part.random[i]);
      const MoveMade made = part.games->play(i, choice.action, part.random[i]);
      note(part, part.first + i, experience, time, choice.action, made);
      experience.set_thought(place, choice.log_probability, value_of(i));
      const std::size_t next = experience.place(time + 1, part.first + i);
      part.games->observe(i, experience.input(next), experience.legal(next));
    }
  }
  if (value_head_ < 0) return true;
  ask(part, experience, end);
  for (std::size_t i = 0; i < part.count; ++i) {
    experience.set_thought(experience.place(end, part.first + i), 0, value_of(i));
  }
  return true;
}

template <class T>
std::optional<PlayFigures> Actors<T>::play(const nn::Network<T>& network, const Choosing& choosing,
                                           Experience& experience, Time moves) {
  std::atomic<bool> whole = true;
  pool_.for_each(parts_.size(), [&](std::size_t i) {
    model::copy_weights(network, *parts_[i].network);
    if (!play_part(parts_[i], choosing, experience, moves)) whole = false;
  });
  if (!whole) return std::nullopt;
  PlayFigures sum;
  for (const Part& part : parts_) sum.add(part.figures);
  return sum;
}

template <class T>
void Actors<T>::write(nn::TensorFile& file) const {
  std::vector<std::int32_t> lengths, numbers;
  for (const Part& part : parts_) {
    for (std::size_t i = 0; i < part.count; ++i) {
      const auto record = part.games->record(i);
      lengths.push_back(static_cast<std::int32_t>(record.size()));
      numbers.insert(numbers.end(), record.begin(), record.end());
    }
  }
  for (const auto& [name, values] :
       {std::pair("games.lengths", &lengths), {"games.moves", &numbers}}) {
    file.tensors.push_back(nn::make_tensor<std::int32_t>(name, {values->size()},
                                                         std::span<const std::int32_t>(*values)));
  }
}

template <class T>
Status Actors<T>::read(const nn::TensorFile& file) {
  const Part& last = parts_.back();
  std::vector<std::int32_t> lengths(last.first + last.count);
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

template class Actors<float>;
template class Actors<double>;

}  // namespace damier::learn
