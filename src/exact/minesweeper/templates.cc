// The counting with every kind of number, compiled once.

#include "damier/exact/minesweeper/guess.h"
#include "damier/exact/minesweeper/natural.h"

namespace damier::exact::minesweeper {

template class Counter<double>;
template class Counter<Wide>;
template class Counter<Natural>;
template class Analysis<double>;
template class Analysis<Wide>;
template class Analysis<Natural>;
template class Guesser<double>;
template class Guesser<Wide>;

}  // namespace damier::exact::minesweeper
