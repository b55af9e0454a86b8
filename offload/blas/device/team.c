//===-- offload/blas/device/team.c - See team.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/device/team.h"
#include <signal.h>
#include <string.h>

/// Member 0 is the caller.
static void do_part(const copy_team *t, int member) {
  const size_t members = (size_t)t->helpers + 1;
  t->part(t->job, t->items * (size_t)member / members,
          t->items * ((size_t)member + 1) / members);
}

static void *help(void *argument) {
  copy_team *t = argument;
  unsigned seen = 0;
  pthread_mutex_lock(&t->lock);
  const int member = ++t->joined;
  for (;;) {
    while (t->round == seen)
      pthread_cond_wait(&t->start, &t->lock);
    seen = t->round;
    pthread_mutex_unlock(&t->lock);
    do_part(t, member);
    pthread_mutex_lock(&t->lock);
    if (--t->working == 0)
      pthread_cond_signal(&t->done);
  }
  return NULL;
}

void team_start(copy_team *t, int helpers) {
  memset(t, 0, sizeof *t);
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->start, NULL);
  pthread_cond_init(&t->done, NULL);
  // Blocks all signals: handlers of the program must run in its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  while (t->helpers < helpers && t->helpers < TEAM_HELPERS &&
         pthread_create(&thread, NULL, help, t) == 0) {
    pthread_detach(thread);
    ++t->helpers;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

enum { WORTH_WAKING = 512 << 10 }; // bytes

void team_do(copy_team *t, team_part *part, void *job, size_t items,
             size_t bytes) {
  if (t->helpers == 0 || bytes < WORTH_WAKING || items <= (size_t)t->helpers) {
    part(job, 0, items);
    return;
  }
  pthread_mutex_lock(&t->lock);
  t->part = part;
  t->job = job;
  t->items = items;
  t->working = t->helpers;
  ++t->round;
  pthread_cond_broadcast(&t->start);
  pthread_mutex_unlock(&t->lock);
  do_part(t, 0);
  pthread_mutex_lock(&t->lock);
  while (t->working > 0)
    pthread_cond_wait(&t->done, &t->lock);
  pthread_mutex_unlock(&t->lock);
}
