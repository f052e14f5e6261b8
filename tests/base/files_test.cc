#include "damier/base/files.h"

#include <fstream>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace damier {
namespace {

namespace fs = std::filesystem;

TEST(Files, WhatIsWrittenIsRead) {
  const TemporaryFolder folder;
  const std::string content("two\nlines\0and a zero", 20);
  ASSERT_TRUE(write_file_atomically(folder.path() / "a", content));
  EXPECT_EQ(*read_file(folder.path() / "a", 1000), content);
}

TEST(Files, AWriteReplacesTheWholeFileAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "a", "a long first version"));
  ASSERT_TRUE(write_file_atomically(folder.path() / "a", "short"));
  EXPECT_EQ(*read_file(folder.path() / "a", 1000), "short");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(Files, AFailedWriteKeepsTheOldFile) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "is a folder");
  const auto status = write_file_atomically(folder.path() / "is a folder", "x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::failure);
  EXPECT_TRUE(fs::is_directory(folder.path() / "is a folder"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
  EXPECT_FALSE(write_file_atomically(folder.path() / "missing" / "a", "x"));
}

TEST(Files, PermissionsOfAReplacedFileStay) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "a", "x"));
  fs::permissions(folder.path() / "a", fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(write_file_atomically(folder.path() / "a", "y"));
  EXPECT_EQ(fs::status(folder.path() / "a").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(Files, LargeFilesAndFoldersAreRefused) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "a", "12345"));
  EXPECT_TRUE(read_file(folder.path() / "a", 5));
  EXPECT_NE(read_file(folder.path() / "a", 4).error().text().find("larger than the 4 bytes"),
            std::string::npos);
  EXPECT_NE(read_file(folder.path(), 4).error().text().find("is a folder"), std::string::npos);
  EXPECT_EQ(read_file(folder.path() / "b", 4).error().kind, ErrorKind::input);
}

}  // namespace
}  // namespace damier
