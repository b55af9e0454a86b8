// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- gpu/start_up.h - What loader and start-up code agree on ---*- C -*-===//
 * Names that the loader looks up in an image, and the values of the variables
 * among them. The kernels, the tables of constructors and destructors, and the
 * clock are LLVM 22's contract (llvm-gpu-abi.md, sections 4.1 and 4.4); the
 * rest is gpuexec's own. C and C++, on the host and on the device.
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

/* uint32_t: whether any thread has returned from main. The status alone does
   not tell: it is 0, too, when every thread ended before it returned. */
#define GPUEXEC_MAIN_RETURNED "__gpuexec_main_returned"
enum {
  GPUEXEC_NEVER_RETURNED = 0x6e657665, /* its initial value */
  GPUEXEC_HAS_RETURNED = 0x646f6e65,
};

/* Three uint32_t in programs that recurse, sizes of a thread's stack in bytes
   that the loader fills in: the use above which recursion continues in the
   heap, the use above which the program ends, and the size of the whole stack.
   toolchain/passes adds the variable; no stack reaches its initial values. */
#define GPUEXEC_STACK_LIMITS "__gpuexec_stack_limits"

/* uint64_t in programs that recurse: the most bytes of heap that the recursion
   of one thread may take. Its default is GPUEXEC_USUAL_RECURSION; the loader
   stores another value when the user asks for it. */
#define GPUEXEC_RECURSION_LIMIT "__gpuexec_recursion_limit"
#define GPUEXEC_USUAL_RECURSION (256u << 20)

/* A byte defined in programs that cannot see how their threads are divided into
   blocks and were compiled for blocks of one thread: the loader launches m
   blocks of n threads as m * n blocks of one. toolchain/passes adds it. */
#define GPUEXEC_THREADS_ARE_BLOCKS "__gpuexec_threads_are_blocks"

/* A gpuexec_grid in programs that divide their work among waves or lanes
   themselves. Unless the user says otherwise, the loader launches as many
   blocks as the device holds at once, at most GPUEXEC_MOST_WAVES waves. main()
   is called once. */
#define GPUEXEC_GRID "__gpuexec_grid"
typedef struct {
  uint32_t kind;    /* GPUEXEC_GRID_OF_WAVES or GPUEXEC_GRID_OF_LANES */
  uint32_t threads; /* of a block; 1: the user's threads are blocks, too */
} gpuexec_grid;
enum {
  GPUEXEC_GRID_OF_WAVES = 1, /* one lane of each wave works */
  GPUEXEC_GRID_OF_LANES = 2, /* all lanes work */
};
enum { GPUEXEC_MOST_WAVES = 8192 };

/* In programs of ensembles (gpucc -fensemble), of which each block of the grid
   is one thread and an instance. The loader fills in a gpuexec_ensemble: the
   addresses of a gpuexec_instance for each block, and of memory for their
   variables. */
#define GPUEXEC_ENSEMBLE "__gpuexec_ensemble"
typedef struct {
  uint64_t instances, blocks;
} gpuexec_ensemble;
typedef struct {
  uint64_t argv, envp, argc;
  uint64_t client, extensions; /* addresses of the mailbox's objects */
} gpuexec_instance;
/* A gpuexec_instance_layout, which the pass lower_thread_locals fills in: the
   size of an instance's variables, the offsets of the mailbox's objects among
   them, and the addresses of those that the loader finds by name. */
#define GPUEXEC_INSTANCE_LAYOUT "__gpuexec_instance_layout"
typedef struct {
  uint64_t size, client, extensions;
  uint64_t loaders_client, loaders_extensions;
} gpuexec_instance_layout;

/* Functions of our C library whose calls the emulator's --check=uninit
   recognises by name. GPUEXEC_ALLOCATE_FUNCTION returns memory whose content is
   undefined; the host reads all bytes that GPUEXEC_SEND_FUNCTIONS are given.
   libc-shim/ defines them with KNOWN_CALL. */
#define GPUEXEC_ALLOCATE_FUNCTION "__heap_allocate"
#define GPUEXEC_SEND_FUNCTIONS                                                 \
  "__host_write_bulk", "__stream_send_bulk", "__stream_send_buffer"

#endif /* GPUEXEC_GPU_START_UP_H */
