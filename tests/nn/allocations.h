// How often this program has asked for memory, on any thread.
#pragma once

namespace damier {

long allocation_count();

}  // namespace damier
