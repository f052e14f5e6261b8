// The page of a study: its words (words.h) with all that they name filled in.
#pragma once

#include "damier/lab/found.h"
#include "damier/lab/words.h"
#include "damier/report/page.h"

namespace damier::lab {

// Blocks that have nothing to say are left out. What is wrong is the finder's error().
report::Page page_of(const Words& words, Finder& found, const report::PageTable& comparisons);

}  // namespace damier::lab
