// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a warp, barriers and atomic operations of PTX. The host computes for
// all lanes of a warp what each must see.
#include "emulator/ptx/tests/ptx_test.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace {

using u64 = uint64_t;
using u32 = uint32_t;
using Lanes = std::array<u64, 32>;

/// What lane `lane` of a warp must find, of all lanes' operands.
using Wanted =
    std::function<u64(const Lanes &a, const Lanes &b, unsigned lane)>;

struct WarpRow {
  const char *text;
  unsigned result_bits, operand_bits;
  Wanted wanted;
};

class PtxWarp : public Ptx {
protected:
  /// Operand b is small, so that values meet, and a is anything.
  void check_warps(const std::vector<WarpRow> &rows) {
    std::string text;
    for (size_t n = 0; n < rows.size(); ++n)
      text += kernel_text(
          "k" + std::to_string(n),
          {rows[n].text, rows[n].result_bits, rows[n].operand_bits, nullptr});
    ASSERT_NO_FATAL_FAILURE(load_text(text));
    std::mt19937_64 random(5);
    constexpr unsigned WARPS = 24;
    Words input;
    for (unsigned n = 0; n < WARPS * 32; ++n) {
      u64 spread = n / 32 % 3 == 0 ? 1 : n / 32 % 3 == 1 ? 4 : 64;
      input.insert(input.end(), {random(), random() % spread, n % 32});
    }
    for (size_t n = 0; n < rows.size(); ++n)
      check_row(rows[n], results("k" + std::to_string(n), input, 96), input);
  }

private:
  static void check_row(const WarpRow &row, const Words &found,
                        const Words &input) {
    u64 mask =
        row.operand_bits == 64 ? ~u64(0) : (u64(1) << row.operand_bits) - 1;
    for (unsigned warp = 0; warp < found.size() / 32; ++warp) {
      Lanes a, b;
      for (unsigned lane = 0; lane < 32; ++lane) {
        a[lane] = input[3 * (32 * warp + lane)] & mask;
        b[lane] = input[3 * (32 * warp + lane) + 1] & mask;
      }
      for (unsigned lane = 0; lane < 32; ++lane)
        ASSERT_EQ(found[32 * warp + lane], row.wanted(a, b, lane))
            << row.text << "\n  warp " << warp << ", lane " << lane;
    }
  }
};

#define W [](const Lanes &a, const Lanes &b, unsigned lane) -> u64
#define UNUSED (void)a, (void)b, (void)lane

/// The lanes for which `test` holds.
template <typename Test> u64 lanes_where(Test test) {
  u64 mask = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    mask |= u64(test(lane)) << lane;
  return mask;
}

TEST_F(PtxWarp, Shuffles) {
  check_warps({
      {"shfl.sync.idx.b32 $d, $a, $b, 31, -1;", 32, 32,
       W { return a[b[lane] & 31];
}
} // namespace
, {"shfl.sync.down.b32 $d|%p1, $a, 3, 31, -1;", 32, 32, W{UNUSED;
return a[lane + 3 < 32 ? lane + 3 : lane];
}
}
, {"shfl.sync.down.b32 %r9|$d, $a, 3, 31, -1;", 1, 32, W{UNUSED;
return lane + 3 < 32;
}
}
, {"shfl.sync.up.b32 $d, $a, 5, 0, -1;", 32, 32, W{UNUSED;
return a[lane >= 5 ? lane - 5 : lane];
}
}
, {"shfl.sync.up.b32 %r9|$d, $a, 5, 0, -1;", 1, 32, W{UNUSED;
return lane >= 5;
}
}
, {"shfl.sync.bfly.b32 $d, $a, 12, 31, -1;", 32, 32, W{UNUSED;
return a[lane ^ 12];
}
}
,
    // A distance beyond 31 counts modulo 32.
    {"shfl.sync.down.b32 $d, $a, 35, 31, -1;", 32, 32, W{UNUSED;
return a[lane + 3 < 32 ? lane + 3 : lane];
}
}
, {"shfl.sync.up.b32 $d, $a, 64, 0, -1;", 32, 32, W{UNUSED;
return a[lane];
}
}
,
    // Segments of 8 lanes: c is (32 - 8) << 8 | 7, for up without the 7.
    {"shfl.sync.down.b32 $d, $a, 2, 0x1807, -1;", 32, 32, W{UNUSED;
return a[(lane & 7) + 2 < 8 ? lane + 2 : lane];
}
}
, {"shfl.sync.up.b32 $d, $a, 2, 0x1800, -1;", 32, 32, W{UNUSED;
return a[(lane & 7) >= 2 ? lane - 2 : lane];
}
}
, {"shfl.sync.idx.b32 $d, $a, 13, 0x181f, -1;", 32, 32, W{UNUSED;
return a[(lane & 24) + 5];
}
}
, {"shfl.sync.bfly.b32 %r9|$d, $a, 8, 0x1807, -1;", 1, 32, W{UNUSED;
return (lane ^ 8) <= ((lane & 24) | 7);
}
}
,
    // A half of the lanes alone.
    {"mov.b32 $d, $a;\n@%p13 shfl.sync.bfly.b32 $d, $a, 2, 31, 0xaaaaaaaa;", 32,
     32, W{UNUSED;
return lane & 1 ? a[lane ^ 2] : a[lane];
}
}
,
});
}

