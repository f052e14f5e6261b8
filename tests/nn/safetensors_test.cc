#include "damier/nn/safetensors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include "damier/base/files/files.h"

namespace damier::nn {
namespace {

// A file with this header and these data, right or wrong.
std::string file_of(std::string_view header, std::string_view data = "") {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes.append(header).append(data);
}

std::string error_of(std::string_view bytes) {
  const auto file = parse_safetensors(bytes, "w");
  return file ? "no error" : file.error().text();
}

// One of every kind of number, an empty tensor and a single number among them.
TensorFile small_file() {
  const std::vector<float> f32 = {1, -2.5F, 3e-40F, 0};
  const std::vector<double> f64 = {0.1, -1e308};
  const std::vector<std::int32_t> i32 = {-7};
  const std::vector<std::int64_t> i64 = {1, -2, 3};
  const std::vector<std::uint8_t> u8 = {255, 0, 7};
  TensorFile file;
  file.tensors = {
      make_tensor<std::uint8_t>("mask", {3}, u8), make_tensor<float>("conv.weight", {2, 1, 2}, f32),
      make_tensor<double>("é", {2}, f64),         make_tensor<float>("none", {2, 0, 3}, {}),
      make_tensor<std::int32_t>("step", {}, i32), make_tensor<std::int64_t>("", {1, 3}, i64)};
  file.metadata = {{"format", "damier"}, {"note", "two\nlines \"quoted\""}, {"empty", ""}};
  return file;
}

// Whatever `bytes` are: an error in one line, or a file that is written and read back the same.
void expect_error_or_round_trip(std::string_view bytes) {
  const auto file = parse_safetensors(bytes, "w");
  if (!file) {
    EXPECT_TRUE(file.error().text().starts_with("w")) << file.error().text();
    EXPECT_EQ(file.error().text().find('\n'), std::string::npos);
    return;
  }
  const auto written = serialize_safetensors(*file);
  ASSERT_TRUE(written) << written.error().text();
  const auto again = parse_safetensors(*written, "again");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, *file);
}

TEST(Safetensors, ASmallFileIsTheseBytes) {
  TensorFile file;
  file.tensors = {make_tensor<float>("w", {2, 1}, std::vector<float>{1, -2}),
                  make_tensor<std::int64_t>("step", {}, std::vector<std::int64_t>{7})};
  file.metadata = {{"format", "damier"}};
  using namespace std::string_view_literals;
  const std::string golden = std::string("\x98\0\0\0\0\0\0\0"sv) +
                             R"({"__metadata__":{"format":"damier"},)"
                             R"("w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
                             R"("step":{"dtype":"I64","shape":[],"data_offsets":[8,16]}}     )" +
                             std::string("\0\0\x80\x3F\0\0\0\xC0\7\0\0\0\0\0\0\0"sv);
  EXPECT_EQ(serialize_safetensors(file).value(), golden);
  EXPECT_EQ(parse_safetensors(golden, "w").value(), file);
}

TEST(Safetensors, DataBeginAtAMultipleOfEight) {
  for (std::size_t length = 0; length < 9; ++length) {
    TensorFile file;
    const std::vector<std::uint8_t> values = {42};
    file.tensors = {make_tensor<std::uint8_t>(std::string(length, 'n'), {1}, values)};
    const std::string bytes = serialize_safetensors(file).value();
    EXPECT_EQ(bytes.size() % 8, 1U);
    EXPECT_EQ(bytes.back(), 42);
  }
}

TEST(Safetensors, FilesOfOthersAreRead) {
  // Data in another order than the header, spaces where JSON allows them.
  const auto file =
      parse_safetensors(file_of(R"({ "b": {"data_offsets": [1, 3], "shape": [2], "dtype": "U8"},
                   "a": {"dtype": "U8", "shape": [1, 1], "data_offsets": [0, 1]} }   )",
                                "xyz"),
                        "w");
  ASSERT_TRUE(file) << file.error().text();
  EXPECT_EQ(file->tensors[0].name, "b");
  EXPECT_EQ(values_of<std::uint8_t>(file->tensors[0]).value(),
            (std::vector<std::uint8_t>{'y', 'z'}));
  EXPECT_EQ(values_of<std::uint8_t>(*file->find("a")).value(), std::vector<std::uint8_t>{'x'});
  EXPECT_EQ(file->find("c"), nullptr);
}

TEST(Safetensors, FilesWithoutTensorsAreFiles) {
  EXPECT_EQ(parse_safetensors(file_of("{}"), "w").value(), TensorFile{});
  EXPECT_EQ(parse_safetensors(file_of(R"({"__metadata__":{}})"), "w").value(), TensorFile{});
  EXPECT_EQ(serialize_safetensors({}).value(), file_of("{}      "));
}

