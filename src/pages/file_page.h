// A data set or a model file as a page: counts, splits and classes; layers, weights and origin.
#pragma once

#include <string>
#include <vector>

#include "damier/learn/rows/data_report.h"
#include "damier/nn/safetensors.h"
#include "damier/report/page.h"

namespace damier::pages {

// Of weights.
struct Spread {
  double mean = 0, deviation = 0, low = 0, high = 0;
};
Spread spread_of(const std::vector<double>& values);

report::Page data_page(const learn::DataSet& data, const learn::DataSummary& summary);

// `source` is the file's name; an error when its tensors are no network.
Result<report::Page> model_page(const nn::TensorFile& file, const std::string& source);

}  // namespace damier::pages
