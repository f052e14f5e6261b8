#include "damier/model/encoder.h"

#include <fmt/format.h>

#include "damier/model/occlusion.h"

namespace damier::model {

Status AnyEncoder::check_input(const nn::NetworkSpec& spec) const {
  if (spec.input == shape_) return Done{};
  return Error{fmt::format("the network's input is {}; expected {}, what the encoder '{}' gives",
                           spec.input.text(), shape_.text(), name_)};
}

Result<std::vector<float>> AnyEncoder::encode_text(std::string_view) const {
  return Error{
      fmt::format("the encoder '{}' has no positions as text; expected a file of inputs", name_)};
}

Result<Occlusion> AnyEncoder::occlude(const Model&, const games::OptionValues&,
                                      std::string_view) const {
  return Error{fmt::format("the networks of the encoder '{}' do not read whole boards", name_)};
}

bool gives_logits(const nn::NetworkSpec& spec, std::size_t head) {
  const nn::LayerSpec* last = spec.last_layer(head);
  return last == nullptr || !last->is("softmax");
}

}  // namespace damier::model
