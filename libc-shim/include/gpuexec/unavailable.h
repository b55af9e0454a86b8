// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/gpuexec/unavailable.h - Link errors with a reason -===
 * A function that a GPU cannot have is declared with another symbol name, which
 * is defined nowhere: the linker's error shows the reason. For AMD a name may be
 * any text, for NVIDIA it must be an identifier.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_UNAVAILABLE_H
#define GPUEXEC_UNAVAILABLE_H

#ifdef __AMDGPU__
#define __GPUEXEC_UNAVAILABLE(function, text, name) __asm__(#function ": " text)
#else
#define __GPUEXEC_UNAVAILABLE(function, text, name)                            \
  __asm__(#function "_is_unavailable_" name)
#endif

#define __GPUEXEC_NO_PROCESSES(function)                                       \
  __GPUEXEC_UNAVAILABLE(                                                       \
      function,                                                                \
      "a GPU program cannot start processes (system() and popen() "            \
      "have the host do it)",                                                  \
      "on_a_GPU_use_system_or_popen")
#define __GPUEXEC_NO_SYSTEM_V(function)                                        \
  __GPUEXEC_UNAVAILABLE(function,                                              \
                        "a GPU program has none of System V's objects: use "   \
                        "mq_open(), sem_open() or shm_open()",                 \
                        "use_mq_open_sem_open_or_shm_open")
#define __GPUEXEC_NO_CONTEXTS(function)                                        \
  __GPUEXEC_UNAVAILABLE(function,                                              \
                        "a GPU thread has one stack, which cannot be "         \
                        "exchanged",                                           \
                        "a_GPU_thread_has_one_stack")
#define __GPUEXEC_NO_SYSTEM(function)                                          \
  __GPUEXEC_UNAVAILABLE(function,                                              \
                        "a GPU program has no kernel of its own, and "         \
                        "gpuexec's host does not serve this call",             \
                        "gpuexec_does_not_serve_this_call")
#endif