TEST_F(PtxWarp, VotesAndMatches) {
  check_warps({
      {"vote.sync.ballot.b32 $d, $q, -1;", 32, 32,
       W { UNUSED; return lanes_where([&](unsigned n) {
    return b[n] & 1; });
}
}
, {"vote.sync.all.pred $d, $q, -1;", 1, 32, W{UNUSED;
return lanes_where([&](unsigned n) { return b[n] & 1; }) == 0xffffffff;
}
}
, {"vote.sync.any.pred $d, !$q, -1;", 1, 32, W{UNUSED;
return lanes_where([&](unsigned n) { return b[n] & 1; }) != 0xffffffff;
}
}
, {"vote.sync.uni.pred $d, $q, -1;", 1, 32, W{UNUSED;
u64 yes = lanes_where([&](unsigned n) { return b[n] & 1; });
return yes == 0 || yes == 0xffffffff;
}
}
, {"activemask.b32 $d;", 32, 32, W{UNUSED;
return 0xffffffff;
}
}
, {"mov.b32 $d, 0;\n@%p13 activemask.b32 $d;", 32, 32, W{UNUSED;
return lane & 1 ? 0xaaaaaaaa : 0;
}
}
, {"mov.b32 $d, 0;\n@%p13 vote.sync.ballot.b32 $d, $q, 0xaaaaaaaa;", 32, 32,
   W{UNUSED;
return lane & 1 ? lanes_where([&](unsigned n) { return (n & 1) && (b[n] & 1); })
                : 0;
}
}
, {"match.any.sync.b32 $d, $b, -1;", 32, 32, W{UNUSED;
return lanes_where([&](unsigned n) { return b[n] == b[lane]; });
}
}
, {"shl.b64 %rd9, $b, 40;\nmatch.any.sync.b64 %r10, %rd9, -1;\n"
   "cvt.u64.u32 $d, %r10;",
   64, 64, W{UNUSED;
return lanes_where([&](unsigned n) { return b[n] == b[lane]; });
}
}
, {"mov.b32 $d, 0;\n@%p13 match.any.sync.b32 $d, $b, 0xaaaaaaaa;", 32, 32,
   W{UNUSED;
return lane & 1
           ? lanes_where([&](unsigned n) { return (n & 1) && b[n] == b[lane]; })
           : 0;
}
}
, {"match.all.sync.b32 $d|%p1, $b, -1;", 32, 32, W{UNUSED;
bool same = std::all_of(b.begin(), b.end(), [&](u64 x) { return x == b[0]; });
return same ? 0xffffffff : 0;
}
}
, {"match.all.sync.b32 %r9|$d, $b, -1;", 1, 32, W{UNUSED;
return std::all_of(b.begin(), b.end(), [&](u64 x) { return x == b[0]; });
}
}
, {"bar.warp.sync -1;\nmov.b32 $d, $a;", 32, 32, W{UNUSED;
return a[lane];
}
}
,
});
}

