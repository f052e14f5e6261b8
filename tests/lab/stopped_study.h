// A study that is stopped again and again.
#pragma once

#include "tests/lab/study_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/interrupt.h"
#include "damier/lab/study.h"

namespace damier::lab {

// Stops the study ever later, on one thread and on two in turn, until it ends, with the same facts
// as the `whole` one. run(hooks, threads) goes on with it.
template <class Run>
void expect_the_same_in_parts(const Run& run, const Json& whole, int first, int more) {
  int stops = 0, asked = 0;
  for (int patience = first; stops < 200; patience += more) {
    asked = 0;
    StudyHooks hooks;
    hooks.stop = [&] { return ++asked > patience; };
    const Result<Json> part = run(hooks, 1 + stops % 2);
    if (part) {
      EXPECT_EQ(facts_of(*part), facts_of(whole));
      break;
    }
    EXPECT_EQ(part.error().message, interruption().message);
    ++stops;
  }
  EXPECT_GT(stops, 3);
  EXPECT_LT(stops, 200);
}

}  // namespace damier::lab
