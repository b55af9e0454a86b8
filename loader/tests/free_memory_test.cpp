//===-- loader/tests/free_memory_test.cpp - Memory that is left -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/free_memory.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace gpuexec;

namespace {

class FreeMemory : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("free-memory", root));
    write("/proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:    4000 kB\n");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }

  void write(const std::string &path, llvm::StringRef text) {
    const std::string file = root.str().str() + path;
    ASSERT_FALSE(
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file)));
    std::error_code error;
    llvm::raw_fd_ostream(file, error) << text;
    ASSERT_FALSE(error);
  }

  llvm::SmallString<128> root;
};

TEST_F(FreeMemory, IsWhatTheMachineHasAvailable) {
  write("/proc/self/cgroup", "0::/user.slice\n");
  write("/sys/fs/cgroup/user.slice/memory.max", "max\n");
  EXPECT_EQ(free_memory(root), 4000u << 10);
}

TEST_F(FreeMemory, IsWhatAnyGroupAboveTheProcessLeaves) {
  write("/proc/self/cgroup", "0::/jobs/ours\n");
  write("/sys/fs/cgroup/jobs/memory.max", "3000000\n");
  write("/sys/fs/cgroup/jobs/memory.current", "1000000\n");
  write("/sys/fs/cgroup/jobs/ours/memory.max", "2500000\n");
  EXPECT_EQ(free_memory(root), 2000000u);
  write("/sys/fs/cgroup/jobs/ours/memory.current", "2600000\n");
  EXPECT_EQ(free_memory(root), 0u);
}

TEST_F(FreeMemory, KnowsControllersOfTheFirstVersion) {
  write("/proc/self/cgroup", "9:cpu,memory:/a\n1:name=systemd:/b\n");
  write("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1000000\n");
  write("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "400000\n");
  EXPECT_EQ(free_memory(root), 600000u);
}

TEST_F(FreeMemory, MayBeUnknown) {
  write("/proc/meminfo", "nothing\n");
  EXPECT_EQ(free_memory(root), std::nullopt);
}

} // namespace
