//===-- emulator/amdgpu/tests/buffers_test.cpp - Buffer resources ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and atomics by a buffer resource against a model that says of
// each byte where it is and whether it may be accessed. All lanes and one;
// every kind of address; all checks of each generation.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/tests/harness.h"
#include "emulator/amdgpu/tests/processors.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace gpuexec::emulator::amdgpu::test {
namespace {

using u8 = uint8_t;
using u32 = uint32_t;
using u64 = uint64_t;

constexpr u32 MEMORY = 4096, BASE = 1024; // the buffer begins at BASE

/// A resource by its fields, before a generation has packed them.
struct Fields {
  u32 stride = 0, records = 0;
  u32 swizzle = 0; // of gfx11: 1 to 3; of others: 0 or 1
  u32 together = 0, check = 0;
  bool adds_lane = false;
};

class Buffers : public testing::TestWithParam<const char *> {
protected:
  Buffers()
      : machine(GetParam(),
                std::string(KERNELS_DIR) + "/buffers." + GetParam()) {
    const std::string cpu = GetParam();
    generation = cpu == "gfx1201"   ? 12
                 : cpu == "gfx1100" ? 11
                 : cpu[3] == '1'    ? 10
                                    : 9;
    memory = machine.allocate<u8>(MEMORY);
    out = machine.allocate<u32>(64 * 4);
    in = machine.allocate<u32>(64 * 4);
    index = machine.allocate<u32>(64);
    offset = machine.allocate<u32>(64);
    resource = machine.allocate<u32>(4);
    for (u32 k = 0; k < 256; ++k)
      in[k] = 0x10203040 * (k + 1) ^ k;
  }
  void pack(const Fields &f) {
    const u64 base = reinterpret_cast<u64>(memory) + BASE;
    resource[0] = u32(base);
    resource[1] = u32(base >> 32) | (f.stride & 0x3fff) << 16 |
                  (generation >= 11 ? f.swizzle << 30 : f.swizzle << 31);
    resource[2] = f.records;
    resource[3] = f.together << 21 | u32(f.adds_lane) << 23 |
                  (generation >= 10 ? f.check << 28 : 0) |
                  (generation == 9 && f.adds_lane ? f.stride >> 14 << 15 : 0);
  }

  /// Where in `memory` the part of `size` bytes at this index and offset is;
  /// nullopt if it is out of range.
  std::optional<u64> place(const Fields &f, bool has_index, u64 i, u64 o,
                           u32 soffset, u32 size) const {
    u64 at = i * f.stride + o;
    if (f.swizzle) {
      const u64 element = 2u << f.swizzle, n = 8u << f.together;
      at = (i / n * f.stride + o / element * element) * n + i % n * element +
           o % element;
    }
    const bool structured = i < f.records && o + size <= f.stride;
    bool good = false;
    if (generation == 9)
      good = !has_index || !f.stride ? o + soffset + size <= f.records
             : f.swizzle             ? structured
                                     : i < f.records;
    else
      switch (f.check) {
      case 0:
        good = structured;
        break;
      case 1:
        good = i < f.records;
        break;
      case 2:
        good = f.records != 0;
        break;
      default:
        if (!f.swizzle || (generation >= 11 && !f.stride))
          good = o + size <= f.records;
        else
          good = generation >= 11 ? structured : at + size <= f.records;
      }
    if (!good)
      return std::nullopt;
    return BASE + soffset + at;
  }

  enum class What { load, store, add };
  struct Kind {
    const char *name;
    What what;
    u32 bytes;
  };
  static constexpr Kind KINDS[] = {
      {"load_u8", What::load, 1},   {"load_i16", What::load, 2},
      {"load_high", What::load, 2}, {"load_1", What::load, 4},
      {"load_2", What::load, 8},    {"load_3", What::load, 12},
      {"load_4", What::load, 16},   {"store_u8", What::store, 1},
      {"store_1", What::store, 4},  {"store_3", What::store, 12},
      {"store_4", What::store, 16}, {"add_1", What::add, 4},
      {"add_2", What::add, 8}};