TEST_F(PtxWarp, Reduces) {
  auto over = [](auto combine) {
    return [combine](const Lanes &a, const Lanes &, unsigned) -> u64 {
      u32 result = u32(a[0]);
      for (unsigned lane = 1; lane < 32; ++lane)
        result = u32(combine(result, u32(a[lane])));
      return result;
    };
  };
  check_warps({
      {"redux.sync.add.s32 $d, $a, -1;", 32, 32,
       over([](u32 x, u32 y) {
    return x + y; })},
      {"redux.sync.min.s32 $d, $a, -1;", 32, 32,
       over([](u32 x, u32 y) {
    return std::min(int32_t(x), int32_t(y)); })},
      {"redux.sync.max.u32 $d, $a, -1;", 32, 32,
       over([](u32 x, u32 y) {
    return std::max(x, y); })},
      {"redux.sync.xor.b32 $d, $a, -1;", 32, 32,
       over([](u32 x, u32 y) {
    return x ^ y; })},
      {"mov.b32 $d, 0;\n@%p13 redux.sync.or.b32 $d, $a, 0xaaaaaaaa;", 32, 32,
       W { UNUSED;
         u64 all = 0;
         for (unsigned n = 1; n < 32; n += 2)
           all |= a[n];
         return lane & 1 ? all : 0;
}
}
,
});
}

/// Blocks of 96 threads: `wanted` of all their operands.
TEST_F(PtxWarp, BlocksReduceAtBarriers) {
  const char *const TEXTS[] = {
      "barrier.cta.red.popc.sync.aligned.u32 $d, 0, $p;",
      "bar.red.and.pred %p1, 0, $q;\nselp.u32 $d, 1, 0, %p1;",
      "bar.red.or.pred %p1, 0, !$q;\nselp.u32 $d, 1, 0, %p1;"};
  std::string text;
  for (unsigned n = 0; n < 3; ++n)
    text += kernel_text("k" + std::to_string(n), {TEXTS[n], 32, 32, nullptr});
  load_text(text);
  std::mt19937_64 random(5);
  Words input;
  for (unsigned n = 0; n < 960; ++n) // some blocks agree
    input.insert(input.end(),
                 {random(), u64(n / 96 % 2 || n % 96 != 7), random()});
  for (unsigned kernel = 0; kernel < 3; ++kernel) {
    Words found = results("k" + std::to_string(kernel), input, 96);
    for (unsigned n = 0; n < found.size(); ++n) {
      u64 count = 0, all = 1;
      for (unsigned k = n / 96 * 96; k < n / 96 * 96 + 96; ++k) {
        count += input[3 * k] & 1;
        all &= input[3 * k + 1] & 1;
      }
      u64 wanted = kernel == 0 ? count : kernel == 1 ? all : !all;
      ASSERT_EQ(found[n], wanted) << TEXTS[kernel] << " thread " << n;
    }
  }
}

/// Threads exchange numbers through shared memory, round after round.
TEST_F(PtxWarp, BarriersInALoop) {
  load_text(".shared .align 4 .b8 tile[384];\n" +
            kernel_text("k", {R"(
      mov.u32 %r4, %tid.x;
      shl.b32 %r5, %r4, 2;
      mov.u32 %r6, tile;
      add.u32 %r5, %r5, %r6;
      add.u32 %r7, %r4, 1;
      rem.u32 %r7, %r7, 96;
      shl.b32 %r7, %r7, 2;
      add.u32 %r7, %r7, %r6;
      mov.b32 $d, $a;
      mov.u32 %r8, 0;
    again:
      st.shared.u32 [%r5], $d;
      bar.sync 0;
      ld.shared.u32 $d, [%r7];
      bar.sync 0;
      add.u32 %r8, %r8, 1;
      setp.lt.u32 %p1, %r8, 50;
      @%p1 bra again;)",
                              32, 32, nullptr}));
  Words input;
  for (unsigned n = 0; n < 288; ++n)
    input.insert(input.end(), {n * 77, 0, 0});
  Words found = results("k", input, 96);
  for (unsigned n = 0; n < found.size(); ++n)
    ASSERT_EQ(found[n], (n / 96 * 96 + (n % 96 + 50) % 96) * 77) << n;
}

