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

/// random()'s generator and its numbers.
typedef struct {
  int32_t *words;  ///< own + 1 or the caller's; null before the first use
  int type;        ///< which generator
  int front, rear; ///< the two words that are added next
  int32_t own[32]; ///< the first one is what a caller's state begins with
} random_state;

typedef struct {
  struct _reent reent;       ///< newlib's: errno, drand48, conversion states
  char *strtok;              ///< rest of the text
  char signal[32];           ///< strsignal()
  uint64_t blocked, pending; ///< signals, bit 0 the first
  char radix64[8];           ///< l64a()
  char address[16];          ///< inet_ntoa()
  random_state random;       ///< random(), rand()
  void **specific;           ///< pthread_setspecific(); null before
  void *large_variables;     ///< the newest block, see abi/large_variables.c
  void *fork;                ///< process/fork.c; null before the first one
  bool aborts;               ///< SIGABRT's handler has been called by abort()
  struct {
    bool ready; ///< the members below are initialised
    char *argument;
    int index, error, option;
    int place;       ///< within a cluster of letters
    int first, last; ///< operands that were passed over: [first, last)
  } getopt;
  struct {
    char text[32];         ///< asctime()
    _Alignas(8) unsigned char broken_down[64]; ///< gmtime(), localtime()
  } time;
} thread_state;

/// The calling thread's state; one for all threads when memory is out.
thread_state *__thread_state(void);

/// Makes the calling thread's state that of a new thread.
void __renew_thread_state(void);

#endif
