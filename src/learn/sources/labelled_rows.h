// Labelled rows as a source: an epoch meets all rows of the training split once.
#pragma once

#include "damier/learn/rows/data_set.h"
#include "damier/learn/sources/source.h"
#include "damier/learn/train/learner.h"

namespace damier::learn {

// The validation rows of `judge` say how well it goes; both data sets must outlive the source.
template <class T>
std::unique_ptr<Source<T>> labelled_rows(Learner<T>& learner, const DataSet& data,
                                         const DataSet& judge);

}  // namespace damier::learn
