// Text weight files of dense nets: whatever is accepted is written in both forms and reads back.

#include "tests/fuzz/target.h"

#include "damier/model/dense_text.h"

using namespace damier;

DAMIER_FUZZ_TARGET(dense_text, input) {
  const auto dense = model::parse_dense_text(input, "input");
  if (!dense) return fuzz::require_one_line(dense.error().text());
  fuzz::require(model::check_dense_text(*dense).ok(), "an accepted net can be written");
  for (const auto form : {model::DenseTextForm::compact, model::DenseTextForm::blank_lines}) {
    const auto again = model::parse_dense_text(model::dense_text(*dense, form), "written");
    fuzz::require(again.ok() && *again == *dense, "an accepted net reads back");
  }
}
