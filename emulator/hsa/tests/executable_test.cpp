// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code objects: loaded, refused, and asked about, with kernels compiled for
// gfx942.
#include "emulator/hsa/code_object.h"
#include "emulator/hsa/runtime.h"
#include "emulator/hsa/tests/hsa_test.h"

#include <hsa/hsa_ven_amd_loader.h>

using testing::HasSubstr;

TEST_F(HsaKernels, GlobalsAndRelocations) {
  ASSERT_HSA(hsa_executable_create_alt(HSA_PROFILE_BASE,
                                       HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                       nullptr, &executable));
  int *mine = allocate<int>(fine);
  *mine = 77;
  ASSERT_HSA(hsa_executable_agent_global_variable_define(executable, gpu,
                                                         "from_host", mine));
  ASSERT_HSA(load(gpu, image));
  ASSERT_HSA(hsa_executable_freeze(executable, nullptr));
  EXPECT_EQ(hsa_executable_freeze(executable, nullptr),
            HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  int *out = allocate<int>(fine, 3);
  EXPECT_EQ(run("use_globals", 1, 1, {bits(out)}), 0);
  EXPECT_EQ(out[0], 41);
  EXPECT_EQ(out[1], 4);
  EXPECT_EQ(out[2], 77);
  uint64_t counter =
      info<uint64_t>("counter", HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
  EXPECT_EQ(*reinterpret_cast<int *>(counter), 41);
  EXPECT_EQ(info<uint32_t>("counter", HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE),
            4u);
  EXPECT_TRUE(
      info<bool>("table", HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST));
  EXPECT_EQ(info<hsa_symbol_kind_t>("fill.kd", HSA_EXECUTABLE_SYMBOL_INFO_TYPE),
            HSA_SYMBOL_KIND_KERNEL);
  EXPECT_EQ(
      info<uint32_t>("reverse.kd",
                     HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE),
      1024u);
  hsa_executable_symbol_t symbol;
  EXPECT_EQ(
      hsa_executable_get_symbol_by_name(executable, "nothing", &gpu, &symbol),
      HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  EXPECT_EQ(hsa_executable_get_symbol_by_name(executable, "fill.kd", &gpus[1],
                                              &symbol),
            HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
}

// HIP fills __constant__ variables with a kernel of its own. (Without a client
// that asks for the address, such a store is a fault:
// test/program/stores-to-constants.c.)
TEST_F(HsaKernels, KernelsFillConstantsThatTheClientKnows) {
  load_kernels();
  uint64_t table =
      info<uint64_t>("table", HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
  EXPECT_EQ(run("fill", 4, 1, {table, 7}), 0);
  EXPECT_THAT(report(), "");
  EXPECT_EQ(reinterpret_cast<int *>(table)[3], 10);
}

TEST_F(HsaKernels, CodeObjectsForOthersAreRefused) {
  ASSERT_HSA(hsa_executable_create_alt(HSA_PROFILE_BASE,
                                       HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                       nullptr, &executable));
  EXPECT_EQ(load(gpus[1], image), HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
  EXPECT_THAT(report(), HasSubstr("made for gfx942, the agent is gfx90a"));
  EXPECT_EQ(load(cpu, image), HSA_STATUS_ERROR_INVALID_AGENT);
}

// Cut anywhere, or with any byte of its headers wrong: an error or a sound
// load, no crash.
TEST_F(HsaKernels, BrokenCodeObjects) {
  auto attempt = [&](const std::vector<char> &bytes) {
    hsa_executable_t attempted;
    EXPECT_HSA(hsa_executable_create_alt(HSA_PROFILE_BASE,
                                         HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                         nullptr, &attempted));
    std::swap(attempted, executable);
    hsa_status_t status = load(gpu, bytes);
    std::swap(attempted, executable);
    EXPECT_HSA(hsa_executable_destroy(attempted));
    return status;
  };
  EXPECT_EQ(attempt(std::vector<char>(100, 'x')),
            HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  for (size_t size = 1; size < image.size(); size += size < 1000 ? 7 : 211)
    attempt({image.begin(), image.begin() + ptrdiff_t(size)});
  for (size_t at = 0; at < 64 + 9 * 56; ++at)
    for (int wrong : {0x00, 0xff, 0x80}) {
      std::vector<char> bytes = image;
      bytes[at] = char(wrong);
      attempt(bytes);
    }
}

TEST_F(HsaKernels, LoaderExtension) {
  load_kernels();
  hsa_ven_amd_loader_1_03_pfn_t loader;
  ASSERT_HSA(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1,
                                                  sizeof(loader), &loader));
  uint64_t object =
      info<uint64_t>("fill.kd", HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
  const void *host = nullptr;
  ASSERT_HSA(loader.hsa_ven_amd_loader_query_host_address(
      reinterpret_cast<void *>(object), &host));
  EXPECT_GE(host, image.data());
  EXPECT_LT(host, image.data() + image.size());
  EXPECT_EQ(memcmp(host, reinterpret_cast<void *>(object), 64), 0);
  hsa_executable_t owner;
  ASSERT_HSA(loader.hsa_ven_amd_loader_query_executable(
      reinterpret_cast<void *>(object), &owner));
  EXPECT_EQ(owner.handle, executable.handle);
  size_t count = 0;
  ASSERT_HSA(
      loader.hsa_ven_amd_loader_query_segment_descriptors(nullptr, &count));
  EXPECT_GE(count, 3u);
}

namespace {
/// A code object of one segment at address 0 whose words from 0x200 on are
/// `words`, with `relr` as its packed relative relocations.
std::vector<char> with_packed_relocations(std::vector<uint64_t> words,
                                          std::vector<uint64_t> relr) {
  std::vector<char> file(0x400);
  auto put = [&](size_t at, uint64_t value, size_t size) {
    memcpy(&file[at], &value, size);
  };
  memcpy(file.data(),
         "\x7f"
         "ELF\2\1\1\x40\4",
         9);
  put(16, 3, 2), put(18, 224, 2), put(20, 1, 4), put(32, 64, 8);
  put(48, 0x54c, 4), put(52, 64, 2), put(54, 56, 2), put(56, 2, 2);
  const uint64_t size = file.size();
  auto header = [&](size_t at, uint32_t type, uint64_t begin, uint64_t length) {
    put(at, type, 4), put(at + 4, 6, 4), put(at + 8, begin, 8);
    put(at + 16, begin, 8), put(at + 32, length, 8), put(at + 40, length, 8);
  };
  header(64, 1, 0, size);                            // PT_LOAD
  header(120, 2, 0x100, 48);                         // PT_DYNAMIC
  put(0x100, 36, 8), put(0x108, 0x300, 8);           // DT_RELR
  put(0x110, 35, 8), put(0x118, relr.size() * 8, 8); // DT_RELRSZ
  memcpy(&file[0x200], words.data(), words.size() * 8);
  memcpy(&file[0x300], relr.data(), relr.size() * 8);
  return file;
}
} // namespace

TEST_F(HsaKernels, PackedRelocations) {
  ASSERT_HSA(hsa_executable_create_alt(HSA_PROFILE_BASE,
                                       HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                       nullptr, &executable));
  // 0x200 itself, and of the 63 words behind it the first and the third.
  std::vector<char> file =
      with_packed_relocations({1, 2, 3, 4, 5}, {0x200, 0b1011});
  hsa_code_object_reader_t reader;
  ASSERT_HSA(hsa_code_object_reader_create_from_memory(file.data(), file.size(),
                                                       &reader));
  hsa_loaded_code_object_t loaded;
  ASSERT_HSA(hsa_executable_load_agent_code_object(executable, gpu, reader,
                                                   nullptr, &loaded));
  auto *object =
      reinterpret_cast<gpuexec::emulator::LoadedCodeObject *>(loaded.handle);
  const uint64_t base = object->image->delta;
  auto *words = reinterpret_cast<const uint64_t *>(base + 0x200);
  EXPECT_EQ(words[0], base + 1);
  EXPECT_EQ(words[1], base + 2);
  EXPECT_EQ(words[2], 3u);
  EXPECT_EQ(words[3], base + 4);
  EXPECT_EQ(words[4], 5u);
  ASSERT_HSA(hsa_code_object_reader_destroy(reader));
}

TEST_F(HsaKernels, PackedRelocationsOutside) {
  ASSERT_HSA(hsa_executable_create_alt(HSA_PROFILE_BASE,
                                       HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                       nullptr, &executable));
  for (std::vector<uint64_t> relr :
       {std::vector<uint64_t>{0x400}, {0x3fa}, {0x3f8, 0b11}, {~uint64_t(1)}}) {
    EXPECT_EQ(load(gpu, with_packed_relocations({}, relr)),
              HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    EXPECT_THAT(report(), HasSubstr("lies outside of the segments"));
  }
}

TEST_F(HsaKernels, ReportsShowControls) {
  gpuexec::emulator::Runtime::get()->machine.reports.add(
      "undefined symbol 'from\x1bhost'\nnext\n");
  EXPECT_EQ(report(), "undefined symbol 'from\\x1bhost'\nnext\n");
}
