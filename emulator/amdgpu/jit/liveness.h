//===-- emulator/amdgpu/jit/liveness.h - What a block may read --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Backward data flow over segments: stretches of code that are entered at their
// beginning alone. Registers are numbered as in RegisterFile, which asks two
// questions: which variables the compiled code reads, and which of the wave's
// registers the program reads, wherever they are held.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_LIVENESS_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_LIVENESS_H

#include "llvm/ADT/BitVector.h"

#include <vector>

namespace gpuexec::emulator::amdgpu::jit {

class Liveness {
public:
  unsigned add_segment() {
    segments.emplace_back();
    return unsigned(segments.size() - 1);
  }
  void read(unsigned segment, unsigned reg) {
    Segment &s = segments[segment];
    if (!has(s.written, reg))
      put(s.live, reg);
  }
  void write(unsigned segment, unsigned reg) {
    put(segments[segment].written, reg);
  }
  /// Unknown code follows: it may read whatever was not written before.
  void read_all(unsigned segment) {
    Segment &s = segments[segment];
    if (!s.reads_rest)
      s.written_before_rest = s.written;
    s.reads_rest = true;
  }
  /// Segment `to` may follow segment `from`.
  void edge(unsigned from, unsigned to) {
    segments[from].successors.push_back(to);
  }
  /// Solves the equations: no segment may be added or changed afterwards.
  void solve(unsigned registers) {
    for (Segment &s : segments) {
      s.live.resize(registers);
      s.written.resize(registers);
      if (s.reads_rest) {
        s.written_before_rest.resize(registers);
        s.live |= s.written_before_rest.flip();
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = segments.size(); k--;) {
        Segment &s = segments[k];
        llvm::BitVector live(registers);
        for (unsigned to : s.successors)
          live |= segments[to].live;
        live.reset(s.written);
        if (live.test(s.live)) {
          s.live |= live;
          changed = true;
        }
      }
    }
  }
  const llvm::BitVector &live_in(unsigned segment) const {
    return segments[segment].live;
  }

private:
  static bool has(const llvm::BitVector &set, unsigned bit) {
    return bit < set.size() && set[bit];
  }
  static void put(llvm::BitVector &set, unsigned bit) {
    if (bit >= set.size())
      set.resize(bit + 1);
    set.set(bit);
  }
  struct Segment {
    llvm::BitVector live;    // read before it is written; solve() adds the rest
    llvm::BitVector written; // on every path through it
    llvm::BitVector written_before_rest; // when read_all() came first
    bool reads_rest = false;
    std::vector<unsigned> successors;
  };
  std::vector<Segment> segments;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_LIVENESS_H
