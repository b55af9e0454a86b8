//===-- emulator/ptx/tests/program_test.cpp - Control, memory, calls ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole modules of PTX on the emulated gfx1100. A kernel reads a word for each
// thread, and writes one.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/tests/ptx_test.h"

namespace {

/// Registers that every kernel of this file has, and its word in %rd4.
const std::string BEGIN = R"(
  .reg .pred %p<9>;
  .reg .b16 %h<9>;
  .reg .b32 %r<40>;
  .reg .b64 %rd<40>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 8;
  add.u64 %rd2, %rd2, %rd3;
  mul.wide.u32 %rd5, %r4, 24;
  add.u64 %rd1, %rd1, %rd5;
  ld.global.u64 %rd4, [%rd1];
)";

std::string kernel(const std::string &body) {
  return ".visible .entry k(.param .u64 in, .param .u64 out)\n{" + BEGIN +
         body + "\n  ret;\n}\n";
}

class PtxProgram : public Ptx {
protected:
  /// What the 64 threads of a block compute of the numbers 0 to 63.
  void expect(const std::string &text,
              const std::function<uint64_t(uint64_t)> &wanted) {
    ASSERT_NO_FATAL_FAILURE(load_text(text));
    Words input;
    for (uint64_t n = 0; n < 64; ++n)
      input.insert(input.end(), {n, 0, 0});
    const Words found = results("k", input, 64);
    for (uint64_t n = 0; n < found.size(); ++n)
      EXPECT_EQ(found[n], wanted(n)) << "thread " << n;
  }
};

TEST_F(PtxProgram, Recursion) {
  expect(R"(
.func (.param .b64 r) sum(.param .b64 n)
{
  .reg .pred %p<2>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [n];
  mov.u64 %rd2, 0;
  setp.eq.s64 %p1, %rd1, 0;
  @%p1 bra done;
  add.s64 %rd3, %rd1, -1;
  {
    .param .b64 p0;
    st.param.b64 [p0+0], %rd3;
    .param .b64 r0;
    call.uni (r0), sum, (p0);
    ld.param.b64 %rd4, [r0+0];
  }
  add.s64 %rd2, %rd4, %rd1;
done:
  st.param.b64 [r+0], %rd2;
  ret;
}
)" + kernel(R"(
  {
    .param .b64 p0;
    st.param.b64 [p0+0], %rd4;
    .param .b64 r0;
    call.uni (r0), sum, (p0);
    ld.param.b64 %rd6, [r0+0];
  }
  st.global.u64 [%rd2], %rd6;)"),
         [](uint64_t n) { return n * (n + 1) / 2; });
}

/// A structure in words and one in memory; results likewise.
TEST_F(PtxProgram, StructuresByValue) {
  expect(R"(
.func (.param .align 8 .b8 r[160]) widen(.param .align 4 .b8 s[12],
                                         .param .align 8 .b8 large[160])
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<5>;
  ld.param.u32 %r1, [s];
  ld.param.v2.u32 {%r2, %r3}, [large+152];
  add.u32 %r1, %r1, %r2;
  add.u32 %r1, %r1, %r3;
  cvt.u64.u32 %rd1, %r1;
  st.param.b64 [r+152], %rd1;
  st.param.b32 [r+0], 5;
  ret;
}
)" + kernel(R"(
  {
    .param .align 4 .b8 p0[12];
    .param .align 8 .b8 p1[160];
    .param .align 8 .b8 r0[160];
    cvt.u32.u64 %r5, %rd4;
    st.param.b32 [p0+0], %r5;
    st.param.v2.b32 [p1+152], {%r5, 7};
    call.uni (r0), widen, (p0, p1);
    ld.param.b64 %rd6, [r0+152];
    ld.param.b32 %r6, [r0];
  }
  cvt.u64.u32 %rd7, %r6;
  add.u64 %rd6, %rd6, %rd7;
  st.global.u64 [%rd2], %rd6;)"),
         [](uint64_t n) { return 2 * n + 12; });
}

TEST_F(PtxProgram, IndirectCallsThroughATable) {
  const std::string one =
      "(.param .b32 x)\n{\n.reg .b32 %r<3>;\nld.param.b32 %r1, [x];\n";
  expect(".func (.param .b32 r) a(.param .b32 x);\n"
         ".global .align 8 .u64 table[2] = {a, generic(b)};\n"
         ".func (.param .b32 r) a" +
             one +
             "add.u32 %r2, %r1, 100;\nst.param.b32 [r], %r2;\nret;\n}\n"
             ".func (.param .b32 r) b" +
             one +
             "mul.lo.u32 %r2, %r1, 3;\nst.param.b32 [r], %r2;\nret;\n}\n" +
             kernel(R"(
  and.b64 %rd6, %rd4, 1;
  shl.b64 %rd6, %rd6, 3;
  mov.u64 %rd7, table;
  add.u64 %rd7, %rd7, %rd6;
  ld.global.u64 %rd8, [%rd7];
  cvt.u32.u64 %r5, %rd4;
  {
    .param .b32 p0;
    st.param.b32 [p0+0], %r5;
    .param .b32 r0;
    prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (r0), %rd8, (p0), prototype_0;
    ld.param.b32 %r6, [r0+0];
  }
  cvt.u64.u32 %rd6, %r6;
  st.global.u64 [%rd2], %rd6;)"),
         [](uint64_t n) { return n % 2 ? 3 * n : n + 100; });
}

