//===-- emulator/amdgpu/jit/liveness.h - What a block may read --*- C++ -*-===//
// The plain backward data flow over segments: stretches of code that are
// entered at their beginning alone. What leaves the compiled code reads nothing
// here: State holds every register then.
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
  void read(unsigned segment, unsigned cell) {
    Segment &s = segments[segment];
    if (!has(s.written, cell))
      put(s.live, cell);
  }
  void write(unsigned segment, unsigned cell) {
    put(segments[segment].written, cell);
  }
  /// Control may pass from the end of one to the beginning of the other.
  void edge(unsigned from, unsigned to) {
    segments[from].successors.push_back(to);
  }
  /// Once all is known: after it live_in() may be asked.
  void solve(unsigned cells) {
    for (Segment &s : segments) {
      s.live.resize(cells);
      s.written.resize(cells);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = segments.size(); k--;) {
        Segment &s = segments[k];
        llvm::BitVector live(cells);
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
    llvm::BitVector written; // whatever way is taken out of it
    std::vector<unsigned> successors;
  };
  std::vector<Segment> segments;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_LIVENESS_H
