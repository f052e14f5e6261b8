// `damier version`: which Damier this is.

#include "damier/base/text/version.h"

#include "damier/app/commands/commands.h"
#include "damier/base/text/standard_streams.h"

namespace damier::app {

Action setup_version(CommandLine line, Context& context) {
  add_json_option(line, context);
  return [&context] {
    if (context.json) {
      print_json("version", {{"version", version()}, {"compiler", build_compiler()}});
    } else {
      print_output("{}\n", version_text());
    }
    return kDone;
  };
}

}  // namespace damier::app
