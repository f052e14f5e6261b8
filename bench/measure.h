// Timing of one workload beside its reference. The two alternate, so that a machine that slows down
// slows both down.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/suites.h"

#include "damier/base/json/json.h"

namespace damier::bench {

// Does some work and returns how many units of it were done.
using Work = std::function<std::uint64_t()>;

struct Rate {
  double median = 0;  // units per second
  double low = 0;     // the slowest and the fastest repetition
  double high = 0;
};

struct Row {
  std::string name;
  std::string unit;
  Rate ours;
  std::string peer_name;  // empty: measured alone
  Rate peer;
  double goal = 0;              // units per second, or
  double goal_ratio = 0;        // times the peer; 0 where there is none
  std::string note = {};        // for people, below the rates
  Json facts = Json::object();  // the same for programs

  bool met() const { return goal_ratio > 0 ? ratio() >= goal_ratio : ours.median >= goal; }
  double ratio() const { return ours.median / peer.median; }
};

// Units per second, measured now.
using Measure = std::function<double()>;
Measure rate_of_work(Work work, const Effort& effort);

// Of the rates of some repetitions.
Rate summary(std::vector<double> rates);

// The rates of both, in alternation.
Row compare_rates(std::string name, std::string unit, const Measure& ours, std::string peer_name,
                  const Measure& peer, const Effort& effort);
Row compare(std::string name, std::string unit, const Work& ours, std::string peer_name,
            const Work& peer, double goal, const Effort& effort);
// For work that has no reference.
Row measure_alone(std::string name, std::string unit, const Work& ours, double goal,
                  const Effort& effort);

}  // namespace damier::bench
