// What the user called the program, so that every hint can be typed as it stands:
// `./damier train …` in a clone, `damier train …` when it is installed, or the name of a program of
// one's own. What is written into files says plain `damier`, since it outlives the place.
#pragma once

#include <string>
#include <string_view>

namespace damier {

// To be called once, at the start, with argv[0]. Until then the program is `damier`.
void set_program_name(std::string_view typed);

// As it was typed, in quotes where a shell needs them.
const std::string& program_name();
// Without its folder, for the beginning of messages.
const std::string& short_program_name();

// `text` with every {program} replaced, for help and examples.
std::string with_program_name(std::string_view text);

// A command line for a file: "damier " and the arguments.
std::string kept_command(std::string_view arguments);
// One that was kept, as it can be typed now.
std::string typed_command(std::string_view kept);

// One word of a command line, in quotes where a shell needs them.
std::string shell_word(std::string_view word);

// Which Damier this is.
std::string_view version();         // "0.1.0"
std::string_view version_text();    // "damier 0.1.0"
std::string_view build_compiler();  // "GNU 12.2.0"

}  // namespace damier
