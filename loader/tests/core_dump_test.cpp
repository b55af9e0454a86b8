//===-- loader/tests/core_dump_test.cpp - Where a fault was ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dumps of the shape that driver 580 writes, made from YAML: what is told, and
// that no bytes whatever do harm.
#include "loader/device/cuda/core_dump.h"
#include "loader/tests/cuda_fixture.h"
#include "test/support/images_from_yaml.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <fstream>
#include <random>

using namespace gpuexec;
using testing::HasSubstr;

namespace {

/// A dump of the image's program with these tables, each a line of YAML.
std::string dump_of(const std::string &tables) {
  return made_from_yaml(R"(
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, OSABI: 0x33, ABIVersion: 7, Type: ET_CORE, Machine: EM_CUDA }
Sections:
  - { Name: .cudbg.relfimg, Type: 0x80000007, Content: ")" +
                        llvm::toHex(image_with_lines()) + "\" }\n" + tables);
}

/// Little-endian words, as YAML wants bytes.
std::string words(std::initializer_list<uint32_t> values) {
  std::string bytes;
  for (uint32_t value : values)
    for (int i = 0; i < 4; ++i)
      bytes += char(value >> 8 * i);
  return llvm::toHex(bytes);
}

struct Lane {
  uint32_t pc, number, exception;
};

/// One block (2,0,0) with one warp, and rows longer than those we know.
std::string dump(uint32_t error_pc, uint32_t active, bool broken,
                 std::vector<Lane> lanes, std::vector<uint32_t> callers = {}) {
  std::string lane_rows, text;
  for (const Lane &lane : lanes)
    lane_rows += words({lane.pc, 0, lane.pc, 0, lane.number, 96 + lane.number,
                        0, 0, lane.exception, 0, 0, 0, 7});
  std::string call_rows;
  for (uint32_t i = 0; i < callers.size(); ++i)
    call_rows += words({0x40, 0, callers[i], 0, i, 0});
  text = R"(
  - { Name: .cudbg.ctatbl, Type: 0x8000000d, EntSize: 24, Content: ")" +
         words({3, 0, 2, 0, 0, 0}) + R"(" }
  - { Name: .cudbg.wptbl, Type: 0x8000000e, Link: .cudbg.ctatbl, Info: 0, EntSize: 32, Content: ")" +
         words({error_pc, 0, 1, 0xffffffff, active, broken, error_pc != 0, 0}) +
         R"(" }
  - { Name: .cudbg.lntbl, Type: 0x8000000f, Link: .cudbg.wptbl, Info: 0, EntSize: 52, Content: ")" +
         lane_rows + R"(" }
)";
  for (size_t i = 0; i < lanes.size(); ++i)
    text +=
        "  - { Name: .cudbg.bt" + std::to_string(i) +
        ", Type: 0x80000008, Link: .cudbg.lntbl, Info: " + std::to_string(i) +
        ", EntSize: 24, Content: \"" + call_rows + "\" }\n";
  return dump_of(text);
}

std::string told(const std::string &bytes) {
  llvm::Expected<std::string> text =
      cuda::describe_core_dump(llvm::MemoryBufferRef(bytes, "dump"));
  EXPECT_TRUE(bool(text)) << llvm::toString(text.takeError());
  return text ? *text : "";
}

TEST(CoreDump, ThreadsThatFaultedTogether) {
  // An exception of the warp is in the rows of lanes that did not run, too.
  EXPECT_EQ(
      told(dump(
          0x1048, 0x7, false,
          {{0x1060, 0, 14}, {0x1060, 1, 14}, {0x1060, 2, 14}, {0x1060, 3, 14}},
          {0x2050, 0x9000})),
      "  block (2,0,0), thread (96,0,0): illegal address, and in 2 more "
      "threads\n"
      "  #0 0x1048 in walk /home/user/list.c:8\n"
      "  #1 0x2050 in main+0x50\n"
      "  #2 0x9000\n");
}

TEST(CoreDump, EachPlaceOnce) {
  EXPECT_EQ(
      told(dump(
          0, 0xf, false,
          {{0x1000, 0, 6}, {0x2000, 1, 0}, {0x2010, 2, 99}, {0x1000, 3, 6}})),
      "  block (2,0,0), thread (96,0,0): misaligned address, and in 1 "
      "more threads\n"
      "  #0 0x1000 in walk /home/user/list.c:7\n"
      "  block (2,0,0), thread (98,0,0): exception 99\n"
      "  #0 0x2010 in main+0x10\n");
  std::vector<Lane> lanes;
  for (uint32_t i = 0; i < 7; ++i)
    lanes.push_back({0x2000 + i, i, 1});
  EXPECT_THAT(told(dump(0, ~0u, false, lanes)),
              HasSubstr("  and at 3 other places\n"));
}

