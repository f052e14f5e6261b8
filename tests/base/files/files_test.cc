#include "damier/base/files/files.h"

#include <fstream>

#include "tests/base/temporary_folder.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "damier/base/files/atomic_file.h"

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
  EXPECT_EQ(status.error().kind, ErrorKind::input);
  EXPECT_EQ(status.error().message, "is a folder; expected the name of a file");
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

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Files, ALinkStaysAndItsTargetIsReplaced) {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "sub" / "target", link = folder.path() / "link";
  fs::create_directory(folder.path() / "sub");
  fs::create_symlink("sub/target", link);
  fs::create_symlink("link", folder.path() / "link to the link");
  ASSERT_TRUE(write_file_atomically(link, "made")) << "a link to nothing makes its target";
  ASSERT_TRUE(write_file_atomically(folder.path() / "link to the link", "replaced"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_FALSE(fs::is_symlink(target));
  EXPECT_EQ(*read_file(target, 100), "replaced");
  EXPECT_EQ(entries(folder.path() / "sub"), 1u);
  fs::create_symlink("circle", folder.path() / "circle");
  EXPECT_FALSE(write_file_atomically(folder.path() / "circle", "x"));
  fs::create_symlink("sub", folder.path() / "to a folder");
  EXPECT_EQ(write_file_atomically(folder.path() / "to a folder", "x").error().message,
            "is a folder; expected the name of a file");
}

TEST(Files, DevicesAndPipesAreWrittenInto) {
  const TemporaryFolder folder;
  EXPECT_TRUE(write_file_atomically("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(write_file_atomically("/dev/full", "x").error().text(),
            "/dev/full: cannot be written: No space left on device");
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_TRUE(write_file_atomically(pipe, "through the pipe"));
  char content[100] = {};
  EXPECT_EQ(read(reader, content, sizeof content), 16);
  EXPECT_STREQ(content, "through the pipe");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(Files, WhatIsOpenAlreadyIsWrittenWhereItStands) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a";
  const int open_file = open(file.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(write(open_file, "before ", 7), 7);
  ASSERT_TRUE(write_file_atomically("/dev/fd/" + std::to_string(open_file), "between"));
  ASSERT_EQ(write(open_file, " after", 6), 6);
  close(open_file);
  EXPECT_EQ(*read_file(file, 100), "before between after");
  EXPECT_FALSE(write_file_atomically("/dev/fd/" + std::to_string(open_file), "x"));
}

TEST(Files, WhatTheDeadLeftIsRemovedAndWhatTheLivingWriteIsNot) {
  const TemporaryFolder folder;
  auto living = AtomicFile::create(folder.path() / "living");
  ASSERT_TRUE(living);
  const pid_t child = fork();
  if (child == 0) {
    auto file = AtomicFile::create(folder.path() / "dead");
    const bool written = file && file->write("half of");
    _exit(written ? 0 : 1);  // as a kill would: nothing is tidied up
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  std::ofstream(folder.path() / "mine.part") << "no business of ours";
  ASSERT_EQ(entries(folder.path()), 3u) << "two that are being written, one of somebody else";
  ASSERT_TRUE(write_file_atomically(folder.path() / "a", "x"));
  EXPECT_EQ(entries(folder.path()), 3u) << "the dead one's is gone";
  EXPECT_TRUE(living->finish());
  EXPECT_TRUE(fs::exists(folder.path() / "living"));
  EXPECT_EQ(entries(folder.path()), 3u);
}

TEST(Files, OutputsAreCheckedBeforeTheWork) {
  const TemporaryFolder folder;
  EXPECT_TRUE(check_output(folder.path() / "new"));
  EXPECT_TRUE(check_output("/dev/null"));
  EXPECT_TRUE(check_output("/dev/stdout"));
  EXPECT_EQ(check_output(folder.path()).error().message,
            "is a folder; expected the name of a file");
  const auto nowhere = check_output(folder.path() / "no" / "where");
  EXPECT_EQ(nowhere.error().message, "cannot be written: No such file or directory");
  EXPECT_EQ(nowhere.error().kind, ErrorKind::input);
  EXPECT_FALSE(check_output(""));
  EXPECT_EQ(entries(folder.path()), 0u);
  EXPECT_TRUE(is_standard_output("/dev/stdout"));
  fs::create_symlink("/dev/stdout", folder.path() / "link");
  EXPECT_TRUE(is_standard_output(folder.path() / "link"));
  EXPECT_FALSE(is_standard_output("/dev/stderr"));
}

TEST(Files, ANamelessFileLeavesNoTrace) {
  const TemporaryFolder folder;
  const auto file = open_nameless_file(folder.path() / "a");
  ASSERT_TRUE(file);
  EXPECT_EQ(write(*file, "x", 1), 1);
  EXPECT_EQ(entries(folder.path()), 0u);
  close(*file);
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
