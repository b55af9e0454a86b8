//===-- support/out_of_memory.cpp - When there is no memory ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/out_of_memory.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unistd.h>
#include <utility>

namespace gpuexec {

void fail_process(const char *what) {
  if (gpuexec_own_failure)
    gpuexec_own_failure(what);
  for (const char *part : {"gpuexec: error: ", what, "\n"})
    if (::write(STDERR_FILENO, part, strlen(part)) < 0)
      break;
  abort();
}

void catch_llvm_failures() {
  static bool done = false;
  if (std::exchange(done, true))
    return;
  auto fail = [](void *, const char *reason, bool) {
    char text[256];
    snprintf(text, sizeof(text), "LLVM: %.200s", reason);
    fail_process(text);
  };
  llvm::install_bad_alloc_error_handler(fail);
  llvm::install_fatal_error_handler(fail);
}

} // namespace gpuexec

// Sanitizers have an operator new of their own, which finds more errors.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
void *operator new(size_t size) {
  if (void *memory = malloc(size ? size : 1))
    return memory;
  char text[96];
  snprintf(text, sizeof(text), "the host has no memory for %zu bytes", size);
  gpuexec::fail_process(text);
}

// libstdc++'s version calls the operator new above, expects an exception, and
// would end the process.
void *operator new(size_t size, const std::nothrow_t &) noexcept {
  return malloc(size ? size : 1);
}
#endif
