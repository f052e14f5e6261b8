// Weight files in the safetensors format: tensors with their names and numbers, and metadata, in
// and out. A file begins with eight bytes that hold the length of its header, a JSON object that
// says where each tensor stands in the data that follow; data sets have such a header too. The
// reader believes nothing: every length is checked against the bytes that are there before anything
// is allocated, and the tensors must cover the data exactly.
#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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

// The numbers are little-endian and row-major; a shape without extents is one number.
struct Tensor {
  std::string name;
  DType dtype = DType::f32;
  std::vector<std::uint64_t> shape;
  std::vector<std::byte> data;

  bool operator==(const Tensor&) const = default;
};

template <class T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, float>) return DType::f32;
  if constexpr (std::is_same_v<T, double>) return DType::f64;
  if constexpr (std::is_same_v<T, std::int32_t>) return DType::i32;
  if constexpr (std::is_same_v<T, std::int64_t>) return DType::i64;
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> ||
                    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t> ||
                    std::is_same_v<T, std::uint8_t>,
                "a tensor holds float, double, int32, int64 or uint8");
  return DType::u8;
}

// `values` are as many as the shape says.
template <class T>
Tensor make_tensor(std::string name, std::vector<std::uint64_t> shape, std::span<const T> values) {
  assert(bytes_of(shape, dtype_of<T>()) == values.size_bytes());
  const auto bytes = std::as_bytes(values);
  return {std::move(name), dtype_of<T>(), std::move(shape), {bytes.begin(), bytes.end()}};
}

// An error when the tensor holds other numbers than `dtype`, or not as many as its shape says.
Status check_tensor(const Tensor& tensor, DType dtype);

template <class T>
Result<std::vector<T>> values_of(const Tensor& tensor) {
  TRY(check_tensor(tensor, dtype_of<T>()));
  std::vector<T> values(tensor.data.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return values;
}

// An error that names the number at `flat`, which is not finite.
Error not_finite(const Tensor& tensor, std::size_t flat, double number);

// The numbers of a tensor; an error where one is not finite as a T. One is enough to make all that
// a network says mean nothing.
template <class T, class Stored>
Result<std::vector<Stored>> finite_values(const Tensor& tensor) {
  auto values = TRY(values_of<Stored>(tensor));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(static_cast<T>(values[i]))) {
      return not_finite(tensor, i, static_cast<double>(values[i]));
    }
  }
  return values;
}

// Tensors and metadata stand in the order of the header.
struct TensorFile {
  std::vector<Tensor> tensors;
  TensorMetadata metadata;

  // The tensor of this name, or nullptr.
  const Tensor* find(std::string_view name) const;

  bool operator==(const TensorFile&) const = default;
};

// The header that the file would have.
TensorHeader header_of(const TensorFile& file);

// `source` names the bytes in errors.
Result<TensorFile> parse_safetensors(std::string_view bytes, std::string_view source);

// The same file gives the same bytes. Whatever the reader would refuse is refused here.
Result<std::string> serialize_safetensors(const TensorFile& file);

// No weight file of ours is larger, the state of a training included.
inline constexpr std::size_t kMaxTensorFileBytes = std::size_t{2} << 30;

// Reads the header first. `check`, where there is one, sees it before any number is read: a file
// that is not what it should be takes no memory.
using HeaderCheck = std::function<Status(const TensorHeader& header)>;
Result<TensorFile> read_safetensors(const std::filesystem::path& path,
                                    const HeaderCheck& check = {});

Status write_safetensors(const std::filesystem::path& path, const TensorFile& file);

}  // namespace damier::nn