TEST(Safetensors, ValuesHaveTheTypeAskedForOrAreAnError) {
  const TensorFile file = small_file();
  EXPECT_EQ(values_of<double>(*file.find("é")).value(), (std::vector<double>{0.1, -1e308}));
  EXPECT_EQ(values_of<float>(*file.find("none")).value(), std::vector<float>{});
  EXPECT_EQ(values_of<std::int32_t>(*file.find("step")).value(), std::vector<std::int32_t>{-7});
  EXPECT_EQ(values_of<float>(*file.find("é")).error().text(), "tensor 'é': is F64; expected F32");
  EXPECT_EQ(values_of<std::int64_t>(*file.find("mask")).error().text(),
            "tensor 'mask': is U8; expected I64");
  Tensor cut = *file.find("é");
  cut.data.pop_back();
  EXPECT_EQ(values_of<double>(cut).error().text(),
            "tensor 'é': has 15 bytes of data; expected as many as [2] of F64 take");
}

TEST(Safetensors, EveryTruncationIsAnErrorInOneLine) {
  const std::string whole = serialize_safetensors(small_file()).value();
  ASSERT_EQ(parse_safetensors(whole, "w").value(), small_file());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(error_of(whole.substr(0, size)), "no error") << size;
    expect_error_or_round_trip(whole.substr(0, size));
  }
  EXPECT_EQ(error_of(whole + "x"),
            "w: the data continue for 1 byte after the last tensor; expected none");
}

TEST(Safetensors, EveryFlippedBitIsAnErrorOrAnotherFile) {
  std::string bytes = serialize_safetensors(small_file()).value();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const auto flip = static_cast<char>(1 << bit % 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ flip);
    expect_error_or_round_trip(bytes);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ flip);
  }
}

struct BadFile {
  std::string bytes;
  std::string error;
};

// A tensor 'a' with these fields, before 4 bytes of data.
std::string with_fields(std::string_view fields) {
  return file_of(fmt::format(R"({{"a":{{{}}}}})", fields), "1234");
}

// Two tensors of bytes with these offsets, before 4 bytes of data.
std::string with_offsets(std::size_t begin_a, std::size_t end_a, std::size_t begin_b,
                         std::size_t end_b) {
  return file_of(fmt::format(R"({{"a":{{"dtype":"U8","shape":[{}],"data_offsets":[{},{}]}},)"
                             R"("b":{{"dtype":"U8","shape":[{}],"data_offsets":[{},{}]}}}})",
                             end_a - begin_a, begin_a, end_a, end_b - begin_b, begin_b, end_b),
                 "1234");
}

