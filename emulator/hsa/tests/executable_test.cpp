// Code objects: loaded, refused, and asked about, with kernels compiled for
// gfx942.
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
