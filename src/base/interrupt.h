// Ctrl-C as a question that long work asks now and then: nothing is torn down in the middle, so
// files stay whole and the terminal stays as it was.
#pragma once

namespace damier {

// From now on SIGINT and SIGTERM only raise the flag; a second one ends the process at once.
void catch_interrupts();

bool interrupted();

// Waits until `descriptor` can be read (or has ended): true; or until an interrupt: false. Unlike a
// plain read it cannot miss an interrupt that comes just before it.
bool wait_readable(int descriptor);

}  // namespace damier
