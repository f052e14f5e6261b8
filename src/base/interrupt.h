// Ctrl-C as a question that long work asks now and then: nothing is torn down in the middle, so
// files stay whole and the terminal stays as it was.
#pragma once

namespace damier {

// From now on SIGINT and SIGTERM only raise the flag; a second one ends the process at once.
void catch_interrupts();

bool interrupted();

// For tests, and for a command that goes on after having noticed the interrupt.
void set_interrupted(bool value);

}  // namespace damier