/// Lanes that end in a function do not come back from its callers.
TEST_F(PtxProgram, ExitInAFunction) {
  expect(R"(
.func inner(.reg .u64 n)
{
  .reg .pred %p<2>;
  setp.gt.u64 %p1, n, 9;
  @%p1 exit;
  ret;
}
.func outer(.reg .u64 n)
{
  call inner, (n);
  ret;
}
)" + kernel(R"(
  st.global.u64 [%rd2], 1;
  call outer, (%rd4);
  st.global.u64 [%rd2], 2;)"),
         [](uint64_t n) { return n > 9 ? 1 : 2; });
}

/// The same where the function is said not to return: its lanes end, the others
/// go on.
TEST_F(PtxProgram, ExitInAFunctionThatDoesNotReturn) {
  expect(R"(
.func inner(.reg .u64 place)
.noreturn
{
  st.global.u64 [place], 1;
  exit;
}
.func outer(.reg .u64 place)
.noreturn
{
  call inner, (place);
  exit;
}
)" + kernel(R"(
  .reg .pred %q;
  setp.gt.u64 %q, %rd4, 9;
  @%q call outer, (%rd2);
  st.global.u64 [%rd2], 2;)"),
         [](uint64_t n) { return n > 9 ? 1 : 2; });
}

TEST_F(PtxProgram, IndexedBranch) {
  expect(kernel(R"(
  cvt.u32.u64 %r5, %rd4;
  mov.u64 %rd6, 77;
  setp.gt.u32 %p1, %r5, 2;
  @%p1 bra done;
  t: .branchtargets a, b, done;
  brx.idx %r5, t;
a:
  mov.u64 %rd6, 10;
  bra done;
b:
  mov.u64 %rd6, 11;
done:
  st.global.u64 [%rd2], %rd6;)"),
         [](uint64_t n) { return n == 0   ? 10
                                 : n == 1 ? 11
                                          : 77; });
}

/// A depot through its own space and through a generic address; vectors.
TEST_F(PtxProgram, LocalMemory) {
  expect(kernel(R"(
  .local .align 16 .b8 depot[64];
  .reg .b64 %SP, %SPL;
  mov.u64 %SPL, depot;
  cvta.local.u64 %SP, %SPL;
  cvt.u32.u64 %r5, %rd4;
  st.local.v4.u32 [%SPL+16], {%r5, 1, 2, 3};
  add.u64 %rd6, %SP, 16;
  ld.u32 %r6, [%rd6];
  ld.v2.u32 {_, %r7}, [%SP+24];
  isspacep.local %p1, %SP;
  isspacep.global %p2, %rd2;
  isspacep.shared %p3, %SP;
  selp.u32 %r8, 100, 0, %p1;
  selp.u32 %r9, 1000, 0, %p2;
  selp.u32 %r10, 10000, 0, %p3;
  add.u32 %r6, %r6, %r7;
  add.u32 %r6, %r6, %r8;
  add.u32 %r6, %r6, %r9;
  add.u32 %r6, %r6, %r10;
  cvt.u64.u32 %rd7, %r6;
  st.global.u64 [%rd2], %rd7;)"),
         [](uint64_t n) { return n + 1103; });
}

/// A scalar condition chooses one of two addresses, where the frame has no
/// constant place: LLVM overwrote the condition.
TEST_F(PtxProgram, ChosenLocalVariable) {
  expect(kernel(R"(
  .local .align 8 .b8 depot[32];
  .reg .b64 %SPL, %size;
  cvt.u32.u64 %r9, %rd4;
  mov.u64 %SPL, depot;
  st.local.u64 [%SPL], %rd4;
  st.local.u64 [%SPL+16], 1000;
  and.b64 %size, %rd4, 7;
  add.u64 %size, %size, 8;
  alloca.u64 %rd12, %size, 8;
  st.local.u64 [%rd12], %rd4;
  add.u64 %rd6, %SPL, 16;
  setp.eq.u32 %p1, %r2, 64;
  selp.b64 %rd7, %rd6, %SPL, %p1;
  ld.local.u64 %rd8, [%rd7];
  ld.local.u64 %rd9, [%rd12];
  add.u64 %rd8, %rd8, %rd9;
  st.global.u64 [%rd2], %rd8;)"),
         [](uint64_t n) { return n + 1000; });
}

