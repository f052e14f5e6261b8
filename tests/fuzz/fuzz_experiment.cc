// What was published, as the files of experiments/ say it.

#include "tests/fuzz/target.h"

#include "damier/lab/published.h"

using namespace damier;

DAMIER_FUZZ_TARGET(experiment, input) {
  const auto read = lab::read_published(input, "input");
  if (!read) fuzz::require_one_line(read.error().text());
}
