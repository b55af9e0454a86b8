//===-- emulator/amdgpu/tests/code_cache_test.cpp - Code on disk ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/code_cache/identity.h"
#include "emulator/amdgpu/code_cache/inst_reference.h"
#include "emulator/amdgpu/code_cache/kept_region.h"
#include "emulator/amdgpu/jit/code_memory.h"

#include "gtest/gtest.h"

using namespace gpuexec::emulator::amdgpu;
using namespace gpuexec::emulator::amdgpu::code_cache;

static Key some_key() {
  Key key;
  for (size_t k = 0; k < key.size(); ++k)
    key[k] = u8(k * 7);
  return key;
}

static KeptRegion some_region(u32 number) {
  KeptRegion region;
  region.tier = jit::Tier::optimised;
  region.covered = {number, number + 64};
  region.entries = {{{number, number + 4, 1, 0x123456789abcull}, NONE, 8}};
  region.pointers = {
      {jit::HostPointer::Kind::instruction, 0, {number, number, 0, 99}, ""},
      {jit::HostPointer::Kind::function, 24, {}, "fmaf"}};
  for (u32 k = 0; k < 32; ++k)
    region.code.push_back(u8(k + number));
  return region;
}

static std::vector<u8> some_file(std::vector<size_t> *ends = nullptr) {
  std::vector<u8> bytes = encode_header(some_key());
  for (u32 number : {0, 1, 2}) {
    if (ends)
      ends->push_back(bytes.size());
    encode(bytes, some_region(number));
  }
  if (ends)
    ends->push_back(bytes.size());
  return bytes;
}

TEST(KeptFile, HoldsWhatWasWritten) {
  std::vector<u8> bytes = some_file();
  KeptFile file = decode_file(bytes, some_key());
  EXPECT_EQ(file.size, bytes.size());
  ASSERT_EQ(file.regions.size(), 3u);
  for (u32 number : {0, 1, 2})
    EXPECT_EQ(file.regions[number], some_region(number)) << number;
  KeptRegion declined;
  declined.covered = {16};
  encode(bytes, declined);
  EXPECT_EQ(decode_file(bytes, some_key()).regions.at(3), declined);
}

TEST(KeptFile, OfAnotherKeyIsNone) {
  Key other = some_key();
  other[31] ^= 1;
  EXPECT_EQ(decode_file(some_file(), other).size, 0u);
  EXPECT_TRUE(decode_file(some_file(), other).regions.empty());
}

// The same bytes are other micro-ops in waves of 32 lanes.
TEST(KeyOf, DependsOnTheLanesOfAWave) {
  alignas(256) static const u32 bytes[] = {0xbfb00000}; // s_endpgm
  const u64 begin = reinterpret_cast<u64>(bytes);
  std::vector<Key> keys;
  for (bool wave32 : {false, true, true}) {
    auto code =
        Code::create("gfx1100", begin, begin + sizeof(bytes), Watch(), wave32);
    ASSERT_TRUE(bool(code));
    EXPECT_EQ((*code)->wave32(), wave32);
    keys.push_back(key_of(**code, "gfx1100", "builds"));
  }
  EXPECT_NE(keys[0], keys[1]);
  EXPECT_EQ(keys[1], keys[2]);
}

TEST(KeptFile, EndsAtTheLastWholeRecord) {
  std::vector<size_t> ends;
  const std::vector<u8> bytes = some_file(&ends);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const KeptFile file =
        decode_file(llvm::ArrayRef(bytes).take_front(size), some_key());
    size_t whole = 0;
    while (ends[whole + 1] <= size)
      ++whole;
    EXPECT_EQ(file.size, size < ends[0] ? 0 : ends[whole]) << size;
    EXPECT_EQ(file.regions.size(), size < ends[0] ? 0 : whole) << size;
  }
}

TEST(KeptFile, DropsARecordInWhichABitIsFlipped) {
  std::vector<size_t> ends;
  const std::vector<u8> bytes = some_file(&ends);
  for (size_t bit = ends[1] * 8; bit < ends[2] * 8; ++bit) {
    std::vector<u8> damaged = bytes;
    damaged[bit / 8] ^= u8(1 << bit % 8);
    const KeptFile file = decode_file(damaged, some_key());
    EXPECT_EQ(file.size, ends[1]) << bit;
    EXPECT_EQ(file.regions.size(), 1u) << bit;
  }
}

