//===-- libc-shim/device/thread_state.h - Memory of each thread -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of thread_state are those of one thread: errno, and what C keeps
// between calls of a function. A topic that needs such memory adds a member.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_THREAD_STATE_H
#define GPUEXEC_LIBC_THREAD_STATE_H

#include <reent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/// random()'s generator and its numbers.
typedef struct {
  int32_t *words;  ///< own + 1 or the caller's; null before the first use
  int type;        ///< which generator
  int front, rear; ///< indices of the two words that are added next
  int32_t own[32]; ///< own[1] on: words until initstate(), which uses own[0]
} random_state;

typedef struct {
  struct _reent reent;       ///< newlib's: errno, conversion states
  char *strtok;              ///< the text that strtok() has not scanned yet
  char signal[32];           ///< strsignal()
  uint64_t blocked, pending; ///< sets of signals: bit N - 1 is signal N
  struct {
    void *start;
    uint64_t size; ///< 0: there is none
    bool in_use;   ///< a handler with SA_ONSTACK runs
  } alternate_stack; ///< of sigaltstack()
  char radix64[8];           ///< l64a()
  char address[16];          ///< inet_ntoa()
  random_state random;       ///< random(), rand()
  struct drand48_data random48; ///< drand48(), lrand48()
  struct thread_value *specific; ///< of pthread_setspecific(), or null
  void *large_variables;     ///< the newest block, see abi/large_variables.c
  void *fork;                ///< of process/fork.c; null before the first fork
  bool aborts;               ///< abort() has called the handler of SIGABRT
  struct {
    bool ready; ///< the members below are initialised
    char *argument;
    int index, error, option;
    int place;       ///< position in an argument of several letters (-abc)
    int first, last; ///< skipped operands: argv[first] to argv[last - 1]
  } getopt;
  struct {
    char text[32];         ///< asctime()
    _Alignas(8) unsigned char broken_down[64]; ///< gmtime(), localtime()
  } time;
} thread_state;

/// The calling thread's state, never null. Threads for which there is no memory
/// share one.
thread_state *__thread_state(void);

/// Frees what the calling thread's state owns and zeroes it, for a new thread
/// that runs in this lane.
void __renew_thread_state(void);

#endif