/// The first warp waits for what the second hands over at barrier 1, and the
/// third warp goes on alone.
TEST_F(PtxWarp, BarriersOfSomeThreads) {
  load_text(".shared .align 4 .b8 tile[384];\n" +
            kernel_text("k", {R"(
      mov.u32 %r4, %tid.x;
      shl.b32 %r5, %r4, 2;
      mov.u32 %r6, tile;
      add.u32 %r5, %r5, %r6;
      mov.b32 $d, $a;
      mov.u32 %r8, 0;
      setp.ge.u32 %p2, %r4, 64;
      @%p2 bra done;
      setp.ge.u32 %p3, %r4, 32;
    again:
      @%p3 bra give;
      bar.sync 1, 64;
      ld.shared.u32 %r9, [%r5+128];
      add.u32 $d, $d, %r9;
      bar.arrive 2, 64;
      bra next;
    give:
      st.shared.u32 [%r5], %r8;
      bar.arrive 1, 64;
      bar.sync 2, 64;
    next:
      add.u32 %r8, %r8, 1;
      setp.lt.u32 %p1, %r8, 20;
      @%p1 bra again;
    done:)",
                              32, 32, nullptr}));
  Words input;
  for (unsigned n = 0; n < 288; ++n)
    input.insert(input.end(), {n, 0, 0});
  Words found = results("k", input, 96);
  for (unsigned n = 0; n < found.size(); ++n)
    ASSERT_EQ(found[n], n % 96 < 32 ? n + 190 : n) << n;
}

/// Ten phases of an object that 96 threads arrive at: by their states, and by
/// the phases' parity.
TEST_F(PtxWarp, BarriersThatAreObjects) {
  auto text = [](const char *wait) {
    return std::string(R"(
      .shared .align 8 .b64 object;
      mov.u32 %r4, %tid.x;
      mov.u32 %r6, tile;
      shl.b32 %r5, %r4, 2;
      add.u32 %r5, %r5, %r6;
      add.u32 %r7, %r4, 1;
      rem.u32 %r7, %r7, 96;
      shl.b32 %r7, %r7, 2;
      add.u32 %r7, %r7, %r6;
      setp.ne.u32 %p1, %r4, 0;
      @!%p1 mbarrier.init.shared.b64 [object], 96;
      bar.sync 0;
      mov.b32 $d, $a;
      mov.u32 %r8, 0;
    again:
      st.shared.u32 [%r5], $d;
      mbarrier.arrive.shared.b64 %rd5, [object];
    first:)") +
           wait + R"(
      @!%p2 bra first;
      ld.shared.u32 $d, [%r7];
      add.u32 %r8, %r8, 1;
      bar.sync 0;
      setp.lt.u32 %p1, %r8, 10;
      @%p1 bra again;)";
  };
  load_text(
      ".shared .align 4 .b8 tile[384];\n" +
      kernel_text("state",
                  {text("mbarrier.test_wait.shared.b64 %p2, [object], %rd5;"),
                   32, 32, nullptr}) +
      kernel_text("parity", {text("and.b32 %r9, %r8, 1;\n"
                                  "mbarrier.try_wait.parity.shared.b64 %p2, "
                                  "[object], %r9;"),
                             32, 32, nullptr}));
  Words input;
  for (unsigned n = 0; n < 288; ++n)
    input.insert(input.end(), {n * 77, 0, 0});
  for (const char *kernel : {"state", "parity"}) {
    Words found = results(kernel, input, 96);
    for (unsigned n = 0; n < found.size(); ++n)
      ASSERT_EQ(found[n], (n / 96 * 96 + (n % 96 + 10) % 96) * 77)
          << kernel << " thread " << n;
  }
}

