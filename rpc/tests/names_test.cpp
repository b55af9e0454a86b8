//===-- rpc/tests/names_test.cpp - What names mean in a sandbox -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/files.h"
#include "gmock/gmock.h"
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace gpuexec;
using namespace gpuexec::rpc;
namespace fs = std::filesystem;

namespace {

/// A folder HERE with data/f, data/sub/g, out/ and link -> data, in which the
/// program is started.
class NamesTest : public testing::Test {
protected:
  fs::path here = fs::canonical(fs::temp_directory_path()) /
                  ("gpuexec-names-" + std::to_string(getpid()));
  UniqueFd start;

  void SetUp() override {
    fs::create_directories(here / "data/sub");
    fs::create_directories(here / "out");
    std::ofstream(here / "data/f") << "inside\n";
    std::ofstream(here / "data/sub/g") << "deep\n";
    fs::create_symlink("data", here / "link");
    start = open_directory(here);
  }
  void TearDown() override { fs::remove_all(here); }

  static UniqueFd open_directory(const fs::path &path) {
    return UniqueFd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }

  /// Starts in `directory`. Relative paths of grants are HERE's.
  FileSystem files(std::vector<SandboxDirectory> grants,
                   const UniqueFd &directory) {
    for (SandboxDirectory &grant : grants)
      if (grant.path[0] != '/')
        grant.path = here / grant.path;
    llvm::Expected<FileSystem> created =
        FileSystem::create(/*sandbox=*/true, grants, directory.get());
    if (!created)
      ADD_FAILURE() << llvm::toString(created.takeError());
    return std::move(*created);
  }

  /// 0 where the file can be opened, else the errno.
  static int open(FileSystem &files, const std::string &name,
                  int flags = O_RDONLY) {
    int error = 0;
    UniqueFd fd(files.open(name, flags, 0600, error));
    return fd ? 0 : error;
  }

  static std::string directory_of(FileSystem &files) {
    std::string path;
    EXPECT_EQ(files.working_directory(path), 0);
    return path;
  }
};

TEST_F(NamesTest, RelativeOnesBeginWhereTheUserIs) {
  FileSystem granted = files({{"data", false, ""}}, start);
  EXPECT_EQ(directory_of(granted), here); // although it is not granted
  for (std::string name :
       {std::string("data/f"), std::string("./data/sub/../f"),
        (here / "data/f").string()})
    EXPECT_EQ(open(granted, name), 0) << name;
  for (const char *name : {"f", "out", ".", "..", "/etc/passwd", "data/../out"})
    EXPECT_EQ(open(granted, name), EACCES) << name;
  ASSERT_EQ(granted.change_directory("data/sub"), 0);
  EXPECT_EQ(directory_of(granted), here / "data/sub");
  EXPECT_EQ(open(granted, "g"), 0);
  EXPECT_EQ(open(granted, "../f"), 0);
  EXPECT_EQ(granted.change_directory(here), EACCES);
}

TEST_F(NamesTest, AGrantKeepsTheNameThatTheUserGaveIt) {
  FileSystem granted = files({{"link", false, ""}}, start);
  EXPECT_EQ(open(granted, "link/f"), 0);
  EXPECT_EQ(open(granted, "data/f"), 0);
}

TEST_F(NamesTest, AMappedGrantHasItsNewNameAlone) {
  FileSystem granted =
      files({{"data", false, "/in//it/"}, {"out", true, "/out"}}, start);
  EXPECT_EQ(open(granted, "/in/it/f"), 0);
  EXPECT_EQ(open(granted, "/in/it/sub/../f"), 0);
  EXPECT_EQ(open(granted, "data/f"), EACCES);
  EXPECT_EQ(open(granted, here / "data/f"), EACCES);
  EXPECT_EQ(open(granted, "/in/f"), EACCES);
  EXPECT_EQ(open(granted, "/in/it/new", O_WRONLY | O_CREAT), EROFS);
  EXPECT_EQ(open(granted, "/out/new", O_WRONLY | O_CREAT), 0);
  EXPECT_TRUE(fs::exists(here / "out/new"));
  // What the kernel says of a directory is told by its new name.
  ASSERT_EQ(granted.change_directory("/in/it/sub"), 0);
  EXPECT_EQ(directory_of(granted), "/in/it/sub");
  EXPECT_EQ(open(granted, "g"), 0);
  std::string path;
  EXPECT_EQ(granted.directory_of(open_directory(here / "data/sub").get(), path),
            0);
  EXPECT_EQ(path, "/in/it/sub");
}

TEST_F(NamesTest, AMappedGrantAroundTheStartMovesTheStart) {
  UniqueFd inside = open_directory(here / "data/sub");
  FileSystem granted = files({{"data", false, "/in"}}, inside);
  EXPECT_EQ(directory_of(granted), "/in/sub");
  EXPECT_EQ(open(granted, "g"), 0);
  EXPECT_EQ(open(granted, "../f"), 0);
  EXPECT_EQ(open(granted, "../../out"), EACCES);
}

} // namespace
