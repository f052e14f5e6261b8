// A network of any batch size as the judges of learn/task.h see it.
#pragma once

#include "damier/learn/task.h"
#include "damier/nn/network.h"

namespace damier::learn {

// The weights as they are when it runs; the network must outlive it.
template <class T>
JudgedModel judged_network(nn::Network<T>& network);

}  // namespace damier::learn