// With a good checksum, as from a program with a mistake.
TEST(KeptFile, RefusesWhatLiesOutsideOfTheCode) {
  auto refused = [](auto change) {
    KeptRegion region = some_region(0);
    change(region);
    std::vector<u8> bytes = encode_header(some_key());
    encode(bytes, region);
    return decode_file(bytes, some_key()).regions.empty();
  };
  EXPECT_FALSE(refused([](KeptRegion &) {}));
  EXPECT_TRUE(refused([](KeptRegion &r) { r.entries[0].handler = 32; }));
  EXPECT_TRUE(refused([](KeptRegion &r) { r.entries[0].shape = FULL; }));
  EXPECT_TRUE(refused([](KeptRegion &r) { r.pointers[1].offset = 25; }));
  EXPECT_TRUE(refused([](KeptRegion &r) { r.code.clear(); }));
  EXPECT_TRUE(refused([](KeptRegion &r) { r.tier = jit::Tier(2); }));
  EXPECT_TRUE(refused(
      [](KeptRegion &r) { r.pointers[0].kind = jit::HostPointer::Kind(5); }));
  EXPECT_TRUE(
      refused([](KeptRegion &r) { r.pointers[1].function.assign(65, 'x'); }));
}

// s_nop 0; s_mov_b32 s0, 1; s_mov_b32 s1, s0; s_mov_b32 s2, s1; s_endpgm
alignas(4) static const u32 PROGRAM[] = {0xbf800000, 0xbe800081, 0xbe810000,
                                         0xbe820001, 0xbf810000};

static std::shared_ptr<Code> decoded(std::vector<u64> order,
                                     const u32 *program = PROGRAM) {
  const u64 begin = reinterpret_cast<u64>(program);
  auto code = Code::create("gfx942", begin, begin + sizeof(PROGRAM), {});
  EXPECT_TRUE(bool(code));
  for (u64 offset : order)
    EXPECT_TRUE((*code)->find(begin + offset)) << offset;
  return *code;
}

TEST(InstReference, FindsTheInstructionHoweverCodeIsCutIntoBlocks) {
  const u64 begin = reinterpret_cast<u64>(PROGRAM);
  auto whole = decoded({0});
  const Inst *block = whole->find(begin);
  ASSERT_EQ(block->pc, 4u); // the first instruction has no micro-ops
  auto cut = decoded({12, 8, 0});
  for (unsigned k = 0; k < 4; ++k) {
    const InstReference reference = refer_to(*whole, block + k);
    EXPECT_EQ(reference.block, 0u) << k;
    EXPECT_EQ(find(*whole, reference), block + k) << k;
    const Inst *there = find(*cut, reference);
    ASSERT_TRUE(there) << k;
    EXPECT_EQ(there->pc, block[k].pc) << k;
    EXPECT_EQ(there->operation, block[k].operation) << k;
    // And back, from a block that the other process has not.
    EXPECT_TRUE(find(*whole, refer_to(*cut, there))) << k;
  }
}

TEST(InstReference, FindsNothingInOtherCode) {
  auto code = decoded({0});
  const Inst *block = code->find(reinterpret_cast<u64>(PROGRAM));
  static u32 other[std::size(PROGRAM)];
  std::copy(std::begin(PROGRAM), std::end(PROGRAM), other);
  other[2] = 0xbe810002; // s_mov_b32 s1, s2
  auto changed = decoded({0}, other);
  EXPECT_TRUE(find(*changed, refer_to(*code, block)));
  EXPECT_FALSE(find(*changed, refer_to(*code, block + 1)));
  InstReference nowhere = refer_to(*code, block);
  nowhere.block = 1 << 20;
  EXPECT_FALSE(find(*code, nowhere));
  nowhere = refer_to(*code, block);
  nowhere.index = 1;
  EXPECT_FALSE(find(*code, nowhere));
}

