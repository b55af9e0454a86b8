//===-- support/tests/trusted_path_test.cpp - Who can replace a file ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/trusted_path.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace gpuexec;
namespace fs = std::filesystem;

namespace {

constexpr uid_t NOBODY = 65534;

class TrustedPathTest : public testing::Test {
protected:
  TrustedPathTest() {
    std::string name = (fs::temp_directory_path() / "trust-XXXXXX").string();
    root = mkdtemp(name.data());
    fs::create_directories(root / "a" / "b");
    std::ofstream(file()) << "x";
  }
  ~TrustedPathTest() override { fs::remove_all(root); }

  fs::path file() const { return root / "a" / "b" / "file"; }
  /// What is wrong, without the name of the folder of this test.
  std::string problem(const fs::path &path) {
    std::string text = distrust(path.string(), &real);
    if (text.starts_with(root.string()))
      text.erase(0, root.string().size());
    return text;
  }
  void set_mode(const fs::path &path, mode_t mode) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
  }

  fs::path root;
  std::string real;
};

TEST_F(TrustedPathTest, ThisUsersOwnIsUsed) {
  EXPECT_EQ(problem(file()), "");
  EXPECT_EQ(real, file());
  EXPECT_EQ(problem(root / "a" / "." / "b//..///b" / "file"), "");
  EXPECT_EQ(real, file());
  EXPECT_EQ(problem("/"), "");
  EXPECT_EQ(real, "/");
  EXPECT_EQ(problem("/../.."), "");
  EXPECT_EQ(real, "/");
}

TEST_F(TrustedPathTest, ARelativePathBeginsInTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(root / "a");
  EXPECT_EQ(problem("b/file"), "");
  EXPECT_EQ(real, file());
  set_mode(root / "a", 0777);
  EXPECT_EQ(problem("b/file"), "/a: other users can write to it: chmod go-w");
  fs::current_path(before);
}

TEST_F(TrustedPathTest, WhatOthersCanWriteIsNot) {
  set_mode(file(), 0602);
  EXPECT_EQ(problem(file()),
            "/a/b/file: other users can write to it: chmod go-w");
  set_mode(file(), 0600);
  set_mode(root / "a", 0707);
  EXPECT_EQ(problem(file()), "/a: other users can write to it: chmod go-w");
  // As /tmp: they can write there, but not replace b.
  set_mode(root / "a", 01707);
  EXPECT_EQ(problem(file()), "");
}

TEST_F(TrustedPathTest, LinksAreFollowed) {
  fs::create_symlink("../a/b", root / "a" / "near");
  fs::create_symlink(root / "a" / "near", root / "far");
  EXPECT_EQ(problem(root / "far" / "file"), "");
  EXPECT_EQ(real, file());
  fs::create_symlink("loop", root / "loop");
  EXPECT_NE(problem(root / "loop" / "file"), "");
  // The link is safe, but not where it leads.
  set_mode(root / "a" / "b", 0777);
  EXPECT_EQ(problem(root / "far" / "file"),
            "/a/b: other users can write to it: chmod go-w");
}

TEST_F(TrustedPathTest, WhatIsNotThereIsSaidSo) {
  EXPECT_EQ(problem(root / "a" / "none" / "file"),
            "/a/none: No such file or directory");
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(problem(std::string(5000, 'x')).find("File name too long") !=
                std::string::npos,
            true);
  EXPECT_NE(errno, ENOENT);
}

TEST_F(TrustedPathTest, AnotherUsersIsNot) {
  if (geteuid() != 0)
    GTEST_SKIP() << "root alone can give files to others";
  const char *const theirs = ": it belongs to another user: use a copy of your "
                             "own";
  ASSERT_EQ(chown(file().c_str(), NOBODY, NOBODY), 0);
  EXPECT_EQ(problem(file()), std::string("/a/b/file") + theirs);
  ASSERT_EQ(chown(file().c_str(), 0, 0), 0);
  ASSERT_EQ(chown((root / "a").c_str(), NOBODY, NOBODY), 0);
  EXPECT_EQ(problem(file()), std::string("/a") + theirs);
  ASSERT_EQ(chown((root / "a").c_str(), 0, 0), 0);
  set_mode(root / "a", 01777);
  fs::create_symlink("b", root / "a" / "link");
  ASSERT_EQ(lchown((root / "a" / "link").c_str(), NOBODY, NOBODY), 0);
  EXPECT_EQ(problem(root / "a" / "link" / "file"),
            std::string("/a/link") + theirs);
}

// The executable's folders are no exception, and their owner has no credit.
TEST_F(TrustedPathTest, OthersMustNotReplaceWhatTheyAreMadeToStart) {
  if (geteuid() != 0)
    GTEST_SKIP() << "root alone can give folders to others";
  const fs::path copy = root / "a" / "b" / "copy";
  fs::copy_file("/proc/self/exe", copy);
  set_mode(copy, 0755);
  const auto problem_of_copy = [&] {
    const std::string command =
        "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX " + copy.string() +
        " --gtest_filter=TrustedPath.OwnPathIsJudged 2>&1";
    FILE *const output = popen(command.c_str(), "r");
    std::string said;
    for (int c; output && (c = fgetc(output)) != EOF;)
      said += char(c);
    pclose(output);
    const size_t begin = said.find("distrusted: ");
    return begin == said.npos
               ? said
               : said.substr(begin, said.find('\n', begin) - begin);
  };
  EXPECT_EQ(problem_of_copy(), "distrusted: ");
  ASSERT_EQ(chown((root / "a").c_str(), NOBODY, NOBODY), 0);
  EXPECT_EQ(problem_of_copy(), "distrusted: " + (root / "a").string() +
                                   ": it belongs to another user: use a copy "
                                   "of your own");
  ASSERT_EQ(chown((root / "a").c_str(), 0, 0), 0);
  set_mode(root / "a", 0777);
  EXPECT_EQ(problem_of_copy(), "distrusted: " + (root / "a").string() +
                                   ": other users can write to it: chmod go-w");
  set_mode(root / "a", 0755);
  set_mode(copy, 0757);
  EXPECT_EQ(problem_of_copy(), "distrusted: " + copy.string() +
                                   ": other users can write to it: chmod go-w");
}

// What the test above starts in copies of this executable, too.
TEST(TrustedPath, OwnPathIsJudged) {
  char blamed[PATH_MAX];
  const char *const problem = gpuexec_distrust_own(blamed);
  std::printf("distrusted: %s\n",
              problem ? (blamed + std::string(": ") + problem).c_str() : "");
  EXPECT_NE(*blamed, 0);
}

TEST_F(TrustedPathTest, AGroupIsOthersUnlessItIsTheOwners) {
  if (geteuid() != 0)
    GTEST_SKIP() << "root alone can choose groups";
  set_mode(file(), 0660);
  EXPECT_EQ(problem(file()), ""); // root's group
  ASSERT_EQ(chown(file().c_str(), 0, 50), 0);
  EXPECT_EQ(problem(file()), ""); // who may install in /usr/local
  ASSERT_EQ(chown(file().c_str(), 0, 100), 0);
  EXPECT_EQ(problem(file()),
            "/a/b/file: other users can write to it: chmod go-w");
}

} // namespace
