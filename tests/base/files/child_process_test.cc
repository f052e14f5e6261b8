#include "damier/base/files/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace damier {
namespace {

TEST(ChildProcess, HasItsOwnFilesAndNoOthers) {
  const int ours = open("/dev/null", O_RDONLY);  // not O_CLOEXEC, as libraries open theirs
  ASSERT_GT(ours, 2);
  const auto deadline = std::chrono::steady_clock::time_point::max();
  auto child = ChildProcess::start({"sh", "-c", "ls /proc/$$/fd"});
  ASSERT_TRUE(child) << child.error().text();
  std::string line, files;
  while ((*child)->read_line(line, deadline) == ChildProcess::Read::line) files += line + " ";
  EXPECT_EQ((*child)->ending(), "ended with code 0");
  EXPECT_EQ(files.find(std::to_string(ours) + " "), std::string::npos) << files;
  EXPECT_TRUE(files.starts_with("0 1 2 ")) << files;
  close(ours);
}

TEST(ChildProcess, AProgramThatCannotBeStartedIsAnError) {
  const auto child = ChildProcess::start({"/etc/passwd"});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().message, "there is no program '/etc/passwd' that can be run");
}

}  // namespace
}  // namespace damier
