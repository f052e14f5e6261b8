#include "damier/nn/safetensors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <unordered_set>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/base/text/text.h"

namespace damier::nn {

namespace {

constexpr std::size_t kMaxHeaderBytes = 100'000'000;

Error error_in(std::string_view name, std::string_view message) {
  return Error{fmt::format("tensor {}: {}", in_quotes(name), message)};
}

// `size` bytes, of which read(offset, out) gives any part; false when it cannot.
template <class Read>
Result<TensorFile> parse_tensors(std::uint64_t size, const Read& read, const HeaderCheck& check,
                                 std::string_view source) {
  const Error unreadable{"cannot be read to its end", {}, ErrorKind::failure};
  std::string first(std::min<std::uint64_t>(size, kLengthBytes), '\0');
  if (!read(std::uint64_t{0}, std::as_writable_bytes(std::span(first)))) return unreadable;
  const auto length = TRY(header_length(first, size, kMaxHeaderBytes));
  std::string text(length, '\0');
  if (!read(std::uint64_t{kLengthBytes}, std::as_writable_bytes(std::span(text))))
    return unreadable;
  const std::uint64_t begin = kLengthBytes + length;
  auto header = TRY(parse_header(text, size - begin, "tensor", fmt::format("{}, header", source)));
  if (check) TRY(check(header));
  TensorFile file;
  file.metadata = std::move(header.metadata);
  for (TensorEntry& entry : header.entries) {
    Tensor& tensor = file.tensors.emplace_back();
    tensor.name = std::move(entry.name);
    tensor.dtype = entry.dtype;
    tensor.shape = std::move(entry.shape);
    tensor.data.resize(static_cast<std::size_t>(entry.end - entry.begin));
    if (!read(begin + entry.begin, std::span(tensor.data))) return unreadable;
  }
  return file;
}

Result<TensorFile> parse_bytes(std::string_view bytes, const HeaderCheck& check,
                               std::string_view source) {
  const auto copy = [&](std::uint64_t offset, std::span<std::byte> out) {
    const auto part = std::as_bytes(std::span(bytes.substr(offset, out.size())));
    std::copy(part.begin(), part.end(), out.begin());
    return true;
  };
  auto file = TRY(parse_tensors(bytes.size(), copy, check, source).in(std::string(source)));
  return file;
}

Status check_before_writing(const TensorFile& file) {
  const std::size_t objects = file.metadata.empty() ? 0 : 1;
  if (file.tensors.size() + objects > kMaxHeaderKeys || file.metadata.size() > kMaxHeaderKeys) {
    return Error{fmt::format("{} tensors and {} metadata texts; expected {} of each at most",
                             file.tensors.size(), file.metadata.size(), kMaxHeaderKeys - objects)};
  }
  std::unordered_set<std::string_view> names;
  for (const Tensor& tensor : file.tensors) {
    if (tensor.name == kMetadataKey) return Error{"a tensor cannot have the name '__metadata__'"};
    if (!is_utf8(tensor.name)) return error_in(tensor.name, "the name is not UTF-8");
    if (!names.insert(tensor.name).second) {
      return error_in(tensor.name, "stands twice; expected once");
    }
    if (tensor.shape.size() > kMaxRank) {
      return error_in(tensor.name, fmt::format("the shape has {} extents; expected {} at most",
                                               tensor.shape.size(), kMaxRank));
    }
    TRY(check_tensor(tensor, tensor.dtype));
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
    return error_in(tensor.name,
                    fmt::format("is {}; expected {}", name_of(tensor.dtype), name_of(dtype)));
  }
  if (bytes_of(tensor.shape, dtype) != tensor.data.size()) {
    return error_in(tensor.name, fmt::format("has {} of data; expected as many as [{}] of {} take",
                                             counted(tensor.data.size(), "byte"),
                                             fmt::join(tensor.shape, ","), name_of(dtype)));
  }
  return Done{};
}

Error not_finite(const Tensor& tensor, std::size_t flat, double number) {
  std::vector<std::uint64_t> place(tensor.shape.size());
  std::uint64_t rest = flat;
  for (std::size_t i = place.size(); i-- > 0;) {
    place[i] = rest % tensor.shape[i];
    rest /= tensor.shape[i];
  }
  return error_in(tensor.name, fmt::format("has {} at [{}]; expected finite numbers", number,
                                           fmt::join(place, ", ")));
}

const Tensor* TensorFile::find(std::string_view name) const {
  const auto at = std::find_if(tensors.begin(), tensors.end(),
                               [&](const Tensor& tensor) { return tensor.name == name; });
  return at == tensors.end() ? nullptr : &*at;
}

Result<TensorFile> parse_safetensors(std::string_view bytes, std::string_view source) {
  return parse_bytes(bytes, {}, source);
}

TensorHeader header_of(const TensorFile& file) {
  TensorHeader header{{}, file.metadata};
  std::size_t offset = 0;
  for (const Tensor& tensor : file.tensors) {
    const std::size_t end = offset + tensor.data.size();
    header.entries.push_back({tensor.name, tensor.dtype, tensor.shape, offset, end});
    offset = end;
  }
  return header;
}

Result<std::string> serialize_safetensors(const TensorFile& file) {
  TRY(check_before_writing(file));
  const TensorHeader header = header_of(file);
  std::string bytes = header_bytes(header);
  if (bytes.size() > kLengthBytes + kMaxHeaderBytes) {
    return Error{fmt::format("the header takes {} bytes; expected {} at most",
                             bytes.size() - kLengthBytes, kMaxHeaderBytes)};
  }
  const std::size_t data_bytes =
      header.entries.empty() ? 0 : static_cast<std::size_t>(header.entries.back().end);
  if (bytes.size() + data_bytes > kMaxTensorFileBytes) {
    return Error{fmt::format("takes {} bytes; expected {} at most", bytes.size() + data_bytes,
                             kMaxTensorFileBytes)};
  }
  bytes.reserve(bytes.size() + data_bytes);
  for (const Tensor& tensor : file.tensors) {
    bytes.append(reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size());
  }
  return bytes;
}

Result<TensorFile> read_safetensors(const std::filesystem::path& path, const HeaderCheck& check) {
  const std::string source = path.string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    // A pipe has no length to compare with; whatever else it is, this says so.
    const auto bytes = TRY(read_file(path, kMaxTensorFileBytes));
    return parse_bytes(bytes, check, source);
  }
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) {
    return Error{fmt::format("cannot be read: {}", std::strerror(errno)), {source}};
  }
  const auto size = static_cast<std::uint64_t>(in.tellg());
  if (size > kMaxTensorFileBytes) {
    return Error{fmt::format("has {} bytes; expected {} at most", size, kMaxTensorFileBytes),
                 {source}};
  }
  const auto read = [&](std::uint64_t offset, std::span<std::byte> out) {
    in.seekg(static_cast<std::streamoff>(offset));
    in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
    return in.good();
  };
  auto file = TRY(parse_tensors(size, read, check, source).in(source));
  return file;
}

Status write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  auto bytes = TRY(serialize_safetensors(file).in(path.string()));
  return write_file_atomically(path, bytes);
}

}  // namespace damier::nn
