// Files written whole or not at all.
#include "reports/write.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "reports/tests/support.h"

namespace fragproof {
namespace {

namespace fs = std::filesystem;
using support::Folder;
using support::read_file;

std::size_t files_in(const Folder& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

TEST(Write, NewAndOverOldLeavesNothingElse) {
  const Folder folder;
  const std::string path = folder.path("r.json");
  EXPECT_TRUE(write_file(path, "one").ok);
  EXPECT_TRUE(write_file(path, std::string(1 << 20, 'x')).ok);
  EXPECT_EQ(read_file(path), std::string(1 << 20, 'x'));
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(Write, PermissionsAreTheOrdinaryOnes) {
  const Folder folder;
  const mode_t before = umask(022);
  ASSERT_TRUE(write_file(folder.path("a"), "x").ok);
  umask(before);
  struct stat status {};
  ASSERT_EQ(stat(folder.path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0644u);
  ASSERT_EQ(chmod(folder.path("a").c_str(), 0600), 0);
  ASSERT_TRUE(write_file(folder.path("a"), "y").ok);
  ASSERT_EQ(stat(folder.path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u) << "those of the file that was there";
}

TEST(Write, FollowsALink) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder.path("real"), "old").ok);
  fs::create_symlink("real", folder.path("link"));
  ASSERT_TRUE(write_file(folder.path("link"), "new").ok);
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(read_file(folder.path("real")), "new");
  fs::create_symlink("absent", folder.path("dangling"));
  ASSERT_TRUE(write_file(folder.path("dangling"), "made").ok);
  EXPECT_EQ(read_file(folder.path("absent")), "made");
}

TEST(Write, DevicesAreWrittenInPlace) {
  EXPECT_TRUE(write_file("/dev/null", "x").ok);
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST(WriteFails, WithThePathAndTheReason) {
  const Folder folder;
  const std::string missing = folder.path("no/such/r.json");
  EXPECT_EQ(write_file(missing, "x").error,
            "cannot write '" + missing + "': No such file or directory");
  EXPECT_EQ(write_file(folder.path(), "x").error,
            "cannot write '" + folder.path() + "': Is a directory");
  EXPECT_FALSE(write_file("", "x").ok);
  EXPECT_FALSE(write_file(std::string("a\0b", 3), "x").ok);
  EXPECT_FALSE(write_file("/dev/full", "x").ok);
  EXPECT_FALSE(write_file(folder.path(std::string(300, 'n')), "x").ok);
  EXPECT_EQ(files_in(folder), 0u);
}

TEST(WriteFails, AFileInTheWayOfAFolder) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder.path("file"), "x").ok);
  EXPECT_NE(write_file(folder.path("file/below"), "x").error.find("Not a directory"),
            std::string::npos);
}

// A disk that is full, as far as one can be had: the old file stays whole.
TEST(WriteFails, HalfWrittenNeverShows) {
  const Folder folder;
  const std::string path = folder.path("r.json");
  ASSERT_TRUE(write_file(path, "old").ok);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(write_file(path, std::string(5000, 'x')).ok ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files_in(folder), 1u);
}

// A closed pipe is an error value, not a death by SIGPIPE.
TEST(WriteFails, ClosedPipe) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGPIPE, SIG_DFL);
    int ends[2];
    if (pipe(ends) != 0) _exit(9);
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
    const WriteResult first = write_file("-", "text");
    const WriteResult second = write_stdout("more");
    _exit(!first.ok && first.closed_pipe && !second.ok &&
                  first.error.find("stdout") != std::string::npos
              ? 0
              : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace fragproof
