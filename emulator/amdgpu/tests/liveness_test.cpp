//===-- emulator/amdgpu/tests/liveness_test.cpp ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/liveness.h"

#include <gtest/gtest.h>

namespace gpuexec::emulator::amdgpu::jit {
namespace {

std::vector<unsigned> live(const Liveness &liveness, unsigned segment) {
  std::vector<unsigned> all;
  for (unsigned cell : liveness.live_in(segment).set_bits())
    all.push_back(cell);
  return all;
}
using Cells = std::vector<unsigned>;

TEST(Liveness, WhatIsReadBeforeItIsWritten) {
  Liveness l;
  unsigned a = l.add_segment();
  l.read(a, 3);
  l.write(a, 3);
  l.write(a, 5);
  l.read(a, 5);
  l.solve(8);
  EXPECT_EQ(live(l, a), Cells({3}));
}

TEST(Liveness, WhatSuccessorsReadUnlessItIsWrittenBefore) {
  Liveness l;
  unsigned a = l.add_segment(), b = l.add_segment(), c = l.add_segment();
  l.edge(a, b);
  l.edge(a, c);
  l.write(a, 1);
  l.read(b, 1);
  l.read(b, 2);
  l.read(c, 4);
  l.solve(5);
  EXPECT_EQ(live(l, a), Cells({2, 4}));
  EXPECT_EQ(live(l, b), Cells({1, 2}));
}

TEST(Liveness, AroundALoop) {
  Liveness l;
  unsigned head = l.add_segment(), body = l.add_segment(),
           after = l.add_segment();
  l.edge(head, body);
  l.edge(head, after);
  l.edge(body, head);
  l.write(body, 0); // on one way round only
  l.read(after, 0);
  l.read(body, 7);
  l.solve(8);
  EXPECT_EQ(live(l, head), Cells({0, 7}));
  EXPECT_EQ(live(l, body), Cells({7}));
  EXPECT_EQ(live(l, after), Cells({0}));
}

TEST(Liveness, UnknownCodeReadsWhatWasNotWrittenBefore) {
  Liveness l;
  unsigned a = l.add_segment(), b = l.add_segment();
  l.edge(a, b);
  l.write(a, 0);
  l.write(b, 1);
  l.read_all(b);
  l.write(b, 2);
  l.read_all(b); // what is written in between is read first all the same
  l.solve(4);
  EXPECT_EQ(live(l, b), Cells({0, 2, 3}));
  EXPECT_EQ(live(l, a), Cells({2, 3}));
}

} // namespace
} // namespace gpuexec::emulator::amdgpu::jit