/// A kernel whose threads all change one word of memory; what it ends as.
class PtxAtomics : public Ptx {
protected:
  struct AtomicRow {
    const char *text; ///< of [%rd0], the thread's number %r0
    u64 first, wanted;
  };
  void check_atomics(const std::vector<AtomicRow> &rows) {
    std::string text;
    for (size_t n = 0; n < rows.size(); ++n)
      text += ".visible .entry k" + std::to_string(n) +
              "(.param .u64 in)\n{\n.reg .b16 %h<9>; .reg .b32 %r<9>;\n"
              ".reg .b64 %rd<9>;\nld.param.u64 %rd0, [in];\n"
              "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\n"
              "mov.u32 %r2, %tid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
              "cvt.u64.u32 %rd1, %r0;\n" +
              rows[n].text + "\nret;\n}\n";
    ASSERT_NO_FATAL_FAILURE(load_text(text));
    for (size_t n = 0; n < rows.size(); ++n) {
      auto *word = allocate<u64>(coarse);
      *word = rows[n].first;
      EXPECT_EQ(run("k" + std::to_string(n), 64, 4, {bits(word)}), 0)
          << report();
      EXPECT_EQ(*word, rows[n].wanted) << rows[n].text;
    }
  }
};

TEST_F(PtxAtomics, EveryOperation) {
  float sum = 0;
  for (int n = 0; n < 256; ++n)
    sum += float(n);
  check_atomics({
      {"red.global.add.u32 [%rd0], %r0;", 1, 255 * 128 + 1},
      {"atom.global.add.u64 %rd2, [%rd0], %rd1;", 5, 255 * 128 + 5},
      {"atom.add.u32 %r3, [%rd0], 1;", 0, 256}, // generic
      {"red.relaxed.sys.global.add.u32 [%rd0], 2;", 0, 512},
      {"atom.acq_rel.gpu.global.add.u32 %r3, [%rd0], 2;", 0, 512},
      {"red.global.min.s32 [%rd0], %r0;", 0xffffffff, 0xffffffff},
      {"red.global.min.u32 [%rd0], %r0;", 0xffffffff, 0},
      {"red.global.max.s32 [%rd0], %r0;", 0xffffffff, 255},
      {"red.global.max.u64 [%rd0], %rd1;", 3, 255},
      {"red.global.or.b32 [%rd0], %r0;", 0x100, 0x1ff},
      {"red.global.and.b32 [%rd0], 0x0f;", 0xff, 0x0f},
      {"atom.global.xor.b64 %rd2, [%rd0], %rd1;", 7, 7},
      {"atom.global.inc.u32 %r3, [%rd0], 9;", 0, 256 % 10},
      {"atom.global.dec.u32 %r3, [%rd0], 9;", 0, (10 - 256 % 10) % 10},
      {"red.global.add.f32 [%rd0], 0f3F800000;", 0, to_bits(256.0f)},
      {"cvt.rn.f64.u32 %rd2, %r0;\natom.global.add.f64 %rd3, [%rd0], %rd2;", 0,
       to_bits(double(sum))},
      {"mov.b32 %r3, 0x3c003800;\natom.global.add.noftz.f16x2 %r4, [%rd0], "
       "%r3;",
       0, 0x5c005800},
      {"mov.b16 %h1, 0x3c00;\natom.global.add.noftz.f16 %h2, [%rd0], %h1;", 0,
       0x5c00},
      {"mov.b32 %r3, 0x3f803f80;\n"
       "atom.global.add.noftz.bf16x2 %r4, [%rd0], %r3;",
       0, 0x43804380},
      {"atom.global.exch.b32 %r3, [%rd0], 12;", 0, 12},
      {"atom.global.cas.b32 %r3, [%rd0], %r0, 300;", 17, 300},
      {"mov.b64 %rd2, 301;\natom.global.cas.b64 %rd3, [%rd0], %rd1, %rd2;", 9,
       301},
      {"mov.b16 %h1, 302;\ncvt.u16.u32 %h2, %r0;\n"
       "atom.global.cas.b16 %h3, [%rd0], %h2, %h1;",
       9, 302},
  });
}

} // namespace
