#include "damier/nn/safetensors.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "damier/base/files.h"
#include "damier/base/json.h"
#include "damier/base/text.h"

namespace damier::nn {

namespace {

constexpr std::size_t kLongestHeader = 100'000'000;

Error fault_in(std::string_view name, std::string_view message) {
  return Error{fmt::format("tensor {}: {}", in_quotes(name), message)};
}

Result<TensorFile> parse(std::string_view bytes, std::string_view source) {
  const auto length = header_length(bytes, bytes.size(), kLongestHeader);
  if (!length) return length.error();
  const std::string_view data = bytes.substr(kLengthBytes + *length);
  auto header = parse_header(bytes.substr(kLengthBytes, *length), data.size(), "tensor",
                             fmt::format("{}, header", source));
  if (!header) return std::move(header).error();
  TensorFile file;
  file.metadata = std::move(header->metadata);
  for (TensorEntry& entry : header->entries) {
    const auto part = std::as_bytes(std::span(data.substr(entry.begin, entry.end - entry.begin)));
    file.tensors.push_back({std::move(entry.name), entry.dtype, std::move(entry.shape),
                            std::vector<std::byte>(part.begin(), part.end())});
  }
  return file;
}

Status check_before_writing(const TensorFile& file) {
  const std::size_t objects = file.metadata.empty() ? 0 : 1;
  if (file.tensors.size() + objects > kMostHeaderKeys || file.metadata.size() > kMostHeaderKeys) {
    return Error{fmt::format("{} tensors and {} metadata texts; expected {} of each at most",
                             file.tensors.size(), file.metadata.size(), kMostHeaderKeys - objects)};
  }
  std::unordered_set<std::string_view> names;
  for (const Tensor& tensor : file.tensors) {
    if (tensor.name == kMetadataKey) return Error{"a tensor cannot have the name '__metadata__'"};
    if (!is_utf8(tensor.name)) return fault_in(tensor.name, "the name is not UTF-8");
    if (!names.insert(tensor.name).second) {
      return fault_in(tensor.name, "stands twice; expected once");
    }
    if (tensor.shape.size() > kHighestRank) {
      return fault_in(tensor.name, fmt::format("the shape has {} extents; expected {} at most",
                                               tensor.shape.size(), kHighestRank));
    }
    if (auto status = check_tensor(tensor, tensor.dtype); !status) return status;
  }
  names.clear();
  for (const auto& [key, value] : file.metadata) {
    if (!is_utf8(key) || !is_utf8(value)) {
      return Error{fmt::format("{}: {} is not UTF-8", kMetadataKey, in_quotes(key))};
    }
    if (!names.insert(key).second) {
      return Error{fmt::format("{}: {} stands twice; expected once", kMetadataKey, in_quotes(key))};
    }
  }
  return Done{};
}

}  // namespace

Status check_tensor(const Tensor& tensor, DType dtype) {
  if (tensor.dtype != dtype) {
    return fault_in(tensor.name,
                    fmt::format("is {}; expected {}", name_of(tensor.dtype), name_of(dtype)));
  }
  if (bytes_of(tensor.shape, dtype) != tensor.data.size()) {
    return fault_in(tensor.name,
                    fmt::format("has {} bytes of data; expected as many as [{}] of {} take",
                                tensor.data.size(), fmt::join(tensor.shape, ","), name_of(dtype)));
  }
  return Done{};
}

const Tensor* TensorFile::find(std::string_view name) const {
  const auto at = std::find_if(tensors.begin(), tensors.end(),
                               [&](const Tensor& tensor) { return tensor.name == name; });
  return at == tensors.end() ? nullptr : &*at;
}

Result<TensorFile> parse_safetensors(std::string_view bytes, std::string_view source) {
  auto file = parse(bytes, source);
  if (!file) return std::move(file).error().in(std::string(source));
  return file;
}

Result<std::string> serialize_safetensors(const TensorFile& file) {
  if (auto status = check_before_writing(file); !status) return std::move(status).error();
  TensorHeader header{{}, file.metadata};
  std::size_t offset = 0;
  for (const Tensor& tensor : file.tensors) {
    const std::size_t end = offset + tensor.data.size();
    header.entries.push_back({tensor.name, tensor.dtype, tensor.shape, offset, end});
    offset = end;
  }
  std::string bytes = header_bytes(header);
  if (bytes.size() > kLengthBytes + kLongestHeader) {
    return Error{fmt::format("the header takes {} bytes; expected {} at most",
                             bytes.size() - kLengthBytes, kLongestHeader)};
  }
  bytes.reserve(bytes.size() + offset);
  for (const Tensor& tensor : file.tensors) {
    bytes.append(reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size());
  }
  return bytes;
}

Result<TensorFile> read_safetensors(const std::filesystem::path& path, std::size_t limit) {
  const auto bytes = read_file(path, limit);
  if (!bytes) return bytes.error();
  return parse_safetensors(*bytes, path.string());
}

Status write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  auto bytes = serialize_safetensors(file);
  if (!bytes) return std::move(bytes).error().in(path.string());
  return write_file_atomically(path, *bytes);
}

}  // namespace damier::nn
