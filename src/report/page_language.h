// A page whose texts are those of the language that is set.
#pragma once

#include "damier/report/page.h"

namespace damier::report {

// What the author of a page wrote is looked up in the dictionary. What is data, such as the cells
// of tables and the names of curves, stays where the dictionary does not know it; blocks of
// preformatted text always do.
Page in_language(Page page);

}  // namespace damier::report
