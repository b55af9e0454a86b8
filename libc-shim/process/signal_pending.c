//===-- libc-shim/process/signal_pending.c - Signals that have been sent --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set for each thread and one for the program say which signals are pending.
// A signal that carries a value (sigqueue(), timers) also has an entry in
// `queue`; one without an entry is known by its number alone.
//===----------------------------------------------------------------------===//
#include "gpu/pass_runtime.h"
#include "libc-shim/device/lock.h"
#include "libc-shim/process/process.h"
#include "libc-shim/process/signals.h"
#include <stdlib.h>
#include <unistd.h>

void (*__gpuexec_look_at_alarm)(void);
void (*__gpuexec_look_at_timers)(void);
void (*__gpuexec_look_at_host)(void);
void (*__gpuexec_look_at_requests)(void);
uint64_t *(*__gpuexec_signals_of_thread)(void);
unsigned (*__gpuexec_look_at_cancellation)(void);

enum { MOST_QUEUED = 256 };

typedef struct {
  siginfo_t info;
  uint64_t *set;  ///< the thread's or the program's; null: the entry is free
  uint64_t order; ///< counts signals that were queued
} entry;

static uint64_t of_program;
/// Bits that are set in all sets together, so that a look that finds nothing is
/// short. A thread that ends with pending signals leaves its number too high,
/// which costs time alone.
static uint64_t bits_set;
static struct {
  uint32_t lock;
  uint64_t order;
  entry entries[MOST_QUEUED];
} queue;

