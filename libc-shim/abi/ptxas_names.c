//===-- libc-shim/abi/ptxas_names.c - Names that ptxas does not know ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas treats functions named vprintf, malloc and free as CUDA's. So machine
// code that is made before the link calls ours by other names, which the pass
// rename_system_calls puts there.
//===----------------------------------------------------------------------===//
#ifdef __NVPTX__
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define RUNTIME_SYSTEM_CALL(name, symbol) __typeof__(name) symbol;
#include "gpu/pass_runtime.def"

int __gpuexec_vprintf(const char *restrict format, va_list list) {
  return vprintf(format, list);
}
void *__gpuexec_malloc(size_t size) { return malloc(size); }
void __gpuexec_free(void *object) { free(object); }
#endif