std::vector<BadFile> bad_files() {
  using namespace std::string_literals;
  return {
      {"", "w: has 0 bytes; expected 8 with the length of the header first"},
      {"1234567", "w: has 7 bytes; expected 8 with the length of the header first"},
      {"\3\0\0\0\0\0\0\0{}"s,
       "w: the header is 3 bytes long by its length; expected 2 at most, all that the file has"},
      {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}",
       "w: the header is 18446744073709551615 bytes long by its length; expected 2 at most, all "
       "that the file has"},
      {file_of(""), "w: the header is empty; expected a JSON object"},
      {file_of("[]"), "w: the header begins with '['; expected '{'"},
      {file_of(" {}"), "w: the header begins with ' '; expected '{'"},
      {file_of("{}\0{"s), "w, header:1:3: not valid JSON: a zero byte"},
      {file_of(R"({"a":[1]})"), "w: tensor 'a': is array; expected an object"},
      {file_of(R"({"a":{},"a":{}})"), "w, header: the key 'a' stands twice in an object"},
      {file_of(R"({"a":{},"\u0061":{}})"), "w, header: the key 'a' stands twice in an object"},
      {file_of(R"({"__metadata__":{},"__metadata__":{}})"),
       "w, header: the key '__metadata__' stands twice in an object"},
      {file_of(R"({"__metadata__":{"k":"1","k":"2"}})"),
       "w, header: the key 'k' stands twice in an object"},
      {file_of(R"({"__metadata__":[]})"), "w: __metadata__: is array; expected an object of texts"},
      {file_of(R"({"__metadata__":{"k":1}})"), "w: __metadata__: 'k' is number; expected a text"},
      {with_fields(R"("dtype":"U8","dtype":"U8")"),
       "w, header: the key 'dtype' stands twice in an object"},
      {with_fields(R"("dtype":"U8","shapes":[4],"data_offsets":[0,4])"),
       "w: tensor 'a': unknown key 'shapes'; did you mean 'shape'? (known: shape, dtype, "
       "data_offsets)"},
      {with_fields(R"("shape":[4],"data_offsets":[0,4])"), "w: tensor 'a': 'dtype' is missing"},
      {with_fields(R"("dtype":8,"shape":[4],"data_offsets":[0,4])"),
       "w: tensor 'a': 'dtype' is number; expected a text"},
      {with_fields(R"("dtype":"BF16","shape":[2],"data_offsets":[0,4])"),
       "w: tensor 'a': unknown dtype 'BF16'; expected one of F32, F64, I32, I64, U8"},
      {with_fields(R"("dtype":"U8","data_offsets":[0,4])"), "w: tensor 'a': 'shape' is missing"},
      {with_fields(R"("dtype":"U8","shape":4,"data_offsets":[0,4])"),
       "w: tensor 'a': 'shape' is number; expected a list of whole numbers"},
      {with_fields(R"("dtype":"U8","shape":[4,-1],"data_offsets":[0,4])"),
       "w: tensor 'a': shape[1] is -1; expected a whole number from 0 to 2^64-1"},
      {with_fields(R"("dtype":"U8","shape":[4.0],"data_offsets":[0,4])"),
       "w: tensor 'a': shape[0] is 4.0; expected a whole number from 0 to 2^64-1"},
      {with_fields(R"("dtype":"U8","shape":["4"],"data_offsets":[0,4])"),
       "w: tensor 'a': shape[0] is string; expected a whole number from 0 to 2^64-1"},
      {with_fields(R"("dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,4])"),
       "w: tensor 'a': shape[0] is 1.8446744073709552e+19; expected a whole number from 0 to "
       "2^64-1"},
      {with_fields(R"("dtype":"U8","shape":[1,1,1,1,1,1,1,1,4],"data_offsets":[0,4])"),
       "w: tensor 'a': 'shape' has 9 entries; expected 8 at most"},
      {with_fields(R"("dtype":"U8","shape":[[4]],"data_offsets":[0,4])"),
       "w: tensor 'a': shape[0] is array; expected a whole number from 0 to 2^64-1"},
      {with_fields(R"("dtype":"U8","shape":[4294967296,4294967296,2],"data_offsets":[0,4])"),
       "w: tensor 'a': the shape [4294967296,4294967296,2] of U8 takes more than 2^64-1 bytes"},
      {with_fields(R"("dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0])"),
       "w: tensor 'a': the shape [4611686018427387904] of F32 takes more than 2^64-1 bytes"},
      {with_fields(R"("dtype":"F32","shape":[0,4294967296,4294967296],"data_offsets":[0,0])"),
       "w: tensor 'a': the shape [0,4294967296,4294967296] of F32 takes more than 2^64-1 bytes"},
      {with_fields(R"("dtype":"U8","shape":[4])"), "w: tensor 'a': 'data_offsets' is missing"},
      {with_fields(R"("dtype":"U8","shape":[4],"data_offsets":[4])"),
       "w: tensor 'a': 'data_offsets' has 1 entries; expected 2, begin and end"},
      {with_fields(R"("dtype":"U8","shape":[4],"data_offsets":[-4,0])"),
       "w: tensor 'a': data_offsets[0] is -4; expected a whole number from 0 to 2^64-1"},
      {with_fields(R"("dtype":"U8","shape":[4],"data_offsets":[4,0])"),
       "w: tensor 'a': the data stand at 4 to 0; expected begin <= end <= 4"},
      {with_fields(R"("dtype":"U8","shape":[5],"data_offsets":[0,5])"),
       "w: tensor 'a': the data stand at 0 to 5; expected begin <= end <= 4"},
      {with_fields(R"("dtype":"F32","shape":[2],"data_offsets":[0,4])"),
       "w: tensor 'a': has 4 bytes of data; expected 8 for the shape [2] of F32"},
      {with_offsets(0, 3, 2, 4),
       "w: tensor 'b': the data begin at 2, inside those of tensor 'a'; expected 3"},
      {with_offsets(0, 4, 0, 4),
       "w: tensor 'b': the data begin at 0, inside those of tensor 'a'; expected 4"},
      {with_offsets(0, 4, 2, 2),
       "w: tensor 'b': the data begin at 2, inside those of tensor 'a'; expected 4"},
      {with_offsets(3, 4, 0, 2),
       "w: tensor 'a': the data begin at 3, after bytes of no tensor; expected 2"},
      {with_offsets(1, 2, 2, 4),
       "w: tensor 'a': the data begin at 1, after bytes of no tensor; expected 0"},
      {with_offsets(0, 1, 1, 2),
       "w: the data continue for 2 bytes after the last tensor; expected none"},
      {file_of("{}", "1"), "w: the data continue for 1 byte after the last tensor; expected none"},
  };
}

