//===-- services/blas/host/tests/limit_test.cpp - Limits of small calls ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>

extern "C" {
#include "services/blas/host/limit.h"
#include "services/blas/request.h"
}

namespace {

struct SmallLimit : testing::Test {
  void SetUp() override {
    char name[] = "/tmp/limit-test-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder = name;
    setenv("XDG_CACHE_HOME", name, 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// A program of the device: what it is told, after it has measured.
  uint32_t run(uint64_t call_time, uint64_t work_time, int64_t told = -1,
               const char *device = "device") {
    small_limit limit;
    open_small_limit(&limit, device, told);
    (void)get_small_limit(&limit, &was_wanted);
    keep_small_limit(&limit, call_time, work_time);
    const uint32_t value = get_small_limit(&limit, &is_wanted);
    close_small_limit(&limit);
    return value;
  }
  std::filesystem::path file() const {
    for (const auto &entry :
         std::filesystem::directory_iterator(folder / "gpuexec/blas"))
      return entry.path();
    return {};
  }
  std::filesystem::path folder;
  int was_wanted = 0, is_wanted = 0;
};

TEST_F(SmallLimit, IsMeasuredBySomePrograms) {
  EXPECT_EQ(run(0, 0), 0u);
  EXPECT_TRUE(was_wanted);
  EXPECT_EQ(run(8000, 1000), 1 + 8u * BLAS_LIMIT_WORK);
  EXPECT_EQ(run(4000, 2000), 1 + 4u * BLAS_LIMIT_WORK); // the shortest of each
  for (int program = 3; program <= 8; ++program) {
    EXPECT_TRUE(is_wanted) << "program " << program;
    EXPECT_EQ(run(9000, 9000), 1 + 4u * BLAS_LIMIT_WORK);
  }
  EXPECT_FALSE(is_wanted);
  EXPECT_EQ(run(1, 1), 1 + 4u * BLAS_LIMIT_WORK);
  EXPECT_FALSE(was_wanted);
}

TEST_F(SmallLimit, IsOneDevices) {
  EXPECT_EQ(run(2000, 1000), 1 + 2u * BLAS_LIMIT_WORK);
  EXPECT_EQ(run(0, 0, -1, "another"), 0u);
}

TEST_F(SmallLimit, ThatIsToldIsNotMeasured) {
  EXPECT_EQ(run(2000, 1000, 7), 8u);
  EXPECT_FALSE(was_wanted);
  EXPECT_EQ(run(2000, 1000, 0), 1u);
  EXPECT_EQ(run(2000, 1000, INT64_MAX), 1u + BLAS_MOST_LIMIT);
  EXPECT_FALSE(std::filesystem::exists(folder / "gpuexec"));
}

TEST_F(SmallLimit, OfHostileProgramsIsBounded) {
  const uint64_t second = 1000000000;
  EXPECT_EQ(run(0, 1), 0u);
  EXPECT_EQ(run(1, 0), 0u);
  EXPECT_EQ(run(second, 1), 0u);
  EXPECT_EQ(run(UINT64_MAX, UINT64_MAX), 0u);
  EXPECT_EQ(run(second - 1, 1), 1u + BLAS_MOST_LIMIT);
}

TEST_F(SmallLimit, ThatCannotBeReadIsNone) {
  EXPECT_NE(run(2000, 1000), 0u);
  std::string line;
  std::getline(std::ifstream(file()), line);
  for (size_t length = 0; length < line.size(); ++length) {
    std::ofstream(file()) << line.substr(0, length);
    EXPECT_EQ(run(0, 0), 0u) << "cut at " << length;
  }
  std::ofstream(file()) << line << "\nmore\n";
  EXPECT_EQ(run(0, 0), 0u);
  std::ofstream(file()) << std::string(100000, '9');
  EXPECT_EQ(run(0, 0), 0u);
}

TEST_F(SmallLimit, OfAFileThatOthersCanWriteIsNone) {
  EXPECT_NE(run(2000, 1000), 0u);
  const std::filesystem::path kept = file();
  std::filesystem::permissions(kept, std::filesystem::perms::others_write,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(run(0, 0), 0u);
}

TEST_F(SmallLimit, IsNotReadThroughALink) {
  EXPECT_NE(run(2000, 1000), 0u);
  const std::filesystem::path kept = file();
  std::filesystem::rename(kept, folder / "elsewhere");
  std::filesystem::create_symlink(folder / "elsewhere", kept);
  EXPECT_EQ(run(0, 0), 0u);
}

TEST_F(SmallLimit, OfAFolderThatOthersCanWriteIsNone) {
  EXPECT_NE(run(2000, 1000), 0u);
  std::filesystem::permissions(folder / "gpuexec/blas",
                               std::filesystem::perms::group_write,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(run(0, 0), 0u);
}

TEST_F(SmallLimit, WhereNothingCanBeWrittenIsTheProgramsOwn) {
  setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
  EXPECT_EQ(run(2000, 1000), 1 + 2u * BLAS_LIMIT_WORK);
  EXPECT_EQ(run(0, 0), 0u);
}

} // namespace