  /// What lane l does, by the model.
  void model(const Kind &kind, const Fields &f, bool has_index, bool has_offset,
             u32 soffset, u32 l, u32 *result) {
    const u64 i = u64(has_index ? index[l] : 0) + (f.adds_lane ? l : 0),
              o = u64(has_offset ? offset[l] : 0) + 8;
    std::copy_n(in + 4 * l, 4, result);
    const u32 part =
        kind.what == What::add ? kind.bytes : std::min(kind.bytes, 4u);
    for (u32 k = 0; k < kind.bytes; k += part) {
      const auto at = place(f, has_index, i, o + k, soffset, part);
      ASSERT_TRUE(!at || *at + part <= MEMORY) << "the test's own fault";
      if (kind.what == What::store) {
        if (at)
          std::memcpy(&expected[*at], result + k / 4, part);
        continue;
      }
      u64 value = 0;
      if (at)
        std::memcpy(&value, &expected[*at], part);
      if (at && kind.what == What::add) {
        u64 more = 0;
        std::memcpy(&more, in + 4 * l, part);
        more += value;
        std::memcpy(&expected[*at], &more, part);
      }
      if (kind.name == std::string("load_i16"))
        result[0] = u32(int32_t(int16_t(value)));
      else if (kind.name == std::string("load_high"))
        result[0] = (result[0] & 0xffff) | u32(value) << 16;
      else
        for (u32 w = 0; w < (part + 3) / 4; ++w)
          result[k / 4 + w] = u32(value >> (32 * w));
    }
  }

  void run(const std::string &name, u32 soffset, uint16_t lanes) {
    Machine::Grid grid;
    grid.threads[0] = lanes;
    const Result r =
        machine.launch(name, grid, out, resource, index, offset, in, soffset);
    ASSERT_EQ(r.fault.kind, Fault::Kind::none) << r.report;
  }

  void check(const Kind &kind, const Fields &f, u32 soffset, uint16_t lanes) {
    static const char *const MODES[] = {"_off", "_offen", "_idxen", "_bothen"};
    for (u32 mode = 0; mode < 4; ++mode) {
      for (u32 k = 0; k < MEMORY; ++k)
        memory[k] = u8(k * 7 + (k >> 8));
      expected.assign(memory, memory + MEMORY);
      pack(f);
      std::fill_n(out, 256, 0);
      const std::string name = kind.name + std::string(MODES[mode]);
      run(name, soffset, lanes);
      const u32 words = (kind.bytes + 3) / 4;
      for (u32 l = 0; l < lanes; ++l) {
        u32 result[4];
        model(kind, f, mode & 2, mode & 1, soffset, l, result);
        for (u32 w = 0; w < words; ++w)
          ASSERT_EQ(out[4 * l + w], result[w])
              << name << " lane " << l << " of " << lanes << " word " << w
              << " index " << index[l] << " offset " << offset[l] << " soffset "
              << soffset << " stride " << f.stride << " records " << f.records
              << " swizzle " << f.swizzle << " check " << f.check;
      }
      for (u32 k = 0; k < MEMORY; ++k)
        ASSERT_EQ(memory[k], expected[k])
            << name << " of " << lanes << " lanes: byte " << int(k) - int(BASE)
            << " of the buffer, stride " << f.stride << " records " << f.records
            << " swizzle " << f.swizzle << " check " << f.check;
    }
  }
  void check_all(const Fields &f, u32 soffset = 0) {
    for (const Kind &kind : KINDS)
      for (uint16_t lanes : {32, 1}) {
        check(kind, f, soffset, lanes);
        if (HasFatalFailure())
          return;
      }
  }
  u32 checks() const { return generation == 9 ? 1 : 4; }

