#include "damier/nn/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <unordered_set>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/base/text/text.h"

namespace damier::nn {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand");

struct DTypeFacts {
  std::string_view name;
  std::size_t size;
};
constexpr std::array<DTypeFacts, 5> kDTypes = {
    {{"F32", 4}, {"F64", 8}, {"I32", 4}, {"I64", 8}, {"U8", 1}}};

const DTypeFacts& facts_of(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)]; }

// Reads one header; knows what its tensors are called.
class Reader {
 public:
  Reader(std::string_view what, std::uint64_t data_bytes) : what_(what), data_bytes_(data_bytes) {}

  Result<TensorEntry> entry(std::string_view name, const Json& tensor) const {
    if (!tensor.is_object()) {
      return error_in(name, fmt::format("is {}; expected an object", tensor.type_name()));
    }
    static const std::vector<std::string> kKeys = {"dtype", "shape", "data_offsets"};
    for (const auto& [key, unused] : tensor.items()) {
      if (std::ranges::find(kKeys, key) != kKeys.end()) continue;
      return error_in(name, unknown_name("key", key, kKeys).message);
    }
    const auto dtype = TRY(read_dtype(name, tensor));
    auto shape = TRY(whole_numbers(name, tensor, "shape"));
    const auto offsets = TRY(whole_numbers(name, tensor, "data_offsets"));
    if (offsets.size() != 2) {
      return error_in(name, fmt::format("'data_offsets' has {} entries; expected 2, begin and end",
                                        offsets.size()));
    }
    const auto [begin, end] = std::pair(offsets[0], offsets[1]);
    if (begin > end || end > data_bytes_) {
      return error_in(name, fmt::format("the data stand at {} to {}; expected begin <= end <= {}",
                                        begin, end, data_bytes_));
    }
    const auto size = bytes_of(shape, dtype);
    if (!size) {
      return error_in(name, fmt::format("the shape [{}] of {} takes more than 2^64-1 bytes",
                                        fmt::join(shape, ","), name_of(dtype)));
    }
    if (*size != end - begin) {
      return error_in(name, fmt::format("has {} of data; expected {} for the shape [{}] of {}",
                                        counted(end - begin, "byte"), *size, fmt::join(shape, ","),
                                        name_of(dtype)));
    }
    return TensorEntry{std::string(name), dtype, std::move(shape), begin, end};
  }

  Result<TensorMetadata> metadata(const Json& map) const {
    if (!map.is_object()) {
      return Error{
          fmt::format("{}: is {}; expected an object of texts", kMetadataKey, map.type_name())};
    }
    TensorMetadata metadata;
    for (const auto& [key, value] : map.items()) {
      if (!value.is_string()) {
        return Error{fmt::format("{}: {} is {}; expected a text", kMetadataKey, in_quotes(key),
                                 value.type_name())};
      }
      metadata.emplace_back(key, value.text());
    }
    return metadata;
  }

  // Every byte of the data belongs to exactly one tensor.
  Status check_cover(const std::vector<TensorEntry>& entries) const {
    std::vector<const TensorEntry*> sorted;
    for (const TensorEntry& entry : entries) sorted.push_back(&entry);
    std::ranges::sort(sorted, {}, [](const TensorEntry* a) { return std::pair(a->begin, a->end); });
    std::uint64_t covered = 0;
    const TensorEntry* last = nullptr;
    for (const TensorEntry* entry : sorted) {
      if (entry->begin < covered) {
        return error_in(entry->name,
                        fmt::format("the data begin at {}, inside those of {} {}; expected {}",
                                    entry->begin, what_, in_quotes(last->name), covered));
      }
      if (entry->begin > covered) {
        return error_in(entry->name,
                        fmt::format("the data begin at {}, after bytes of no {}; expected {}",
                                    entry->begin, what_, covered));
      }
      covered = entry->end;
      last = entry;
    }
    if (covered == data_bytes_) return Done{};
    return Error{fmt::format("the data continue for {} after the last {}; expected none",
                             counted(data_bytes_ - covered, "byte"), what_)};
  }

 private:
  Error error_in(std::string_view name, std::string_view message) const {
    return Error{fmt::format("{} {}: {}", what_, in_quotes(name), message)};
  }

