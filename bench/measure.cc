#include "bench/measure.h"

#include <algorithm>
#include <chrono>

#include "damier/base/files/interrupt.h"

namespace damier::bench {

namespace {

// Units per second of repeated calls during at least `seconds`.
double rate_of(const Work& work, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::uint64_t units = 0;
  double passed = 0;
  do {
    units += work();
    passed = std::chrono::duration<double>(Clock::now() - start).count();
  } while (passed < seconds && !interrupted());
  return static_cast<double>(units) / passed;
}

}  // namespace

Rate summary(std::vector<double> rates) {
  if (rates.empty()) return {};  // interrupted
  std::sort(rates.begin(), rates.end());
  return {rates[rates.size() / 2], rates.front(), rates.back()};
}

Measure rate_of_work(Work work, const Effort& effort) {
  return [work = std::move(work), seconds = effort.seconds] { return rate_of(work, seconds); };
}

Row compare_rates(std::string name, std::string unit, const Measure& ours, std::string peer_name,
                  const Measure& peer, const Effort& effort) {
  std::vector<double> our_rates, peer_rates;
  for (int i = 0; i < effort.repetitions && !interrupted(); ++i) {
    our_rates.push_back(ours());
    peer_rates.push_back(peer());
  }
  return {std::move(name), std::move(unit), summary(our_rates), std::move(peer_name),
          summary(peer_rates)};
}

Row compare(std::string name, std::string unit, const Work& ours, std::string peer_name,
            const Work& peer, double goal, const Effort& effort) {
  Row row = compare_rates(std::move(name), std::move(unit), rate_of_work(ours, effort),
                          std::move(peer_name), rate_of_work(peer, effort), effort);
  row.goal = goal;
  return row;
}

Row measure_alone(std::string name, std::string unit, const Work& ours, double goal,
                  const Effort& effort) {
  std::vector<double> rates;
  for (int i = 0; i < effort.repetitions && !interrupted(); ++i) {
    rates.push_back(rate_of(ours, effort.seconds));
  }
  Row row{std::move(name), std::move(unit), summary(rates)};
  row.goal = goal;
  return row;
}

}  // namespace damier::bench
