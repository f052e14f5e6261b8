// Data sets: what is written is read, and nothing that a file claims is believed.

#include "damier/learn/rows/data_set.h"

#include <cstring>
#include <fstream>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/checksum.h"
#include "damier/base/files/files.h"
#include "damier/base/numbers/random.h"
#include "damier/base/parallel/threads.h"
#include "damier/learn/rows/data_report.h"
#include "damier/learn/rows/data_set_writer.h"
#include "damier/learn/rows/join.h"
#include "damier/nn/safetensors.h"

namespace damier::learn {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

const std::vector<Column> kColumns = {
    {"input", nn::DType::f32, 3}, {"mark", nn::DType::u8, 2}, {"group", nn::DType::i64, 1}};

// Row i: input i, i + 0.25, i + 0.5; marks i % 7, 1; the given group.
Status add(RowSink& sink, Split split, int i, std::int64_t group) {
  const auto x = static_cast<float>(i);
  const std::array<float, 3> input = {x, x + 0.25f, x + 0.5f};
  const std::array<std::uint8_t, 2> mark = {static_cast<std::uint8_t>(i % 7), 1};
  const std::array<std::span<const std::byte>, 3> row = {std::as_bytes(std::span(input)),
                                                         std::as_bytes(std::span(mark)),
                                                         std::as_bytes(std::span(&group, 1))};
  return sink.append(split, row);
}

class DataSets : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  // Rows in turn for training, validation and test; each is its own group.
  void write(const std::filesystem::path& file, int rows) const {
    auto writer = DataSetWriter::create(file, kColumns).value();
    for (int i = 0; i < rows; ++i) {
      ASSERT_TRUE(add(*writer, static_cast<Split>(i % 3), i, 1000 + i));
    }
    ASSERT_TRUE(writer->finish({{"task", "none"}}));
  }

  // Without waiting for the disk, as tests write many.
  void put(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }

  TemporaryFolder folder_;
};

TEST_F(DataSets, RowsComeBackInTheOrderOfTheSplits) {
  write(path("a"), 10);
  const auto data = DataSet::open(path("a"));
  ASSERT_TRUE(data.ok()) << data.error().text();
  EXPECT_EQ(data->columns(), kColumns);
  EXPECT_EQ(data->row_count(), 10u);
  EXPECT_EQ(data->rows(Split::training).count, 4u);
  EXPECT_EQ(data->rows(Split::test).first, 7u);
  EXPECT_EQ(data->info()["task"], "none");
  EXPECT_EQ(
      data->values<std::int32_t>(2, {0, 10}).value(),
      (std::vector<std::int32_t>{1000, 1003, 1006, 1009, 1001, 1004, 1007, 1002, 1005, 1008}));
  EXPECT_EQ(data->values<double>(0, {4, 2}).value(),
            (std::vector<double>{1, 1.25, 1.5, 4, 4.25, 4.5}));
  EXPECT_TRUE(check_data_set(*data).ok());
}

TEST_F(DataSets, OtherToolsReadThemAsSafetensors) {
  write(path("a"), 10);
  const auto file = nn::read_safetensors(path("a"));
  ASSERT_TRUE(file.ok()) << file.error().text();
  EXPECT_EQ(file->find("input")->shape, (std::vector<std::uint64_t>{10, 3}));
  EXPECT_EQ(nn::values_of<float>(*file->find("input")).value()[3], 3.0f);
}

TEST_F(DataSets, MoreRowsThanTheBuffersHold) {
  const int rows = 600'000;  // 7.2 MB of input
  write(path("a"), rows);
  const auto data = DataSet::open(path("a")).value();
  EXPECT_TRUE(check_data_set(data).ok());
  // From several threads at once.
  ThreadPool pool(4);
  std::array<bool, 16> good = {};
  pool.for_each(good.size(), [&](std::size_t i) {
    const std::uint64_t row = 12'345 * i;
    const auto values = data.values<float>(0, {row, 1}).value();
    good[i] = values[0] == static_cast<float>(3 * row);
  });
  for (const bool one : good) EXPECT_TRUE(one);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    files += entry.is_regular_file();
  }
  EXPECT_EQ(files, 1) << "something was left behind";
}

