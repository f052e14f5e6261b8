// The header of a safetensors file: eight bytes with its length, then a JSON object that says where
// each tensor stands in the data that follow. Weight files and data sets are read and written with
// it. The reader believes nothing: every length is checked against the bytes that are there before
// anything is allocated, and the tensors must cover the data exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/result.h"

namespace damier::nn {

enum class DType : std::uint8_t { f32, f64, i32, i64, u8 };

// "F32", as the files write it.
std::string_view name_of(DType dtype);
// Bytes of one number.
std::size_t size_of(DType dtype);

// Bytes that a tensor of this shape takes; nothing when its extents multiply to more than 2^64-1
// (an extent of 0 does not hide the others).
std::optional<std::uint64_t> bytes_of(std::span<const std::uint64_t> shape, DType dtype);

// One tensor: what it holds, and where it stands in the data.
struct TensorEntry {
  std::string name;
  DType dtype = DType::f32;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

using TensorMetadata = std::vector<std::pair<std::string, std::string>>;

// Entries and metadata stand in the order of the file.
struct TensorHeader {
  std::vector<TensorEntry> entries;
  TensorMetadata metadata;
};

// The number with which a file begins.
inline constexpr std::size_t kLengthBytes = 8;
inline constexpr std::size_t kMaxRank = 8;
// The reader takes no more keys in an object.
inline constexpr std::size_t kMaxHeaderKeys = 4096;
// The key that no tensor may have.
inline constexpr std::string_view kMetadataKey = "__metadata__";

// How long the header is by the first bytes of a file of `file_bytes` bytes; more than `most` is a
// error.
Result<std::size_t> header_length(std::string_view first_bytes, std::uint64_t file_bytes,
                                  std::uint64_t most);

// `what` is the reader's word for a tensor in messages, `source` names the text in errors of JSON.
Result<TensorHeader> parse_header(std::string_view text, std::uint64_t data_bytes,
                                  std::string_view what, std::string_view source);

// Length and header, padded so that the data begin at a multiple of eight bytes.
std::string header_bytes(const TensorHeader& header);

}  // namespace damier::nn
