// A study that is stopped again and again.
#pragma once

#include <functional>

#include <gtest/gtest.h>

#include "damier/base/files/interrupt.h"
#include "damier/lab/study.h"

namespace damier::lab {

// Stops the study ever later, on one thread and on two in turn, until it ends, with `facts`.
// run(hooks, threads) goes on with it; facts_of(findings) is what it found.
template <class Run, class FactsOf>
void expect_the_same_in_parts(const Run& run, const FactsOf& facts_of, const Json& facts, int first,
                              int more) {
  int stops = 0, asked = 0;
  for (int patience = first; stops < 200; patience += more) {
    asked = 0;
    StudyHooks hooks;
    hooks.stop = [&] { return ++asked > patience; };
    const auto part = run(hooks, 1 + stops % 2);
    if (part) {
      EXPECT_EQ(facts_of(*part), facts);
      break;
    }
    EXPECT_EQ(part.error().message, interruption().message);
    ++stops;
  }
  EXPECT_GT(stops, 3);
  EXPECT_LT(stops, 200);
}

}  // namespace damier::lab
