// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- gpu/start_up.h - What loader and start-up code agree on ---*- C -*-===//
 * Names that the loader looks up in an image, and the word that start-up code
 * leaves for it. The kernels, the tables and the clock are LLVM 22's contract
 * (llvm-gpu-abi.md, sections 4.1 and 4.4); the word is gpuexec's own. C and
 * C++, on the host and on the device.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_GPU_START_UP_H
#define GPUEXEC_GPU_START_UP_H

#include <stdint.h>

/* Kernels, in the order of their launches. */
#define GPUEXEC_BEGIN_KERNEL "_begin"
#define GPUEXEC_START_KERNEL "_start"
#define GPUEXEC_END_KERNEL "_end"

/* The mailbox's client object, and what LLVM 19 called it. rpc/protocol/, which
   includes nothing, has the same names; loader/program/ compares them. */
#define GPUEXEC_RPC_CLIENT "__llvm_rpc_client"
#define GPUEXEC_RPC_CLIENT_19 "__llvm_libc_rpc_client"

/* Bounds of an NVIDIA image's tables of constructors and destructors, 8 bytes
   each, which the loader fills in. */
#define GPUEXEC_INIT_ARRAY_START "__init_array_start"
#define GPUEXEC_INIT_ARRAY_END "__init_array_end"
#define GPUEXEC_FINI_ARRAY_START "__fini_array_start"
#define GPUEXEC_FINI_ARRAY_END "__fini_array_end"

/* uint64_t: the device clock's ticks per second, filled in by the loader. */
#define GPUEXEC_CLOCK_FREQUENCY "__llvm_libc_clock_freq"

/* uint32_t: whether any thread has returned from main. A status of 0 alone does
   not tell: it is also what is left when every thread ended elsewhere. */
#define GPUEXEC_MAIN_RETURNED "__gpuexec_main_returned"
enum {
  GPUEXEC_NEVER_RETURNED = 0x6e657665, /* its initial value */
  GPUEXEC_HAS_RETURNED = 0x646f6e65,
};

/* Three uint32_t in programs that recurse, which the loader fills in: the bytes
   of a thread's stack behind which recursion goes on in the heap, those behind
   which the program ends, and all that there are. toolchain/passes adds the
   variable; its initial values are never reached. */
#define GPUEXEC_STACK_LIMITS "__gpuexec_stack_limits"

/* uint64_t in programs that recurse: the most bytes that recursion may take in
   the heap, in one thread, which the loader fills in when the user says so. */
#define GPUEXEC_RECURSION_LIMIT "__gpuexec_recursion_limit"
#define GPUEXEC_USUAL_RECURSION (256u << 20)

/* Defined in programs that cannot see how their threads are divided into blocks
   and were compiled for one thread in each: a launch of n threads in each of m
   blocks is one of n times m blocks. toolchain/passes adds the byte. */
#define GPUEXEC_THREADS_ARE_BLOCKS "__gpuexec_threads_are_blocks"

/* Two uint32_t in programs that divide their work among waves or lanes by
   themselves: what the grid is made of, and the threads of a block. Unless the
   user says otherwise, the loader launches as many blocks as the device holds
   at once, at most GPUEXEC_MOST_WAVES waves. main() is called once. */
#define GPUEXEC_GRID "__gpuexec_grid"
typedef struct {
  uint32_t kind;
  uint32_t threads;
} gpuexec_grid;
enum {
  GPUEXEC_GRID_OF_WAVES = 1, /* one lane of each wave works */
  GPUEXEC_GRID_OF_LANES = 2, /* all lanes work */
};
enum { GPUEXEC_MOST_WAVES = 8192 };

/* Functions of our C library whose calls the emulator's --check=uninit knows by
   name: memory that the first returns is undefined; all bytes that the others
   are given are read by the host. Defined with KNOWN_CALL in libc-shim/. */
#define GPUEXEC_ALLOCATE_FUNCTION "__heap_allocate"
#define GPUEXEC_SEND_FUNCTIONS "__host_write_bulk", "__stream_send_bulk"

#endif /* GPUEXEC_GPU_START_UP_H */
