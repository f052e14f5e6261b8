#include <istream>
#include <string>
#include <thread>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "damier/base/files/files.h"

namespace damier {
namespace {

std::string all_of(InputFile& file) {
  std::istream in(&file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(InputFile, GivesTheBytesOfAFileAndItsSize) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "file";
  const std::string content(200'000, 'x');
  ASSERT_TRUE(write_file_atomically(path, content));
  auto file = InputFile::open(path).value();
  EXPECT_EQ(file->size(), content.size());
  EXPECT_EQ(all_of(*file), content);
  EXPECT_EQ(file->bytes_read(), content.size());
  EXPECT_TRUE(file->status());
}

TEST(InputFile, GivesTheBytesOfAPipe) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string content(200'000, 'y');
  std::thread writer([&] {
    FILE* out = std::fopen(path.c_str(), "w");
    std::fwrite(content.data(), 1, content.size(), out);
    std::fclose(out);
  });
  auto file = InputFile::open(path).value();
  EXPECT_EQ(file->size(), std::nullopt);
  EXPECT_EQ(all_of(*file), content);
  writer.join();
}

TEST(InputFile, WhatIsNoFileIsRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(InputFile::open(folder.path().string()).error().text(),
            folder.path().string() + ": is a folder; expected a file");
  EXPECT_EQ(InputFile::open("/nowhere/file").error().text(),
            "/nowhere/file: cannot be read: No such file or directory");
}

TEST(StreamLines, LinesComeOneByOneAndALongOneIsCut) {
  std::string text = "\xEF\xBB\xBFone\r\n\n";
  text += std::string(2 * StreamLines::kMaxLength, 'z') + "\nlast";
  std::istringstream in(text);
  StreamLines lines(in);
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "one");
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "");
  EXPECT_FALSE(lines.is_cut());
  ASSERT_TRUE(lines.next());
  EXPECT_TRUE(lines.is_cut());
  EXPECT_LT(lines.line().size(), StreamLines::kMaxLength + (1 << 17));
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "last");
  EXPECT_EQ(lines.number(), 4);
  EXPECT_FALSE(lines.next());
}

}  // namespace
}  // namespace damier
