//===-- libc-shim/posix/queue_notices.c - mq_notify -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's kernel keeps the registration, which ends when a message comes to
// the empty queue. The device asks for that after each of its calls of queues,
// and carries out the event itself.
//===----------------------------------------------------------------------===//
#include "libc-shim/posix/queue_notices.h"
#include "libc-shim/device/interruption.h"
#include "libc-shim/device/lock.h"
#include "libc-shim/device/system_call.h"
#include "libc-shim/process/event.h"
#include <mqueue.h>
#include <signal.h>

enum { MOST_NOTICES = 16 };
static struct {
  bool used;
  mqd_t queue;
  struct sigevent event;
} notices[MOST_NOTICES];
static uint32_t notices_lock;

static void look(void) {
  for (int i = 0; i < MOST_NOTICES; ++i) {
    struct sigevent event;
    bool due = false;
    ONE_LANE_WITH(&notices_lock) {
      if (notices[i].used) {
        const host_reply ended = __system_call(
            RPC_CALL_QUEUE_NOTIFY,
            &(system_call){.words = {(uint64_t)notices[i].queue, 2}});
        due = ended.words[0] == 1;
        event = notices[i].event;
        notices[i].used = !due && !ended.error;
      }
    }
    if (due)
      __carry_out_event(&event, (siginfo_t){.si_code = SI_MESGQ});
  }
  look_for_interruption(); // the handler runs before the call returns
}

/// Forgets the queue's notice and, if `event` is not null, keeps that instead.
/// False when there is no room.
static bool keep(mqd_t queue, const struct sigevent *event) {
  bool kept = !event;
  ONE_LANE_WITH(&notices_lock) {
    for (int i = 0; i < MOST_NOTICES; ++i) {
      if (notices[i].used && notices[i].queue == queue)
        notices[i].used = false;
      if (kept || notices[i].used)
        continue;
      notices[i].queue = queue;
      notices[i].event = *event;
      notices[i].used = kept = true;
    }
  }
  return kept;
}

int mq_notify(mqd_t queue, const struct sigevent *event) {
  if (event && !__is_event(event))
    return fail_with(EINVAL);
  const int result = (int)__system_words(RPC_CALL_QUEUE_NOTIFY, (uint64_t)queue,
                                         event != NULL, 0);
  if (result)
    return result;
  __gpuexec_look_at_queues = look;
  if (keep(queue, event && event->sigev_notify != SIGEV_NONE ? event : NULL))
    return 0;
  __system_words(RPC_CALL_QUEUE_NOTIFY, (uint64_t)queue, 0, 0);
  return fail_with(ENOMEM);
}
