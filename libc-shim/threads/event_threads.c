//===-- libc-shim/threads/event_threads.c - SIGEV_THREAD ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/process/event.h"
#include "libc-shim/threads/threads.h"
#include <stdlib.h>

static void *call(void *memory) {
  const struct sigevent event = *(struct sigevent *)memory;
  free(memory);
  event.sigev_notify_function(event.sigev_value);
  return NULL;
}

/// An event for which no thread can be started is lost, as with glibc.
static void notify_by_thread(const struct sigevent *event) {
  struct sigevent *copy = malloc(sizeof *copy);
  if (!copy)
    return;
  *copy = *event;
  const pthread_attr_t detached = {.__detached = PTHREAD_CREATE_DETACHED};
  if (!__gpuexec_start_thread(call, copy, &detached))
    free(copy);
}

void __gpuexec_allow_threads_for_events(void) {
  __gpuexec_notify_by_thread = notify_by_thread;
}
