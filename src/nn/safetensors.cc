#include "damier/nn/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <unordered_set>

#include <fmt/format.h>

#include "damier/base/files.h"
#include "damier/base/json.h"
#include "damier/base/text.h"

namespace damier::nn {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand");

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kLongestHeader = 100'000'000;
constexpr std::size_t kHighestRank = 8;
// Json objects search their keys one by one: these keep the worst header quick to read.
constexpr std::size_t kMostKeys = 4096;
constexpr std::size_t kMostKeysInAll = 32768;

struct DTypeFacts {
  std::string_view name;
  std::size_t size;
};
constexpr std::array<DTypeFacts, 5> kDTypes = {
    {{"F32", 4}, {"F64", 8}, {"I32", 4}, {"I64", 8}, {"U8", 1}}};

const DTypeFacts& facts_of(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)]; }

std::string name_in_header(std::string_view name) {
  return name == kMetadata ? std::string(name) : fmt::format("tensor {}", in_quotes(name));
}

Error fault_in(std::string_view name, std::string_view message) {
  return Error{fmt::format("{}: {}", name_in_header(name), message)};
}

// Where a tensor stands in the data.
struct Entry {
  std::string name;
  DType dtype = DType::f32;
  std::vector<std::uint64_t> shape;
  std::size_t begin = 0;
  std::size_t end = 0;
};

Result<std::string_view> header_of(std::string_view bytes) {
  if (bytes.size() < kLengthBytes) {
    return Error{fmt::format("has {} bytes; expected {} with the length of the header first",
                             bytes.size(), kLengthBytes)};
  }
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  const std::size_t most = std::min(bytes.size() - kLengthBytes, kLongestHeader);
  if (length > most) {
    return Error{fmt::format("the header is {} bytes long by its length; expected {} at most{}",
                             length, most,
                             most == kLongestHeader ? "" : ", all that the file has")};
  }
  const std::string_view header = bytes.substr(kLengthBytes, static_cast<std::size_t>(length));
  if (header.empty()) return Error{"the header is empty; expected a JSON object"};
  if (header.front() != '{') {
    return Error{
        fmt::format("the header begins with {}; expected '{{'", in_quotes(header.substr(0, 1)))};
  }
  // The JSON reader takes a zero byte for the end of the text.
  if (const auto zero = header.find('\0'); zero != std::string_view::npos) {
    return Error{fmt::format("the header has a zero byte in column {}; expected JSON", zero + 1)};
  }
  return header;
}

Result<std::vector<std::uint64_t>> whole_numbers(std::string_view name, const Json& tensor,
                                                 const char* key) {
  const Json* list = tensor.find(key);
  if (list == nullptr) return fault_in(name, fmt::format("'{}' is missing", key));
  if (!list->is_array()) {
    return fault_in(
        name, fmt::format("'{}' is {}; expected a list of whole numbers", key, list->type_name()));
  }
  std::vector<std::uint64_t> numbers;
  for (const Json& entry : *list) {
    if (!entry.is_number_unsigned()) {
      return fault_in(
          name,
          fmt::format("{}[{}] is {}; expected a whole number from 0 to 2^64-1", key, numbers.size(),
                      entry.is_number() ? dump_line(entry) : std::string(entry.type_name())));
    }
    numbers.push_back(entry.get<std::uint64_t>());
  }
  return numbers;
}

Result<DType> read_dtype(std::string_view name, const Json& tensor) {
  const Json* text = tensor.find("dtype");
  if (text == nullptr) return fault_in(name, "'dtype' is missing");
  if (!text->is_string()) {
    return fault_in(name, fmt::format("'dtype' is {}; expected a text", text->type_name()));
  }
  const std::string word = text->get<std::string>();
  std::vector<std::string> known;
  for (std::size_t i = 0; i < kDTypes.size(); ++i) {
    if (kDTypes[i].name == word) return static_cast<DType>(i);
    known.emplace_back(kDTypes[i].name);
  }
  return fault_in(name, fmt::format("unknown dtype {}; expected one of {}", in_quotes(word),
                                    join(known, ", ")));
}

Result<Entry> read_entry(std::string_view name, const Json& tensor, std::size_t data_size) {
  if (!tensor.is_object()) {
    return fault_in(name, fmt::format("is {}; expected an object", tensor.type_name()));
  }
  static const std::vector<std::string> kKeys = {"dtype", "shape", "data_offsets"};
  for (const auto& [key, unused] : tensor.items()) {
    if (std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end()) continue;
    return fault_in(name, unknown_name("key", key, kKeys).message);
  }
  const auto dtype = read_dtype(name, tensor);
  if (!dtype) return dtype.error();
  auto shape = whole_numbers(name, tensor, "shape");
  if (!shape) return std::move(shape).error();
  const auto offsets = whole_numbers(name, tensor, "data_offsets");
  if (!offsets) return offsets.error();
  if (offsets->size() != 2) {
    return fault_in(name, fmt::format("'data_offsets' has {} entries; expected 2, begin and end",
                                      offsets->size()));
  }
  const auto [begin, end] = std::pair((*offsets)[0], (*offsets)[1]);
  if (begin > end || end > data_size) {
    return fault_in(name, fmt::format("the data stand at {} to {}; expected begin <= end <= {}",
                                      begin, end, data_size));
  }
  const auto size = bytes_of(*shape, *dtype);
  if (!size) {
    return fault_in(name, fmt::format("the shape [{}] of {} takes more than 2^64-1 bytes",
                                      fmt::join(*shape, ","), name_of(*dtype)));
  }
  if (*size != end - begin) {
    return fault_in(name, fmt::format("has {} bytes of data; expected {} for the shape [{}] of {}",
                                      end - begin, *size, fmt::join(*shape, ","), name_of(*dtype)));
  }
  return Entry{std::string(name), *dtype, *std::move(shape), static_cast<std::size_t>(begin),
               static_cast<std::size_t>(end)};
}

