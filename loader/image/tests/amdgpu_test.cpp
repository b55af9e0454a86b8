//===-- loader/image/tests/amdgpu_test.cpp - AMDGPU code objects ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_images.h"
#include "llvm/Support/Endian.h"

using namespace gpuexec;

static void check_program(const Image &image, const char *arch,
                          unsigned version, uint32_t wave_size) {
  SCOPED_TRACE(arch);
  EXPECT_EQ(image.format(), Image::Format::amdgpu);
  EXPECT_EQ(image.arch(), arch);
  EXPECT_EQ(image.abi_version(), version);
  EXPECT_EQ(image.max_wave_size(), wave_size);
  EXPECT_EQ(image.triple(), "amdgcn-amd-amdhsa");
  EXPECT_TRUE(image.producer().contains("clang"));
  EXPECT_FALSE(image.relocatable());

  const Kernel *start = image.find_kernel("_start");
  ASSERT_TRUE(start);
  EXPECT_EQ(start->symbol, "_start.kd");
  ASSERT_EQ(start->arguments.size(), 4u);
  EXPECT_EQ(start->arguments[3].offset, 24u);
  EXPECT_EQ(start->arguments[3].size, 8u);
  EXPECT_EQ(start->arguments_size, 32u);
  EXPECT_EQ(start->shared_size, 132u);
  EXPECT_GE(*start->resources.private_size, 40u);
  EXPECT_GT(*start->resources.vgprs, 0u);
  EXPECT_GT(*start->resources.code_size, 0u);
  EXPECT_EQ(start->wave_size, wave_size);
  ASSERT_TRUE(start->descriptor);
  EXPECT_EQ(start->descriptor->group_segment_size, start->shared_size);
  EXPECT_EQ(start->descriptor->private_segment_size,
            *start->resources.private_size);
  EXPECT_EQ(start->descriptor->kernarg_size, start->kernarg_size);
  EXPECT_EQ(start->descriptor->wave32(), wave_size == 32);
  if (version >= 5) { // V4 reads the packet instead
    const HiddenArgument *group_size = start->find_hidden(Hidden::group_size_x);
    ASSERT_TRUE(group_size);
    EXPECT_EQ(group_size->offset, 32u + 12u);
    EXPECT_EQ(group_size->size, 2u);
    EXPECT_EQ(start->kernarg_size, 32u + 256u);
  }
  const Kernel *end = image.find_kernel("_end");
  ASSERT_TRUE(end);
  EXPECT_EQ(end->arguments_size, 0u);
  EXPECT_EQ(end->kernarg_size, 0u);
  EXPECT_FALSE(image.find_kernel("helper"));

  ASSERT_TRUE(image.rpc_client());
  EXPECT_EQ(image.rpc_client()->symbol, "__llvm_rpc_client");
  EXPECT_EQ(image.rpc_client()->size, 552u);
  ASSERT_TRUE(image.find_global("counter"));
  EXPECT_EQ(image.find_global("counter")->size, 4u);
  EXPECT_TRUE(image.find_global("counter")->visible);
  EXPECT_TRUE(image.constructors().empty());
  EXPECT_TRUE(llvm::any_of(image.functions(), [](const DeviceFunction &f) {
    return f.name == "helper";
  }));
}

TEST(Amdgpu, Targets) {
  check_program(parse("gfx942").only(), "gfx942", 6, 64);
  check_program(parse("gfx90a").only(), "gfx90a", 6, 64);
  check_program(parse("gfx1100").only(), "gfx1100", 6, 32);
  check_program(parse("gfx9-4-generic").only(), "gfx9-4-generic", 6, 64);
}

TEST(Amdgpu, CodeObjectVersions) {
  check_program(parse("gfx942-v4").only(), "gfx942", 4, 64);
  check_program(parse("gfx942-v5").only(), "gfx942", 5, 64);
}

TEST(Amdgpu, Features) {
  EXPECT_EQ(parse("gfx90a").only().target_id(), "gfx90a");
  EXPECT_EQ(parse("gfx90a-xnack").only().target_id(), "gfx90a:sramecc+:xnack-");
}

TEST(Amdgpu, ObjectFileParsesButRunsNowhere) {
  Loaded object = parse("gfx942.o");
  EXPECT_TRUE(object.only().relocatable());
  EXPECT_TRUE(object.only().find_kernel("_start"));
  std::string message = llvm::toString(object.only().runs_on("gfx942"));
  EXPECT_THAT(message,
              testing::EndsWith("gfx942.o: an object file: link it first"));
}