  Machine machine;
  unsigned generation;
  u8 *memory;
  u32 *out, *in, *index, *offset, *resource;
  std::vector<u8> expected;
};

// Each lane another offset, with the end of the buffer among them.
TEST_P(Buffers, OffsetsAroundTheEnd) {
  for (u32 l = 0; l < 64; ++l) {
    index[l] = 0;
    offset[l] = l * 16;
  }
  for (u32 check = 0; check < checks(); ++check)
    for (u32 records : {0u, 8u, 256u, 260u, 262u, 264u, 268u, 2048u, ~0u}) {
      check_all({.stride = 0, .records = records, .check = check});
      if (HasFatalFailure())
        return;
    }
}

TEST_P(Buffers, AllLanesAtOneAddress) {
  std::fill_n(index, 64, 0);
  for (u32 at : {0u, 240u, 244u, 248u, 252u, 256u}) {
    std::fill_n(offset, 64, at);
    check_all({.stride = 0, .records = 256, .check = 3});
  }
}

TEST_P(Buffers, ScalarOffset) {
  for (u32 l = 0; l < 64; ++l)
    offset[l] = index[l] = 16 * l;
  for (u32 soffset : {16u, 128u, 256u, 512u})
    check_all({.stride = 0, .records = 256, .check = 3}, soffset);
}

// A negative offset is a large one: sums do not wrap.
TEST_P(Buffers, NegativeOffsets) {
  std::fill_n(index, 64, 0);
  for (u32 l = 0; l < 64; ++l)
    offset[l] = l % 2 ? u32(-64) + l % 8 * 8 : 16 * l;
  for (u32 records : {256u, 0x7fffffffu})
    check_all({.stride = 0, .records = records, .check = 3});
}

TEST_P(Buffers, Records) {
  for (u32 l = 0; l < 64; ++l) {
    index[l] = l % 12;
    offset[l] = l / 12 * 8;
  }
  for (u32 check = 0; check < checks(); ++check)
    for (u32 stride : {16u, 24u, 32u})
      for (u32 records : {0u, 5u, 11u, 200u}) {
        check_all({.stride = stride, .records = records, .check = check});
        if (HasFatalFailure())
          return;
      }
}

TEST_P(Buffers, SwizzledRecords) {
  for (u32 l = 0; l < 64; ++l) {
    index[l] = l % 20;
    offset[l] = l / 20 * 8;
  }
  for (u32 check = 0; check < checks(); ++check)
    for (u32 swizzle = 1; swizzle <= (generation >= 11 ? 3 : 1); ++swizzle)
      for (u32 together : {0u, 1u})
        for (u32 records : {0u, 9u, 20u, 300u}) {
          for (const Kind &kind : KINDS)
            for (uint16_t lanes : {32, 1})
              if (kind.what != What::add || kind.bytes <= 2u << swizzle)
                this->check(kind,
                            {.stride = 32,
                             .records = records,
                             .swizzle = swizzle,
                             .together = together,
                             .check = check},
                            0, lanes);
          if (HasFatalFailure())
            return;
        }
}

TEST_P(Buffers, LanesAreAddedToTheIndex) {
  for (u32 l = 0; l < 64; ++l) {
    index[l] = l % 3;
    offset[l] = l % 2 * 8;
  }
  for (u32 check = 0; check < checks(); ++check)
    check_all({.stride = 24, .records = 17, .check = check, .adds_lane = true});
}

TEST_P(Buffers, LoadsOverTheirAddresses) {
  for (u32 l = 0; l < 64; ++l) {
    index[l] = l % 8;
    offset[l] = l / 8 * 4;
  }
  const Fields f = {.stride = 16, .records = 6, .check = 1};
  for (u32 k = 0; k < MEMORY; ++k)
    memory[k] = u8(k * 7 + (k >> 8));
  expected.assign(memory, memory + MEMORY);
  pack(f);
  for (uint16_t lanes : {32, 1}) {
    run("load_4_over_address", 0, lanes);
    for (u32 l = 0; l < lanes; ++l) {
      u32 result[4];
      model({"load_4", What::load, 16}, f, true, true, 0, l, result);
      for (u32 w = 0; w < 4; ++w)
        ASSERT_EQ(out[4 * l + w], result[w]) << "lane " << l << " word " << w;
    }
  }
}

// num_records counts records of a buffer with a stride, else bytes.
TEST_P(Buffers, ScalarLoads) {
  for (u32 k = 0; k < MEMORY; ++k)
    memory[k] = u8(k * 7 + (k >> 8));
  for (u32 stride : {0u, 8u})
    for (u32 records : {0u, 4u, 16u, 20u, 22u, 64u})
      for (u32 at = 0; at < 96; at += 4) {
        pack({.stride = stride, .records = records, .check = 3});
        const u32 size = stride ? records * stride : records;
        for (u32 words : {1u, 4u}) {
          std::fill_n(out, 4, 7);
          run(words == 1 ? "scalar_1" : "scalar_4", at, 1);
          for (u32 w = 0; w < words; ++w) {
            u32 value = 0;
            if (at + 4 * w + 4 <= size)
              std::memcpy(&value, memory + BASE + at + 4 * w, 4);
            ASSERT_EQ(out[w], value) << "word " << w << " at " << at << " of "
                                     << size << " bytes, stride " << stride;
          }
        }
      }
}

GPUEXEC_TEST_ON_EACH_PROCESSOR(Buffers);

} // namespace
} // namespace gpuexec::emulator::amdgpu::test
