// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// va_arg for arguments in slots of 8 bytes, as on x86-64: a program may pass a size_t for an int, or end a list of pointers
// with 0. The passes of toolchain/passes lay the arguments out (widen_variadic_arguments, pad_variadic_structures): each
// begins at the next multiple of 8, whatever its alignment is. clang's own va_arg packs them to 4 bytes on AMD, and aligns
// each of them on NVIDIA. gpucc reads this file in front of every source, because programs also use __builtin_va_arg
// without <stdarg.h>; clang's va_arg expands to it.
#ifndef GPUEXEC_VARIABLE_ARGUMENTS_H
#define GPUEXEC_VARIABLE_ARGUMENTS_H
#define __builtin_va_arg(list, ...)                                            \
  __extension__({                                                              \
    typedef __typeof__(__VA_ARGS__) __gpuexec_argument                         \
        __attribute__((__aligned__(8)));                                       \
    *(__gpuexec_argument *)(void *)(((list) +=                                 \
                                     (sizeof(__gpuexec_argument) + 7) & ~7ul) - \
                                    ((sizeof(__gpuexec_argument) + 7) & ~7ul)); \
  })
#endif
