//===-- startup/start.c - The kernels that a loader launches --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// _begin (one thread) runs the constructors, _start (the user's grid) calls
// main in every thread, _end (one thread) runs what atexit() collected. LLVM
// 22's contract: spec "llvm-gpu-abi" sections 4.1 and 4.4. The compiler's own
// constructor kernels are switched off by gpucc, so nothing is built twice.
//===----------------------------------------------------------------------===//
#include "gpu/pass_runtime.h"
#include "gpu/start_up.h"
#include "libc-shim/device/ensemble.h"
#include "libc-shim/device/if_linked.h"
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/device/wave.h"
#include "libc-shim/process/process.h"
#include <gpuintrin.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __AMDGPU__
__attribute__((weak)) void __gpuexec_thread_ends(void) {}
__attribute__((weak)) void __gpuexec_prepare_instance(void) {}
__attribute__((weak)) bool __gpuexec_begin_instance(int *argc, char ***argv,
                                                    char ***envp) {
  (void)argc, (void)argv, (void)envp;
  return false;
}
#endif

// The loader reads this after _start.
__attribute__((used, retain, visibility("protected")))
uint32_t __gpuexec_main_returned = GPUEXEC_NEVER_RETURNED;

// So that the linker takes the file that the pass extend_stack needs.
__attribute__((used, visibility("hidden"))) __typeof__(__gpuexec_more_stack)
    *const __gpuexec_uses_heap_stack = __gpuexec_more_stack;

// Users write main with none, two or three parameters.
int main(int argc, char **argv, char **envp);

static int call_main(int argc, char **argv, char **envp) {
#ifdef __NVPTX__
  // A call with other parameters than main's becomes an indirect call, and
  // nvlink assumes that an indirect call reaches only functions of the call's
  // type: it drops the functions that main calls. So here is a call of each
  // type, never executed. Each has a condition of its own, because LLVM removes
  // a branch that always leads to a wrong call.
  if (argc == -1) [[clang::noinline]]
    return ((int (*)(void))(void *)main)();
  if (argc == -2) [[clang::noinline]]
    return ((int (*)(int, char **))(void *)main)(argc, argv);
#endif
  return main(argc, argv, envp);
}

#ifdef __AMDGPU__
#define ONE_THREAD                                                             \
  __attribute__((amdgpu_flat_work_group_size(1, 1),                            \
                 amdgpu_max_num_work_groups(1, 1, 1)))

typedef void initializer(int, char **, char **);
typedef void finalizer(void);

// Defined by the linker, in the order of priority.
extern initializer *__init_array_start[] __attribute__((visibility("hidden")));
extern initializer *__init_array_end[] __attribute__((visibility("hidden")));
extern finalizer *__fini_array_start[] __attribute__((visibility("hidden")));
extern finalizer *__fini_array_end[] __attribute__((visibility("hidden")));

static void run_constructors(int argc, char **argv, char **envp) {
  for (initializer **f = __init_array_start; f != __init_array_end; ++f)
    (*f)(argc, argv, envp);
}
#else
#define ONE_THREAD

// Calls must have the function's type here, so neither takes arguments.
typedef void initializer(void);
typedef void finalizer(void);

// The loader collects __init_array_object_* and __fini_array_object_* of the
// image into tables and writes their bounds into these four.
#define TABLE_BOUND __attribute__((used, retain, visibility("protected")))
TABLE_BOUND initializer **volatile __init_array_start;
TABLE_BOUND initializer **volatile __init_array_end;
TABLE_BOUND finalizer **volatile __fini_array_start;
TABLE_BOUND finalizer **volatile __fini_array_end;

static void run_constructors(int argc, char **argv, char **envp) {
  (void)argc, (void)argv, (void)envp;
  for (initializer **f = __init_array_start; f != __init_array_end; ++f)
    (*f)();
}
#endif

static void keep_name(char *name) {
  program_invocation_name = program_invocation_short_name = name;
  for (; *name; ++name)
    if (*name == '/')
      program_invocation_short_name = name + 1;
}

static void run_destructors(void) {
  for (finalizer **f = __fini_array_end; f != __fini_array_start;)
    (*--f)();
}

static void begin(int argc, char **argv, char **envp) {
#ifdef __AMDGPU__
  __gpuexec_prepare_instance();
#endif
  environ = envp;
  if (argc > 0)
    keep_name(argv[0]);
  // They run after all handlers that atexit() collects from here on.
  __gpuexec_set_destructors(run_destructors);
  run_constructors(argc, argv, envp);
}

ONE_THREAD __gpu_kernel void _begin(int argc, char **argv, char **envp) {
  begin(argc, argv, envp);
}

// Indirect calls here would be calls of whatever may jump out of them, in every
// program: on AMD they are direct ones.
#ifdef __AMDGPU__
static bool is_served(void) { return __gpuexec_serve_main; }
static void serve_main(void) { __gpuexec_serve_main(); }
static void end_main(int status) { __gpuexec_end_main(status); }
#else
static bool is_served(void) { return __gpuexec_main_functions.serve; }
static void serve_main(void) { __gpuexec_main_functions.serve(); }
static void end_main(int status) { __gpuexec_main_functions.end(status); }
#endif

/// Calls main. In a program with OpenMP or threads of its own one thread does
/// so, and the others work for it; only its status counts.
static int run_thread(int argc, char **argv, char **envp) {
  if (is_served()) {
    serve_main();
    if (!is_first_thread())
      return 0;
  }
  const int status = call_main(argc, argv, envp);
  if (is_served())
    end_main(status);
  return status;
}

__gpu_kernel void _start(int argc, char **argv, char **envp, int *ret) {
#ifdef __AMDGPU__
  const bool is_instance = __gpuexec_begin_instance(&argc, &argv, &envp);
  if (is_instance)
    begin(argc, argv, envp);
#endif
  // The only call of main, so that LLVM inlines it.
  int status = run_thread(argc, argv, envp);
#ifdef __AMDGPU__
  if (is_instance)
    exit(status);
#endif
  if (status)
    __scoped_atomic_fetch_or(ret, status, __ATOMIC_RELAXED,
                             __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_store_n(&__gpuexec_main_returned, GPUEXEC_HAS_RETURNED,
                          __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
#ifdef __NVPTX__
  if (!__gpuexec_thread_ends)
    return;
#endif
  __gpuexec_thread_ends();
}

ONE_THREAD __gpu_kernel void _end(void) { __gpuexec_run_exit_handlers(); }
