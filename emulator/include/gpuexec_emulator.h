// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- gpuexec_emulator.h - Control of an emulated GPU ----------*- C -*-===*\
|* What the emulator offers beside the vendor's API. Functions of gpuexec's *|
|* libhsa-runtime64.so.1; look them up with dlsym: they are absent in ROCm's *|
|* own. Thread-safe, unless said otherwise. *|
\*===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_EMULATOR_H
#define GPUEXEC_EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a function returns that can fail. */
enum gpuexec_emulator_result {
  GPUEXEC_EMULATOR_DONE = 0,
  GPUEXEC_EMULATOR_TOO_LATE = 0x1000, /* what it would change is in use */
  GPUEXEC_EMULATOR_INVALID = 0x1001   /* unknown name, value or address */
};

/* The last device fault in words (several lines, the last ends with a newline),
 * or null when there was none since the API was initialised. The text stays
 * good until the next fault or the end of the API. */
const char *gpuexec_emulator_fault_report(void);

/* The signal that ends a native program which does what the last fault's has
 * done: SIGSEGV, SIGFPE for a division by zero, SIGABRT for wrong use of the
 * heap. 0 when there was no fault, or no program is to blame. */
int gpuexec_emulator_fault_signal(void);

/* Where every wave that lives is: kernel, block, wave, threads, function, file
 * and line, as text. Writes at most `size` bytes, a terminating zero included,
 * and returns what the whole text takes without that zero; 0 when nothing runs.
 * Takes up to a fraction of a second. */
size_t gpuexec_emulator_where(char *buffer, size_t size);

/* Before or after the API is initialised, in force for what is created from
 * then on:
 * - "check": "uninit" (a branch, an address or output that depends on an
 *   undefined value is a fault) or "none"
 * - "stats": "on" (count, for gpuexec_emulator_stats) or "off"
 * - "signals": "host" (device code that writes to a signal is a fault: for
 *   clients that believe no completion but the emulator's) or "any"
 * - "lines": "prepared" (a process that reads source lines for reports is
 *   started with each code object: for clients that may not start one later) or
 *   "late"
 * - "jit-cache": where compiled code is kept for other processes: a folder,
 * "off", or "default": what GPUEXEC_JIT_CACHE says, else the user's cache
 * folder. Unset: what GPUEXEC_JIT_CACHE says, else nowhere. Only before the
 * first kernel
 * - "threads": "N", host threads that run waves; only before the first kernel
 *
 * GPUEXEC_EMULATOR_INVALID for an unknown name or value. */
enum gpuexec_emulator_result gpuexec_emulator_set_option(const char *name,
                                                         const char *value);

/* Decodes machine code ahead, which a process may do before it is forked into
 * many that run this code. Starts no thread; needs no initialised API.
 * `processor`: as in "gfx942"; `wave32`: for waves of 32 lanes. */
void gpuexec_emulator_decode_ahead(const char *processor, int wave32,
                                   const void *code, size_t size);

/* Before the API is initialised: all memory that host and device share (pools,
 * queues, segments of code) is taken from [memory, memory + size), which stays
 * the caller's and holds zeros: memory that another process has mapped at the
 * same address, for instance (MAP_SHARED). What is given back is punched out of
 * it (MADV_REMOVE). It limits what can be allocated; null takes it back.
 *
 * GPUEXEC_EMULATOR_INVALID unless it begins and ends at a page;
 * GPUEXEC_EMULATOR_TOO_LATE when the API is in use already. */
enum gpuexec_emulator_result gpuexec_emulator_use_memory(void *memory,
                                                         size_t size);

/* All waves run on one thread, in an order that `seed` decides: which wave
 * comes next, and for how many instructions (a step). Between two steps the
 * client gets a turn now and then, while no wave runs. If it changes what the
 * device sees in its turns only, and the same at the same steps, a run with the
 * same seed is the same, to the bit. The clocks of the device count
 * instructions then.
 *
 * `turn` is called, on that thread, behind `step` steps. `idle` is
 * not 0 when all waves wait for the client, or for time to pass. It may put the
 * device's clock forward by `*ticks`, of 10 ns. If it returns 0, no further
 * step is made until the kernels are stopped. Null: no turns.
 *
 * Before the first kernel; GPUEXEC_EMULATOR_TOO_LATE behind it. */
enum gpuexec_emulator_result gpuexec_emulator_run_in_lockstep(
    uint64_t seed,
    int (*turn)(void *context, uint64_t step, int idle, uint64_t *ticks),
    void *context);

/* The client serves what waves ask of it (through memory that both see) in
 * threads of its own. A thread of the emulator whose waves all wait then also
 * calls `serve`, which looks for such calls once, serves them and returns not
 * 0 if there was one: an answer without waking another thread. One thread at a
 * time is in `serve`, and it begins only when no wave can run. Null takes it
 * back; the function returns when no thread is in the `serve` of before. Not
 * used in lockstep.
 *
 * Before or after the API is initialised; GPUEXEC_EMULATOR_DONE always. */
enum gpuexec_emulator_result
gpuexec_emulator_serve_calls(int (*serve)(void *context), void *context);

/* The client writes to device memory by itself, without the API, from now
 * on: what is there counts as defined ("check"). */
void gpuexec_emulator_written(void *address, size_t size);

/* The statistics so far, as a table or as JSON; buffer and result as for
 * gpuexec_emulator_where. */
size_t gpuexec_emulator_stats(char *buffer, size_t size, int json);

#ifdef __cplusplus
}
#endif

#endif /* GPUEXEC_EMULATOR_H */
