#include "damier/learn/sources/self_play/lessons.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/learn/model/predictor.h"
#include "damier/learn/sources/self_play/generation_games.h"
#include "damier/learn/train/learner.h"

namespace damier::learn {

namespace {

constexpr std::uint64_t kAnyMemory = std::uint64_t{1} << 40;  // megabytes

}  // namespace

template <class T>
Lessons<T>::Lessons(const Recipe& recipe, Seed seed, ThreadPool& pool,
                    const nn::Provenance& provenance, std::function<bool()> stop)
    : recipe_(recipe),
      rate_(recipe.optimiser.rate),
      schedule_(recipe.schedule),
      seed_(seed),
      pool_(pool),
      provenance_(provenance),
      stop_(std::move(stop)) {
  // The rate follows the generations; within one it stays.
  recipe_.schedule = {};
  // The rows are in memory as it is: the window sees to it that they are not too many.
  recipe_.memory_mb = kAnyMemory;
}

template <class T>
Result<Learnt<T>> Lessons<T>::learn(const nn::TensorFile& checkpoint, const GamesWindow& window,
                                    int generation) {
  const SelfPlayRecipe& own = *recipe_.self_play;
  const nn::Schedule schedule = {
      schedule_.kind, static_cast<std::int64_t>(schedule_.warm_up),
      schedule_.kind == nn::ScheduleKind::step
          ? std::max<std::int64_t>(1, static_cast<std::int64_t>(schedule_.every))
          : own.generations,
      schedule_.factor, schedule_.lowest};
  recipe_.optimiser.rate = rate_ * schedule.at(generation);
  const auto failure = [&](std::string_view message) {
    return Error{fmt::format("generation {}: {}", generation + 1, message),
                 {recipe_.name},
                 ErrorKind::failure};
  };
  const DataSet data = window.joined(generation_info(recipe_, seed_, generation));
  Learner<T> learner(recipe_, data, seed_, &pool_);
  auto status = nn::load_checkpoint(learner.network(), learner.optimiser(), checkpoint,
                                    "the last checkpoint");
  if (!status) return std::move(status).error();
  if (status = learner.windows().load(0, 0); !status) return std::move(status).error();
  const auto fresh = static_cast<double>(window.newest_rows());
  const std::uint64_t all = data.rows(Split::training).count;
  const auto steps =
      static_cast<std::int64_t>(std::ceil(own.reuse * fresh / static_cast<double>(recipe_.batch)));
  RandomStream random(seed_, "self_play.rows", static_cast<std::uint64_t>(generation));
  std::vector<std::uint32_t> rows(static_cast<std::size_t>(recipe_.batch));
  double loss = 0;
  const Stopwatch watch;
  for (std::int64_t step = 0; step < steps; ++step) {
    for (std::uint32_t& row : rows) row = static_cast<std::uint32_t>(random.below(all));
    loss += learner.learn(rows);
    if (stop_()) return interruption();
  }
  const double samples = static_cast<double>(steps) * static_cast<double>(recipe_.batch);
  const double rate = samples / std::max(watch.seconds(), 1e-9);
  for (const auto* parameter : learner.network().parameters()) {
    for (std::size_t i = 0; i < parameter->count(); ++i) {
      if (std::isfinite(parameter->value[i])) continue;
      return failure(
          "the weights are not finite any more: the training diverges; expected a lower "
          "optimiser.rate, or optimiser.clip_norm");
    }
  }
  return Learnt<T>{loss / samples, rate,
                   nn::checkpoint_tensors(learner.network(), learner.optimiser(), provenance_),
                   network_copy(learner.network(), recipe_.network, 1)};
}

template class Lessons<float>;
template class Lessons<double>;

}  // namespace damier::learn