  Result<std::vector<std::uint64_t>> whole_numbers(std::string_view name, const Json& tensor,
                                                   const char* key) const {
    const Json* list = tensor.find(key);
    if (list == nullptr) return error_in(name, fmt::format("'{}' is missing", key));
    if (!list->is_array()) {
      return error_in(name, fmt::format("'{}' is {}; expected a list of whole numbers", key,
                                        list->type_name()));
    }
    if (list->size() > kMaxRank) {
      return error_in(name, fmt::format("'{}' has {} entries; expected {} at most", key,
                                        list->size(), kMaxRank));
    }
    std::vector<std::uint64_t> numbers;
    for (const Json& entry : *list) {
      if (!entry.is_number_unsigned()) {
        return error_in(
            name, fmt::format(
                      "{}[{}] is {}; expected a whole number from 0 to 2^64-1", key, numbers.size(),
                      entry.is_number() ? dump_line(entry) : std::string(entry.type_name())));
      }
      numbers.push_back(entry.get<std::uint64_t>());
    }
    return numbers;
  }

  Result<DType> read_dtype(std::string_view name, const Json& tensor) const {
    const Json* text = tensor.find("dtype");
    if (text == nullptr) return error_in(name, "'dtype' is missing");
    if (!text->is_string()) {
      return error_in(name, fmt::format("'dtype' is {}; expected a text", text->type_name()));
    }
    std::vector<std::string> known;
    for (std::size_t i = 0; i < kDTypes.size(); ++i) {
      if (kDTypes[i].name == text->text()) return static_cast<DType>(i);
      known.emplace_back(kDTypes[i].name);
    }
    return error_in(name, fmt::format("unknown dtype {}; expected one of {}",
                                      in_quotes(text->text()), join(known, ", ")));
  }

  std::string_view what_;
  std::uint64_t data_bytes_;
};

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
  if (!read(std::uint64_t{kLengthBytes}, std::as_writable_bytes(std::span(text)))) {
    return unreadable;
  }
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
  return parse_tensors(bytes.size(), copy, check, source).in(std::string(source));
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

std::string_view name_of(DType dtype) { return facts_of(dtype).name; }

std::size_t size_of(DType dtype) { return facts_of(dtype).size; }

std::optional<std::uint64_t> bytes_of(std::span<const std::uint64_t> shape, DType dtype) {
  std::uint64_t bytes = size_of(dtype);
  bool empty = false;
  for (const std::uint64_t extent : shape) {
    if (extent == 0) {
      empty = true;
    } else if (extent > std::numeric_limits<std::uint64_t>::max() / bytes) {
      return std::nullopt;
    } else {
      bytes *= extent;
    }
  }
  return empty ? 0 : bytes;
}

Result<std::size_t> header_length(std::string_view first_bytes, std::uint64_t file_bytes,
                                  std::uint64_t most) {
  if (first_bytes.size() < kLengthBytes || file_bytes < kLengthBytes) {
    return Error{fmt::format("has {}; expected {} with the length of the header first",
                             counted(file_bytes, "byte"), kLengthBytes)};
  }
  std::uint64_t length = 0;
  std::memcpy(&length, first_bytes.data(), kLengthBytes);
  const std::uint64_t there = file_bytes - kLengthBytes;
  if (length > std::min(there, most)) {
    return Error{fmt::format("the header is {} bytes long by its length; expected {} at most{}",
                             length, std::min(there, most),
                             there < most ? ", all that the file has" : "")};
  }
  return static_cast<std::size_t>(length);
}

Result<TensorHeader> parse_header(std::string_view text, std::uint64_t data_bytes,
                                  std::string_view what, std::string_view source) {
  if (text.empty()) return Error{"the header is empty; expected a JSON object"};
  if (text.front() != '{') {
    return Error{
        fmt::format("the header begins with {}; expected '{{'", in_quotes(text.substr(0, 1)))};
  }
  const auto json = TRY(parse_json(text, source));
  const Reader reader(what, data_bytes);
  TensorHeader header;
  for (const auto& [name, value] : json.items()) {
    if (name == kMetadataKey) {
      header.metadata = TRY(reader.metadata(value));
    } else {
      auto entry = TRY(reader.entry(name, value));
      header.entries.push_back(std::move(entry));
    }
  }
  TRY(reader.check_cover(header.entries));
  return header;
}

std::string header_bytes(const TensorHeader& header) {
  Json json = Json::object();
  if (!header.metadata.empty()) {
    Json& metadata = json.append_new(std::string(kMetadataKey), Json::object());
    for (const auto& [key, value] : header.metadata) metadata.append_new(key, value);
  }
  for (const TensorEntry& entry : header.entries) {
    json.append_new(entry.name, {{"dtype", name_of(entry.dtype)},
                                 {"shape", entry.shape},
                                 {"data_offsets", {entry.begin, entry.end}}});
  }
  std::string text = dump_line(json);
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  return bytes + text;
}

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
  const auto at = std::ranges::find(tensors, name, &Tensor::name);
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
  return parse_tensors(size, read, check, source).in(source);
}

Status write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  const auto bytes = TRY(serialize_safetensors(file).in(path.string()));
  return write_file_atomically(path, bytes);
}

}  // namespace damier::nn
