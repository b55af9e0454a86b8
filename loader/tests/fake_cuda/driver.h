//===-- loader/tests/fake_cuda/driver.h - What its parts share --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Internal to the fake driver: its state beyond what tests see, and the rules
// that every entry point keeps.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_TESTS_FAKE_CUDA_DRIVER_H
#define GPUEXEC_LOADER_TESTS_FAKE_CUDA_DRIVER_H

#include "drivers/cuda.h"
#include "loader/tests/fake_cuda.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unistd.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace fake_cuda {

struct Fake : State {
  std::recursive_mutex mutex;
  std::atomic<int> kernels_running{0};
  std::map<CUdeviceptr, size_t> ranges; // every live piece of device memory
  std::map<CUdeviceptr, size_t> reserved, mapped, accessible, host;
  std::map<CUmemGenericAllocationHandle, size_t> created;
  std::map<std::string, std::string> functions; // name -> itself, for handles
  CUresult pending = CUDA_SUCCESS;              // of the stream
  bool context = false, initialised = false;
  FILE *log = nullptr;

  Fake() {
    globals["__llvm_rpc_client"] = 552;
    if (const char *text = getenv("FAKE_CUDA_DEVICES"))
      devices = atoi(text);
    if (const char *text = getenv("FAKE_CUDA_FAIL")) {
      std::string pair = text;
      size_t colon = pair.find(':');
      results[pair.substr(0, colon)] = atoi(pair.c_str() + colon + 1);
      jit_log = "ptxas application ptx input, line 7; error   : Unknown symbol "
                "'frob'\nptxas fatal   : Ptx assembly aborted due to errors\n";
    }
    if (const char *text = getenv("FAKE_CUDA_ATTRIBUTE"))
      if (const char *colon = strchr(text, ':'))
        attributes[atoi(text)] = atoi(colon + 1);
    if (const char *path = getenv("FAKE_CUDA_LOG"))
      log = fopen(path, "a");
    if (const char *name = getenv("FAKE_CUDA_HANG"))
      kernels[name] = [](const Launch &) -> int {
        for (;;)
          pause();
      };
  }
};

Fake &fake();
extern thread_local CUcontext current;

/// Notes the call; what it must fail with, or success.
CUresult enter(const char *name);
/// For calls that a real driver may hold back until kernels have ended.
CUresult enter_idle(const char *name);
void need_context(const char *name);

} // namespace fake_cuda

using namespace fake_cuda;

#endif