/// The other lanes' words, through a barrier in both kinds of addresses.
TEST_F(PtxProgram, SharedMemory) {
  expect(".shared .align 8 .b8 tile[1024];\n" + kernel(R"(
  cvt.u32.u64 %r5, %rd4;
  mov.u32 %r6, tile;
  shl.b32 %r7, %r3, 3;
  add.u32 %r6, %r6, %r7;
  st.shared.u64 [%r6], %rd4;
  bar.sync 0;
  mov.u64 %rd6, tile;
  cvta.shared.u64 %rd6, %rd6;
  xor.b32 %r8, %r3, 1;
  mul.wide.u32 %rd7, %r8, 8;
  add.u64 %rd6, %rd6, %rd7;
  ld.u64 %rd8, [%rd6];
  cvta.to.shared.u64 %rd9, %rd6;
  ld.shared.u64 %rd10, [%rd9];
  add.u64 %rd8, %rd8, %rd10;
  st.global.u64 [%rd2], %rd8;)"),
         [](uint64_t n) { return 2 * (n ^ 1); });
}

/// Initial values: numbers, addresses, bytes of an address.
TEST_F(PtxProgram, InitialValues) {
  std::string masks;
  for (int at = 0; at < 8; ++at)
    masks += (at ? ", 0xFF" : "0xFF") + std::string(2 * at, '0') + "(numbers)";
  expect(".const .align 4 .f32 real = 2.0;\n"
         ".global .align 4 .u16 numbers[4] = {1, 2, 3};\n"
         ".global .align 8 .u64 where = generic(numbers)+2;\n"
         ".global .align 8 .b8 bytes[8] = {" +
             masks + "};\n" + kernel(R"(
  ld.global.u64 %rd6, [where];
  ld.global.u16 %r5, [%rd6];
  ld.global.u64 %rd7, [bytes];
  ld.u16 %r6, [%rd7+4];
  ld.const.b32 %r7, [real];
  ld.global.u16 %r8, [numbers+6];
  shr.u32 %r7, %r7, 24;
  add.u32 %r5, %r5, %r6;
  add.u32 %r5, %r5, %r7;
  add.u32 %r5, %r5, %r8;
  cvt.u64.u32 %rd8, %r5;
  st.global.u64 [%rd2], %rd8;)"),
         [](uint64_t) { return 2 + 3 + 0x40; });
}

/// Sign and zero extension, packed moves, vector registers, inner scopes.
TEST_F(PtxProgram, Registers) {
  expect(kernel(R"(
  .reg .v4 .b32 v;
  cvt.u32.u64 %r5, %rd4;
  mov.b32 {%h1, %h2}, %r5;
  { .reg .b16 %h1; mov.u16 %h1, 500; }
  mov.b32 %r6, {%h2, %h1};
  mov.b64 %rd6, {%r5, %r6};
  mov.v4.b32 v, {%r5, %r6, 3, 4};
  add.u32 %r7, v.x, v.w;
  st.global.u64 [%rd2], -1;
  ld.global.s8 %r8, [%rd2];
  ld.global.u8 %r9, [%rd2];
  add.u32 %r7, %r7, %r8;
  add.u32 %r7, %r7, %r9;
  cvt.u64.u32 %rd7, %r7;
  add.u64 %rd6, %rd6, %rd7;
  st.global.u64 [%rd2], %rd6;)"),
         [](uint64_t n) { return (n << 48 | n) + n + 4 + 254; });
}

TEST_F(PtxProgram, SpecialRegisters) {
  expect(kernel(R"(
  mov.u32 %r5, %warpid;
  mov.u32 %r6, %laneid;
  mov.u32 %r7, %nctaid.x;
  mov.u32 %r8, %nwarpid;
  mov.u32 %r9, %lanemask_lt;
  popc.b32 %r9, %r9;
  sub.u32 %r9, %r9, %r6;
  mad.lo.u32 %r5, %r5, 32, %r6;
  mad.lo.u32 %r5, %r7, 100, %r5;
  mad.lo.u32 %r5, %r8, 1000, %r5;
  add.u32 %r5, %r5, %r9;
  cvt.u64.u32 %rd6, %r5;
  st.global.u64 [%rd2], %rd6;)"),
         [](uint64_t n) { return n + 100 + 2000; });
}

/// A trip count of each thread's own, with work of all behind it.
TEST_F(PtxProgram, DivergentLoop) {
  expect(kernel(R"(
  mov.u64 %rd6, 0;
  mov.u64 %rd7, %rd4;
loop:
  setp.eq.u64 %p1, %rd7, 0;
  @%p1 bra done;
  add.u64 %rd6, %rd6, %rd7;
  sub.u64 %rd7, %rd7, 1;
  bra.uni loop;
done:
  bar.sync 0;
  st.volatile.global.u64 [%rd2], %rd6;
  ld.acquire.gpu.global.u64 %rd8, [%rd2];
  st.relaxed.sys.global.u64 [%rd2], %rd8;)"),
         [](uint64_t n) { return n * (n + 1) / 2; });
}

} // namespace