// Wide rows are taken a few at a time, and many rows of few groups cost the groups alone.
TEST_F(DataSets, RowsAtOnceFollowFromTheirBytes) {
  EXPECT_EQ(rows_at_once(8, 65536), 65536u);
  EXPECT_EQ(rows_at_once(1 << 20, 65536), 16u);
  EXPECT_EQ(rows_at_once(std::uint64_t{1} << 40, 65536), 1u);
  EXPECT_EQ(rows_at_once(0, 7), 7u);
}

TEST_F(DataSets, GroupsAreListedOnceWithTheirSplit) {
  auto writer = DataSetWriter::create(path("a"), kColumns).value();
  for (int i = 0; i < 200'000; ++i) {
    ASSERT_TRUE(add(*writer, i % 2 == 0 ? Split::training : Split::test, i, i % 4));
  }
  ASSERT_TRUE(writer->finish({}));
  const auto groups = groups_of(DataSet::open(path("a")).value()).value();
  const std::vector<std::pair<std::int64_t, Split>> expected = {
      {0, Split::training}, {1, Split::test}, {2, Split::training}, {3, Split::test}};
  EXPECT_EQ(groups, expected);
}

TEST_F(DataSets, AWriterThatIsGivenUpLeavesNothing) {
  {
    auto writer = DataSetWriter::create(path("a"), kColumns).value();
    for (int i = 0; i < 200'000; ++i) ASSERT_TRUE(add(*writer, Split::training, i, i));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  EXPECT_FALSE(DataSetWriter::create("/nowhere/at/all", kColumns).ok());
}

TEST_F(DataSets, InMemoryAndOnDiskAreTheSameData) {
  write(path("a"), 100);
  MemoryRows rows(kColumns);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(add(rows, static_cast<Split>(i % 3), i, 1000 + i));
  const DataSet memory = rows.finish({{"task", "none"}});
  const DataSet disk = DataSet::open(path("a")).value();
  EXPECT_EQ(memory.checksum(), disk.checksum());
  EXPECT_EQ(memory.info(), disk.info());
  EXPECT_TRUE(check_data_set(memory).ok());
  EXPECT_EQ(memory.values<float>(0, {0, 100}).value(), disk.values<float>(0, {0, 100}).value());
}

TEST_F(DataSets, AGroupInTwoSplitsIsFound) {
  auto writer = DataSetWriter::create(path("a"), kColumns).value();
  ASSERT_TRUE(add(*writer, Split::training, 1, 5));
  ASSERT_TRUE(add(*writer, Split::training, 2, 6));
  ASSERT_TRUE(add(*writer, Split::test, 3, 6));
  ASSERT_TRUE(writer->finish(Json::object()));
  const auto status = check_data_set(DataSet::open(path("a")).value());
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "the group 6 is in two splits, training and test; expected one");
}

TEST_F(DataSets, AChangedNumberIsFound) {
  write(path("a"), 30);
  std::string bytes = read_file(path("a"), kMaxBytes).value();
  bytes[bytes.size() - 400] ^= 1;
  put("b", bytes);
  const auto data = DataSet::open(path("b"));
  ASSERT_TRUE(data.ok());
  const auto status = check_data_set(*data);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("the file is damaged"), std::string::npos);
}

TEST_F(DataSets, EveryTruncationIsRefused) {
  write(path("a"), 9);
  const std::string bytes = read_file(path("a"), kMaxBytes).value();
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 40) {
    put("b", std::string_view(bytes).substr(0, size));
    EXPECT_FALSE(DataSet::open(path("b")).ok()) << size;
  }
  put("b", bytes + "x");
  EXPECT_FALSE(DataSet::open(path("b")).ok());
  EXPECT_FALSE(DataSet::open(path("none")).ok());
  EXPECT_FALSE(DataSet::open(folder_.path()).ok());
  EXPECT_FALSE(DataSet::open("/dev/zero").ok());
}

std::string file_of(const std::string& header, std::size_t data) {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(data, '\0');
}

