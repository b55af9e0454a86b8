//===-- support/tests/cache_folder_test.cpp - Files kept between runs -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache_folder.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>

using namespace gpuexec;
namespace fs = std::filesystem;

namespace {

class CacheFolderTest : public testing::Test {
protected:
  CacheFolderTest() {
    std::string name = (fs::temp_directory_path() / "cache-XXXXXX").string();
    root = mkdtemp(name.data());
  }
  ~CacheFolderTest() override { fs::remove_all(root); }

  /// Why the folder is not used; "" when it is.
  std::string warning_of(const fs::path &path) {
    std::string warning;
    const CacheFolder folder = CacheFolder::open(path.string(), warning);
    EXPECT_EQ(bool(folder), warning.empty()) << warning;
    return warning;
  }
  /// Writes a file of so many bytes, last modified `age` seconds ago.
  void put(const CacheFolder &folder, const std::string &name, size_t size,
           time_t age) {
    std::string warning;
    UniqueFd file = folder.open_file(name, O_WRONLY | O_CREAT, warning);
    ASSERT_TRUE(file) << warning;
    ASSERT_EQ(write_all(file.get(), std::string(size, 'x')), 0);
    const timespec then = {time(nullptr) - age, 0};
    const timespec times[] = {then, then};
    ASSERT_EQ(futimens(file.get(), times), 0);
  }

  fs::path root;
};

TEST_F(CacheFolderTest, DefaultPathObeysTheEnvironment) {
  setenv("HOME", "/home/somebody", 1);
  setenv("XDG_CACHE_HOME", "/caches", 1);
  EXPECT_EQ(CacheFolder::default_path("jit"), "/caches/gpuexec/jit");
  setenv("XDG_CACHE_HOME", "caches", 1); // must be absolute
  EXPECT_EQ(CacheFolder::default_path("jit"),
            "/home/somebody/.cache/gpuexec/jit");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(CacheFolder::default_path("jit"),
            "/home/somebody/.cache/gpuexec/jit");
  unsetenv("HOME");
  EXPECT_EQ(CacheFolder::default_path("jit"), "");
}

TEST_F(CacheFolderTest, IsMadeForThisUserAlone) {
  EXPECT_EQ(warning_of(root / "a" / "b" / "c"), "");
  for (const char *made : {"a", "a/b", "a/b/c"}) {
    struct stat status;
    ASSERT_EQ(stat((root / made).c_str(), &status), 0) << made;
    EXPECT_EQ(status.st_mode & 0777, 0700u) << made;
  }
}

TEST_F(CacheFolderTest, OthersCannotWriteIt) {
  const fs::path path = root / "open";
  fs::create_directory(path);
  for (mode_t mode : {0720, 0702, 0777}) {
    chmod(path.c_str(), mode);
    EXPECT_EQ(warning_of(path),
              path.string() + " can be written by other users")
        << mode;
  }
  chmod(path.c_str(), 0755);
  EXPECT_EQ(warning_of(path), "");
}

TEST_F(CacheFolderTest, BelongsToTheUser) {
  const fs::path path = root / "theirs";
  fs::create_directory(path);
  if (chown(path.c_str(), 12345, gid_t(-1)))
    GTEST_SKIP() << "only root can give a folder away";
  EXPECT_EQ(warning_of(path), path.string() + " belongs to another user");
}

TEST_F(CacheFolderTest, IsAFolder) {
  fs::create_directory(root / "real");
  fs::create_symlink(root / "real", root / "link");
  EXPECT_EQ(warning_of(root / "link"),
            (root / "link").string() + " is no folder");
  std::string warning;
  const CacheFolder real = CacheFolder::open((root / "real").string(), warning);
  put(real, "file", 1, 0);
  EXPECT_EQ(warning_of(root / "real" / "file"),
            (root / "real/file").string() + " is no folder");
}

TEST_F(CacheFolderTest, OpensOnlyTheUsersOwnFiles) {
  std::string warning;
  const CacheFolder folder = CacheFolder::open(root.string(), warning);
  auto opened = [&](const char *name) {
    warning.clear();
    return bool(folder.open_file(name, O_RDONLY, warning));
  };
  EXPECT_FALSE(opened("none"));
  EXPECT_EQ(warning, ""); // that is nothing special
  put(folder, "file", 3, 0);
  EXPECT_TRUE(opened("file"));
  fs::create_symlink(root / "file", root / "link");
  EXPECT_FALSE(opened("link"));
  EXPECT_EQ(warning, (root / "link").string() + " is no file");
  mkfifo((root / "fifo").c_str(), 0600);
  EXPECT_FALSE(opened("fifo"));
  EXPECT_EQ(warning, (root / "fifo").string() + " is no file");
  chmod((root / "file").c_str(), 0620);
  EXPECT_FALSE(opened("file"));
  EXPECT_EQ(warning,
            (root / "file").string() + " can be written by other users");
}

TEST_F(CacheFolderTest, TrimRemovesTheOldestOfItsOwn) {
  std::string warning;
  const CacheFolder folder = CacheFolder::open(root.string(), warning);
  put(folder, "old.code", 100, 300);
  put(folder, "older.code", 100, 400);
  put(folder, "new.code", 100, 0);
  put(folder, "other", 100, 900);
  folder.trim(".code", 300);
  EXPECT_TRUE(fs::exists(root / "older.code")); // it fits
  folder.trim(".code", 250);
  EXPECT_FALSE(fs::exists(root / "older.code"));
  EXPECT_TRUE(fs::exists(root / "old.code"));
  folder.trim(".code", 0);
  EXPECT_FALSE(fs::exists(root / "new.code"));
  EXPECT_TRUE(fs::exists(root / "other"));
}

TEST_F(CacheFolderTest, ClearRemovesItsOwnAndCountsOthers) {
  std::string warning;
  const CacheFolder folder = CacheFolder::open(root.string(), warning);
  put(folder, "one.code", 100, 0);
  put(folder, "two.code", 50, 0);
  put(folder, "other", 100, 0);
  fs::create_symlink(root / "other", root / "link.code");
  uint64_t others = 0;
  EXPECT_EQ(folder.contents("", ".code", others).bytes, 150u);
  EXPECT_EQ(others, 2u);
  EXPECT_EQ(folder.contents("one", "", others).files, 1u);
  EXPECT_EQ(folder.clear("", ".code").files, 2u);
  EXPECT_FALSE(fs::exists(root / "one.code"));
  EXPECT_TRUE(fs::exists(root / "other"));
  EXPECT_TRUE(fs::is_symlink(root / "link.code"));
}

} // namespace
