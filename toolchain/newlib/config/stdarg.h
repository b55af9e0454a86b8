// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's <stdarg.h>. On NVIDIA va_start also hides the address of the arguments from the optimiser. clang 22 crashes when
// it infers that a va_list that a loop advances points to the stack: InferAddressSpaces deletes the rounding of the
// pointer twice (LLVM's pull request 222115). test/nvptx/varargs.test has such loops.
#include <gpuexec/variable_arguments.h>
#include_next <stdarg.h>
#if defined(__NVPTX__) && defined(va_start)
#undef va_start
#define __gpuexec_hide(list, ...) __asm__("" : "+l"(list))
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define va_start(...)                                                          \
  __extension__({                                                              \
    __builtin_c23_va_start(__VA_ARGS__);                                       \
    __gpuexec_hide(__VA_ARGS__);                                               \
  })
#else
#define va_start(list, last)                                                   \
  __extension__({                                                              \
    __builtin_va_start(list, last);                                            \
    __gpuexec_hide(list);                                                      \
  })
#endif
#endif
