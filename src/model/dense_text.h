// The text weight file of the dense chess report:
//
//   (97, 64, 64, 1)         the sizes: inputs, hidden layers, outputs
//   Layer : 0
//   Mat :
//   0.25 -1.5 …             one row for each output of the layer, one column for each input
//   Biais :
//   0.5 …                   one number for each output
//
// The report computes Y = sigmoid(WX + B) and this is its W, row by row. Its program writes a blank
// line after each matrix and its reader expects none; both forms are read here, and both written.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/result.h"
#include "damier/nn/network.h"

namespace damier::model {

struct DenseText {
  struct Layer {
    // Row-major: layer i has sizes[i + 1] rows of sizes[i] columns.
    std::vector<double> matrix;
    std::vector<double> bias;

    bool operator==(const Layer&) const = default;
  };

  std::vector<int> sizes;
  std::vector<Layer> layers;

  bool operator==(const DenseText&) const = default;
};

enum class DenseTextForm { compact, blank_lines };

// Blank lines may stand anywhere; layers are counted from 0 or from 1. `source` names the text in
// errors.
Result<DenseText> parse_dense_text(std::string_view text, std::string_view source);

// What a file must keep to: 1 to 64 layers, sizes from 1 to 100000, at most 50 million numbers, as
// many as the sizes say, all finite.
Status check_dense_text(const DenseText& dense);

// Every number reads back exactly; layers are counted from 0. `dense` has passed check_dense_text.
std::string dense_text(const DenseText& dense, DenseTextForm form);

// Networks that the report has: dense layers with biases, each followed by a sigmoid, and one
// output.
bool is_dense_report_network(const nn::NetworkSpec& spec);
Result<DenseText> to_dense_text(const nn::Network<double>& network);
std::shared_ptr<nn::Network<double>> network_of(const DenseText& text);

}  // namespace damier::model
