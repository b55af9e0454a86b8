//===-- libc-shim/threads/deadlock.c - When all threads wait --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread registers a long wait. When all threads have, one of them checks all
// of them three times: first, that each waits; second, after all were found
// waiting, how many polls each has made; third, that each is still in the same
// wait and has polled at least twice more. The last of these polls began when
// all threads waited, and a thread that waits changes nothing that another one
// waits for. So none will go on.
//===----------------------------------------------------------------------===//
#include "libc-shim/threads/deadlock.h"
#include "gpu/pass_runtime.h"
#include "libc-shim/threads/owner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A waiting thread checks the other threads once in this many polls.
enum { POLLS_PER_LOOK = 64 };

static uint32_t waiting; // number of threads in long waits
// What the last look has established of all threads: that they wait, or also
// how many polls each had made.
static enum { WAITING, COUNTED } found_all;

static uint32_t load(const uint32_t *word) {
  return __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
static void store(uint32_t *word, uint32_t value) {
  __scoped_atomic_store_n(word, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
static const wait *wait_of(const thread *each) {
  return __scoped_atomic_load_n(&each->waits, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

/// Writes which thread holds the mutex.
static void tell_owner(const pthread_mutex_t *mutex, const thread *newest) {
  const uint32_t owner = thread_of_number(mutex->__owner);
  const thread *each = newest;
  while (each && each->number != owner)
    each = each->older;
  if (owner)
    fprintf(stderr,
            each ? ", for a mutex that thread %u holds"
                 : ", for a mutex held by thread %u, which has ended",
            owner);
}

/// Writes one line for each thread of the list.
static void report(const thread *newest) {
  fprintf(stderr, "gpuexec: deadlock: all threads wait for one another\n");
  for (const thread *each = newest; each; each = each->older) {
    const wait *its = wait_of(each);
    fprintf(stderr, "  thread %u", each->number);
    if (*each->name)
      fprintf(stderr, " '%s'", each->name);
    fprintf(stderr, " in %s", its->function);
    if (each->place)
      fprintf(stderr, " at %s", each->place);
    if (!strncmp(its->function, "pthread_mutex", 13))
      tell_owner(its->object, newest);
    else if (!strcmp(its->function, "pthread_join"))
      fprintf(stderr, ", for thread %u", ((const thread *)its->object)->number);
    fputc('\n', stderr);
  }
}

/// Is every thread in the same wait as at the last look? Notes the current wait
/// of each for the next look.
static bool in_same_waits(thread *newest) {
  bool same = true;
  for (thread *each = newest; each; each = each->older) {
    const uint32_t waited = load(&each->waited);
    same &= wait_of(each) && waited == each->seen_waited;
    each->seen_waited = waited;
  }
  return same;
}

/// Has each thread polled twice since look() counted the polls?
static bool have_tested(const thread *newest) {
  for (const thread *each = newest; each; each = each->older)
    if (load(&each->polls) - each->seen_polls < 2)
      return false;
  return true;
}

/// One of the three checks; after the third, reports the deadlock and aborts.
static void look(void) {
  thread *newest = __gpuexec_lock_threads();
  if (!in_same_waits(newest)) {
    found_all = WAITING;
  } else if (found_all == WAITING) {
    for (thread *each = newest; each; each = each->older)
      each->seen_polls = load(&each->polls);
    found_all = COUNTED;
  } else if (have_tested(newest)) {
    report(newest);
    abort();
  }
  __gpuexec_unlock_threads();
}

void __gpuexec_look_for_deadlock(wait *now) {
  thread *self = __gpuexec_this_thread();
  if (!now->noted) {
    now->noted = true;
    self->place = __gpuexec_place_of_wait();
    store(&self->polls, 0);
    store(&self->waited, self->waited + 1);
    __scoped_atomic_store_n(&self->waits, now, __ATOMIC_RELEASE,
                            __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_add(&waiting, 1, __ATOMIC_RELAXED,
                              __MEMORY_SCOPE_DEVICE);
  }
  store(&self->polls, self->polls + 1);
  if (self->polls % POLLS_PER_LOOK == 0 &&
      load(&waiting) == __gpuexec_alive_threads())
    look();
}

void __gpuexec_leave_long_wait(wait *over) {
  thread *self = __gpuexec_this_thread();
  over->noted = false;
  __scoped_atomic_fetch_sub(&waiting, 1, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
  store(&self->waited, self->waited + 1);
  __scoped_atomic_store_n(&self->waits, NULL, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
}