TEST(Safetensors, BadFilesAreToldApart) {
  for (const BadFile& bad : bad_files()) {
    const auto file = parse_safetensors(bad.bytes, "w");
    EXPECT_EQ(file ? "no error" : file.error().text(), bad.error) << bad.bytes;
  }
}

TEST(Safetensors, HeadersThatAreNotJsonAreErrorsByLineAndColumn) {
  const auto place_of = [](std::string_view header) {
    const std::string error = error_of(file_of(header));
    return error.substr(0, error.find(" not valid JSON: "));
  };
  EXPECT_EQ(place_of("{} x"), "w, header:1:4:");
  EXPECT_EQ(place_of(R"({"a)"), "w, header:1:4:");
  EXPECT_EQ(place_of("{\"a\":\n?}"), "w, header:2:1:");
  EXPECT_EQ(place_of(R"({"a":1e999})"), "w, header:");
  EXPECT_EQ(place_of("{\"a\xFF\":{}}"), "w, header:1:4:");
}

TEST(Safetensors, HeadersMadeToTakeLongAreRefusedEarly) {
  std::string header(100'000'001, ' ');
  header.replace(0, 2, "{}");
  EXPECT_EQ(error_of(file_of(header)),
            "w: the header is 100000001 bytes long by its length; expected 100000000 at most");
  header = R"({"a":[)" + std::string(10'000'000, '[');
  EXPECT_EQ(error_of(file_of(header)),
            "w, header: nested deeper than the 64 levels expected at most");
  header = "{";
  for (int i = 0; i < 4097; ++i) header += fmt::format(R"("{}":0,)", i);
  EXPECT_EQ(error_of(file_of(header)),
            "w, header: an object of more than the 4096 keys expected at most");
  header = R"({"a":[0)";
  for (int i = 0; i < 2'000'000; ++i) header += ",0";
  EXPECT_EQ(error_of(file_of(header)), "w, header: more than the 1048576 values expected at most");
  header = R"({"a":{"dtype":"U8","shape":[1)";
  for (int i = 0; i < 1'000'000; ++i) header += ",1";
  EXPECT_EQ(error_of(file_of(header + R"(],"data_offsets":[0,1]}})", "x")),
            "w: tensor 'a': 'shape' has 1000001 entries; expected 8 at most");
}

TEST(Safetensors, FilesThatCouldNotBeReadAreNotWritten) {
  const Tensor good = make_tensor<std::uint8_t>("a", {1}, std::vector<std::uint8_t>{1});
  const auto error = [](TensorFile file) {
    const auto bytes = serialize_safetensors(file);
    return bytes ? "no error" : bytes.error().text();
  };
  const auto changed = [&](auto&& change) {
    Tensor tensor = good;
    change(tensor);
    return TensorFile{{tensor}, {}};
  };
  EXPECT_EQ(error({{good, good}, {}}), "tensor 'a': stands twice; expected once");
  EXPECT_EQ(error(changed([](Tensor& t) { t.shape = {2}; })),
            "tensor 'a': has 1 byte of data; expected as many as [2] of U8 take");
  EXPECT_EQ(error(changed([](Tensor& t) {
              t.shape = {1ULL << 63, 2};
            })),
            "tensor 'a': has 1 byte of data; expected as many as [9223372036854775808,2] of U8 "
            "take");
  EXPECT_EQ(error(changed([](Tensor& t) { t.shape.assign(9, 1); })),
            "tensor 'a': the shape has 9 extents; expected 8 at most");
  EXPECT_EQ(error(changed([](Tensor& t) { t.name = "\xFF"; })),
            "tensor '\\xff': the name is not UTF-8");
  EXPECT_EQ(error(changed([](Tensor& t) { t.name = "__metadata__"; })),
            "a tensor cannot have the name '__metadata__'");
  EXPECT_EQ(error({{}, {{"k", "1"}, {"k", "2"}}}), "__metadata__: 'k' stands twice; expected once");
  EXPECT_EQ(error({{}, {{"k", "\xC3"}}}), "__metadata__: 'k' is not UTF-8");
  EXPECT_EQ(error({std::vector<Tensor>(4097), {}}),
            "4097 tensors and 0 metadata texts; expected 4096 of each at most");
}

TEST(Safetensors, TheLargestNumberOfTensorsIsReadBack) {
  TensorFile file;
  for (int i = 0; i < 4095; ++i) {
    file.tensors.push_back(make_tensor<float>(std::to_string(i), {0}, {}));
  }
  file.metadata = {{"k", "v"}};
  EXPECT_EQ(parse_safetensors(serialize_safetensors(file).value(), "w").value(), file);
}

TEST(Safetensors, FilesAreWrittenAndRead) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("damier_safetensors_{}", ::getpid());
  std::filesystem::create_directories(folder);
  const auto path = folder / "w.safetensors";
  const TensorFile file = small_file();
  ASSERT_TRUE(write_safetensors(path, file));
  EXPECT_EQ(read_safetensors(path).value(), file);
  // The header is seen before the numbers.
  const auto checked = read_safetensors(path, [](const TensorHeader& header) -> Status {
    return Error{fmt::format("has {} tensors", header.entries.size())};
  });
  EXPECT_EQ(checked.error().text(),
            fmt::format("{}: has {} tensors", path.string(), file.tensors.size()));
  EXPECT_FALSE(read_safetensors(folder / "missing"));
  const auto refused = write_safetensors(path, {{file.tensors[0], file.tensors[0]}, {}});
  EXPECT_EQ(refused.error().text(), path.string() + ": tensor 'mask': stands twice; expected once");
  EXPECT_EQ(read_safetensors(path).value(), file);
  std::filesystem::resize_file(path, kMaxTensorFileBytes + 1);
  EXPECT_EQ(read_safetensors(path).error().text(),
            path.string() + ": has 2147483649 bytes; expected 2147483648 at most");
  std::filesystem::remove_all(folder);
}

