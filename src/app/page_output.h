// Pages that commands write: whether they can be written is found out before the work.
#pragma once

#include <string>

#include "damier/base/result.h"
#include "damier/report/page.h"

namespace damier::app {

Status check_page_output(const std::string& output);
Status write_page(const std::string& output, const report::Page& report);

}  // namespace damier::app
