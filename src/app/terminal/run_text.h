// A stored run as a page of text, for a terminal.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "damier/app/context.h"
#include "damier/app/terminal/terminal.h"
#include "damier/store/store.h"

namespace damier::app {

// What it was and when, its recipe in words, its curves as small plots, its figures with their
// intervals, its files, and how to continue. No line but those of commands and files is longer
// than `columns`.
std::string run_text(const Run& run, const std::vector<MetricRow>& metrics,
                     std::span<const GameRow> games, const Context& context, const Look& look,
                     int columns);

}  // namespace damier::app