Result<std::vector<std::pair<std::string, std::string>>> read_metadata(const Json& map) {
  if (!map.is_object()) {
    return fault_in(kMetadata, fmt::format("is {}; expected an object of texts", map.type_name()));
  }
  std::vector<std::pair<std::string, std::string>> metadata;
  for (const auto& [key, value] : map.items()) {
    if (!value.is_string()) {
      return fault_in(kMetadata,
                      fmt::format("{} is {}; expected a text", in_quotes(key), value.type_name()));
    }
    metadata.emplace_back(key, value.get<std::string>());
  }
  return metadata;
}

// Every byte of the data belongs to exactly one tensor.
Status check_cover(const std::vector<Entry>& entries, std::size_t data_size) {
  std::vector<const Entry*> sorted;
  for (const Entry& entry : entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const Entry* a, const Entry* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::size_t covered = 0;
  const Entry* last = nullptr;
  for (const Entry* entry : sorted) {
    if (entry->begin < covered) {
      return fault_in(entry->name,
                      fmt::format("the data begin at {}, inside those of tensor {}; expected {}",
                                  entry->begin, in_quotes(last->name), covered));
    }
    if (entry->begin > covered) {
      return fault_in(entry->name,
                      fmt::format("the data begin at {}, after bytes of no tensor; expected {}",
                                  entry->begin, covered));
    }
    covered = entry->end;
    last = entry;
  }
  if (covered == data_size) return Done{};
  return Error{fmt::format("the data go on for {} bytes after the last tensor; expected none",
                           data_size - covered)};
}

Result<TensorFile> parse(std::string_view bytes, std::string_view source) {
  const auto header = header_of(bytes);
  if (!header) return header.error();
  const auto json = parse_json(*header, fmt::format("{}, header", source));
  if (!json) return json.error();

  const std::string_view data = bytes.substr(kLengthBytes + header->size());
  TensorFile file;
  std::vector<Entry> entries;
  for (const auto& [name, value] : json->items()) {
    if (name == kMetadata) {
      auto metadata = read_metadata(value);
      if (!metadata) return std::move(metadata).error();
      file.metadata = *std::move(metadata);
    } else {
      auto entry = read_entry(name, value, data.size());
      if (!entry) return std::move(entry).error();
      entries.push_back(*std::move(entry));
    }
  }
  if (auto status = check_cover(entries, data.size()); !status) return std::move(status).error();
  for (Entry& entry : entries) {
    const auto part = std::as_bytes(std::span(data.substr(entry.begin, entry.end - entry.begin)));
    file.tensors.push_back({std::move(entry.name), entry.dtype, std::move(entry.shape),
                            std::vector<std::byte>(part.begin(), part.end())});
  }
  return file;
}

Status check_before_writing(const TensorFile& file) {
  const std::size_t objects = file.metadata.empty() ? 0 : 1;
  if (file.tensors.size() + objects > kMostKeys || file.metadata.size() > kMostKeys) {
    return Error{fmt::format("{} tensors and {} metadata texts; expected {} of each at most",
                             file.tensors.size(), file.metadata.size(), kMostKeys - objects)};
  }
  std::unordered_set<std::string_view> names;
  for (const Tensor& tensor : file.tensors) {
    if (tensor.name == kMetadata) return Error{"a tensor cannot have the name '__metadata__'"};
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
      return fault_in(kMetadata, fmt::format("{} is not UTF-8", in_quotes(key)));
    }
    if (!names.insert(key).second) {
      return fault_in(kMetadata, fmt::format("{} stands twice; expected once", in_quotes(key)));
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
  Json header = Json::object();
  for (const auto& [key, value] : file.metadata) header[std::string(kMetadata)][key] = value;
  std::size_t offset = 0;
  for (const Tensor& tensor : file.tensors) {
    const std::size_t end = offset + tensor.data.size();
    header[tensor.name] = {
        {"dtype", name_of(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = dump_line(header);
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  if (text.size() > kLongestHeader) {
    return Error{
        fmt::format("the header takes {} bytes; expected {} at most", text.size(), kLongestHeader)};
  }
  const std::uint64_t length = text.size();
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  bytes.reserve(kLengthBytes + text.size() + offset);
  bytes += text;
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
