// `damier version`: which Damier this is.

#include "damier/app/commands.h"
#include "damier/base/standard_streams.h"
#include "damier/base/version.h"

namespace damier::app {

std::function<int()> setup_version(CommandLine line, Context& context) {
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