// Names of every kind that JSON must escape or pass on.
rc::Gen<std::string> any_name() {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
          "a", "b", "0", ".", "\"", "\\", "/", "\n", std::string(1, '\0'), "\x7F", "é", "♟", "😀")),
      [](const std::vector<std::string>& parts) {
        std::string name;
        for (const auto& part : parts) name += part;
        return name;
      });
}

rc::Gen<Tensor> any_tensor() {
  return rc::gen::exec([] {
    Tensor tensor;
    tensor.name = *any_name();
    tensor.dtype = *rc::gen::element(DType::f32, DType::f64, DType::i32, DType::i64, DType::u8);
    const auto rank = *rc::gen::inRange<std::size_t>(0, 9);
    tensor.shape = *rc::gen::container<std::vector<std::uint64_t>>(
        rank, rc::gen::weightedElement<std::uint64_t>({{1, 0}, {5, 1}, {3, 2}, {1, 3}}));
    const std::size_t size = bytes_of(tensor.shape, tensor.dtype).value();
    const auto first = *rc::gen::arbitrary<std::uint8_t>();
    for (std::size_t i = 0; i < size; ++i) tensor.data.push_back(std::byte((first + i * i) & 255));
    return tensor;
  });
}

RC_GTEST_PROP(Safetensors, WhatIsWrittenIsRead, ()) {
  TensorFile file;
  file.tensors = *rc::gen::uniqueBy<std::vector<Tensor>>(
      any_tensor(), [](const Tensor& tensor) { return tensor.name; });
  file.metadata = *rc::gen::uniqueBy<std::vector<std::pair<std::string, std::string>>>(
      rc::gen::pair(any_name(), any_name()), [](const auto& entry) { return entry.first; });
  const auto bytes = serialize_safetensors(file);
  RC_ASSERT(bytes.ok());
  const auto read = parse_safetensors(*bytes, "w");
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == file);
  RC_ASSERT(*serialize_safetensors(*read) == *bytes);
}

RC_GTEST_PROP(Safetensors, NumbersComeBack,
              (const std::vector<double>& f64, const std::vector<std::int32_t>& i32)) {
  TensorFile file;
  file.tensors = {make_tensor<double>("x", {f64.size()}, f64),
                  make_tensor<std::int32_t>("n", {1, i32.size()}, i32)};
  const TensorFile read = *parse_safetensors(*serialize_safetensors(file), "w");
  RC_ASSERT(*values_of<double>(*read.find("x")) == f64);
  RC_ASSERT(*values_of<std::int32_t>(*read.find("n")) == i32);
}

RC_GTEST_PROP(Safetensors, AnyBytesAreAFileOrAnErrorInOneLine, (const std::string& bytes)) {
  expect_error_or_round_trip(bytes);
  expect_error_or_round_trip(file_of("{" + bytes));
}

}  // namespace
}  // namespace damier::nn
