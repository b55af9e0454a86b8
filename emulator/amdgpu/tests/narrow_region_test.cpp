//===-- emulator/amdgpu/tests/narrow_region_test.cpp ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM's optimiser takes into a region when more code is warm than belongs
// into one.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/code/code.h"
#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/jit/code_memory.h"
#include "emulator/amdgpu/tiers/jit_library.h"

#include "gtest/gtest.h"

#include <algorithm>

namespace gpuexec::emulator::amdgpu::jit {
namespace {

/// gfx942: a loop, and behind a conditional branch out of its middle much code
/// that goes back to the loop's head.
struct Program {
  static constexpr u32 HEAD = 40, TAIL = 10, REST = 1200;
  static constexpr u32 V_ADD_U32 = 0x68020300, // v1 = v0 + v1
      S_CBRANCH_SCC1 = 0xbf850000, S_BRANCH = 0xbf820000;
  static constexpr u32 REST_AT = HEAD + 1 + TAIL + 1;

  Program() {
    words.assign(HEAD, V_ADD_U32);
    words.push_back(branch(S_CBRANCH_SCC1, REST_AT));
    words.insert(words.end(), TAIL, V_ADD_U32);
    words.push_back(branch(S_BRANCH, 0));
    words.insert(words.end(), REST, V_ADD_U32);
    words.push_back(branch(S_BRANCH, 0));
  }
  u32 branch(u32 opcode, u32 to) const {
    return opcode | ((to - u32(words.size()) - 1) & 0xffff);
  }
  std::vector<u32> words;
};

class NarrowRegion : public testing::Test {
protected:
  void SetUp() override {
    exports = open_jit_library();
    ASSERT_TRUE(exports);
    const u64 begin = reinterpret_cast<u64>(program.words.data());
    auto made =
        Code::create("gfx942", begin, begin + 4 * program.words.size(), {});
    ASSERT_TRUE(bool(made));
    code = *made;
    head = code->find(begin);
    ASSERT_TRUE(head);
    for (const Inst *i = head; !behind_branch; ++i)
      if (i->kind == MicroOpKind::operation &&
          operation(*i).terminator == Terminator::conditional)
        behind_branch = i + 1;
    // Straight code has several blocks.
    for (u64 at = Program::REST_AT * 4; at;) {
      const Inst *block = code->find(begin + at);
      ASSERT_TRUE(block);
      rest.push_back(block);
      at = next_block(block);
    }
    fill_constants(*constants);
  }
  /// The offset that a block goes on at, 0 behind a branch.
  static u64 next_block(const Inst *block) {
    for (const Inst *i = block;; ++i) {
      if (i->kind == MicroOpKind::link)
        return i->imm;
      if (i->kind == MicroOpKind::operation &&
          operation(*i).terminator != Terminator::none)
        return 0;
    }
  }
  /// A region around the head, to which control came 8000 times; it came as
  /// often to the code behind the conditional branch, and `often` to the rest.
  Result compile(u64 often) {
    std::map<const Inst *, u64> warm = {{head, 8000}, {behind_branch, 8000}};
    for (const Inst *block : rest)
      warm[block] = often;
    Request request;
    request.tier = Tier::optimised;
    request.head = head;
    request.code_base = code->begin();
    request.constants = constants->constants;
    request.find = [](void *context, u64 pc) {
      return static_cast<Code *>(context)->look_at(pc);
    };
    request.visited = [](void *context, u64 pc) {
      return static_cast<Code *>(context)->visited(pc);
    };
    request.context = code.get();
    request.warm = &warm;
    request.warm_from = 250;
    Jit *jit = exports->create();
    const Result result = exports->compile(jit, request);
    exports->destroy(jit);
    return result;
  }
  static bool has(const std::vector<const Inst *> &all, const Inst *one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  }

  const Program program;
  const Exports *exports = nullptr;
  std::shared_ptr<Code> code;
  const Inst *head = nullptr, *behind_branch = nullptr;
  std::vector<const Inst *> rest;
  std::unique_ptr<State> constants = std::make_unique<State>();
};

TEST_F(NarrowRegion, IsTheHotterPartOfTooMuchWarmCode) {
  for (u64 often : {250, 999, 3999}) {
    const Result result = compile(often);
    EXPECT_FALSE(result.code.bytes.empty()) << often;
    EXPECT_TRUE(has(result.covered, head)) << often;
    for (const Inst *block : rest)
      EXPECT_FALSE(has(result.covered, block)) << often;
    EXPECT_TRUE(has(result.left_for, rest.front()))
        << often << ": control that leaves for it often is noticed";
  }
}

TEST_F(NarrowRegion, IsNothingIfAllOfItIsAsHot) {
  for (u64 often : {4000, 8000}) {
    const Result result = compile(often);
    EXPECT_TRUE(result.code.bytes.empty()) << often;
    EXPECT_EQ(result.postponed, 0u) << often;
  }
}

/// Which handler compiled code went on with, if any.
const Inst *went_on_at = nullptr;
void go_on(State &, const Inst *at) { went_on_at = at; }

// Else no sample would ever fall on code that control comes to from compiled
// code alone: it would never be compiled.
TEST_F(NarrowRegion, IsLeftForOtherCodeOnlyWithinTheTimeSlice) {
  const Result result = compile(250);
  ASSERT_FALSE(result.code.bytes.empty());
  CodeMemory memory;
  const std::atomic<u64> epoch = 1;
  const char *placed = memory.place(result.code, &epoch);
  ASSERT_TRUE(placed);
  Handler enter = nullptr;
  for (size_t k = 0; k < result.entries.size(); ++k)
    if (result.entries[k] == Entry{head, ONE})
      enter = reinterpret_cast<Handler>(
          reinterpret_cast<u64>(placed + result.code.handlers[k]));
  ASSERT_TRUE(enter);
  const Inst *left_for = rest.front();
  const_cast<Inst *>(left_for)->fn[ONE] = go_on;
  for (const i64 left : {0, 1}) {
    State &state = *constants;
    state.shape = ONE;
    state.default_mode = true;
    state.word_stride = 4;
    state.inline_caches_epoch = epoch;
    state.scc = true; // out of the loop
    state.stop = Stop::ended;
    // The conditional branch is behind HEAD instructions.
    state.budget = Program::HEAD + 1 + left;
    went_on_at = nullptr;
    enter(state, head);
    EXPECT_EQ(state.budget, left);
    if (left) {
      EXPECT_EQ(went_on_at, left_for);
    } else {
      EXPECT_EQ(went_on_at, nullptr);
      EXPECT_EQ(state.stop, Stop::budget);
      EXPECT_EQ(state.resume, left_for);
    }
  }
}

} // namespace
} // namespace gpuexec::emulator::amdgpu::jit
