//===-- emulator/amdgpu/decode/unseen_accesses.h - Hidden from TSan -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handlers and compiled code are not instrumented, so the thread sanitizer sees
// neither the accesses of a program of the device nor what orders them: its
// atomics, the mailbox, and Inst::target, by which handlers hand blocks from
// thread to thread. Instrumented code that writes for them must not be seen
// either.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_UNSEEN_ACCESSES_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_UNSEEN_ACCESSES_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
extern "C" void AnnotateIgnoreReadsBegin(const char *file, int line);
extern "C" void AnnotateIgnoreReadsEnd(const char *file, int line);
extern "C" void AnnotateIgnoreWritesBegin(const char *file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char *file, int line);
#define UNSEEN_BY_TSAN
#endif
#endif

namespace gpuexec::emulator::amdgpu {

/// Between its construction and its destruction the thread sanitizer sees no
/// reads and writes of this thread. (It sees locks and atomics.)
class UnseenAccesses {
public:
#ifdef UNSEEN_BY_TSAN
  UnseenAccesses() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~UnseenAccesses() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
#else
  UnseenAccesses() {}
#endif
  UnseenAccesses(const UnseenAccesses &) = delete;
  UnseenAccesses &operator=(const UnseenAccesses &) = delete;
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_UNSEEN_ACCESSES_H