// One field of a good image at a time.
class AmdgpuDamage : public testing::Test {
protected:
  AmdgpuDamage() : bytes(load("gfx942")->getBuffer()) {}
  template <typename Number> void put(size_t offset, Number value) {
    llvm::support::endian::write<Number>(&bytes[offset], value,
                                         llvm::endianness::little);
  }
  uint64_t word(size_t offset) {
    return llvm::support::endian::read64le(&bytes[offset]);
  }
  size_t find(llvm::StringRef text) {
    size_t position = bytes.find(text);
    EXPECT_NE(position, std::string::npos);
    return position;
  }
  std::string bytes;
};

TEST_F(AmdgpuDamage, Header) {
  put<uint8_t>(7, 65);
  EXPECT_EQ(refusal(bytes),
            "file: an AMDGPU ELF file of OS/ABI 65, not of HSA (64)");
  put<uint8_t>(7, 64);
  put<uint8_t>(8, 1);
  EXPECT_EQ(refusal(bytes), "file: AMDGPU code object with ABI version 1, "
                            "expected 2 to 4 (V4 to V6)");
  put<uint8_t>(8, 4);
  put<uint16_t>(16, 2);
  EXPECT_EQ(refusal(bytes),
            "file: ELF type 2: an AMDGPU code object is a shared object");
  put<uint16_t>(16, 3);
  put<uint32_t>(48, 0xfe);
  EXPECT_EQ(refusal(bytes), "file: unknown AMDGPU processor 0xfe");
  put<uint32_t>(48, 0x3f);
  EXPECT_EQ(refusal(bytes),
            "file: metadata is for gfx942, the ELF header for gfx90a");
}

TEST_F(AmdgpuDamage, Segments) {
  uint64_t headers = word(32);
  for (unsigned index = 0; index < 12; ++index) {
    size_t header = headers + 56 * index;
    if (llvm::support::endian::read32le(&bytes[header]) != 1) // PT_LOAD
      continue;
    std::string good = bytes, label = "file: segment " + std::to_string(index);
    put<uint64_t>(header + 40, word(header + 32) - 1);
    EXPECT_THAT(refusal(bytes), testing::StartsWith(label + ": file size"));
    bytes = good;
    put<uint64_t>(header + 8, uint64_t(-16));
    EXPECT_THAT(refusal(bytes), testing::HasSubstr("file"));
    bytes = good;
    put<uint64_t>(header + 40, uint64_t(-1));
    EXPECT_THAT(refusal(bytes), testing::StartsWith(label + ": memory range"));
    bytes = good;
    put<uint64_t>(header + 16, uint64_t(-16));
    EXPECT_THAT(refusal(bytes), testing::StartsWith(label + ": memory range"));
    bytes = good;
  }
}

TEST_F(AmdgpuDamage, Metadata) {
  std::string good = bytes;
  bytes[find(".wavefront_size") + 15] = 0x21; // 33
  EXPECT_THAT(refusal(bytes),
              testing::HasSubstr("wavefront size 33, expected 32 or 64"));
  bytes = good;
  bytes[find(".symbol")] = 'x';
  EXPECT_THAT(refusal(bytes), testing::EndsWith(": no symbol"));
  bytes = good;
  bytes[find(".kernarg_segment_size") + 21] = 1;
  EXPECT_THAT(refusal(bytes),
              testing::ContainsRegex("argument ends at byte [0-9]+ of 1"));
  bytes = good;
  bytes[find("amdhsa.kernels")] =
      'x'; // a note without kernels is an image without kernels
  EXPECT_TRUE(parse(llvm::MemoryBuffer::getMemBufferCopy(bytes))
                  .only()
                  .kernels()
                  .empty());
}

TEST_F(AmdgpuDamage, Entry) {
  Loaded image = parse("gfx942");
  uint64_t descriptor = image.only().find_kernel("_start")->descriptor->address;
  // .rodata is in the first segment, whose file offsets are its addresses.
  put<uint64_t>(descriptor + 16, 0x100000);
  EXPECT_THAT(
      refusal(bytes),
      testing::ContainsRegex(
          "kernel '_start': the entry 0x[0-9a-f]+ is not in executable code"));
}
