//===-- test/support/fake_cuda.h - A CUDA driver that runs nothing --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A libcuda.so.1 for machines without a GPU. It keeps the rules that gpuexec
// relies on (what must be current, mapped, the right size; what may not be
// called while a kernel runs), records every call for unit tests, and in place
// of kernels runs functions of the test. Device memory is host memory.
//
// Environment, for tests of the whole command:
//   FAKE_CUDA_FAIL=cuModuleLoadDataEx:218   that function gives that result
//   FAKE_CUDA_DEVICES=0                     how many devices there are
//   FAKE_CUDA_LOG=FILE                      calls are appended to FILE
//   FAKE_CUDA_HANG=_start                   that kernel never ends
//   FAKE_CUDA_FAULT=_start                  that kernel faults
//   FAKE_CUDA_WAIT=_start:FILE              that kernel ends when FILE is there
//   CUDA_MPS_PIPE_DIRECTORY=FOLDER          a fault ends kernels of all that
//                                           have the same FOLDER and wait
//   FAKE_CUDA_ATTRIBUTE=88:1                that attribute has that value
//   FAKE_CUDA_ANY_GLOBAL=1                  every global exists, zeroed
//   FAKE_CUDA_FAIL_ONCE=cuStreamQuery:2     its second call fails; may be set
//                                           and unset while the program runs
//   FAKE_CUDA_MEMORY=43000000               bytes that the device has
//   FAKE_CUDA_START_DELAY=100000            microseconds that cuInit takes
//   FAKE_CUDA_COPY_DELAY=60000              microseconds that each copy takes
//   FAKE_CUDA_LOOK_DELAY=1000               microseconds that cuStreamQuery
//   takes
//                                           to find that the stream is at work
//   FAKE_CUDA_SAY_END=1                     says so at the process's end, when
//                                           destructors of NVIDIA's libraries
//                                           would do their work
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TEST_SUPPORT_FAKE_CUDA_H
#define GPUEXEC_TEST_SUPPORT_FAKE_CUDA_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fake_cuda {

struct Launch {
  std::string kernel;
  unsigned blocks[3], threads[3];
  std::vector<std::byte> arguments;
};

/// What the test and the fake share; found with dlsym as `fake_cuda_state`.
struct State {
  int devices = 1;
  bool maps_memory = true;
  std::map<int, int> attributes; ///< that the fake does not have by itself
  size_t largest_stack = SIZE_MAX, largest_heap = SIZE_MAX; ///< more: no memory
  int local = 0;              ///< bytes that each kernel needs of the stack
  size_t stack = 0, heap = 0; ///< what was granted last
  size_t free_memory = size_t(6) << 30; ///< of 8 GiB
  bool holds_access_back = false; ///< cuMemSetAccess waits for kernels' ends
  std::map<std::string, int> out_of_memory; ///< so often, then it works
  std::map<std::string, int> results;       ///< function -> what it fails with
  std::map<std::string, size_t> globals;    ///< name -> bytes
  std::map<std::string, uint64_t> initial;  ///< their first 8 bytes
  std::map<std::string, void *> global_memory; ///< once they were asked for
  /// In place of kernels; the result is what the stream's synchronisation
  /// gives.
  std::map<std::string, std::function<int(const Launch &)>> kernels;
  std::string jit_log; ///< written when loading fails

  std::string core_dump; ///< the file that cuInit() was told of
  /// Names, in order, since the first fake_cuda_state().
  std::vector<std::string> calls;
  std::vector<Launch> launches;
  std::set<std::string> violations; ///< rules that the caller broke
  size_t live_allocations = 0;
};

} // namespace fake_cuda

extern "C" fake_cuda::State *fake_cuda_state();

#endif
