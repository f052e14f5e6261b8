// Pages that commands write: whether they can be written is found out before the work.
#pragma once

#include <string>

#include "damier/base/result.h"
#include "damier/lab/report.h"

namespace damier::app {

Status check_page_output(const std::string& output);
Status write_page(const std::string& output, const lab::Report& report);

}  // namespace damier::app