TEST_F(DataSets, HeadersThatLieAreRefusedByName) {
  const std::string info =
      R"("__metadata__":{"damier.data":"{\"rows\":{\"training\":2,\"validation\":0,\"test\":0}}"})";
  const std::string group = R"("group":{"dtype":"I64","shape":[2,1],"data_offsets":[0,16]})";
  struct Case {
    std::string header;
    std::size_t data;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"{" + info + "," + group + "}", 16, ""},
      {"{" + group + "}", 16, "is no data set"},
      {"{" + info + "}", 0, "the splits have 2 + 0 + 0 rows; expected 0"},
      {"[]", 0, "the header begins with '['; expected '{'"},
      {"{\"a\":", 0, "not valid JSON"},
      {"{" + info + "," + group + "}", 17, "the data continue for 1 byte after the last column"},
      {"{" + info + "," + group + "," + group + "}", 16, "stands twice"},
      {"{" + info + R"(,"group":{"dtype":"I64","shape":[2,1],"data_offsets":[0,17]}})", 17,
       "has 17 bytes of data; expected 16"},
      {"{" + info + R"(,"group":{"dtype":"I64","shape":[2,1],"data_offsets":[0,99]}})", 16,
       "expected begin <= end <= 16"},
      {"{" + info +
           R"(,"group":{"dtype":"I64","shape":[9223372036854775809,2],"data_offsets":[0,16]}})",
       16, "takes more than 2^64-1 bytes"},
      {"{" + info + R"(,"group":{"dtype":"I64","shape":[0,1099511627776],"data_offsets":[0,0]}})",
       0, "expected at most 2^40 rows of 1 to 1048576 numbers"},
      {"{" + info + R"(,"group":{"dtype":"I64","shape":[0,0],"data_offsets":[0,0]}})", 0,
       "expected at most 2^40 rows of 1 to 1048576 numbers"},
      {"{" + info + R"(,"group":{"dtype":"I64","shape":[2],"data_offsets":[0,16]}})", 16,
       "has the shape [2]; expected [rows, width]"},
      {"{" + info + R"(,"group":{"dtype":"I64","shape":[-2,1],"data_offsets":[0,16]}})", 16,
       "shape[0] is -2; expected a whole number"},
      {"{" + info + R"(,"group":{"dtype":"F16","shape":[2,1],"data_offsets":[0,16]}})", 16,
       "unknown dtype 'F16'"},
      {"{" + info + R"(,"group":{"dtype":"F64","shape":[2,1],"data_offsets":[0,16]}})", 16,
       "has no column 'group' of one I64"},
      {"{" + info + "," + group + R"(,"b":{"dtype":"U8","shape":[3,1],"data_offsets":[16,19]}})",
       19, "has 3 rows; expected 2"},
      {"{" + info + "," + group + R"(,"b":{"dtype":"U8","shape":[2,1],"data_offsets":[8,10]}})", 16,
       "the data begin at 8, inside those of column 'group'; expected 16"},
      {R"({"__metadata__":{"damier.data":"{\"rows\":{\"training\":18446744073709551615,)"
       R"(\"validation\":3,\"test\":0}}"},)" +
           group + "}",
       16, "the splits have 18446744073709551615 + 3 + 0 rows"},
      {R"({"__metadata__":{"damier.data":"7"},)" + group + "}", 16, "expected an object"},
      {R"({"__metadata__":{"damier.data":"{}"},)" + group + "}", 16, "rows.training is missing"},
  };
  for (const Case& one : cases) {
    put("b", file_of(one.header, one.data));
    const auto data = DataSet::open(path("b"));
    if (one.message.empty()) {
      EXPECT_TRUE(data.ok()) << data.error().text();
      continue;
    }
    ASSERT_FALSE(data.ok()) << one.header;
    EXPECT_NE(data.error().text().find(one.message), std::string::npos) << data.error().text();
    EXPECT_EQ(data.error().where.source, path("b").string());
  }
}

TEST_F(DataSets, AHugeHeaderLengthAllocatesNothing) {
  std::string bytes(8, '\xff');
  put("b", bytes + "{}");
  EXPECT_NE(DataSet::open(path("b")).error().message.find("expected 2 at most"), std::string::npos);
}