TEST(Identity, KeyDependsOnTheCodeAndWhereItIs) {
  static u32 other[std::size(PROGRAM)];
  std::copy(std::begin(PROGRAM), std::end(PROGRAM), other);
  auto code = decoded({}), copy = decoded({}, other);
  const Key key = key_of(*code, "gfx942", "build");
  EXPECT_EQ(key, key_of(*decoded({}), "gfx942", "build"));
  EXPECT_NE(key, key_of(*copy, "gfx942", "build")); // at another address
  EXPECT_NE(key, key_of(*code, "gfx90a", "build"));
  EXPECT_NE(key, key_of(*code, "gfx942", "other"));
  const Key before = key_of(*copy, "gfx942", "build");
  other[2] ^= 1;
  EXPECT_NE(before, key_of(*copy, "gfx942", "build"));
}

TEST(Identity, BuildIdIsTheSameInMemoryAndInTheFile) {
  const void *here = reinterpret_cast<const void *>(&some_key);
  EXPECT_EQ(build_id_around(here), build_id_of_file("/proc/self/exe"));
  EXPECT_EQ(build_id_around(here).size(), 40u); // SHA-1, from the linker
  EXPECT_EQ(build_id_of_file("/dev/null"), "");
  EXPECT_EQ(build_id_of_file("/no/such/file"), "");
}

// mov pointer(%rip), %rax; ret
static jit::CompiledCode returns_pointer(jit::HostPointer pointer) {
  jit::CompiledCode code;
  code.bytes = {0x48, 0x8b, 0x05, 9, 0, 0, 0, 0xc3};
  code.bytes.resize(24);
  pointer.offset = 16;
  code.pointers = {pointer};
  code.handlers = {0};
  return code;
}

/// Placed code has no type in front of it, which the sanitizer would compare.
__attribute__((no_sanitize("function"))) static void *call(const char *placed) {
  return reinterpret_cast<void *(*)()>(u64(placed))();
}

TEST(CodeMemory, FillsInHostPointers) {
  jit::CodeMemory memory;
  std::atomic<u64> epoch{5};
  auto result = [&](const jit::HostPointer &pointer) -> void * {
    const char *placed = memory.place(returns_pointer(pointer), &epoch);
    return placed ? call(placed) : nullptr;
  };
  using Kind = jit::HostPointer::Kind;
  const Inst inst;
  EXPECT_EQ(result({Kind::epoch, nullptr, "", 0}), &epoch);
  EXPECT_EQ(result({Kind::instruction, &inst, "", 0}), &inst);
  EXPECT_EQ(result({Kind::function, nullptr, "fmaf", 0}),
            jit::host_function("fmaf"));
  EXPECT_TRUE(jit::host_function("fmaf"));
  // A file names no other function.
  EXPECT_EQ(result({Kind::function, nullptr, "system", 0}), nullptr);
}

TEST(CodeMemory, IsNeverWritableAndExecutable) {
  jit::CodeMemory memory;
  std::atomic<u64> epoch;
  const char *placed = memory.place(
      returns_pointer({jit::HostPointer::Kind::epoch, nullptr, "", 0}), &epoch);
  ASSERT_TRUE(placed);
  std::FILE *maps = std::fopen("/proc/self/maps", "r");
  ASSERT_TRUE(maps);
  char line[4096];
  std::string mode;
  while (std::fgets(line, sizeof(line), maps)) {
    unsigned long begin = 0, end = 0;
    char flags[8] = "";
    if (std::sscanf(line, "%lx-%lx %7s", &begin, &end, flags) == 3 &&
        u64(placed) >= begin && u64(placed) < end)
      mode = flags;
  }
  std::fclose(maps);
  EXPECT_EQ(mode, "r-xp");
}

TEST(CodeMemory, HasRoomForMoreThanAnArena) {
  jit::CodeMemory memory;
  std::atomic<u64> epoch;
  jit::CompiledCode large =
      returns_pointer({jit::HostPointer::Kind::epoch, nullptr, "", 0});
  large.bytes.resize(5 << 20);
  for (int k = 0; k < 8; ++k) {
    const char *placed = memory.place(large, &epoch);
    ASSERT_TRUE(placed) << k;
    EXPECT_EQ(call(placed), &epoch) << k;
  }
}
