//===-- emulator/amdgpu/tests/forms_fixture.h - Executes forms ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases of a processor (forms.h), states of waves to execute them in, and
// their machine code.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_TESTS_FORMS_FIXTURE_H
#define GPUEXEC_EMULATOR_AMDGPU_TESTS_FORMS_FIXTURE_H

#include "emulator/amdgpu/code/code.h"
#include "emulator/amdgpu/interpret/level.h"
#include "emulator/amdgpu/tests/forms.h"

#include "gtest/gtest.h"

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace gpuexec::emulator::amdgpu::test {

class Forms : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    auto made = Disassembler::create(GetParam());
    ASSERT_TRUE(bool(made));
    disassembler = std::move(*made);
    all = cases_of(*disassembler);
    for (State *s : {before.get(), state.get()}) {
      std::memset(static_cast<void *>(s), 0, sizeof(State));
      fill_constants(*s);
    }
    dispatch = std::make_unique<Dispatch>();
  }
  /// Words that floats of any width, and integers, take for interesting ones.
  u32 word() {
    static constexpr u32 SOME[] = {
        0,          0x80000000, 0x3f800000, 0x7fc00000, 0xff800000, 0x00000001,
        0xbc003c00, 0x7bff8000, 0xffffffff, 0x40000000, 0x3ff00000, 0x00400000};
    const u32 any = u32(random());
    switch (tame ? 1 : random() % 4) {
    case 0:
      return SOME[any % std::size(SOME)];
    case 1: // floats near 1, and their halves
      return (any & 0x83ff83ff) | 0x3c003800;
    case 2:
      return (any & 0x80ffffff) | 0x3e000000;
    default:
      return any;
    }
  }
  static constexpr size_t USED_ROWS = 32 * LANES * 4;
  void prepare(State &s, u64 exec, const ops::FloatMode &mode, bool anew) {
    if (anew) {
      for (size_t k = 0; k < USED_ROWS / 4; ++k)
        (&s.v[0][0])[k] = word();
      for (u32 &v : s.s)
        v = word();
    }
    s.dispatch = dispatch.get();
    s.mode = mode;
    s.default_mode = mode == ops::DEFAULT_MODE;
    s.last_lane = LANES - 1;
    s.budget = 1 << 20;
    s.word_stride = 4;
    s.mask(EXEC) = exec;
    s.exec_changed();
  }

  std::unique_ptr<Disassembler> disassembler;
  std::unique_ptr<Dispatch> dispatch;
  std::vector<Case> all;
  std::unique_ptr<State> before = std::make_unique<State>(),
                         state = std::make_unique<State>();
  std::mt19937 random{7};
  bool tame = false; // no NaN: of two, compilers take either
};

inline u32 end_of_program(unsigned generation) {
  return generation >= 11 ? 0xbfb00000 : 0xbf810000;
}

/// Machine code of many cases, each of which ends the program.
struct Programs {
  explicit Programs(const std::vector<Case> &cases, unsigned generation) {
    const u32 end = end_of_program(generation);
    for (const Case &c : cases) {
      starts.push_back(words.size());
      words.insert(words.end(), c.words.begin(), c.words.begin() + c.size / 4);
      words.push_back(end);
    }
  }
  u64 begin() const { return reinterpret_cast<u64>(words.data()); }
  u64 end() const { return begin() + 4 * words.size(); }
  std::vector<u32> words;
  std::vector<size_t> starts;
};

/// The micro-op that refuses the instruction; null if none does.
inline const Inst *refusal(const Inst *first) {
  for (const Inst *i = first;; ++i) {
    if (i->kind == MicroOpKind::unsupported || i->kind == MicroOpKind::illegal)
      return i;
    if (i->pc != first->pc || i->kind == MicroOpKind::link)
      return nullptr;
  }
}

} // namespace gpuexec::emulator::amdgpu::test

#endif // GPUEXEC_EMULATOR_AMDGPU_TESTS_FORMS_FIXTURE_H