TEST(CoreDump, ATrapStopsItsWarp) {
  EXPECT_EQ(told(dump(0, 0x2, true, {{0x2000, 0, 0}, {0x1050, 1, 0}})),
            "  block (2,0,0), thread (97,0,0): trap\n"
            "  #0 0x1050 in walk /home/user/list.c:8\n");
  EXPECT_EQ(told(dump(0, 0x2, false, {{0x2000, 0, 0}})), "");
}

TEST(CoreDump, AStoreOutlivesItsThread) {
  // One multiprocessor without a fault, two with the same one.
  std::string fault = words({0, 0, 14, 1, 0x1048, 0, 0, 0});
  auto told_of = [](const std::string &rows) {
    return told(dump_of("  - { Name: .cudbg.smtbl, Type: 0x8000000b, "
                        "EntSize: 32, Content: \"" +
                        rows + "\" }\n"));
  };
  EXPECT_EQ(told_of(words({0, 0, 0, 0, 0, 0, 0, 0}) + fault + fault),
            "  a thread that has ended since: illegal address, and in 1 more "
            "threads\n"
            "  #0 0x1048 in walk /home/user/list.c:8\n");
  EXPECT_EQ(told_of(words({0, 0, 6, 0, 0x1048, 0, 0, 0})),
            "  a thread that has ended since: misaligned address\n");
}

TEST(CoreDump, DeepRecursion) {
  std::string text = told(dump(0x1048, 1, false, {{0x1048, 0, 2}},
                               std::vector<uint32_t>(100, 0x1044)));
  EXPECT_THAT(text, HasSubstr("the thread's stack is full\n"));
  EXPECT_THAT(text, HasSubstr("  #16 0x1044 in walk /home/user/list.c:8\n"
                              "  ... 84 callers ...\n"));
}

TEST(CoreDump, NoSuchDump) {
  for (std::string bytes : {std::string(),
                            std::string("\x7f"
                                        "ELF"),
                            std::string(100, '\0'), image_with_lines()}) {
    llvm::Expected<std::string> text =
        cuda::describe_core_dump(llvm::MemoryBufferRef(bytes, "dump"));
    ASSERT_FALSE(bool(text));
    llvm::consumeError(text.takeError());
  }
}

TEST(CoreDump, AnyBytesWillDo) {
  const std::string whole =
      dump(0x1048, 7, true, {{0x1060, 0, 14}, {0x1060, 1, 3}}, {0x2050});
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = whole;
    for (unsigned i = 0, count = 1 + random() % 8; i < count; ++i)
      bytes[random() % bytes.size()] = char(random());
    if (round % 8 == 0)
      bytes.resize(random() % bytes.size());
    llvm::Expected<std::string> text =
        cuda::describe_core_dump(llvm::MemoryBufferRef(bytes, "dump"));
    if (!text)
      llvm::consumeError(text.takeError());
  }
}

TEST_F(Cuda, AFaultIsToldWithItsPlace) {
  fault_report = true;
  std::string file;
  fake->kernels["_start"] = [&](const Launch &) {
    file = fake->core_dump;
    EXPECT_FALSE(file.empty());
    // What the program starts is not meant.
    EXPECT_EQ(getenv("CUDA_ENABLE_COREDUMP_ON_EXCEPTION"), nullptr);
    std::ofstream(file, std::ios::binary)
        << dump(0x1048, 1, false, {{0x1060, 0, 14}});
    return 700;
  };
  llvm::Expected<int32_t> status = run();
  ASSERT_FALSE(bool(status));
  llvm::handleAllErrors(status.takeError(), [](const DeviceFault &fault) {
    EXPECT_THAT(fault.report(), HasSubstr("in walk /home/user/list.c:8\n"));
    EXPECT_THAT(fault.report(), HasSubstr("bytes of stack"));
  });
  EXPECT_FALSE(llvm::sys::fs::exists(file));

  SetUp();
  fake->kernels["_start"] = [](const Launch &) { return 719; };
  status = run();
  ASSERT_FALSE(bool(status));
  llvm::handleAllErrors(status.takeError(), [](const DeviceFault &fault) {
    EXPECT_THAT(fault.report(), HasSubstr("has written no core dump"));
  });
}

} // namespace
