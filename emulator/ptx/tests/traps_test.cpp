// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow that other ways to run PTX without NVIDIA's GPUs got wrong, each
// by the public report that it was in. (Reports of single instructions are rows
// of the other tests: bfe, shf.wrap, clz.b64, bfind.shiftamt, popc.b64,
// match.any, distances of shuffles beyond 31, div.rp.f64, mul.ftz.)
#include "emulator/ptx/tests/ptx_test.h"

namespace {

class PtxTraps : public Ptx {
protected:
  /// Three blocks of 96 threads whose operand a is `operand(thread)`; the
  /// module has 512 words of shared memory, `tile`.
  void expect(const char *text, uint64_t (*operand)(unsigned thread),
              uint64_t (*wanted)(unsigned thread)) {
    load_text(".shared .align 4 .b8 tile[2048];\n" +
              kernel_text("k", {text, 32, 32, nullptr}));
    Words input;
    for (unsigned n = 0; n < 288; ++n)
      input.insert(input.end(), {operand(n % 96), 0, 0});
    Words found = results("k", input, 96);
    for (unsigned n = 0; n < found.size(); ++n)
      ASSERT_EQ(found[n], wanted(n % 96)) << "thread " << n;
  }
};

// pocl 1167: the loop's trip count depends on the thread, in whole warps; the
// barrier in it is guarded. Warps that are through wait at the last barrier's
// like: all 96 threads meet at each.
TEST_F(PtxTraps, BarrierInALoopWhoseTripsDependOnTheThread) {
  expect(R"(
      mov.u32 %r4, %tid.x;
      mov.b32 $d, 0;
      mov.u32 %r5, 0;
    loop:
      setp.ge.u32 %p1, %r5, $a;
      @%p1 bra skip;
      add.u32 $d, $d, %r5;
    skip:
      setp.lt.u32 %p2, %r5, 20;
      @!%p2 bra out;
      bar.sync 0;
      add.u32 %r5, %r5, 1;
      bra loop;
    out:)",
         [](unsigned thread) -> uint64_t { return thread % 19; },
         [](unsigned thread) -> uint64_t {
           uint64_t n = thread % 19;
           return n * (n - 1) / 2;
         });
}

// pocl 553: nested loops, and a barrier under a condition that is the same for
// all threads.
TEST_F(PtxTraps, ConditionalBarriersInNestedLoops) {
  expect(R"(
      mov.u32 %r4, %tid.x;
      shl.b32 %r5, %r4, 2;
      mov.u32 %r6, tile;
      add.u32 %r5, %r5, %r6;
      xor.b32 %r7, %r4, 1;
      shl.b32 %r7, %r7, 2;
      add.u32 %r7, %r7, %r6;
      mov.b32 $d, $a;
      mov.u32 %r8, 0;
    outer:
      mov.u32 %r9, 0;
    inner:
      and.b32 %r1, %r9, 1;
      setp.eq.u32 %p1, %r1, 0;
      @%p1 bra no_barrier;
      st.shared.u32 [%r5], $d;
      bar.sync 0;
      ld.shared.u32 $d, [%r7];
      bar.sync 0;
    no_barrier:
      add.u32 $d, $d, 1;
      add.u32 %r9, %r9, 1;
      setp.lt.u32 %p2, %r9, 4;
      @%p2 bra inner;
      add.u32 %r8, %r8, 1;
      setp.lt.u32 %p3, %r8, 5;
      @%p3 bra outer;)",
         [](unsigned thread) -> uint64_t { return thread * 100; },
         // Ten exchanges with the neighbour, an even number, and 20 additions.
         [](unsigned thread) -> uint64_t { return thread * 100 + 20; });
}

// pocl 1977: what thread 0 alone does between two barriers.
TEST_F(PtxTraps, WorkOfThreadZeroBetweenBarriers) {
  expect(R"(
      mov.u32 %r4, %tid.x;
      mov.u32 %r6, tile;
      setp.ne.u32 %p1, %r4, 0;
      @%p1 bra first;
      st.shared.u32 [%r6], 7;
    first:
      bar.sync 0;
      @%p1 bra second;
      ld.shared.u32 %r7, [%r6];
      add.u32 %r7, %r7, 1;
      st.shared.u32 [%r6], %r7;
    second:
      bar.sync 0;
      ld.shared.u32 $d, [%r6];)",
         [](unsigned) -> uint64_t { return 0; },
         [](unsigned) -> uint64_t { return 8; });
}

// CUDAnative 4: several exits of a kernel that has shared memory.
TEST_F(PtxTraps, SeveralExitsWithSharedMemory) {
  expect(R"(
      mov.u32 %r4, %tid.x;
      shl.b32 %r5, %r4, 2;
      mov.u32 %r6, tile;
      add.u32 %r5, %r5, %r6;
      st.shared.u32 [%r5], $a;
      bar.sync 0;
      cvt.u64.u32 %rd10, 1;
      setp.ge.u32 %p1, %r4, 64;
      @!%p1 bra low;
      st.global.b64 [%rd3], %rd10;
      ret;
    low:
      ld.shared.u32 $d, [%r5+128];
      setp.ge.u32 %p1, %r4, 32;
      @%p1 bra middle;
      cvt.u64.u32 %rd10, $d;
      st.global.b64 [%rd3], %rd10;
      exit;
    middle:
      add.u32 $d, $d, 1;)",
         [](unsigned thread) -> uint64_t { return thread * 3; },
         [](unsigned thread) -> uint64_t {
           if (thread >= 64)
             return 1;
           return (thread + 32) * 3 + (thread >= 32);
         });
}

// pocl 1747, 1794: a barrier under a branch that only looks divergent.
TEST_F(PtxTraps, BarrierUnderABranchThatLooksDivergent) {
  expect(R"(
      mov.u32 %r4, %tid.x;
      mov.u32 %r6, tile;
      shl.b32 %r5, %r4, 2;
      add.u32 %r5, %r5, %r6;
      st.shared.u32 [%r5], $a;
      and.b32 %r7, %r4, 0;
      setp.eq.u32 %p1, %r7, $b;
      @%p1 bra equal;
      mov.b32 $d, 1;
      bra out;
    equal:
      bar.sync 0;
      mov.u32 %r8, 95;
      sub.u32 %r8, %r8, %r4;
      shl.b32 %r8, %r8, 2;
      add.u32 %r8, %r8, %r6;
      ld.shared.u32 $d, [%r8];
    out:)",
         [](unsigned thread) -> uint64_t { return thread + 5; },
         [](unsigned thread) -> uint64_t { return 100 - thread; });
}

// ZLUDA 208: sums of a warp by shuffles in a loop.
TEST_F(PtxTraps, SumOfAWarpByShuffles) {
  expect(R"(
      mov.b32 $d, $a;
      mov.u32 %r5, 16;
    again:
      shfl.sync.bfly.b32 %r6, $d, %r5, 31, -1;
      add.u32 $d, $d, %r6;
      shr.u32 %r5, %r5, 1;
      setp.ne.u32 %p1, %r5, 0;
      @%p1 bra again;)",
         [](unsigned thread) -> uint64_t { return thread; },
         [](unsigned thread) -> uint64_t {
           return thread / 32 * 32 * 32 + 31 * 16;
         });
}

} // namespace
