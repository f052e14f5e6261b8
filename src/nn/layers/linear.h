// What dense layers, convolutions and the projections of attention run by: a sum of products over
// taps (kernels.h), or the fast way where it pays.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "damier/nn/fast_convolution.h"
#include "damier/nn/layer.h"

namespace damier::nn {

// The weight and, where there is one, the bias.
std::vector<ParameterSpec> linear_parameters(const ConvolutionShape& shape, bool bias);

template <class T>
class Linear : public Layer<T> {
 public:
  // `name` begins the names of its parameters.
  Linear(const ConvolutionShape& shape, bool bias, const std::string& name, Block<T> x,
         Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
  void freeze(const Kernels<T>& kernels) override;
  bool scale_outputs(std::span<const T> a, std::span<const T> b) override;

 private:
  void multiply(const Pass<T>& pass, const GatherProduct<T>& product,
                const TapTables& tables) const;
  void input_gradient(const Pass<T>& pass);

  Parameter<T>& weight_;
  Parameter<T>* bias_ = nullptr;              // null: none is learned
  T* shift_;                                  // that of the bias; zeros until scale_outputs()
  TapTables forward_;                         // from in to out
  TapTables backward_;                        // from out to in
  T* transposed_ = nullptr;                   // (taps, out, ld of x): the weights the other way
  std::unique_ptr<FastConvolution<T>> fast_;  // null: the plain way
  bool frozen_ = false;
};

}  // namespace damier::nn
