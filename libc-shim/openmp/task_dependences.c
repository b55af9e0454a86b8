//===-- libc-shim/openmp/task_dependences.c - depend ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For each address that a depend clause of its children names, a task keeps the
// last child that writes there and the children that read since. Only the
// task's own thread creates children, so these lists need no locks. Children
// that exclude each other (mutexinoutset) or may run in any order (inoutset)
// run in the order in which they were created.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/tasks.h"
#include <stdlib.h>

/// clang's structure for one item of a depend clause.
struct omp_dependence {
  uint64_t address, length;
  uint8_t flags;
};
enum { DEPEND_IN = 1, DEPEND_OUT = 2, DEPEND_ALL = 0x80 };

typedef struct reader {
  struct reader *next;
  omp_task *task;
} reader;

typedef struct place {
  struct place *next;
  uint64_t address;
  omp_task *writer; ///< the last task that writes; null: none
  reader *readers;  ///< tasks after it that read
} place;

enum { BUCKETS = 64 };
typedef struct omp_dependences {
  omp_task *everything; ///< the last child that depends on omp_all_memory
  place *buckets[BUCKETS];
} omp_dependences;

static place **bucket_of(omp_dependences *all, uint64_t address) {
  return &all->buckets[(address >> 3 ^ address >> 9) % BUCKETS];
}

static place *find_place(const omp_dependences *all, uint64_t address) {
  place *at = all ? *bucket_of((omp_dependences *)all, address) : NULL;
  while (at && at->address != address)
    at = at->next;
  return at;
}

static void clear_place(place *at) {
  if (at->writer)
    __gpuexec_tasks_drop(at->writer);
  at->writer = NULL;
  for (reader *next; at->readers; at->readers = next) {
    next = at->readers->next;
    __gpuexec_tasks_drop(at->readers->task);
    free(at->readers);
  }
}

void __gpuexec_tasks_forget(omp_task_state *state) {
  omp_dependences *all = state->dependences;
  if (!all)
    return;
  if (all->everything)
    __gpuexec_tasks_drop(all->everything);
  for (int i = 0; i < BUCKETS; ++i)
    for (place *at = all->buckets[i], *next; at; at = next) {
      next = at->next;
      clear_place(at);
      free(at);
    }
  free(all);
  state->dependences = NULL;
}

static void wait_for(omp_task *task, omp_task *other) {
  if (other && other != task)
    __gpuexec_tasks_wait_for(task, other);
}

/// Makes the task wait for the tasks of the place that it depends on, and adds
/// it to the place.
static void depend_on(place *at, omp_task *task, bool writes) {
  wait_for(task, at->writer);
  if (!writes) {
    reader *fresh = __gpuexec_omp_allocate(sizeof *fresh);
    *fresh = (reader){at->readers, task};
    at->readers = fresh;
    __gpuexec_tasks_hold(task);
    return;
  }
  for (reader *other = at->readers; other; other = other->next)
    wait_for(task, other->task);
  if (at->writer == task)
    return; // the task names the address twice
  clear_place(at);
  at->writer = task;
  __gpuexec_tasks_hold(task);
}

static void depend_on_all(omp_dependences *all, omp_task *task) {
  for (int i = 0; i < BUCKETS; ++i)
    for (place *at = all->buckets[i]; at; at = at->next)
      depend_on(at, task, true);
  wait_for(task, all->everything);
  if (all->everything)
    __gpuexec_tasks_drop(all->everything);
  all->everything = task;
  __gpuexec_tasks_hold(task);
}

static bool writes(const omp_dependence *dependence) {
  return dependence->flags != DEPEND_IN;
}

void __gpuexec_tasks_depend(omp_task_state *siblings, omp_task *task,
                            int32_t count, const omp_dependence *list) {
  if (!siblings->dependences)
    siblings->dependences =
        __gpuexec_omp_allocate(sizeof *siblings->dependences);
  omp_dependences *all = siblings->dependences;
  for (int i = 0; i < count; ++i) {
    if (list[i].flags & DEPEND_ALL) {
      depend_on_all(all, task);
      continue;
    }
    if (!list[i].address)
      continue; // depend with a null pointer: no dependence
    place *at = find_place(all, list[i].address);
    if (!at) {
      place **bucket = bucket_of(all, list[i].address);
      at = __gpuexec_omp_allocate(sizeof *at);
      at->address = list[i].address;
      at->next = *bucket;
      *bucket = at;
      wait_for(task, all->everything);
    }
    depend_on(at, task, writes(&list[i]));
  }
}

static bool is_over(const omp_task *task) {
  return !task || __gpuexec_tasks_is_complete(task);
}

static bool place_is_over(const place *at, bool writer) {
  if (!is_over(at->writer))
    return false;
  if (writer)
    for (const reader *other = at->readers; other; other = other->next)
      if (!is_over(other->task))
        return false;
  return true;
}

bool __gpuexec_tasks_may_start(const omp_task_state *siblings, int32_t count,
                               const omp_dependence *list) {
  const omp_dependences *all = siblings->dependences;
  if (!all)
    return true;
  if (!is_over(all->everything))
    return false;
  for (int i = 0; i < count; ++i) {
    if (list[i].flags & DEPEND_ALL) {
      for (int k = 0; k < BUCKETS; ++k)
        for (const place *at = all->buckets[k]; at; at = at->next)
          if (!place_is_over(at, true))
            return false;
      continue;
    }
    const place *at = find_place(all, list[i].address);
    if (at && !place_is_over(at, writes(&list[i])))
      return false;
  }
  return true;
}
