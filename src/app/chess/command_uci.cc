// `damier uci`: the engine for any chess program.

#include <fmt/format.h>

#include "damier/app/chess/uci_session.h"
#include "damier/app/commands/commands.h"
#include "damier/app/terminal/line_reader.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/standard_streams.h"

namespace damier::app {

namespace {

Result<int> run_uci() {
  UciSession session([](std::string_view line) {
    write_output(fmt::format("{}\n", line));
    flush_output();
  });
  LineReader input;
  while (const auto line = input.next()) {
    if (!session.take(*line)) return kDone;
  }
  if (interrupted()) return kInterrupted;
  session.finish();
  return kDone;
}

}  // namespace

Action setup_uci(CommandLine, Context&) { return run_uci; }

}  // namespace damier::app
