//===-- loader/tests/program_folders_test.cpp - Names and links -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/program_folders.h"
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace gpuexec;
using testing::HasSubstr;

namespace {

class ProgramFoldersTest : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/gpuexec-folders-XXXXXX";
    ASSERT_TRUE(::mkdtemp(name));
    root = std::filesystem::canonical(name).string();
    for (const char *folder : {"/w", "/w/sub", "/o"})
      ASSERT_EQ(::mkdir((root + folder).c_str(), 0700), 0) << folder;
    const std::pair<const char *, const char *> links[] = {
        {"sub", "/w/in"},         {"../o", "/w/out"},     {"w", "/user"},
        {"loop", "/loop"},        {"../w/sub", "/o/far"}, {"o/../o", "/twice"},
        {"o/missing", "/missing"}};
    for (auto &[text, link] : links)
      ASSERT_EQ(::symlink(text, (root + link).c_str()), 0) << link;
    file = UniqueFd(
        ::open((root + "/o/file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    UniqueFd writable(::open((root + "/w").c_str(), O_PATH | O_CLOEXEC));
    ASSERT_EQ(folders.add("w", writable.get()), 0);
  }
  void TearDown() override { std::filesystem::remove_all(root); }

  /// "inside NAME", "outside NAME", or the error's text.
  std::string locate(const std::string &path) {
    llvm::Expected<ProgramFolders::Place> place = folders.locate(path);
    if (!place)
      return llvm::toString(place.takeError());
    return (place->folder ? "inside " : "outside ") + place->name;
  }

  std::string root;
  UniqueFd file;
  ProgramFolders folders;
};

TEST_F(ProgramFoldersTest, PathsEndInsideOrOutside) {
  const std::pair<const char *, const char *> cases[] = {
      {"/w/report", "inside report"},
      {"/w", "outside w"}, // its own name is not the program's
      {"/w/", "outside w"},
      {"/w/.", "inside ."},
      {"/w/sub/report", "inside report"},
      {"/w/sub/../report", "inside report"},
      {"/w/../report", "outside report"},
      {"/w/sub/../../o/file", "outside file"},
      {"/o/file", "outside file"},
      {"//o/./file", "outside file"},
  };
  for (auto &[path, expected] : cases)
    EXPECT_EQ(locate(root + path), expected) << path;
}

TEST_F(ProgramFoldersTest, LinksOfTheUserAreFollowed) {
  const std::pair<const char *, const char *> cases[] = {
      {"/user/report", "inside report"},
      {"/o/far/report", "inside report"},
      {"/twice/file", "outside file"},
      {"/missing", "outside missing"}, // is created where it leads
  };
  for (auto &[path, expected] : cases)
    EXPECT_EQ(locate(root + path), expected) << path;
}

TEST_F(ProgramFoldersTest, LinksOfProgramsAreNot) {
  const char *paths[] = {"/w/in/report", "/w/out", "/w/out/file",
                         "/user/in/report", "/o/far/../in/report"};
  for (const char *path : paths)
    EXPECT_THAT(locate(root + path),
                HasSubstr("' is a symbolic link in w, where programs may "
                          "write: give a path without it"))
        << path;
}

TEST_F(ProgramFoldersTest, ErrorsAreThoseOfTheKernel) {
  EXPECT_EQ(locate(""), ": No such file or directory");
  EXPECT_EQ(locate(root + "/none/x"),
            root + "/none/x: No such file or directory");
  EXPECT_EQ(locate(root + "/o/file/x"), root + "/o/file/x: Not a directory");
  EXPECT_EQ(locate(root + "/loop"),
            root + "/loop: Too many levels of symbolic links");
}

TEST_F(ProgramFoldersTest, OpenDescriptorsHaveNoPath) {
  llvm::Expected<ProgramFolders::Place> place =
      folders.locate("/proc/self/fd/" + std::to_string(file.get()));
  ASSERT_TRUE(bool(place)) << llvm::toString(place.takeError());
  UniqueFd opened = ProgramFolders::open_at(*place, O_WRONLY);
  struct stat status, expected;
  ASSERT_EQ(::fstat(opened.get(), &status), 0);
  ASSERT_EQ(::fstat(file.get(), &expected), 0);
  EXPECT_EQ(status.st_ino, expected.st_ino);
}

TEST_F(ProgramFoldersTest, ASlashAtTheEndAsksForADirectory) {
  for (const char *path : {"/o/file/", "/o/new/"}) {
    llvm::Expected<ProgramFolders::Place> place = folders.locate(root + path);
    ASSERT_TRUE(bool(place)) << llvm::toString(place.takeError());
    EXPECT_FALSE(ProgramFolders::open_at(*place, O_WRONLY | O_CREAT, 0600))
        << path;
  }
  EXPECT_FALSE(std::filesystem::exists(root + "/o/new"));
}

TEST_F(ProgramFoldersTest, OnlyWhatIsInsideCanBeChanged) {
  llvm::Expected<const ProgramFolders::Folder *> found =
      folders.changeable(root + "/w/sub");
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->name, "w");
  found = folders.changeable(root + "/o/file");
  ASSERT_TRUE(bool(found));
  EXPECT_FALSE(*found);
}

} // namespace
