// A data set or a model file as a page: counts, splits and classes; layers, weights and origin.
#pragma once

#include <string>

#include "damier/learn/rows/data_report.h"
#include "damier/nn/safetensors.h"
#include "damier/report/page.h"

namespace damier::pages {

report::Page data_page(const learn::DataSet& data, const learn::DataSummary& summary);

// `source` is the file's name; an error when its tensors are no network.
Result<report::Page> model_page(const nn::TensorFile& file, const std::string& source);

}  // namespace damier::pages