static uint64_t load(const uint64_t *set) {
  return __scoped_atomic_load_n(set, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
}
static void add(uint64_t *set, uint64_t bit) {
  if (!(__scoped_atomic_fetch_or(set, bit, __ATOMIC_ACQ_REL,
                                 __MEMORY_SCOPE_DEVICE) &
        bit))
    __scoped_atomic_fetch_add(&bits_set, 1, __ATOMIC_RELEASE,
                              __MEMORY_SCOPE_DEVICE);
}
/// Removes a bit. True if it was there.
static bool remove(uint64_t *set, uint64_t bit) {
  const bool was_set = __scoped_atomic_fetch_and(set, ~bit, __ATOMIC_ACQ_REL,
                                                 __MEMORY_SCOPE_DEVICE) &
                       bit;
  if (was_set)
    __scoped_atomic_fetch_sub(&bits_set, 1, __ATOMIC_RELEASE,
                              __MEMORY_SCOPE_DEVICE);
  return was_set;
}

siginfo_t __own_signal(int number, int code) {
  return (siginfo_t){.si_signo = number, .si_code = code};
}

void __name_sender(siginfo_t *info) {
  if (info->si_pid || (info->si_code != SI_USER && info->si_code != SI_TKILL &&
                       info->si_code != SI_QUEUE))
    return;
  info->si_pid = getpid();
  info->si_uid = getuid();
}

//===-- Sending -----------------------------------------------------------===//

/// Does a signal need an entry, besides its bit?
static bool needs_entry(const siginfo_t *info) {
  return is_queued_signal(info->si_signo) ||
         (info->si_code != SI_USER && info->si_code != SI_TKILL);
}

/// Queues an entry; the caller holds the lock. False when there is no room.
static bool append(uint64_t *set, const siginfo_t *info) {
  for (int i = 0; i < MOST_QUEUED; ++i) {
    if (queue.entries[i].set)
      continue;
    queue.entries[i] = (entry){*info, set, ++queue.order};
    return true;
  }
  return false;
}

int __send_signal(uint64_t *thread, const siginfo_t *info) {
  uint64_t *set = thread ? thread : &of_program;
  const uint64_t bit = bit_of_signal(info->si_signo);
  // An ignored signal that is blocked stays: sigwait() may take it.
  if (__signal_is_ignored(info->si_signo) && !(__thread_state()->blocked & bit))
    return 0;
  __watch_signals();
  if (!needs_entry(info)) {
    add(set, bit);
    return 0;
  }
  int error = 0;
  ONE_LANE_WITH(&queue.lock) {
    if (is_queued_signal(info->si_signo) || !(load(set) & bit))
      error = append(set, info) ? 0 : EAGAIN;
    if (!error)
      add(set, bit);
  }
  return error;
}

//===-- Taking ------------------------------------------------------------===//

static siginfo_t without_entry(const uint64_t *set, int number) {
  return __own_signal(number, set == &of_program ? SI_USER : SI_TKILL);
}

/// Takes signal `number` from `set`, and its oldest entry; the caller holds the
/// lock. False if another thread was faster.
static bool take_locked(uint64_t *set, int number, siginfo_t *info) {
  const uint64_t bit = bit_of_signal(number);
  if (!remove(set, bit))
    return false;
  entry *oldest = NULL;
  bool more = false;
  for (int i = 0; i < MOST_QUEUED; ++i) {
    entry *each = &queue.entries[i];
    if (each->set != set || each->info.si_signo != number)
      continue;
    more |= oldest != NULL;
    if (!oldest || each->order < oldest->order)
      oldest = each;
  }
  *info = oldest ? oldest->info : without_entry(set, number);
  if (oldest)
    oldest->set = NULL;
  if (more)
    add(set, bit);
  return true;
}

static bool take_from(uint64_t *set, int number, siginfo_t *info) {
  bool taken = false;
  if (load(&queue.order)) {
    ONE_LANE_WITH(&queue.lock) { taken = take_locked(set, number, info); }
  } else if ((taken = remove(set, bit_of_signal(number)))) {
    *info = without_entry(set, number);
  }
  return taken;
}

/// The sets that the calling thread takes signals from; null: not there.
typedef struct {
  uint64_t *sets[3];
} sources;

static sources own_sources(void) {
  return (sources){
      {&__thread_state()->pending,
       __gpuexec_signals_of_thread ? __gpuexec_signals_of_thread() : NULL,
       &of_program}};
}

bool __take_signal(uint64_t wanted, siginfo_t *info) {
  const sources own = own_sources();
  for (;;) {
    uint64_t *lowest = NULL;
    uint64_t bit = 0;
    for (int i = 0; i < 3; ++i) {
      const uint64_t ready = own.sets[i] ? load(own.sets[i]) & wanted : 0;
      if (ready && (!bit || (ready & -ready) < bit)) {
        bit = ready & -ready;
        lowest = own.sets[i];
      }
    }
    if (!bit)
      return false;
    if (take_from(lowest, __builtin_ctzll(bit) + 1, info))
      return true;
  }
}

uint64_t __pending_signals(void) {
  const sources own = own_sources();
  uint64_t all = 0;
  for (int i = 0; i < 3; ++i)
    all |= own.sets[i] ? load(own.sets[i]) : 0;
  return all;
}

unsigned __deliver_signals(void) {
  unsigned found = NOT_INTERRUPTED;
  siginfo_t info;
  while (__take_signal(~__thread_state()->blocked, &info))
    found |= __carry_out_signal(&info);
  return found;
}

//===-- Looking -----------------------------------------------------------===//

/// A GPU reads a word of the host in a microsecond: a loop would take that long
/// for each round. So threads that go on read it after a while only.
#ifdef __NVPTX__
enum { TICKS_BETWEEN_LOOKS = 20000 }; // of 1 ns
#else
enum { TICKS_BETWEEN_LOOKS = 2000 }; // of 10 ns
#endif
static uint64_t looked_at_host; // when, by the counter

/// Is it time to look at the host again?
static bool host_is_due(void) {
  const uint64_t now = __builtin_readsteadycounter();
  if (now - __scoped_atomic_load_n(&looked_at_host, __ATOMIC_RELAXED,
                                   __MEMORY_SCOPE_DEVICE) <
      TICKS_BETWEEN_LOOKS)
    return false;
  __scoped_atomic_store_n(&looked_at_host, now, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_DEVICE);
  return true;
}

/// Can a look find nothing? It calls no function: it is in loops.
static bool nothing_is_due(void) {
  return !__gpuexec_look_at_alarm && !__gpuexec_look_at_timers &&
         !__gpuexec_look_at_requests && !__gpuexec_look_at_cancellation &&
         !load(&bits_set) && !(__gpuexec_look_at_host && host_is_due());
}

/// Not inlined: look() would save its registers each time.
__attribute__((noinline)) static unsigned look_everywhere(bool sleeps) {
  if (__gpuexec_look_at_alarm || __gpuexec_look_at_timers) {
    const bool now = sleeps || !rpc_has_feature(RPC_FEATURE_CALLERS);
    if (now && __gpuexec_look_at_alarm)
      __gpuexec_look_at_alarm();
    if (now && __gpuexec_look_at_timers)
      __gpuexec_look_at_timers();
  }
  if (__gpuexec_look_at_host)
    __gpuexec_look_at_host();
  if (__gpuexec_look_at_requests)
    __gpuexec_look_at_requests();
  const unsigned found = load(&bits_set) ? __deliver_signals() : 0u;
  return found |
         (__gpuexec_look_at_cancellation ? __gpuexec_look_at_cancellation()
                                         : 0u);
}

static unsigned look(bool sleeps) {
  return !sleeps && nothing_is_due() ? 0u : look_everywhere(sleeps);
}

/// Only a pass calls it: what nothing refers to would be gone before.
__attribute__((used)) void __gpuexec_look_in_loop(void) {
  act_on_cancel_at_once(look_for_interruption());
}

void __watch_signals(void) { __gpuexec_interruption = look; }

//===-- raise, kill, sigqueue ---------------------------------------------===//

int raise(int number) {
  if (number == 0)
    return 0; // as kill(): a check that the process exists
  if (!is_signal(number))
    return fail_with(EINVAL);
  const siginfo_t info = __own_signal(number, SI_TKILL);
  const int error = __send_signal(&__thread_state()->pending, &info);
  __deliver_signals();
  return error ? fail_with(error) : 0;
}

/// Sends a signal to the program, and carries it out if the calling thread may.
static int send_to_program(const siginfo_t *info) {
  const int error = __send_signal(NULL, info);
  if (error)
    return fail_with(error);
  __deliver_signals();
  if (load(&of_program) & bit_of_signal(info->si_signo))
    __interrupt_host_calls(); // another thread is to take it
  return 0;
}

int __raise_in_program(int number) {
  if (number == 0)
    return 0;
  if (!is_signal(number))
    return fail_with(EINVAL);
  const siginfo_t info = __own_signal(number, SI_USER);
  return send_to_program(&info);
}

int sigqueue(pid_t process, int number, union sigval value) {
  if (number < 0 || number >= NSIG)
    return fail_with(EINVAL);
  if (process != getpid())
    return kill(process, 0) ? -1 : fail_with(EPERM);
  if (number == 0)
    return 0;
  siginfo_t info = __own_signal(number, SI_QUEUE);
  info.si_value = value;
  return send_to_program(&info);
}
