//===-- libc-shim/threads/threads.c - The threads of a program ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See threads.h. Every wave but the first has an entry of `work`: the thread
// that it runs, or null. A wave without a thread polls its entry.
//===----------------------------------------------------------------------===//
#include "libc-shim/threads/threads.h"
#include "gpu/start_up.h"
#include "libc-shim/abi/shared_stack.h"
#include "libc-shim/device/lock.h"
#include "libc-shim/device/thread_state.h"
#include "libc-shim/process/process.h"
#include "libc-shim/threads/deadlock.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// The loader reads this: it launches as many waves as the device holds at once.
OWN_GRID const gpuexec_grid __gpuexec_grid = {GPUEXEC_GRID_OF_WAVES, 1};

SHARES_LOCAL_VARIABLES;
HAS_THREADS_OF(posix);

static thread main_thread = {.number = 1, .name = "main"};

static struct {
  uint32_t lock;
  thread *newest;   ///< begin of the list of threads that have not finished
  uint32_t alive;   ///< length of that list
  uint32_t created; ///< number of threads created so far
  uint32_t fresh;   ///< the first wave that has never had a thread
  uint32_t unused;  ///< waves[0 .. unused) have had a thread that has ended
  uint32_t waves[GPUEXEC_MOST_WAVES];
  thread *gone; ///< a list by `older` of threads whose memory is not used
} threads;

static thread *work[GPUEXEC_MOST_WAVES];
static void *locals[GPUEXEC_MOST_WAVES];
static uint32_t numbers[GPUEXEC_MOST_WAVES]; // the number of each wave's thread

static void *call_start(thread *self) { return self->start(self->argument); }
void *(*__gpuexec_run_thread)(thread *) = call_start;

thread *__gpuexec_this_thread(void) {
  const uint32_t wave = rpc_this_wave().number;
  return wave ? work[wave] : &main_thread;
}

