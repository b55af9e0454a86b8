//===-- test/support/fake_cuda/driver.h - What its parts share --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Internal to the fake driver: its state beyond what tests see, and the rules
// that every entry point keeps.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TEST_SUPPORT_FAKE_CUDA_DRIVER_H
#define GPUEXEC_TEST_SUPPORT_FAKE_CUDA_DRIVER_H

#include "drivers/cuda.h"
#include "test/support/fake_cuda.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unistd.h>
#include <utility>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace fake_cuda {

/// A file that is there once a process with this one's MPS has faulted; empty:
/// it has none.
inline std::string mark_of_fault() {
  const char *folder = getenv("CUDA_MPS_PIPE_DIRECTORY");
  return folder ? std::string(folder) + "/faulted" : "";
}

struct Fake : State {
  std::recursive_mutex mutex;
  std::atomic<int> kernels_running{0};
  std::map<CUdeviceptr, size_t> ranges; // every live piece of device memory
  std::map<CUdeviceptr, size_t> reserved, mapped, accessible, host;
  std::map<CUmemGenericAllocationHandle, size_t> created;
  std::map<std::string, std::string> functions; // name -> itself, for handles
  CUresult pending = CUDA_SUCCESS;              // of the stream
  bool context = false, initialised = false;
  bool records = false;  // fake_cuda_state() was called
  size_t memory = 0;     // of FAKE_CUDA_MEMORY; 0: not limited
  size_t in_use = 0;     // of cuMemAlloc_v2()
  int calls_to_fail = 0; // calls of the function of FAKE_CUDA_FAIL_ONCE
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
    if (const char *bytes = getenv("FAKE_CUDA_MEMORY"))
      memory = free_memory = strtoull(bytes, nullptr, 10);
    if (const char *name = getenv("FAKE_CUDA_FAULT"))
      kernels[name] = [](const Launch &) -> int {
        if (const std::string mark = mark_of_fault(); !mark.empty())
          if (FILE *file = fopen(mark.c_str(), "w"))
            fclose(file);
        return CUDA_ERROR_ILLEGAL_ADDRESS;
      };
    if (const char *text = getenv("FAKE_CUDA_WAIT"))
      if (const char *colon = strchr(text, ':'))
        kernels[std::string(text, colon)] = [colon](const Launch &) -> int {
          while (access(colon + 1, F_OK) != 0) {
            const std::string mark = mark_of_fault();
            if (!mark.empty() && access(mark.c_str(), F_OK) == 0)
              return CUDA_ERROR_ILLEGAL_ADDRESS;
            usleep(1000);
          }
          return CUDA_SUCCESS;
        };
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
/// Success if the caller keeps a rule that the call relies on.
inline CUresult expect(bool is_right) {
  return is_right ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
/// Sleeps for the microseconds that the environment variable holds.
void delay(const char *variable);

} // namespace fake_cuda

using namespace fake_cuda;

#endif
