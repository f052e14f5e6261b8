// The four networks that the engine is measured on, and compared with PyTorch on.
#pragma once

#include <string>

#include <fmt/format.h>

namespace damier::bench {

inline constexpr const char* kW1 = R"({"input": [25], "layers": [
  {"type": "dense", "units": 300}, {"type": "relu"}, {"type": "dense", "units": 256}, {"type": "relu"},
  {"type": "dense", "units": 128}, {"type": "relu"}, {"type": "dense", "units": 1},
  {"type": "sigmoid"}]})";
inline constexpr const char* kW2 = R"({"input": [46], "layers": [
  {"type": "dense", "units": 64}, {"type": "sigmoid"}, {"type": "dense", "units": 64},
  {"type": "sigmoid"}, {"type": "dense", "units": 18}]})";
inline constexpr const char* kW3 = R"({"input": [8, 5, 5], "layers": [
  {"type": "conv2d", "channels": 32}, {"type": "relu"}, {"type": "conv2d", "channels": 64},
  {"type": "relu"}, {"type": "conv2d", "channels": 64}, {"type": "relu"}, {"type": "flatten"},
  {"type": "dense", "units": 128}, {"type": "relu"}, {"type": "dense", "units": 100}]})";
inline constexpr const char* kResidual = R"({"type": "residual", "layers": [
  {"type": "conv2d", "channels": 32}, {"type": "batch_norm"}, {"type": "relu"},
  {"type": "conv2d", "channels": 32}, {"type": "batch_norm"}]}, {"type": "relu"})";

// All but the last layer.
inline std::string w4_trunk() {
  return fmt::format(R"("input": [3, 8, 8], "layers": [{{"type": "conv2d", "channels": 32}},
    {{"type": "batch_norm"}}, {{"type": "relu"}}, {0}, {0}, {0}, {{"type": "flatten"}})",
                     kResidual);
}
inline std::string w4() {
  return fmt::format(R"({{{}, {{"type": "dense", "units": 64}}]}})", w4_trunk());
}
// With a second head, as self-play needs it: what it thinks of the moves, and of the result.
inline std::string w4_for_play() {
  return fmt::format(R"({{{}], "heads": {{"moves": [{{"type": "dense", "units": 64}}],
    "value": [{{"type": "dense", "units": 1}}, {{"type": "tanh"}}]}}}})",
                     w4_trunk());
}

}  // namespace damier::bench