uint32_t __gpuexec_alive_threads(void) {
  return __scoped_atomic_load_n(&threads.alive, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
}

thread *__gpuexec_lock_threads(void) {
  lock_take(&threads.lock);
  return threads.newest;
}
void __gpuexec_unlock_threads(void) { lock_release(&threads.lock); }

//===-- Begin and end of a thread; the caller holds threads.lock ----------===//

static void add(thread *added) {
  added->number = numbers[added->wave] = ++threads.created;
  added->older = threads.newest;
  if (added->older)
    added->older->newer = added;
  threads.newest = added;
  __scoped_atomic_store_n(&threads.alive, threads.alive + 1, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_DEVICE);
}

static void take_away(thread *ended) {
  if (ended->newer)
    ended->newer->older = ended->older;
  else
    threads.newest = ended->older;
  if (ended->older)
    ended->older->newer = ended->newer;
  __scoped_atomic_store_n(&threads.alive, threads.alive - 1, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_DEVICE);
}

/// Returns a wave that runs no thread and marks it as taken; 0: there is none.
/// Waves that never had a thread are taken from the lowest: an emulated device
/// starts the blocks of a grid in order, and only those that are needed.
static uint32_t take_wave(void) {
  if (threads.unused)
    return threads.waves[--threads.unused];
  uint32_t count = rpc_this_wave().count;
  if (count > GPUEXEC_MOST_WAVES)
    count = GPUEXEC_MOST_WAVES;
  return threads.fresh < count ? threads.fresh++ : 0;
}

/// Memory for a thread, zeroed: the oldest of a thread that is gone. Null with
/// errno ENOMEM.
static thread *new_thread(void) {
  lock_take(&threads.lock);
  thread **last = &threads.gone;
  while (*last && (*last)->older)
    last = &(*last)->older;
  thread *fresh = *last;
  *last = NULL;
  lock_release(&threads.lock);
  if (fresh)
    memset(fresh, 0, sizeof *fresh);
  else if (!(fresh = calloc(1, sizeof *fresh)))
    errno = ENOMEM;
  return fresh;
}

/// Keeps the memory of a thread that is gone.
static void keep(thread *gone) {
  __scoped_atomic_store_n(&gone->state, GONE, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
  lock_take(&threads.lock);
  gone->older = threads.gone;
  threads.gone = gone;
  lock_release(&threads.lock);
}

thread *__gpuexec_start_thread(void *(*start)(void *), void *argument,
                               const pthread_attr_t *attributes) {
  thread *fresh = new_thread();
  if (!fresh)
    return NULL;
  fresh->start = start;
  fresh->argument = argument;
  if (attributes && attributes->__detached == PTHREAD_CREATE_DETACHED)
    fresh->state = DETACHED;
  const bool own =
      attributes && attributes->__inherit == PTHREAD_EXPLICIT_SCHED;
  const thread *creator = __gpuexec_this_thread();
  fresh->policy = own ? attributes->__policy : creator->policy;
  fresh->priority = own ? attributes->__priority : creator->priority;
  fresh->blocked = __thread_state()->blocked;
  __gpuexec_created_threads = true;
  lock_take(&threads.lock);
  fresh->wave = take_wave();
  if (fresh->wave)
    add(fresh);
  lock_release(&threads.lock);
  if (!fresh->wave) {
    keep(fresh);
    errno = EAGAIN;
    return NULL;
  }
  __scoped_atomic_store_n(&work[fresh->wave], fresh, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
  return fresh;
}

void __gpuexec_forget_thread(thread *finished) {
  if (finished != &main_thread)
    keep(finished);
  else
    __scoped_atomic_store_n(&finished->state, GONE, __ATOMIC_RELEASE,
                            __MEMORY_SCOPE_DEVICE);
}

void __gpuexec_finish_thread(thread *self, void *result) {
  __scoped_atomic_store_n(&self->ends, 1, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_DEVICE);
  if (__gpuexec_destroy_specific)
    __gpuexec_destroy_specific();
  __renew_thread_state();
  self->result = result;
  lock_take(&threads.lock);
  take_away(self);
  const bool last = !threads.alive;
  numbers[self->wave] = 0; // who finds its mutexes held knows that it has ended
  if (self->wave) {
    work[self->wave] = NULL;
    threads.waves[threads.unused++] = self->wave;
  }
  lock_release(&threads.lock);
  if (last)
    exit(0);
  const uint32_t before = __scoped_atomic_fetch_or(
      &self->state, FINISHED, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
  if (before & DETACHED)
    __gpuexec_forget_thread(self);
}

//===-- Waves -------------------------------------------------------------===//

static bool is_over(void) {
  return __scoped_atomic_load_n(&__gpuexec_is_over, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
}

void __gpuexec_wait_for_end(void) {
  if (is_over())
    __gpu_exit();
  __gpu_thread_suspend();
}

/// Runs created threads, one after the other, in lane 0 of every wave that does
/// not call main(), until the program is over.
MAIN_FUNCTION(void) __gpuexec_serve_main(void) {
  const uint32_t wave = rpc_this_wave().number;
  if (!wave || wave >= GPUEXEC_MOST_WAVES || __gpu_lane_id())
    return;
  for (;;) {
    thread *mine;
    while (!(mine = __scoped_atomic_load_n(&work[wave], __ATOMIC_ACQUIRE,
                                           __MEMORY_SCOPE_DEVICE))) {
      if (is_over())
        return;
      __gpu_thread_suspend();
    }
    if (__gpuexec_renew_thread_locals)
      __gpuexec_renew_thread_locals();
    __thread_state()->blocked = mine->blocked;
    __gpuexec_finish_thread(mine, __gpuexec_run_thread(mine));
  }
}

/// Called when main() has returned. If other threads run, ends the program as
/// exit() does; else makes all waves leave the kernel.
MAIN_FUNCTION(void) __gpuexec_end_main(int status) {
  if (__gpuexec_alive_threads() > 1)
    exit(status);
  __scoped_atomic_store_n(&__gpuexec_is_over, 1, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
}

static unsigned long id_of_thread(void) {
  return (unsigned long)__gpuexec_this_thread();
}

__attribute__((constructor(101))) static void begin(void) {
#ifdef __NVPTX__
  __gpuexec_main_functions =
      (struct gpuexec_main_functions){__gpuexec_serve_main, __gpuexec_end_main};
#endif
  __gpuexec_has_threads = true;
  __gpuexec_id_of_thread = id_of_thread;
  __gpuexec_note_long_wait = __gpuexec_look_for_deadlock;
  __gpuexec_note_wait_ended = __gpuexec_leave_long_wait;
  __gpuexec_locals_of_waves = locals;
  __gpuexec_thread_numbers = numbers;
  threads.fresh = 1;
  add(&main_thread);
}
