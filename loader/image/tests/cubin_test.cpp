//===-- loader/image/tests/cubin_test.cpp - NVIDIA's ELF files ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_images.h"

using namespace gpuexec;

static void check_program(const Image &image, const char *arch) {
  SCOPED_TRACE(arch);
  EXPECT_EQ(image.format(), Image::Format::cubin);
  EXPECT_EQ(image.arch(), arch);
  EXPECT_EQ(image.triple(), "nvptx64-nvidia-cuda");
  EXPECT_TRUE(image.producer().starts_with("ptxas, Cuda compilation tools"))
      << image.producer().str();
  const Kernel *start = image.find_kernel("_start");
  ASSERT_TRUE(start);
  ASSERT_EQ(start->arguments.size(), 4u);
  EXPECT_EQ(start->arguments[0].size, 4u);
  EXPECT_EQ(start->arguments[1].offset, 8u);
  EXPECT_EQ(start->arguments[3].offset, 24u);
  EXPECT_EQ(start->arguments_size, 32u);
  EXPECT_EQ(start->kernarg_size, 32u);
  EXPECT_EQ(start->shared_size, 132u); // without the kilobyte that sm_90 adds
  EXPECT_GT(start->constant_size, 32u);
  EXPECT_GT(*start->resources.vgprs, 0u);
  EXPECT_GE(*start->resources.private_size, 40u);
  EXPECT_GE(*start->resources.stack_size, *start->resources.private_size);
  EXPECT_GT(*start->resources.code_size, 0u);
  EXPECT_FALSE(
      start->resources.vgpr_spills); // it has a frame, so there may be spills
  const Kernel *end = image.find_kernel("_end");
  ASSERT_TRUE(end);
  EXPECT_EQ(end->kernarg_size, 0u);
  EXPECT_EQ(end->shared_size, 0u);
  EXPECT_EQ(*end->resources.vgpr_spills, 0u);
  ASSERT_TRUE(image.rpc_client());
  EXPECT_EQ(image.rpc_client()->size, 552u);

  ASSERT_EQ(image.constructors().size(), 2u);
  EXPECT_EQ(image.constructors()[0].priority, 101u);
  EXPECT_EQ(image.constructors()[1].priority, 65535u);
  EXPECT_TRUE(llvm::StringRef(image.constructors()[0].symbol)
                  .starts_with("__init_array_object_first_"));
  ASSERT_EQ(image.destructors().size(), 1u);
  EXPECT_EQ(image.find_global(image.destructors()[0].symbol)->space,
            Global::Space::constant);
  ASSERT_TRUE(image.find_global("__init_array_start"));
  EXPECT_EQ(image.find_global("__init_array_start")->size, 8u);
}

TEST(Cubin, Targets) {
  SKIP_WITHOUT_PTXAS();
  check_program(parse("sm_75").only(), "sm_75");
  check_program(parse("sm_90").only(), "sm_90");
  check_program(parse("sm_100").only(), "sm_100");
}

TEST(Cubin, ObjectFileParsesButRunsNowhere) {
  SKIP_WITHOUT_PTXAS();
  Loaded object = parse("sm_90-object");
  EXPECT_TRUE(object.only().relocatable());
  const Kernel *start = object.only().find_kernel("_start");
  ASSERT_TRUE(start);
  // main's, of 128 bytes, and the largest other one. (ptxas inlines functions
  // and leaves them out of a whole program.)
  EXPECT_GE(object.only().largest_frames(),
            128 + *start->resources.private_size);
  EXPECT_THAT(llvm::toString(object.only().runs_on("sm_90")),
              testing::HasSubstr("link it first"));
}

// The layout up to CUDA 12 (old-cubin.yaml), for sm_70 with 64-bit addresses.
class OldCubin : public testing::Test {
protected:
  OldCubin() : bytes(load("old-cubin")->getBuffer()) { set_flags(0x460546); }
  void set_flags(uint32_t flags) {
    for (unsigned i = 0; i < 4; ++i)
      bytes[48 + i] = flags >> 8 * i;
  }
  std::string bytes;
};

TEST_F(OldCubin, Reads) {
  Loaded loaded = parse(llvm::MemoryBuffer::getMemBufferCopy(bytes));
  const Image &image = loaded.only();
  EXPECT_EQ(image.arch(), "sm_70");
  EXPECT_EQ(image.abi_version(), 7u);
  const Kernel *start = image.find_kernel("_start");
  ASSERT_TRUE(start);
  EXPECT_EQ(*start->resources.vgprs, 23u);
  EXPECT_EQ(*start->resources.barriers, 3u);
  EXPECT_EQ(*start->resources.private_size, 40u);
  EXPECT_EQ(*start->resources.stack_size, 48u);
  EXPECT_EQ(*start->resources.code_size, 256u);
  EXPECT_EQ(start->shared_size, 64u);
  EXPECT_EQ(start->constant_size, 368u);
  EXPECT_EQ(start->max_threads, 128u);
  EXPECT_EQ(start->kernarg_size, 16u);
  ASSERT_EQ(start->arguments.size(), 2u);
  EXPECT_EQ(start->arguments[0].size, 4u);
  EXPECT_EQ(start->arguments[1].offset, 8u);
  EXPECT_EQ(image.rpc_client()->size, 552u);
}

// As nvlink writes it, and as ptxas does for a recursion: less than one frame.
TEST_F(OldCubin, UnknownStack) {
  for (const char *size : {"\xff\xff\xff\xff", "\x08\x00\x00\x00"}) {
    bytes.replace(bytes.find("\x04\x12\x08") + 8, 4, size, 4);
    Loaded loaded = parse(llvm::MemoryBuffer::getMemBufferCopy(bytes));
    const Resources &resources = loaded.only().kernels().front().resources;
    EXPECT_FALSE(resources.stack_size);
    EXPECT_TRUE(resources.dynamic_stack);
    EXPECT_EQ(*resources.private_size, 40u);
    EXPECT_EQ(loaded.only().largest_frames(), 40u);
    EXPECT_EQ(loaded.only().large_frames(), 0u);
  }
}

TEST_F(OldCubin, ArchitectureSpecific) {
  set_flags(0x5a0d5a);
  EXPECT_EQ(parse(llvm::MemoryBuffer::getMemBufferCopy(bytes)).only().arch(),
            "sm_90a");
}

TEST_F(OldCubin, Damage) {
  set_flags(0x460146);
  EXPECT_EQ(refusal(bytes), "file: cubin with 32-bit addresses: not supported");
  set_flags(0x460546);
  std::string good = bytes;
  bytes[8] = 9;
  EXPECT_EQ(refusal(bytes),
            "file: cubin with ELF ABI version 9, expected 7 or 8");
  bytes = good;
  size_t parameter = bytes.find(std::string("\x04\x17\x0c\x00", 4));
  bytes[parameter + 8] = 5; // its ordinal
  EXPECT_EQ(refusal(bytes),
            "file: kernel '_start': parameter 5 where 1 was expected");
  bytes = good;
  bytes[parameter + 10] = 12; // its offset
  EXPECT_EQ(refusal(bytes),
            "file: kernel '_start': a parameter ends at byte 20 of 16");
  bytes = good;
  bytes[parameter + 2] = 127;
  EXPECT_EQ(
      refusal(bytes),
      "file: section .nv.info._start: an attribute of 127 bytes is cut off");
  bytes = good;
  bytes[parameter] = 7;
  EXPECT_EQ(
      refusal(bytes),
      "file: section .nv.info._start: attribute format 7, expected 1 to 4");
}
