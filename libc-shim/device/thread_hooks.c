//===-- libc-shim/device/thread_hooks.c - Set by programs with threads ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// These are apart from libc-shim/threads/ so that the parts of the library that
// read them link nothing of it into a program without threads.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_hooks.h"

#ifdef __NVPTX__
struct gpuexec_main_functions __gpuexec_main_functions;
#endif
bool __gpuexec_has_threads;
bool __gpuexec_created_threads;
void (*__gpuexec_renew_thread_locals)(void);
void (*__gpuexec_free_kept_exception)(void);
void **__gpuexec_locals_of_waves;
void (*__gpuexec_destroy_specific)(void);
void (*__gpuexec_push_cleanup_if_any)(struct __gpuexec_cleanup *);
void (*__gpuexec_pop_cleanup_if_any)(struct __gpuexec_cleanup *, int);
const uint32_t *__gpuexec_thread_numbers;
unsigned long (*__gpuexec_id_of_thread)(void);