// Bytes of the header changed at random: an answer each time, and no crash.
TEST_F(DataSets, RandomDamageIsSurvived) {
  write(path("a"), 9);
  const std::string bytes = read_file(path("a"), kMaxBytes).value();
  RandomStream random(Seed{1}, "damage");
  for (int i = 0; i < 300; ++i) {
    std::string changed = bytes;
    for (int k = 0; k < 3; ++k) {
      changed[random.below(300)] = static_cast<char>(random.below(256));
    }
    put("b", changed);
    const auto data = DataSet::open(path("b"));
    if (data) static_cast<void>(check_data_set(*data).ok());
  }
}

TEST_F(DataSets, ChecksumsDoNotDependOnThePieces) {
  const std::string text = "some bytes that are cut here and there";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Checksum sum;
    sum.add(std::string_view(text).substr(0, cut));
    sum.add(std::string_view(text).substr(cut));
    EXPECT_EQ(checksum_text(sum.value()), checksum_of(text));
  }
  EXPECT_NE(checksum_of("a"), checksum_of(std::string_view("a\0", 2)));
}

TEST_F(DataSets, SummariesAndCsv) {
  write(path("a"), 9);
  const DataSet data = DataSet::open(path("a")).value();
  const auto summary = summarize(data);
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->rows, (std::array<std::uint64_t, kSplits>{3, 3, 3}));
  EXPECT_EQ(summary->groups, (std::array<std::uint64_t, kSplits>{3, 3, 3}));
  EXPECT_DOUBLE_EQ(summary->columns[0].mean, 4.25);
  EXPECT_DOUBLE_EQ(summary->columns[0].highest, 8.5);
  ASSERT_TRUE(write_csv(data, path("a.csv")));
  const std::string csv = read_file(path("a.csv"), kMaxBytes).value();
  EXPECT_TRUE(
      csv.starts_with("split,input_0,input_1,input_2,mark_0,mark_1,group\n"
                      "training,0,0.25,0.5,0,1,1000\n"
                      "training,3,3.25,3.5,3,1,1003\n"))
      << csv;
  EXPECT_TRUE(csv.ends_with("test,8,8.25,8.5,1,1,1008\n")) << csv;
}

// Games of two parts have the same numbers, and may be in different splits.
TEST_F(DataSets, PartsBecomeOne) {
  const auto part = [&](const std::string& name, int first, Split split, const char* group,
                        const char* game = "chess") {
    auto writer = DataSetWriter::create(path(name), kColumns).value();
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(add(*writer, split, first + i, i / 2));
    EXPECT_TRUE(writer->finish({{"game", game}, {"group", group}}));
    return DataSet::open(path(name)).value();
  };
  const auto join = [&](std::vector<DataSet> parts) { return join_data_sets(parts, path("all")); };
  const DataSet a = part("a", 0, Split::training, "game");
  const DataSet b = part("b", 100, Split::test, "game");
  const auto info = join({a, b});
  ASSERT_TRUE(info.ok());
  EXPECT_EQ((*info)["parts"][1]["checksum"], b.checksum());
  const DataSet all = DataSet::open(path("all")).value();
  EXPECT_TRUE(check_data_set(all));
  EXPECT_EQ(all.rows(Split::training).count, 6u);
  EXPECT_EQ(all.values<float>(0, all.rows(Split::test)).value(),
            b.values<float>(0, b.rows(Split::test)).value());
  EXPECT_EQ(all.values<std::int64_t>(2, {0, 12}).value(),
            (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));

  const auto refused = [&](std::vector<DataSet> parts, const std::string& text) {
    const auto joined = join(std::move(parts));
    ASSERT_FALSE(joined.ok());
    EXPECT_NE(joined.error().text().find(text), std::string::npos) << joined.error().text();
  };
  refused({a, a}, "has the rows of another part");
  refused({a, part("other", 50, Split::test, "game", "bremen")}, "its game is \"bremen\"");
  const DataSet c = part("c", 0, Split::training, "symmetry class, colours exchanged or not");
  const DataSet d = part("d", 100, Split::test, "symmetry class, colours exchanged or not");
  refused({c, d}, "group 0 is in another split");
}

}  // namespace
}  // namespace damier::learn
